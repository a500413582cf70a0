package mistake

import (
	"regexp"
	"strings"
)

// A rule gives a hint for messages that match. The hint may use the groups of the pattern.
type rule struct {
	message *regexp.Regexp
	source  *regexp.Regexp // what the line has to match as well, if not nil
	hint    string
}

func on(message, source, hint string) rule {
	r := rule{message: regexp.MustCompile(message), hint: hint}
	if source != "" {
		r.source = regexp.MustCompile(source)
	}
	return r
}

// Rules for Python's syntax come first: there the compiler's message seldom helps.
var rules = []rule{
	on(``, `^\s*(from\s+\w+\s+)?import\s+\w+(\s+as\s+\w+)?\s*$`, `an import in Go is a path in quotes: import "gonum.org/v1/gonum/mat"`),
	on(`illegal character U\+0023`, ``, `comments begin with //`),
	on(`found 'import'`, ``, `imports stand above %%, or in a cell of their own`),
	on(`expected`, `^\s*for\b[^;{]*,[^;{]*[<>=!]`, `semicolons part a loop: for i := 0; i < 3; i++ {`),
	on(`expected`, `^\s*(int|float|double|float64|string|bool|auto|let)\s+\w+\s*=`, `the type stands behind the name: n := 3, or var n int = 3`),
	on(`expected`, `\b(int|float64|string)\s*\[\s*\]`, `the brackets of a slice stand before the type: []float64`),
	on(`expected`, `\blambda\b`, `a function without a name: func(x float64) float64 { return 2 * x }`),
	on(`expected`, `^\s*\}?\s*elif\b`, `elif in Go: } else if x < 0 {`),
	on(`expected`, `^\s*class\s+\w+`, `a type in Go: type line struct { w, b float64 }; its methods are functions: func (l line) at(x float64) float64 { … }`),
	on(`expecting \]|expected`, `[=(]\s*\[[^\]]*,`, `a list of numbers is a slice: []float64{1, 2, 3}`),
	on(``, `^\s*for\s+\w+\s+in\s+range\b`, `a loop in Go: for i := range 3 { … }`),
	on(``, `^\s*for\s+\w+\s+in\b`, `a loop in Go: for i, v := range values { … }`),
	on(``, `^\s*def\s+\w+\s*\(`, `a function in Go: func twice(x float64) float64 { return 2 * x }`),
	on(``, `^\s*while\b`, `a loop with a condition in Go: for n > 0 { … }`),
	on(``, `^\s*(if|elif|else|for)\b.*:\s*$`, `Go has braces and no colon: if x > 0 { … }`),
	on(``, `^\s*print\s+["\w]`, `to print: fmt.Println("hello")`),
	on(`missing ','|expected`, `[\w)] (and|or) [\w(!]|\bnot \w`, `in Go: a && b, a || b, !a`),
	on(`missing ','|expected`, `\w(\+\+|--)`, `i++ is a statement of its own, with no value`),
	on(`cannot indirect`, `\*\*`, `a power: math.Pow(x, 2), or x*x`),
	on(`rune literal|illegal rune`, ``, `text stands in double quotes: "hello"; single quotes are for one character`),
	on(`\.append undefined`, ``, `in Go: v = append(v, x)`),
	on(`must not be negative|negative`, `\[-\d+\]`, `the last element of v is v[len(v)-1]`),

	on(`expected declaration|non-declaration statement`, ``, "statements go below a line with %%: what stands there runs, and what stands above it is declared for later cells too"),
	on(`expected statement, found 'else'|found 'else'`, ``, `else stands on the line of the brace before it: } else {`),
	on(`unexpected newline, expected \{|expected '\{'|missing condition|newline, expected`, ``, `the opening brace stands at the end of the line: for i := range 3 {`),
	on(`missing ',' before newline in composite literal`, ``, `the last element has a comma, too, if the brace stands on a line of its own`),
	on(`missing ',' (before newline )?in argument list`, ``, `a comma or a closing bracket is missing`),
	on(`raw string literal not terminated`, ``, `a closing back quote is missing`),
	on(`string literal not terminated`, ``, `a closing " is missing`),
	on(`expected '\}', found 'EOF'|found 'EOF'`, ``, `a closing brace is missing in this cell`),
	on(`illegal character U\+003F`, ``, `Go has no ?: — if x > 0 { y = 1 } else { y = -1 }`),
	on(`missing ',' in composite literal`, ``, `a comma stands between two elements`),
	on(`found '\)'`, ``, `this bracket closes none`),
	on(`expected '\(', found main`, ``, `a closing brace is missing above %%`),
	on(`expected '\(', found \w+`, `^\s*func\b`, `a function with a name is declared above the line %%; below it: twice := func(x float64) float64 { return 2 * x }`),
	on(`found assignment|cannot use assignment|used as value`, ``, `to compare: ==`),

	on(`declared and not used: err$`, ``, `look at it: if err != nil { log.Fatal(err) }`),
	on(`declared and not used: (\S+)`, ``, `use $1, or remove it`),
	on(`^append\((\w+), .* is not used$`, ``, `append returns the longer slice: $1 = append($1, …)`),
	on(`is not used$`, ``, `do something with the value: x = x + 1, or print it`),
	on(`no new variables on left side of :=`, ``, `the variable is there already: assign with =`),
	on(`assignment mismatch: 1 variable but .* returns 2 values`, ``, `the second is mostly an error: v, err := …, then look at err`),
	on(`\(value of type \(.*, error\)\)|multiple-value .* error\)`, ``, `the second value is an error: v, err := …, then look at err`),
	on(`multiple-value`, ``, `take the values apart first: a, b := …`),
	on(`^invalid operation: ([\pL\w]+) \S+ \S+ \(mismatched types int and float64`, ``, `convert it: float64($1)`),
	on(`^invalid operation: \S+ \S+ ([\pL\w]+) \(mismatched types float64 and int`, ``, `convert it: float64($1)`),
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
	on(`redeclared`, ``, `an earlier cell declares the name as something else: take another name, or forget that one with %rm NAME`),
}

// unknownMagic is a command such as Python's kernel has.
var unknownMagic = regexp.MustCompile(`(?m)^%%\w+`)

// hint says what to do about a message of the compiler.
func (f Failure) hint(m Mistake) string {
	var line string
	if len(m.Places) > 0 {
		line = m.Places[0].Text
	}
	if h := f.nameHint(m.Message, line); h != "" {
		return h
	}
	message, _, _ := strings.Cut(m.Message, "\n")
	if strings.HasPrefix(message, "expected declaration") {
		source, _ := f.Cells(f.Count)
		if magic := unknownMagic.FindString(source); magic != "" {
			return magic + " is no command of GoNB; statements go below a line with %%"
		}
	}
	for _, r := range rules {
		at := r.message.FindStringSubmatchIndex(message)
		if at == nil || r.source != nil && !r.source.MatchString(line) {
			continue
		}
		return string(r.message.ExpandString(nil, r.hint, message, at))
	}
	return ""
}
