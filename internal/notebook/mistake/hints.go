package mistake

import (
	"regexp"
	"strings"
)

// early are the rules that come before what is said of undefined names.
var early = []rule{
	on(`^declared and not used: (?:int|float64|string|bool)$|^undefined: \w|^(?:int|float64|string|bool) redeclared$`, `^\s*(?:var\s+)?(?:int|float64|string|bool)\s+\w+\s*(?:=|$)`, `the name stands before its type: var n int, in a struct n int`),
	on(`^undefined: [\p{Ll}_]\w*$`, `\bfunc\b(?:\s*\([^()]*\))?[^(){]*\((?:\w+\s*,\s*)*‸\w+\s*[,)].*\{`, `each parameter has its type: func add(a, b float64) float64 {`),
	on(`^undefined: (\w+)$`, `^\s*‸\w+\s*<-`, `to assign: $1 := 3; <- sends to a channel`),
	on(`^label (\w+) defined and not used|^(?:int|float64|string|bool) \(type\) is not an expression`, `^\s*‸?\w+:\s*‸?(?:int|float64|float|string|str|bool|number|any)\s*=`, `the type stands behind the name, without a colon: var n int = 3, or n := 3`),
	on(`^(?:int|float64|string|bool) \(type\) is not an expression`, `^\s*‸\w+\s*\*+\s*\w+\s*(?:=|;|$)`, `a pointer: p := &x, or var p *int`),
}

