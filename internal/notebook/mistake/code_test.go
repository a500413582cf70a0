package mistake_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
)

// parsed explains a cell that the parser refuses; nil if it parses.
func parsed(source string) mistake.Explanation {
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
	files, err := filepath.Glob("../../../notebooks/*.ipynb")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	cells := 0
	for _, file := range files {
		nb := nbtest.Read(t, file)
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			_, statements, ok := strings.Cut("\n"+c.Source, "\n%%\n")
			if !ok {
				continue
			}
			e := parsed(statements)
			if e == nil {
				continue // declarations alone
			}
			if cells++; !strings.HasPrefix(e[0].Hint, "statements go below a line with %%") {
				t.Errorf("%s#%s: of its statements it is said: %s", filepath.Base(file), c.ID, e.Text(1, false))
			}
		}
	}
	if cells < 100 {
		t.Errorf("%d cells have statements, want at least 100", cells)
	}
}

// A comment behind each line changes no hint.
func TestCommentsAreNoCode(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/*.txtar")).Or(t)
	cells := 0
	for _, file := range files {
		a := must.Get(txtar.ParseFile(file)).Or(t)
		source := ""
		for _, f := range a.Files {
			if strings.HasPrefix(f.Name, "cell ") {
				source = strings.TrimSuffix(string(f.Data), "\n")
			}
		}
		plain := parsed(source)
		if plain == nil || strings.Contains(plain[0].Message, "not terminated") {
			continue
		}
		inside := gonb.InsideToken(source)
		lines := strings.Split(source, "\n")
		for i, line := range lines {
			command := strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || strings.HasPrefix(line, "package")
			if !command && !inside[i] && !inside[i+1] && line != "" && !strings.HasSuffix(line, `\`) {
				lines[i] += " // for x in range(3): i++ and not lambda x: elif while try: a ? b : c [1, 2] = {3} }"
			}
		}
		commented := parsed(strings.Join(lines, "\n"))
		if cells++; len(commented) == 0 || commented[0].Hint != plain[0].Hint {
			t.Errorf("%s: with comments it says\n%s, without\n%s", filepath.Base(file), commented.Text(1, false), plain.Text(1, false))
		}
	}
	if cells < 60 {
		t.Errorf("%d cells do not parse, want at least 60", cells)
	}
}

// A bracket, a quote or a comma that is missing in Go is not taken for code of another language.
func TestMissingLetterIsNoForeignCode(t *testing.T) {
	foreign := []string{"in Go", "Go has no", "i++", "the type stands", "an import", "a dict", "a list", "comments begin", "a slice v[a:b]", "statements go"}
	files := must.Get(filepath.Glob("../../../notebooks/*.ipynb")).Or(t)
	tried := 0
	for _, file := range files {
		nb := nbtest.Read(t, file)
		for _, c := range nb.Cells {
			for i := range c.Source {
				if c.Type != "code" || !strings.ContainsRune(`()[]{},"`, rune(c.Source[i])) || (i+len(c.Source))%61 != 0 {
					continue
				}
				tried++
				for _, m := range parsed(c.Source[:i] + c.Source[i+1:]) {
					for _, words := range foreign {
						if strings.Contains(m.Hint, words) {
							t.Errorf("%s#%s without byte %d, %q: %s", filepath.Base(file), c.ID, i, c.Source[i], mistake.Explanation{m}.Text(1, false))
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
