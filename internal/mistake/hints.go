package mistake

import (
	"strings"
)

// rules are those for what the compiler says of code that parses. The line has no strings and
// comments, and ‸ at the place of the message.
var rules = []rule{
	on(`cannot indirect`, `\*\*`, `a power: math.Pow(x, 2), or x*x`),
	on(`^invalid argument: index -\d+ .*must not be negative`, `‸-\d+\]`, `the last element of v is v[len(v)-1]`),
	on(`declared and not used: err$`, ``, `look at it: if err != nil { log.Fatal(err) }`),
	on(`declared and not used: (\S+)`, ``, `use $1, or remove it`),
	on(`^append\((\w+), .* is not used$`, ``, `append returns the longer slice: $1 = append($1, …)`),
	on(`is not used$`, ``, `do something with the value: x = x + 1, or print it`),
	on(`no new variables on left side of :=`, ``, `the variable is there already: assign with =`),
	on(`assignment mismatch: 1 variable but .* returns 2 values`, ``, `the second is mostly an error: v, err := …, then look at err`),
	on(`\(value of type \(.*, error\)\)|multiple-value .* error\)`, ``, `the second value is an error: v, err := …, then look at err`),
	on(`multiple-value`, ``, `take the values apart first: a, b := …`),
	on(`^invalid operation: ([\pL\w]+) [-+*/]= \S+ \(mismatched types int and float64`, ``, `$1 is an int and stays one: declare it as a float64, $1 := 0.0 or var $1 float64`),
	on(`^invalid operation: ([\pL\w]+) \S+ \S+ \(mismatched types int and float64`, ``, `convert it: float64($1)`),
	on(`^invalid operation: \S+ \S+ ([\pL\w]+) \(mismatched types float64 and int`, ``, `convert it: float64($1)`),
	on(`^fmt\.Println arg list ends with redundant newline`, ``, "Println ends the line itself: leave \\n out"),
	on(`^fmt\.\w+ format %\w has arg .* of wrong type`, ``, `%v prints a value of any type, %d an int, %g a float64, %s text`),
	on(`^fmt\.(?:Println|Print) call has possible Printf formatting directive`, ``, `formats are Printf's: fmt.Printf("%v\n", x)`),
	on(`mismatched types (int|float64) and (float64|int)`, ``, `convert one of them: float64(n)`),
	on(`cannot use ([\pL\w]+) \(variable of type int\) as float64`, ``, `convert it: float64($1)`),
	on(`(?:cannot use|index) (\w+) \(variable of type float64\) (?:as int|must be integer)`, ``, `convert it: int($1) cuts the fraction off`),
	on(`mismatched types (untyped )?string and (untyped )?(int|float)|cannot convert "`, ``, `to join text and a number: fmt.Sprint("n = ", n)`),
	on(`not enough arguments in call`, ``, `Shift+Tab in the brackets shows what the function wants`),
	on(`too many arguments in call`, ``, `Shift+Tab in the brackets shows what the function wants`),
	on(`too many return values`, `return`, `a function returns what its first line says behind the arguments: func twice(x float64) float64 { … }`),
	on(`not enough return values`, ``, `a function returns what its first line says behind the arguments`),
	on(`cannot use .* \(untyped string constant.*\) as (int|float64) value`, ``, `a number stands without quotes; strconv.ParseFloat and strconv.Atoi read one from text`),
	on(`cannot use .* \(variable of type (?:int|float64)\) as string value`, ``, `to make text of a number: fmt.Sprint(n)`),
	on(`cannot use &.* \(value of type \*.*\) as (\S+) value`, ``, `leave the & out: a $1 is wanted, and no pointer to one`),
	on(`cannot use (\w+) \(variable of (?:struct )?type (\S+)\) as \*(\S+) value`, ``, `a pointer is wanted: &$1`),
	on(`wrong type for method (\w+)`, ``, `give $1 the arguments and results that are wanted`),
	on(`cannot use "rbf" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.RBF{Gamma: 0.5}`),
	on(`cannot use "linear" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Linear{}`),
	on(`cannot use "poly(?:nomial)?" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}`),
	on(`cannot use "sigmoid" .* as kernel\.Kernel value`, ``, `a kernel is a value of package kernel: kernel.Sigmoid{Gamma: 1}`),
	on(`cannot use .*string.* as error value`, ``, `to make an error of text: errors.New("…"), or fmt.Errorf("x = %v", x)`),
	on(`missing method (\w+)`, ``, `the type needs a method $1`),
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
	on(`cannot call `, ``, `only functions are called with ( ); an element of a slice is v[i], a product is a*(b+c)`),
	on(`cannot index \w+ \(variable of .*mat\.`, ``, `an element of a matrix: X.At(i, j)`),
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
	if h := f.nameHint(m.Message, strings.Replace(line, "‸", "", 1)); h != "" {
		return h
	}
	message, _, _ := strings.Cut(m.Message, "\n")
	return first(rules, message, line)
}