// rules are those for what the compiler says of code that parses. The line has no strings and
// comments, and ‸ at the place of the message.
var rules = []rule{
	on(`^label (?:try|except|finally) defined and not used`, ``, `Go has no exceptions: functions return an error, and if err != nil { … } looks at it`),
	on(`cannot indirect`, `\*\*`, `a power: math.Pow(x, 2), or x*x`),
	on(`^invalid argument: index (-\d+) .*must not be negative`, `:\s*‸-\d+\]`, `negative indices do not count from the end: v[:len(v)$1]`),
	on(`^invalid argument: index (-\d+) .*must not be negative`, `‸-\d+\s*:`, `negative indices do not count from the end: v[len(v)$1:]`),
	on(`^invalid argument: index -\d+ .*must not be negative`, `‸-\d+\]`, `the last element of v is v[len(v)-1]`),
	on(`declared and not used: err$`, ``, `look at it: if err != nil { log.Fatal(err) }`),
	on(`declared and not used: (\S+)`, ``, `use $1, or remove it`),
	on(`^append\((\w+), .* is not used$`, ``, `append returns the longer slice: $1 = append($1, …)`),
	on(`^func\(.*is not used$`, ``, `brackets behind the closing brace call the function: }()`),
	on(`is not used$`, ``, `only the last line of a cell shows its value: print it, or keep it: x = x + 1`),
	on(`no new variables on left side of :=`, ``, `the variable is there already: assign with =`),
	on(`assignment mismatch: 1 variable but .* returns 2 values`, ``, `the second is mostly an error: v, err := …, then look at err`),
	on(`\(value of type \(.*, error\)\)|multiple-value .* error\)`, ``, `the second value is an error: v, err := …, then look at err`),
	on(`multiple-value`, ``, `take the values apart first: a, b := …`),
	on(`^invalid operation: ([\pL\w]+) [-+*/]= \S+ \(mismatched types int and float64\)`, ``, `$1 is an int and stays one: declare it as a float64, $1 := 0.0 or var $1 float64`),
	on(`^invalid operation: ([\pL\w]+) \S+ \S+ \(mismatched types int and float64\)`, ``, `convert it: float64($1)`),
	on(`^invalid operation: \S+ \S+ ([\pL\w]+) \(mismatched types float64 and int\)`, ``, `convert it: float64($1)`),
	on(`^fmt\.Println arg list ends with redundant newline`, ``, "Println ends the line itself: leave \\n out"),
	on(`^fmt\.\w+ format %\w has arg .* of wrong type`, ``, `%v prints a value of any type, %d an int, %g a float64, %s text`),
	on(`^fmt\.(?:Println|Print) call has possible Printf formatting directive`, ``, `formats are Printf's: fmt.Printf("%v\n", x)`),
	on(`\(mismatched types (int|float64) and (float64|int)\)`, ``, `convert one of them: float64(n)`),
	on(`\(mismatched types (u?int\d*|float\d+) and (u?int\d*|float\d+)\)`, ``, `both sides need one type: $1(x) or $2(x) converts`),
	on(`cannot use ([\pL\w]+) \(variable of type int\) as float64`, ``, `convert it: float64($1)`),
	on(`(?:cannot use|index) (\w+) \(variable of type float64\) (?:as int|must be integer)`, ``, `convert it: int($1) cuts the fraction off`),
	on(`^invalid operation: .* \* .*mismatched types (?:untyped )?string and (?:untyped )?int|^invalid operation: .* \* .*mismatched types (?:untyped )?int and (?:untyped )?string`, ``, `text several times: strings.Repeat("-", 10)`),
	on(`^cannot convert ".*" .*to type int`, `\bint\(‸"`, `n, err := strconv.Atoi(text) reads an int from text`),
	on(`^cannot convert ".*" .*to type float64`, `\bfloat64\(‸"`, `x, err := strconv.ParseFloat(text, 64) reads a number from text`),
	on(`^invalid operation: .* \+ .*mismatched types (?:untyped )?string and (?:untyped )?(?:int|float)|^invalid operation: .* \+ .*mismatched types (?:untyped )?(?:int|float64) and (?:untyped )?string`, ``, `to join text and a number: fmt.Sprint("n = ", n)`),
	on(`not enough arguments in call`, ``, `Shift+Tab in the brackets shows what the function wants`),
	on(`too many arguments in call`, ``, `Shift+Tab in the brackets shows what the function wants`),
	on(`too many return values`, `return`, `a function returns what its first line says behind the arguments: func twice(x float64) float64 { … }`),
	on(`not enough return values`, ``, `a function returns what its first line says behind the arguments`),
	on(`cannot use "[-+0-9.e]+" \(untyped string constant.*\) as (int|float64) value`, ``, `a number stands without quotes; strconv.ParseFloat and strconv.Atoi read one from text`),
	on(`^cannot use (\w+) \(variable of type \[\d+\](\S+)\) as \[\](\S+) value`, ``, `$1[:] is the array as a slice`),
	on(`^invalid append: argument must be a slice; have \w+ \(variable of type \[\d+\](\S+)\)`, ``, `an array has a fixed length; a slice grows: []$1{…}`),
	on(`^invalid argument: (\w+) \(variable of type \[\].*\) is not a map`, ``, `delete is for maps; of a slice: $1 = slices.Delete($1, i, i+1)`),
	on(`^result parameter (\w+) not in scope at return`, ``, `:= has made another $1 in these braces: assign with =, or return its value`),
	on(`^assignment mismatch: 1 variable but [23] values$`, `=\s*\d+,\s*\d+(,\s*\d+)?\s*$`, `a number has no comma: 3.14 has a dot, and 1_000_000 may have _`),
	on(`cannot use .* \(variable of type (?:int|float64)\) as string value`, ``, `to make text of a number: fmt.Sprint(n)`),
	on(`is pointer to interface, not interface`, ``, `an interface is passed as it is: leave out the * before its name`),
	on(`cannot use &.* \(value of type \*.*\) as (\S+) value`, ``, `leave the & out: a $1 is wanted, and no pointer to one`),
	on(`cannot use (\w+) \(variable of (?:struct )?type (\S+)\) as \*(\S+) value`, ``, `a pointer is wanted: &$1`),
	on(`wrong type for method (\w+)`, ``, `give $1 the arguments and results that are wanted`),
	on(`cannot use "rbf" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.RBF{Gamma: 0.5}`),
	on(`cannot use "linear" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Linear{}`),
	on(`cannot use "poly(?:nomial)?" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}`),
	on(`cannot use "sigmoid" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Sigmoid{Gamma: 1}`),
	on(`cannot use .*string.* as error value`, ``, `to make an error of text: errors.New("…"), or fmt.Errorf("x = %v", x)`),
	on(`missing method (\w+)`, ``, `the type needs a method $1`),
	on(`(\S+) does not (?:implement|satisfy) .*\(method (\w+) has pointer receiver\)`, ``, `*$1 has the method $2, and $1 has not: take a pointer, as in &v`),
	on(`(\S+) does not satisfy ([^(]+) \(`, ``, `the function takes only $2`),
	on(`does not match inferred type`, ``, `both need one type: convert one of them`),
	on(`operator \^ not defined on .*float`, ``, `a power: math.Pow(x, 2), or x*x; ^ is for the bits of ints`),
	on(`must be called`, ``, `call it, with brackets behind its name`),
	on(`(break|continue) is not in a loop`, ``, `outside of loops, return ends the function or the cell`),
	on(`invalid recursive type`, ``, `a type can't contain itself, but a pointer to itself: *T`),
	on(`initialization cycle`, ``, `give one of them a value that needs none of the others`),
	on(`\.(?:len|length|size|Len) undefined \(type (?:\[|map|string)`, ``, `in Go: len(v)`),
	on(`missing return`, ``, `every way through the function ends in a return`),
	on(`non-boolean condition`, ``, `a condition compares: n != 0`),
	on(`cannot assign to ([\pL\w]+) \((neither addressable|constant)`, ``, `a constant stays as it is: var $1 declares a variable`),
	on(`slice can only be compared to nil`, ``, `slices.Equal(a, b) compares their elements`),
	on(`cannot use \[\]int\{.*\} .* as \[\]float64`, ``, `write []float64{…}`),
	on(`cannot call pointer method (\w+) on (\S+)`, ``, `$1 changes the variable that it is called on, and this is none: v := …, then v.$1()`),
	on(`^invalid operation: cannot call `, ``, `only functions are called with ( ); an element of a slice is v[i], a product is a*(b+c)`),
	on(`cannot index \w+ \(variable of .*mat\.`, ``, `an element of a matrix: X.At(i, j)`),
	on(`map\[.*\) for built-in cap$`, ``, `a map has no capacity; len counts its keys`),
	on(`cannot use nil as string value|mismatched types string and untyped nil`, ``, `a string is never nil; an empty one is ""`),
	on(`cannot use nil as (?:int|float64) value|mismatched types (?:int|float64) and untyped nil`, ``, `a number is never nil`),
	on(`struct containing .* cannot be compared`, ``, `reflect.DeepEqual(a, b) compares all that they contain`),
	on(`map can only be compared to nil`, ``, `maps.Equal(a, b) compares their elements`),
	on(`cannot assign to struct field .* in map`, ``, `an element of a map is a copy: v := m[k], change v, m[k] = v`),
	on(`non-name \S+ on left side of :=`, ``, `:= makes new variables only: declare the others with var, then assign with =`),
	on(`cannot use (\w+) \(variable of type string\) as int value`, ``, `n, err := strconv.Atoi($1) reads an int from text`),
	on(`cannot use (\w+) \(variable of type string\) as float64 value`, ``, `x, err := strconv.ParseFloat($1, 64) reads a number from text`),
	on(`cannot use (\w+) \(variable of type (?:u?int\d*|float\d+|byte|rune)\) as (u?int\d*|float\d+|byte|rune) value`, ``, `convert it: $2($1)`),
	on(`cannot refer to unexported (?:field|method|name)`, ``, `a name that begins with a small letter is for its own package alone`),
	on(`cannot range over .* of (?:interface )?type (?:any|interface\{\})`, ``, `say what it holds first: v, ok := x.([]int)`),
	on(`cannot convert ([\pL\w]+) \(variable of .*\) to type (\S+): need type assertion`, ``, `ask whether it holds one: v, ok := $1.($2)`),
	on(`([\pL\w]+) \(variable of type (\S+)\) is not an interface`, ``, `x.(T) asks what an interface holds; $1 is always of type $2`),
	on(`mismatched types \*\S+ and (?:untyped )?int`, ``, `pointers are not counted with; the value itself is *p, an element v[i]`),
	on(`mixture of field:value and value elements`, ``, `each value stands with its field's name, or none does`),
	on(`too few values in struct literal`, ``, `without names each field has a value; with names some may be left out: T{x: 1}`),
	on(`(\w+) \(package-level variable\) is not a type|(\w+) \(variable of .*\) is not a type`, ``, `a type is wanted here, and $1$2 is a variable`),
	on(`unexpected semicolon or newline before \{`, ``, `the opening brace stands at the end of the line before`),
	on(`cannot index ([\pL\w]+) \(variable of type (?:int|float64|bool)\)`, ``, `$1 has no elements: slices, arrays, maps and strings have`),
	on(`^invalid array length|^array length .* must be constant`, ``, `the length of an array is a constant; a slice may have any: make([]int, n)`),
	on(`untyped float constant\) as int value .*\(truncated\)`, ``, `an int has no fraction: declare it as a float64`),
	on(`\(untyped float constant\) truncated to int64$`, `\btime\.`, `a duration is a whole number of nanoseconds: 500 * time.Millisecond`),
	on(`mismatched types (?:u?int\d*) and time\.Duration|mismatched types time\.Duration and u?int`, ``, `convert the number: time.Duration(n) * time.Second`),
	on(`mismatched types float64 and time\.Duration|mismatched types time\.Duration and float64`, ``, `a duration is a whole number of nanoseconds: time.Duration(x * float64(time.Second))`),
	on(`^([\d.]+) \(untyped float constant\) truncated to int$`, `[-+*/]\s*‸|‸[\d.]+\s*[-+*/]`, `convert the int: float64(n)*$1`),
	on(`cannot indirect ([\pL\w]+) \(variable of type (?:int|float64|string|bool)\)`, ``, `$1 is no pointer: leave the * out`),
	on(`cannot take address of .* constant\)`, ``, `only variables have an address: x := 1, then &x`),
	on(`^(\S+) \(type\) is not an expression`, ``, `a value is wanted here, and $1 is a type`),
	on(`\(value of type .*\) is not constant`, `\bconst\b`, `behind const stands what the compiler computes: declare it with var`),
	on(`assignment mismatch: \d variables but \d values?$|^extra init expr|^missing init expr`, ``, `as many values as variables: a, b := 1, 2`),
	on(`operator ! not defined on ([\pL\w]+) \(variable of type (?:int|float64)`, ``, `a condition compares: $1 == 0`),
	on(`operator % not defined on .*float`, ``, `the remainder of float64s: math.Mod(x, y)`),
	on(`operator (&&|\|\|) not defined on .*(?:int|float64|string)\b`, ``, `$1 joins conditions: a > 0 $1 b > 0`),
	on(`mismatched types (?:byte|rune) and untyped string`, `‸?"~"`, `one letter of a text stands in single quotes: s[0] == 'a'`),
	on(`^invalid operation: .* \+=? .*mismatched types string and (rune|byte)`, ``, `to make text of a $1: string(r)`),
	on(`^cannot use .* \(.* of type \[\]byte\) as string value`, ``, `to make text of bytes: string(b)`),
	on(`^invalid operation: ".*" % .*mismatched types untyped string`, ``, `to put values into text: fmt.Sprintf("%d", n)`),
	on(`^invalid operation: (\w+) \+= (\w+) \(mismatched types string and (?:int|float64)`, ``, `to make text of a number: $1 += fmt.Sprint($2)`),
	on(`mismatched types (?:untyped )?bool and`, `[<>]=?\s*\S+\s*‸?[<>]`, `two comparisons: 0 < x && x < 3`),
	on(`cannot send to non-channel`, ``, `to assign: x = 2; <- sends to a channel`),
	on(`\(no value\) used as value`, ``, `the function returns nothing: call it in a line of its own`),
	on(`cannot define new methods on non-local type (\w+)`, ``, `methods belong to types of your own: type number $1, then func (n number) …`),
	on(`cannot convert ([\pL\w]+) \(variable of type string\) to type int`, ``, `n, err := strconv.Atoi($1) reads an int from text`),
	on(`cannot convert ([\pL\w]+) \(variable of type string\) to type float64`, ``, `x, err := strconv.ParseFloat($1, 64) reads a number from text`),
	on(`cannot use (\w+) \(variable of type \[\]\S+\) as \[\]any value in argument to fmt\.Print`, ``, `leave the dots out: $1 is one argument`),
	on(`^(?:cannot index|cannot range over|invalid argument:) ([\pL\w]+) \(variable of type \*(?:\[\]|map\[)`, ``, `$1 is a pointer: (*$1) is what it points to`),
	on(`^invalid argument: index .* of type float64\) must be integer`, ``, `an index is an int: int(x) cuts the fraction off`),
	on(`operator \+ not defined on .*\(variable of type \[\]`, ``, `to join slices: append(a, b...); to add numbers, floats.Add(a, b) adds b to a`),
	on(`operator \* not defined on .*mat\.`, ``, `a product of matrices: C.Mul(A, B), with var C mat.Dense`),
	on(`operator [-+] not defined on .*mat\.`, ``, `of matrices: C.Add(A, B) or C.Sub(A, B), with var C mat.Dense`),
	on(`^invalid operation: .* \* .*mismatched types .*\[\]float64`, ``, `floats.Scale(2, v) multiplies each element of v`),
	on(`use of untyped nil`, ``, `nil needs a type: var m *svm.Model`),
	on(`cannot infer`, ``, `say the type: first[int]()`),
}

// hint says what to do about a message of the compiler.
func (f Failure) hint(m Mistake) string {
	var line string
	if len(m.Places) > 0 {
		p := m.Places[0]
		source, _ := f.Cells(p.Count)
		line = marked(blanked(source), p)
	}
	if h := f.memoryHint(m); h != "" {
		return h
	}
	message, _, _ := strings.Cut(m.Message, "\n")
	if h := first(early, message, line); h != "" {
		return h
	}
	if h := f.nameHint(m.Message, strings.Replace(line, "‸", "", 1)); h != "" {
		return h
	}
	if h := spread(message); h != "" {
		return h
	}
	return first(rules, message, line)
}

// appended matches a slice where an element is wanted.
var appended = regexp.MustCompile(`^cannot use (\w+) \(variable of type \[\](\S+)\) as (\S+) value in argument to append`)

// spread is the hint for a slice that is appended without dots.
func spread(message string) string {
	if at := appended.FindStringSubmatch(message); at != nil && at[2] == at[3] {
		return "three dots append its elements: append(v, " + at[1] + "...)"
	}
	return ""
}
