package mistake_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
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
