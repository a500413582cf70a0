package notebooks

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
)

// The cells of the lectures, made wrong, try what package mistake says of code that does not parse.

// hintOf returns what is said of a cell; nil if it parses.
func hintOf(source string) mistake.Explanation {
	if _, _, err := gonb.Read("cell", source).Parse(); err == nil {
		return nil
	}
	return mistake.Failure{
		Count: 1, Cells: func(count int) (string, bool) { return source, count == 1 }, EValue: "./main.go:1:1: ",
	}.Explain()
}

// Statements of the lectures without their %% are told to go below it, whatever words their
// strings and comments have, and nothing else.
func TestStatementsWithoutPercent(t *testing.T) {
	t.Parallel()
	cells := 0
	for file, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			_, statements, ok := strings.Cut("\n"+c.Source, "\n%%\n")
			if !ok {
				continue
			}
			e := hintOf(statements)
			if e == nil {
				continue // declarations alone
			}
			if cells++; !strings.HasPrefix(e[0].Hint, "statements go below a line with %%") {
				t.Errorf("%s#%s: of its statements it is said: %s", file, c.ID, e.Text(1, false))
			}
		}
	}
	if cells < 100 {
		t.Errorf("%d cells have statements, want at least 100", cells)
	}
}

// A bracket, a quote or a comma that is missing in Go is not taken for code of another language.
func TestMissingLetterIsNoForeignCode(t *testing.T) {
	foreign := []string{"in Go", "Go has no", "i++", "the type stands", "an import", "a dict", "a list", "comments begin", "a slice v[a:b]", "statements go"}
	t.Parallel()
	tried := 0
	for file, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			for i := range c.Source {
				if c.Type != "code" || !strings.ContainsRune(`()[]{},"`, rune(c.Source[i])) || (i+len(c.Source))%61 != 0 {
					continue
				}
				tried++
				for _, m := range hintOf(c.Source[:i] + c.Source[i+1:]) {
					for _, words := range foreign {
						if strings.Contains(m.Hint, words) {
							t.Errorf("%s#%s without byte %d, %q: %s", file, c.ID, i, c.Source[i], mistake.Explanation{m}.Text(1, false))
						}
					}
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d places were tried, want at least 300", tried)
	}
}
