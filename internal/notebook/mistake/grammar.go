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

// first returns the hint of the first rule that matches.
func first(rules []rule, message, line string) string {
	for _, r := range rules {
		at := r.message.FindStringSubmatchIndex(message)
		if at == nil || r.source != nil && !r.matches(line) {
			continue
		}
		return string(r.message.ExpandString(nil, r.hint, message, at))
	}
	return ""
}

// matches reports whether the pattern for the line matches it. Most patterns ignore the place
// of the message.
func (r rule) matches(line string) bool {
	if !strings.Contains(r.source.String(), "‸") {
		line = strings.Replace(line, "‸", "", 1)
	}
	return r.source.MatchString(line)
}

// cType matches the types of C, Java and JavaScript that begin a declaration there.
const cType = `(?:int|uint|long|float|double|float64|string|String|str|char|bool|boolean)`

// foreign are the rules for lines that are no Go wherever they stand: Python, C, Java,
// JavaScript. The line has no strings and comments, and ‸ at the place of the message.
var foreign = []rule{
	on(``, `^\s*from\s+\S+\s+import\b|^\s*import\s+[\w.]+(\s+as\s+\w+)?(\s*,\s*[\w.]+)*\s*$`, `an import in Go is a path in quotes: import "gonum.org/v1/gonum/mat"`),
	on(`illegal character U\+0023`, `^\s*‸`, `comments begin with //`),
	on(``, `^\s*for\s+\w+\s+in\s+range\b`, `a loop in Go: for i := range 3 { … }`),
	on(``, `^\s*(?:for|foreach)\s*‸?\(\s*(?:\w+\s+)?\w+\s*‸?(?::[^=]|of\b|in\b)|^\s*for\s*\(‸?\w+\s+\w+\s+of\b|^\s*foreach\b`, `a loop in Go: for i, v := range values { … }`),
	on(``, `^\s*for\s+\w+\s*=\s*\w+\s*‸?:`, `a loop in Go: for i := 1; i <= 10; i++ { … }`),
	on(`expected '\)', found ','`, `\brange\s*\(\s*[\w.]+‸,`, `a loop from 1 to 4: for i := 1; i < 5; i++ { … }`),
	on(``, `^\s*for\s+\(?\w+(\s*,\s*\w+)*\)?\s+in\b`, `a loop in Go: for i, v := range values { … }`),
	on(``, `^\s*def\s+\w+\s*\(|^\s*(function|fn|fun)\s+\w+\s*\(`, `a function in Go: func twice(x float64) float64 { return 2 * x }`),
	on(``, `^\s*while\b[^=]*[:{]\s*$|^\s*while\s+[\w(]`, `a loop with a condition in Go: for n > 0 { … }`),
	on(``, `^\s*do\s*\{|\}\s*while\b`, `a loop that ends with a test in Go: for { …; if x > 3 { break } }`),
	on(``, `^\s*\}?\s*elif\b`, `elif in Go: } else if x < 0 {`),
	on(``, `^\s*\}?\s*else?s?if\b`, `two words in Go: } else if x < 0 {`),
	on(``, `^\s*(if|else|for)\b.*:\s*$`, `Go has braces and no colon: if x > 0 { … }`),
	on(``, `^\s*(try|finally)\s*[:{]|^\s*\}?\s*(catch|except)\b`, `Go has no exceptions: functions return an error, and if err != nil { … } looks at it`),
	on(``, `^\s*(throw|raise)\s+["\w]`, `Go has no exceptions: return fmt.Errorf("x = %v, want x > 0", x), or panic("…")`),
	on(``, `^\s*(public|private|protected|static)\s+\w`, `a name that begins with a capital letter is exported; Go has no public, private or static`),
	on(``, `^\s*del\s+\w`, `an element of a map: delete(m, key)`),
	on(``, `^\s*assert\s+["\w(!]`, `in Go: if x <= 0 { panic("…") }`),
	on(``, `^\s*with\s+\w.*:\s*$`, `what is opened is closed by defer: f, err := os.Open(name), look at err, defer f.Close()`),
	on(``, `""‸"`, "text over several lines stands in back quotes: `…`"),
	on(``, `^\s*(pip3?|conda|apt|apt-get|git|curl|wget|go (get|run|build|mod|install|test|version))\s+[\w-]`, `a line that begins with ! is for the shell: !go version`),
	on(``, `^\s*enum\s+\w+`, `constants that count: const ( Red = iota, and Green, Blue and ) in lines of their own`),
	on(`rune literal`, `\(f‸'~*'`, `text has no letter before its quotes: fmt.Sprintf("n = %v", n) puts values into it`),
	on(`rune literal not terminated`, `[\w\])]‸'\s*$`, `the transpose of a matrix: A.T()`),
	on(``, `(^|\W)[fFrRbBu]‸"`, `text has no letter before its quotes: fmt.Sprintf("n = %v", n) puts values into it`),
	on(``, `^\s*class\s+\w+`, `a type in Go: type line struct { w, b float64 }; its methods are functions: func (l line) at(x float64) float64 { … }`),
	on(``, `^\s*struct\s+\w+\s*\{`, `the name stands before struct: type point struct { x, y float64 }`),
	on(`^expected|in argument list`, `\blambda\s+‸\w+(\s*,\s*\w+)*\s*:`, `a function without a name: func(x float64) float64 { return 2 * x }`),
	on(``, `\)?\s*‸=>|=‸>`, `a function without a name: func(x float64) float64 { return 2 * x }`),
	on(``, `^\s*(int|void|float|double|float64|string|bool|char)\s+\w+\s*\(.*\)\s*\{\s*$`, `a function in Go: func add(a, b int) int { return a + b }`),
	on(``, `^\s*for\s*\(\s*\w+\s+\w+\s*=|^\s*for\s*\(\w+\s*:?=`, `a loop has no brackets and no type: for i := 0; i < 3; i++ {`),
	on(``, `^\s*for\s+\w+\s*:?=\s*[\w.]+\s*,\s*\w+\s*[<>!=]`, `semicolons part a loop: for i := 0; i < 3; i++ {`),
	on(``, `^\s*(?:let|val|auto)\s+(?:mut\s+)?‸\w+(?:\s+\w+)?\s*=[^=]`, `a new variable: n := 3`),
	on(``, `^\s*(?:const|final)\s+(?:\w+\s+)?\w+\s*‸:=|^\s*final\s+‸\w`, `a constant: const n = 3`),
	on(``, `^\s*(?:Array)?(?:List|Vector)<|^\s*(?:std::)?vector<|^\s*std:‸:vector`, `a list is a slice: var v []string`),
	on(``, `^\s*(?:Hash|Tree)?(?:Map|Dictionary)<|^\s*std:‸:map`, `a map: map[string]int{}`),
	on(`^expected statement, found ':'`, `^\s*std:‸:cout`, `to print: fmt.Println(x)`),
	on(``, `^\s*`+cType+`\s+\w+\s*(=[^=]|;|$)`, `the type stands behind the name: n := 3, or var n int = 3`),
	on(``, `\b(int|float64|float|double|string|String|char|bool)\[\s*\]|\bnew\s+\w+\s*\[`, `the brackets of a slice stand before the type: []float64`),
	on(``, `\bnew\s+\[\]`, `a new slice in Go: make([]int, n)`),
	on(``, `\bnew\s+‸\w`, `a new value in Go: T{…}, or &T{…} for a pointer to it`),
	on(`expecting \]`, `[=(,]\s*\[[^\[\]]*;[^\[\]]*\]`, `a matrix: mat.NewDense(2, 2, []float64{1, 2, 3, 4})`),
	on(`expecting \]`, `[=(,]\s*\[[^\[\]]*,[^\[\]]*\]`, `a list of numbers is a slice: []float64{1, 2, 3}`),
	on(`found newline`, `[=(,]\s*\[[^\[\]{}]*\]‸`, `a list of numbers is a slice: []float64{1, 2, 3}`),
	on(``, `\[.*‸for\s+\w+\s+in\b`, `Go has no list comprehension: a loop appends to a slice, v = append(v, 2*x)`),
	on(`missing ',' in argument list|expected operand, found '\{'|expected '\)', found '\{'`, `^\s*(if|for|switch|\} else if)\b.*‸[;{]`, `a closing ) is missing`),
	on(`expected operand, found '\{'`, `[=(,]\s*‸\{\s*"~*"\s*:`, `a dict is a map, with its types: map[string]int{"a": 1}`),
	on(`expected operand, found '\{'`, `[=(,]\s*‸\{.*\bfor\s+\w.*\bin\b`, `Go has no comprehension: a loop fills a map, m[k] = v`),
	on(`expected operand, found '\{'`, `[=(,]\s*‸\{\s*\w+\s*:`, `what stands in braces has its type before them: point{x: 1, y: 2}, map[string]int{"a": 1}`),
	on(`expected operand, found '\{'`, `[=(,]\s*‸\{`, `a list in braces has its type before them: []float64{1, 2, 3}`),
	on(`found 'if'`, `\S\s+‸if\b.*\belse\b`, `Go has no x if c else y: if c { y = 1 } else { y = -1 }`),
	on(`expected operand, found 'if'`, `=\s*‸if\b`, `if has no value in Go: if x > 0 { y = 1 } else { y = -1 }`),
	on(``, `(\w|\)|\])\s+‸(and|or)\s`, `in Go: a && b, a || b, !a`),
	on(``, `\bnot\s+‸[\w(]`, `in Go: a && b, a || b, !a`),
	on(``, `\s‸is\s+(not\s+)?(None|nil|null)\b`, `nil is compared as others are: x == nil, x != nil`),
	on(``, `^\s*(if|\w+\s*:?=)[^:]*\s‸(not\s+)?in\s+\w`, `of a slice: slices.Contains(v, x); of a map: _, ok := m[k]`),
	on(`found '~'`, `‸~=`, `to compare: == and !=`),
	on(`expected operand, found '>'`, `\w-‸>\w`, `a field of what a pointer points to: p.x`),
	on(`^expected selector`, `\.‸[*/^]`, `element by element: floats.Mul(x, y) multiplies x by y, floats.Div divides it`),
	on(`found instanceof`, ``, `_, ok := x.(T) asks whether x holds a T`),
	on(`in argument list`, `\btypeof\s+‸?\w`, `the type of a value: fmt.Printf("%T", x)`),
	on(`expected '\)', found ','`, `=\s*\([^()]*‸,`, `Go has no tuples: a, b := 1, 2, or a struct`),
	on(`found extends`, ``, `a struct contains another: its name alone stands on a line of its fields`),
	on(`expected operand, found '='`, `[=!]=‸=`, `to compare: == and !=`),
	on(`expected operand, found '>'`, `<‸>`, `to compare: == and !=`),
	on(``, `^\s*print\s+["\w]`, `to print: fmt.Println("hello")`),
	on(``, `^\s*(fmt\.)?Print(ln|f)?\s+‸["\w]`, `the arguments stand in brackets: fmt.Println("hello")`),
	on(``, `[\w\])]‸(\+\+|--)`, `i++ is a statement of its own, with no value`),
	on(`expected statement, found '(\+\+|--)'`, `^\s*‸`, `the operator stands behind the variable: i$1`),
	on(`expected operand, found '(\+\+|--)'`, `(?:;|^)\s*‸`, `the operator stands behind the variable: i$1`),
	on(`rune literal|illegal rune`, `‸'`, `text stands in double quotes: "hello"; single quotes are for one character`),
	on(`^expected declaration`, `^\s*[\w.]+\?+\s*$`, `Shift+Tab behind a name shows its documentation`),
	on(`illegal character U\+003F`, `^\s*‸\?|\w‸\?+\s*$`, `Shift+Tab behind a name shows its documentation`),
	on(`illegal character U\+003F`, `‸\?.*:`, `Go has no ?: — if x > 0 { y = 1 } else { y = -1 }`),
	on(`illegal character U\+0023`, `\S\s*‸`, `comments begin with //`),
	on(`illegal character U\+0040`, `^\s*‸`, `Go has no decorators and no annotations`),
	on(`curly quotation mark`, ``, `text stands in straight quotes: "hello"; the curly ones come from a word processor`),
	on(`illegal character U\+201[0-5]|illegal character U\+2212`, ``, `this sign only looks like a minus: type - anew`),
	on(`illegal character U\+00A0`, ``, `this space is no ordinary one, it comes from a web page or a word processor: type it anew`),
	on(`illegal character U\+2264|illegal character U\+2265|illegal character U\+2260`, ``, `to compare: <=, >=, !=`),
	on(`illegal character U\+00D7`, ``, `a product: *`),
}

