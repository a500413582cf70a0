package mistake_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
)

// packages are those of mlkit, gonum and the standard library.
func packages(t *testing.T) mistake.Packages {
	root := repotest.Root(t)
	list := func(args ...string) string {
		out := must.Get(exec.Command("go", args...).Output()).Or(t)
		return strings.TrimSpace(string(out))
	}
	gonum := list("list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/gonum")
	return mistake.Packages{filepath.Join(root, "mlkit"), root, gonum, filepath.Join(list("env", "GOROOT"), "src")}
}

// Each file of testdata has the cells of a notebook whose last cell fails, the kernel's
// message, and the explanation. -update writes the explanations; read them before you commit.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	packages := packages(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a := must.Get(txtar.ParseFile(file)).Or(t)
			var cells []string
			var raw said
			var waiting []mistake.Neighbour
			want, built, kept := "", "", a.Files[:0:0]
			for _, f := range a.Files {
				switch {
				case strings.HasPrefix(f.Name, "cell "):
					cells = append(cells, strings.TrimSuffix(string(f.Data), "\n"))
				case f.Name == "above" || f.Name == "below" || f.Name == "elsewhere":
					waiting = append(waiting, mistake.Neighbour{Source: string(f.Data), Where: f.Name})
				case f.Name == "kernel.json":
					must.Do(t, json.Unmarshal(f.Data, &raw))
				case f.Name == "main.go":
					built = string(f.Data)
				case f.Name == "said":
					want = string(f.Data)
					continue
				}
				kept = append(kept, f)
			}
			program, remembered := programOf(cells)
			e := mistake.Failure{
				Count: len(cells),
				Cells: func(count int) (string, bool) {
					if count < 1 || count > len(cells) {
						return "", false
					}
					return cells[count-1], true
				},
				Remembered: remembered, Waiting: waiting,
				Members: packages.Members,
				Origin: func(_ string, line int) (count, cellLine int, ok bool) {
					at, ok := program.Origin(built, line)
					count, _ = strconv.Atoi(at.Cell)
					return count, at.Line + 1, ok
				},
				EValue: raw.EValue, Traceback: raw.Traceback, Stderr: raw.Stderr,
			}.Explain()
			got := e.Text(len(cells), false)
			if *update {
				a.Files = append(kept, txtar.File{Name: "said", Data: []byte(got)})
				must.Do(t, os.WriteFile(file, txtar.Format(a), 0o644))
				return
			}
			if got != want {
				t.Errorf("said is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// programOf returns the program of the last cell, and what is remembered before it.
func programOf(cells []string) (p *program.Program, remembered *gonb.Decls) {
	s := program.NewSession(".")
	for i, source := range cells {
		if p != nil {
			s.Remember(p)
		}
		remembered = s.Decls()
		p = s.Step(strconv.Itoa(i+1), source)
	}
	return p, remembered
}

// The caret stands below the place when tabs, letters of several bytes and other spaces than
// in the program come before it; GoNB counts bytes.
func TestCaret(t *testing.T) {
	source := "%%\n\tγ, ξ :=   1.0, undefinedξ"
	e := mistake.Failure{
		Count:     3,
		Cells:     func(count int) (string, bool) { return source, count == 2 },
		EValue:    "# gonb_1\n./main.go:7:15: undefined: undefinedξ\n",
		Traceback: []string{"# gonb_1", "Cell[2]: Line 2\nγ, ξ := 1.0, undefinedξ\n" + strings.Repeat(" ", len("γ, ξ := 1.0, ")) + "^\n\nundefined: undefinedξ", ""},
	}.Explain()
	want := "cell [2], line 2: undefined: undefinedξ\n" +
		"      γ, ξ :=   1.0, undefinedξ\n" +
		"                     ^\n"
	if got := e.Text(3, false); got != want {
		t.Errorf("the text is\n%swant\n%s", got, want)
	}
	coloured := e.Text(3, true)
	if !strings.Contains(coloured, "\x1b[31mundefined: undefinedξ\x1b[0m") {
		t.Errorf("the message is not red: %q", coloured)
	}
}

// Crash finds the runtime's text at the beginning of a line only.
func TestCrash(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a line\nno panic: here\n": 22, "a line\npanic: x\n\ngoroutine 1 [running]:\n": 7, "fatal error: all goroutines": 0,
	} {
		if got := mistake.Crash(text); got != want {
			t.Errorf("Crash(%q) = %d, want %d", text, got, want)
		}
	}
}

// Text in another form has no explanation and causes no panic.
func TestOtherForms(t *testing.T) {
	for _, evalue := range []string{"", "main.go:1:1: x", "./main.go:99:99: x", "something else", "exit", "failed to run \"go get\": exit status 1\n\nmarginalia: import"} {
		for _, traceback := range [][]string{nil, {""}, {"^"}, {"Cell[9]: Line 99\n\n^\n\nx"}, {"\thave"}, {"Cell[99999999999999999999]: Line 1\nx\n ^\ny"}} {
			for _, count := range []int{0, 1, 2} {
				e := mistake.Failure{Count: count, Cells: func(count int) (string, bool) { return "%%\nx", count == 1 }, EValue: evalue, Traceback: traceback}.Explain()
				e.Text(count, true)
			}
		}
	}
	e := mistake.Failure{Count: 1, Cells: func(int) (string, bool) { return "", false }, EValue: "a new form"}.Explain()
	if e != nil {
		t.Errorf("a new form is explained as %v", e)
	}
}

// Members includes the members of embedded types.
func TestMembers(t *testing.T) {
	p := packages(t)
	for _, tt := range []struct{ pkg, typ, want string }{
		{"fmt", "", "Println"}, {"rand", "", "Perm"}, {"mat", "Dense", "Dims"}, {"perceptron", "Model", "W"}, {"svm", "Classifier", "C"}, {"svm", "Classifier", "Fit"},
	} {
		if names := p.Members(tt.pkg, tt.typ); !slices.Contains(names, tt.want) {
			t.Errorf("the members of %s.%s are %v, want %s among them", tt.pkg, tt.typ, names, tt.want)
		}
	}
	if names := p.Members("nowhere", ""); names != nil {
		t.Errorf("a package that is nowhere has %v", names)
	}
}
