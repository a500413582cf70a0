package assignment

import (
	"os"
	"path/filepath"
	"testing"
)

// A build starts the compiler once and the linker once, without the go command if the packages are known, and the
// linker without garbage collection.
func TestToolchain(t *testing.T) {
	tools, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for _, name := range []string{"compile", "link", "go"} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\necho \"${0##*/} $GOOS GOGC=$GOGC\" >>"+log), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	t.Setenv("GOGC", "100")
	tc := toolchain{tools: tools, language: "go1.26", packages: map[string]string{"unsafe": "", "fmt": "fmt.a"}}
	dir := t.TempDir()
	if err := tc.build(t.Context(), dir, dir, map[string][]byte{"main.go": []byte("package main\n\nimport \"fmt\"\n")}, "guest.wasm"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(log)
	if want := "compile wasip1 GOGC=100\nlink wasip1 GOGC=off\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// Made says of a guest in which only the compiler has found a mistake that it lacks something: it is not what was assembled.
func TestLess(t *testing.T) {
	nb := sheet([3]string{"given", "given", "import \"testing\""}, [3]string{"answer", "two", "func Two() int { return 2 }\nfunc helper() {}"},
		[3]string{"tests", "two-test", "%test\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Error()\n\t}\n}"})
	a := readSheet(t, nb)
	for _, less := range []bool{false, true} {
		tools := t.TempDir()
		compile := "#!/bin/sh\n"
		if less { // once
			compile += "test -e " + tools + "/asked || { touch " + tools + "/asked; echo 'two.cell:2:6: too large' >&2; exit 1; }\n"
		}
		for name, text := range map[string]string{"compile": compile, "link": "#!/bin/sh\n"} {
			if err := os.WriteFile(filepath.Join(tools, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		a.toolchain.tools, a.toolchain.language = tools, "go1.26"
		a.toolchain.packages = map[string]string{"unsafe": "", "marginalia/internal/sandbox/guest/wire": "x", "marginalia/internal/sandbox/guest/worker": "x"}
		made, err := a.make(t.Context(), nb, compileRequest{Dir: t.TempDir()})
		if err != nil || made.Less != less || len(made.Notes) > 0 != less {
			t.Errorf("less %v: %+v, %v", less, made, err)
		}
	}
}
