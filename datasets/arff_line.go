package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An attribute is a column of an ARFF file.
type attribute struct {
	name   string
	kind   string // numeric, nominal, string or date
	values []string
	at     place
}

// newAttribute reads what follows the word @attribute: a name and a type. marks are those of
// missing values, which are no nominal values.
func newAttribute(text string, marks []string) (attribute, error) {
	var a attribute
	name, rest, _, err := value(text, " \t{")
	if err != nil {
		return a, err
	}
	if fault := nameFault(name); fault != "" {
		return a, fmt.Errorf("the name of the attribute %s", fault)
	}
	a.name = name
	word, _ := firstWord(rest)
	switch kind := strings.ToLower(word); {
	case strings.HasPrefix(word, "{"):
		a.kind = "nominal"
		a.values, err = nominal(strings.TrimSpace(rest)[1:], marks)
		if err != nil {
			return a, fmt.Errorf("attribute %q: %w", name, err)
		}
	case kind == "numeric" || kind == "real" || kind == "integer":
		a.kind = "numeric"
	case kind == "relational":
		return a, fmt.Errorf("attribute %q is relational, want numeric, real, integer, string or {values}; remove it", name)
	case kind == "string" || kind == "date":
		a.kind = kind
	default:
		return a, fmt.Errorf("attribute %q has the type %q, want numeric, real, integer, string or {values}", name, word)
	}
	return a, nil
}

// nominal reads the values of a nominal attribute after the opening brace.
func nominal(text string, marks []string) ([]string, error) {
	var values []string
	for {
		v, rest, quoted, err := value(text, ",}")
		if err != nil {
			return nil, err
		}
		if rest == "" {
			return nil, errors.New("no closing brace after the values")
		}
		if v = strings.TrimSpace(v); v == "" {
			return nil, errors.New("an empty value between the braces")
		}
		if fault := nameFault(v); fault != "" {
			return nil, fmt.Errorf("the value %s", fault)
		}
		if slices.Contains(values, v) {
			return nil, fmt.Errorf("the value %q twice", v)
		}
		if quoted || !isMissing(v, marks) {
			values = append(values, v)
		}
		if rest[0] == '}' {
			return values, nil
		}
		text = rest[1:]
	}
}

// firstWord splits a line after its first word.
func firstWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, " \t")
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimLeft(line[i:], " \t")
	}
	return line, ""
}

// value reads a value, which may stand in quotes, up to one of the bytes of ends, and
// returns the rest of the line from there on.
func value(text, ends string) (v, rest string, quoted bool, err error) {
	text = strings.TrimLeft(text, " \t")
	if text == "" || text[0] != '\'' && text[0] != '"' {
		end := len(text)
		if i := strings.IndexAny(text, ends); i >= 0 {
			end = i
		}
		return strings.TrimSpace(text[:end]), text[end:], false, nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			rest = text[i+1:]
			rest = strings.TrimLeft(rest, strings.Trim(" \t", ends)) // blanks that do not end a value
			if rest != "" && strings.IndexByte(ends, rest[0]) < 0 {
				return "", "", true, fmt.Errorf("%q after the closing quote, want a separator", rest)
			}
			return b.String(), rest, true, nil
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(unescaped(text[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", "", true, fmt.Errorf("no closing quote after %q", text)
}

// unescaped returns what a backslash and c stand for.
func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// fieldsOfLine are the values of a sample, with the column in which each begins.
type fieldsOfLine struct {
	texts   []string
	quoted  []bool
	columns []int
}

// split reads the values of a line.
func (f *fieldsOfLine) split(line string) error {
	f.texts, f.quoted, f.columns = f.texts[:0], f.quoted[:0], f.columns[:0]
	ends := ","
	if !strings.Contains(line, ",") {
		line, ends = strings.TrimSpace(line), "\t"
	}
	for text := line; ; {
		begin := len(line) - len(strings.TrimLeft(text, " "))
		v, rest, quoted, err := value(text, ends)
		if err != nil {
			return err
		}
		f.texts, f.quoted, f.columns = append(f.texts, v), append(f.quoted, quoted), append(f.columns, begin+1)
		if rest == "" {
			return nil
		}
		text = rest[1:]
	}
}
