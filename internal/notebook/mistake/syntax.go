package mistake

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const belowPercent = "statements go below a line with %%: what stands there runs, and what stands above it is declared for later cells too"

// unknownMagic is a command such as Python's kernel has.
var unknownMagic = regexp.MustCompile(`(?m)^%%\w+`)

// closesNone matches a bracket that the parser does not expect.
var closesNone = regexp.MustCompile(`found '?([)\]}])'?`)

// syntaxHint says what to do about a message of the parser. lines is what it has read, from
// the line of the mistake.
func (f Failure) syntaxHint(m Mistake, lines []string) string {
	source, _ := f.Cells(f.Count)
	code := blanked(source)
	var line string // with ‸ at the place of the mistake
	if len(m.Places) > 0 {
		line = marked(code, m.Places[0])
	}
	if strings.Contains(m.Message, "U+0023") && len(m.Places) > 0 {
		if at := directive.FindStringSubmatch(m.Places[0].Text); at != nil {
			return directives[at[1]]
		}
	}
	if strings.Count(line, `"`)%2 == 1 {
		return `a " is missing in this line: text begins and ends with one`
	}
	if opener, at := enclosing(code, m); block.MatchString(opener) {
		return first(foreign, m.Message, opener)
	} else if head.MatchString(opener) {
		return fmt.Sprintf("a closing bracket is missing in line %d", at)
	}
	if found := closesNone.FindStringSubmatch(m.Message); found != nil && found[1] != "}" {
		if excess(line, map[string]string{")": "(", "]": "["}[found[1]], found[1]) > 0 {
			return "this bracket closes none: it is one too many, or the opening one is missing"
		}
	}
	if wantsClosing.MatchString(m.Message) && excess(line, "[", "]") < 0 {
		return "a closing ] is missing in this line"
	}
	if strings.HasPrefix(m.Message, "expected operand, found '{'") && excess(line, "{", "}") > 0 {
		return "an opening { is missing in this line"
	}
	if function.MatchString(line) && strings.HasPrefix(m.Message, "expected '('") && excess(strings.Join(code, "\n"), "{", "}") < 0 {
		return "a closing brace is missing above this line"
	}
	if !strings.HasPrefix(m.Message, "expected declaration") {
		if hint := first(foreign, m.Message, line); hint != "" {
			return hint
		}
		if hint := equals(m.Message, line); hint != "" {
			return hint
		}
		if lastElement(m, code) {
			return "the last element has a comma, too, if the brace stands on a line of its own"
		}
		return first(grammar, m.Message, line)
	}
	if magic := unknownMagic.FindString(source); magic != "" {
		if slices.Contains([]string{"%%bash", "%%sh", "%%script", "%%writefile"}, magic) {
			return magic + " stands in the first line of its cell"
		}
		if hint := timingHint(magic); hint != "" {
			return hint
		}
		return magic + " is no command of GoNB; statements go below a line with %%"
	}
	if excess(strings.Join(code, "\n"), "(", ")") > 0 {
		return "there is a ) too many, or an opening ( is missing above"
	}
	if excess(strings.Join(code, "\n"), "{", "}") > 0 {
		return "a closing brace is one too many, or an opening one is missing, above or here: the function ends too early"
	}
	if !label.MatchString(line) && isStatement(lines) {
		return belowPercent
	}
	if hint := first(foreign, m.Message, line); hint != "" {
		return hint
	}
	if start.MatchString(strings.Replace(line, "‸", "", 1)) {
		return belowPercent
	}
	return ""
}

// lastElement reports whether a comma is missing behind the last element of a literal.
func lastElement(m Mistake, code []string) bool {
	if !strings.HasPrefix(m.Message, "missing ',' before newline in composite literal") || len(m.Places) == 0 {
		return false
	}
	rest := strings.TrimSpace(strings.Join(code[m.Places[0].Line:], "\n"))
	return strings.HasPrefix(rest, "}")
}

// wantsClosing matches what the parser says where it looks for the end of an index.
var wantsClosing = regexp.MustCompile(`^expected '\]'|^expected type, found \d|expecting \]$`)

// function matches a function with a name.
var function = regexp.MustCompile(`^\s*func\s+‸`)

// label matches a line that is a label in Go, and in Python begins a block.
var label = regexp.MustCompile(`^\s*\w+:\s*$`)

// marked returns the line of a place, with ‸ before the place if its column is known.
func marked(code []string, p Place) string {
	if p.Line < 1 || p.Line > len(code) {
		return ""
	}
	line := code[p.Line-1]
	if p.Column == 0 {
		return line
	}
	at := min(p.Column-1, len(line))
	return line[:at] + "‸" + line[at:]
}

// named matches the name before = in a call.
var named = regexp.MustCompile(`[(,]\s*\w+\s*$`)

// equals is the hint for = in an expression.
func equals(message, line string) string {
	if !strings.HasPrefix(message, "expected '==', found '='") {
		return ""
	}
	before, _, _ := strings.Cut(line, "‸")
	switch opened(before) {
	case '(':
		if named.MatchString(before) {
			return "to compare: ==; arguments have no names, their order says which they are"
		}
		return "to compare: =="
	case '{':
		return "a colon stands behind a key or the name of a field: T{x: 1}"
	}
	return ""
}

// opened returns the innermost bracket that is open at the end of a piece of code, 0 if there
// is none, or if a block is.
func opened(code string) byte {
	closed := 0
	for i := len(code) - 1; i >= 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			closed++
		case '(', '[', '{':
			if closed == 0 {
				if code[i] == '{' && (i == 0 || code[i-1] == ' ') {
					return 0
				}
				return code[i]
			}
			closed--
		}
	}
	return 0
}

// directive matches a line that # begins and that is no comment of another language.
var directive = regexp.MustCompile(`^\s*#\s*(include|define|!)`)

var directives = map[string]string{
	"include": `an import in Go is a path in quotes: import "gonum.org/v1/gonum/mat"`,
	"define":  "a constant in Go: const n = 3",
	"!":       "a script begins with %%bash, in the first line of its cell",
}

// block matches the head of a block of another language, which Go takes for a literal.
var block = regexp.MustCompile(`^\s*(\}\s*)?(try|do|finally)\s*\{\s*$`)

// head matches a line whose brace begins no literal.
var head = regexp.MustCompile(`^\s*(\}\s*else\s+)?(if|for|switch|select)\b.*\s\{\s*$`)

// enclosing returns the line, and its number, with the brace that is open where a message about
// a literal stands; "" for other messages.
func enclosing(code []string, m Mistake) (opener string, line int) {
	if !strings.Contains(m.Message, "in composite literal") || len(m.Places) == 0 {
		return "", 0
	}
	p := m.Places[0]
	closed := excess(code[p.Line-1][:min(max(p.Column-1, 0), len(code[p.Line-1]))], "{", "}")
	if closed < 0 {
		return "", 0
	}
	for i := p.Line - 2; i >= 0; i-- {
		if closed += excess(code[i], "{", "}"); closed < 0 {
			return code[i], i + 1
		}
	}
	return "", 0
}