// grammar are the rules for what the parser says of Go.
var grammar = []rule{
	on(`found 'import'|imports must appear before`, `^\s*import\b`, `imports stand above %%, or in a cell of their own`),
	on(`expected statement, found 'else'`, `^\s*‸else`, `else stands on the line of the brace before it: } else {`),
	on(`newline, expecting \{|expected '\{', found newline`, ``, `the opening brace stands at the end of the line: for i := range 3 {`),
	on(`missing ',' before newline in composite literal`, ``, `a comma or a closing brace is missing`),
	on(`missing ',' in argument list`, `\w‸<-\w`, `a < -b has a space: <- sends to a channel`),
	on(`missing ',' in argument list|expected ';', found`, `[^\w]\d+‸[\pL(]`, `a product has its sign: 2*x`),
	on(`illegal character U\+005C`, `‸\\\s*$`, `no \ is needed: a line goes on after an operator, a comma or an opening bracket`),
	on(`expected statement, found '\.'`, `^\s*‸\.`, `the dot stands at the end of the line before`),
	on(`missing ',' in composite literal`, `‸\)`, `a } is missing before this ), or its ( is`),
	on(`expected '\{', found`, `^\s*for\s+\w+\s+‸\w+\s*:=\s*range`, `a comma stands between the two: for i, v := range`),
	on(`missing ',' in argument list`, `‸;[^(]*\)`, `commas part arguments, and no semicolons`),
	on(`missing ',' in argument list`, `‸;`, `a closing ) is missing`),
	on(`missing ',' in argument list`, `‸[}\]]`, `a ) is missing before this bracket, or its opening one is`),
	on(`missing ',' (before newline )?in argument list`, ``, `a comma or a closing bracket is missing`),
	on(`missing ',' in composite literal`, `‸;`, `commas part elements, and no semicolons`),
	on(`missing ',' in composite literal`, ``, `a comma is missing between two elements, or a colon behind the name of a field`),
	on(`expected '==', found '='`, `^\s*\w+\s*:?=\s*\w+\s*‸=`, `an assignment has no value: one to a statement`),
	on(`expected '==', found '='|found assignment`, `\b(if|for|switch)\b`, `to compare: ==`),
	on(`missing parentheses|expected 1 expression`, `\b(if|for|switch)\b.*[\w\]]\{‸`, `in the head of if and for a literal stands in brackets: if p == (point{1, 2}) {`),
	on(`raw string literal not terminated`, ``, `a closing back quote is missing`),
	on(`string literal not terminated`, ``, `a closing " is missing`),
	on(`unknown escape sequence`, ``, "in \"…\" a backslash is written twice, \\\\; text in back quotes stays as it is"),
	on(`found 'EOF'`, ``, `a closing brace is missing in this cell`),
	on(`missing condition in if statement`, `\belse\s+if\s*‸\{`, `else without a condition: } else {`),
	on(`expected '\(', found main`, `^\s*func\s+‸main\b`, `what stands below %% is main itself: leave func main() and its braces out, or leave %% out`),
	on(`expected '\(', found main`, ``, `a closing brace is missing above %%`),
	on(`expected '\(', found \w+`, `^\s*func\s+‸`, `a function with a name is declared above the line %%; below it: twice := func(x float64) float64 { return 2 * x }`),
	on(`expected '\(', found \w+`, `\bfunc\s+‸\w`, `a function that is a value has no name: twice := func(x float64) float64 { return 2 * x }`),
	on(`expected (type|';'), found ':='`, `^\s*var\b`, `var x = 3, or without var, and only below %%, x := 3`),
	on(`expected statement, found '='`, `:\s+‸=`, `:= has no space in it`),
	on(`expected '\[', found '\{'`, `\bmap‸\{`, `a map has its types: map[string]int{"a": 1}`),
	on(`in (defer|go) must be function call`, `‸`, `$1 calls a function: $1 f(), with its brackets`),
	on(`expected ';', found ','`, `^\s*\w+\s+[\w.\[\]*]+‸,\s*$`, `fields of a struct stand on a line each, without commas`),
	on(`missing ',' in parameter list`, `‸=`, `parameters have no default values: each call gives all arguments`),
	on(`illegal label declaration`, `^\s*(if|for)\b[^{]*$`, `Go has braces and no colon: if x > 0 { … }`),
	on(`expected ';', found`, `^\s*(if|for)\s*\(.*\)\s*‸[\w{]`, `if and for have braces, also around one statement: if x > 0 { … }`),
	on(`expected '\{', found`, `^\s*(if|for)\b.*‸\w[^{]*$`, `if and for have braces, also around one statement: if x > 0 { … }`),
	on(`expected '\}', found 'func'`, `^\s*‸func\s+\w`, `methods stand outside of the struct: func (p point) get() float64 { … }`),
	on(`expected ';', found ','`, `^\s*func\b.*\)\s*[\w.*\[\]]+‸,`, `several results stand in brackets: (int, error)`),
	on(`expected '\(', found '\.'`, `^\s*func\s+\w+‸\.`, `a method names its receiver: func (p point) get() float64 { … }`),
	on(`expected ';', found`, `[=(,]\s*\((?:int|float64|float|double|string|byte|rune)\)\s*‸`, `a conversion: int(x), float64(x)`),
	on(`expected '\}', found`, `^\s*‸[\w"~]+\s*:`, `each case begins with case: case 1:`),
	on(`(middle|final) index required`, ``, `a slice v[a:b] has no step: a loop takes every second element`),
	on(`expected type, found \d|unexpected comma; expecting \]`, `[\w\]]\[[^\]]*,[^\]]*‸[^\[\]]*\]`, `an element of a slice of slices: a[i][j]; of a matrix: a.At(i, j)`),
	on(`expected operand, found '\.\.\.'`, `\(.*‸\.\.\.\w`, `the dots stand behind a slice whose elements are the arguments: f(v...)`),
	on(`in octal literal`, ``, `a number that begins with 0 is octal: leave the 0 out`),
	on(`expected declaration, found '\}'`, ``, `this brace closes none`),
}
