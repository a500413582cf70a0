package vet

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// exports opens the export data of packages, and of what they import.
func exports(t testing.TB, paths ...string) func(path string) (io.ReadCloser, error) {
	out := must.Get(exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)...).Output()).Or(t)
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no %s", path)
		}
		return os.Open(files[path])
	}
}

// The words with (go vet) are those of go vet 1.26, which the cases were given to.
func TestFind(t *testing.T) {
	open := exports(t, "fmt", "log", "errors", "gonum.org/v1/gonum/mat")
	for _, tt := range []struct{ name, code, want string }{
		{"a type", `fmt.Printf("%d\n", 2.5)`, "[{9 fmt.Printf format %d has arg 2.5 of wrong type float64 (go vet)}]"},
		{"too few", `fmt.Printf("%d %d\n", 1)`, "[{9 fmt.Printf format %d reads arg #2, but call has 1 arg (go vet)}]"},
		{"too many", `log.Printf("done", 1)`, "[{9 log.Printf call has arguments but no formatting directives (go vet)}]"},
		{"Println", `fmt.Println("%d", 1)`, "[{9 fmt.Println call has possible Printf formatting directive %d (go vet)}]"},
		{"a wrapper of the cell's own", `say("%d", "x")`, `[{9 main.say format %d has arg "x" of wrong type string (go vet)}]`},
		{"a letter", "n := 66\n_ = string(n)", "[{10 conversion from int to string yields a string of one rune, not a string of digits (go vet)}]"},
		{"two, in their order", "n := 66\n_ = string(n)\nfmt.Printf(\"%d\", n, n)", "[{10 conversion from int to string yields a string of one rune, not a string of digits (go vet)} {11 fmt.Printf call needs 1 arg but has 2 args (go vet)}]"},
		{"a last line that shows itself", "fmt.Printf(\"%d\", 2.5)\nerrors.New(\"x\")\n1 + 1", "[{9 fmt.Printf format %d has arg 2.5 of wrong type float64 (go vet)}]"},
		{"Python's print", "print(1)\nprintln(2)", "[{9 print writes to the error stream: fmt.Println prints} {10 println writes to the error stream: fmt.Println prints}]"},
		{"a matrix", "A := mat.NewDense(1, 1, nil)\nvar C mat.Dense\nfmt.Println(1, A)\nfmt.Printf(\"%v\\n\", C)\n_ = fmt.Sprint(A.T())\nfmt.Println(mat.Formatted(A), A.At(0, 0), mat.CondNorm)",
			"[{11 fmt.Println prints the fields of a *mat.Dense: as the last line of a cell A is a table, and mat.Formatted(A) is its text}" +
				" {12 fmt.Printf prints the fields of a mat.Dense: as the last line of a cell C is a table, and mat.Formatted(&C) is its text}" +
				" {13 fmt.Sprint prints the fields of a mat.Matrix: as the last line of a cell it is a table, and mat.Formatted(…) is its text}]"},
		{"a matrix whose type is printed, or that may have a text", "A := mat.NewDense(1, 1, nil)\nvar M mat.Matrix = A\nfmt.Printf(\"%T %[1]p\", A)\nfmt.Printf(\"%d %-3T\", 1, A)\nfmt.Println(M)\nf := \"%v\"\nfmt.Printf(f, A)", "[]"},
		{"a print of the cell's own", "print := fmt.Println\nprint(1)", "[]"},
		{"what is right", `fmt.Printf("%5.2f %v %s\n", 2.5, 1, errors.New("x"))`, "[]"},
		{"a type error", "fmt.Printf(\"%d\", 2.5)\nvar s string = 1", "[]"},
		{"no Go", "fmt.Printf(", "[]"},
	} {
		text := "package main\n\nimport (\"fmt\"; \"log\"; \"errors\"; \"gonum.org/v1/gonum/mat\")\n\nvar _, _, _ = log.Print, errors.New, mat.NewDense\n\nfunc say(format string, args ...any) { fmt.Printf(format, args...) }\nfunc main() {\n" + tt.code + "\n}\n"
		if got := fmt.Sprint(Find([]string{text, "package main\n\nvar n = 65\n\nvar other = string(n)\n"}, open)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	missing := "package main\n\nimport \"none\"\n\nfunc main() { none.F() }\n"
	if got := Find([]string{missing}, open); !slices.Equal(got, nil) {
		t.Errorf("without an import: %v", got)
	}
}

// BenchmarkFind is what a cell costs a processor, beside its compiler.
func BenchmarkFind(b *testing.B) {
	paths := []string{"fmt", "math", "gonum.org/v1/gonum/mat", "marginalia/mlkit/svm", "marginalia/plotting"}
	open := exports(b, paths...)
	for _, n := range []int{1, 5} {
		text := "package main\n\nimport (\n"
		for _, path := range paths[:n] {
			text += "\t_ \"" + path + "\"\n"
		}
		text += "\t\"fmt\"\n)\n\nfunc main() { fmt.Printf(\"%d\\n\", 2.5) }\n"
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(Find([]string{text}, open)) != 1 {
					b.Fatal("no finding")
				}
			}
		})
	}
}
