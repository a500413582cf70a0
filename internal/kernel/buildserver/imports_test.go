//go:build unix

package buildserver

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	goimports "golang.org/x/tools/imports"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// importsOf are the imports of a file as GoNB reads them.
func importsOf(t *testing.T, text []byte) (all []string) {
	t.Helper()
	f := must.Get(parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ImportsOnly)).Or(t)
	for _, i := range f.Imports {
		name := ""
		if i.Name != nil {
			name = i.Name.Name + " "
		}
		all = append(all, name+i.Path.Value)
	}
	slices.Sort(all)
	return all
}

// What is answered has the imports that goimports leaves; the rest is left to goimports, and the
// file is as it was.
func TestImports(t *testing.T) {
	names := map[string]string{"fmt": "fmt", "os": "os", "flag": "flag", "math/rand": "rand", "math/rand/v2": "rand", "gonum.org/v1/gonum/mat": "mat", "gopkg.in/yaml.v3": "yaml", "example.org/go-odd": "odd"}
	name := func(path string) (string, bool) { n, ok := names[path]; return n, ok }
	const main = "\nfunc main() {\n\tflag.Parse()\n"
	for _, c := range []struct {
		name, text string
		done       bool
	}{
		{"all used", "import (\n\t\"flag\"\n\t\"fmt\"\n)\n" + main + "\tfmt.Println()\n}\n", true},
		{"flag is added", "import (\n\t\"fmt\"\n)\n" + main + "\tfmt.Println()\n}\n", true},
		{"flag alone", main + "}\n", true},
		{"testing is added", "\nfunc TestOne(t *testing.T) { t.Log() }\n\nfunc BenchmarkOne(b *testing.B) {}\n", true},
		{"more of testing than tests take", "\nfunc TestOne(t *testing.T) { testing.Short() }\n", false},
		{"one is not used", "import (\n\t\"fmt\"\n\t\"os\"\n)\n" + main + "\tfmt.Println()\n}\n", true},
		{"none is used", "import (\n\t\"fmt\"\n\t\"os\"\n)\n" + main + "}\n", true},
		{"one without brackets is not used", "import \"os\"\n\nimport \"fmt\"\n" + main + "\tfmt.Println()\n}\n", true},
		{"a name of its own", "import f \"fmt\"\n" + main + "\tf.Println()\n}\n", true},
		{"a name of its own that is not used", "import f \"fmt\"\n" + main + "}\n", true},
		{"for its effects", "import _ \"os\"\n" + main + "}\n", true},
		{"a version", "import \"math/rand/v2\"\n" + main + "\trand.IntN(2)\n}\n", true},
		{"a variable of that name", "import \"fmt\"\n" + main + "\tfmt := struct{ X int }{}\n\t_ = fmt.X\n}\n", true},
		{"a type of that name", "import \"os\"\n\ntype mat struct{}\n\nfunc (mat) New() {}\n" + main + "\tmat{}.New()\n}\n", true},
		{"nothing that is exported", "import \"fmt\"\n" + main + "\tfmt.println()\n}\n", true},
		{"two of one name", "import (\n\t\"math/rand\"\n\t\"math/rand/v2\"\n)\n" + main + "\trand.IntN(2)\n}\n", false},
		{"one is missing", main + "\tfmt.Println()\n}\n", false},
		{"more of flag than GoNB calls", main + "\tflag.Usage()\n}\n", false},
		{"a dot", "import . \"fmt\"\n" + main + "\tPrintln()\n}\n", false},
		{"an unknown one", "import \"example.org/other\"\n" + main + "\tother.Do()\n}\n", false},
		{"a name that the path does not say", "import \"example.org/go-odd\"\n" + main + "\todd.Do()\n}\n", false},
		{"cgo", "import \"C\"\n" + main + "}\n", false},
		{"not Go", main + "\tfmt.(\n}\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "package main\n\n" + c.text
			file := filepath.Join(t.TempDir(), "main.go")
			testfile.Write(t, file, text)
			if done := imports(file, name); done != c.done {
				t.Fatalf("done: %v, want %v", done, c.done)
			}
			got := must.Get(os.ReadFile(file)).Or(t)
			if !c.done {
				if string(got) != text {
					t.Errorf("the file has become\n%s", got)
				}
				return
			}
			want := must.Get(goimports.Process(file, []byte(text), nil)).Or(t)
			if got, want := importsOf(t, got), importsOf(t, want); !slices.Equal(got, want) {
				t.Errorf("imports %s, goimports leaves %s", strings.Join(got, ", "), strings.Join(want, ", "))
			}
		})
	}
	file := filepath.Join(t.TempDir(), "main.go")
	testfile.Write(t, file, "package main\n\nfunc main() {}\n")
	testfile.Write(t, filepath.Join(filepath.Dir(file), "other.go"), "package main\n")
	if imports(file, name) {
		t.Error("the other file may declare what is a package here")
	}
	if imports(filepath.Join(t.TempDir(), "none.go"), name) || imports(file, nil) {
		t.Error("done without a file, or without packages")
	}
}
