package assignment

import (
	"strings"
	"testing"
)

// Beyond a limit a cell is refused with its line, before a parser sees it; at the limit it is read.
func TestTooMuch(t *testing.T) {
	many := func(n int, text string) string { return strings.Repeat(text, n) }
	for _, c := range []struct {
		name, within, beyond string
		line                 int
	}{
		{"bytes", "// " + many(maxCell-3, "x"), "// " + many(maxCell-2, "x"), 0},
		{"lines", many(maxLines-1, "\n"), many(maxLines, "\n"), 0},
		{"brackets", "\nvar x = " + many(maxNesting, "(") + "1" + many(maxNesting, ")"), "\nvar x = " + many(maxNesting+1, "(") + "1" + many(maxNesting+1, ")"), 2},
		{"operators", "var x = 1" + many(maxChain-2, "+1"), "var x = 1" + many(maxChain, "+1"), 1},
		{"type", "var x " + many(maxChain-1, "*") + "int", "var x " + many(maxChain, "*") + "int", 1},
		{"number", "\n\nvar x = 1" + many(maxNumber-1, "0"), "\n\nvar x = 1" + many(maxNumber, "0"), 3},
		{"rows", "var x = [][]int{" + many(20_000, "{-1,+1},") + "}", "", 0},
	} {
		if line, what := tooMuch(c.within); what != "" {
			t.Errorf("%s within the limit: line %d: %s", c.name, line, what)
		}
		if c.beyond == "" {
			continue
		}
		if line, what := tooMuch(c.beyond); what == "" || line != c.line {
			t.Errorf("%s beyond the limit: line %d, want %d: %q", c.name, line, c.line, what)
		}
	}
}

// Nothing of a comment is left, and each line stays where it is. A comment's carriage returns are not in what Go's
// scanner says that it is: the end of such a comment was code.
func TestBlank(t *testing.T) {
	for text, want := range map[string]string{
		"a // b\nc":                   "a     \nc",
		"a /* b\nc */ d":              "a     \n     d",
		"a //\r\r\r\rbcd\ne":          "a          \ne",
		"/*\r\r\r\r\r\n//go:x*/ f":    "       \n         f",
		"/*\r\r*\r/ x */ f":           "             f",
		"`// no\r` // yes\r":          "`// no\r`        ",
		"\"// no\" /* yes */ '/' //x": "\"// no\"           '/'    ",
	} {
		if got := blank(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
