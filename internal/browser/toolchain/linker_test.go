package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/manifest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A resting linker is that of pages, built for this computer, where it finds another main package after its rest.
type resting struct {
	*testing.T
	dir, tool string
	m         *manifest.Manifest
}

// build compiles a main package and links it with Go's own linker, and returns the name of both without
// its ending.
func (l *resting) build(name, imports, body string) string {
	l.Helper()
	file := filepath.Join(l.dir, name)
	paths := strings.Fields(imports)
	testfile.Write(l.T, file+".go", "package main\n\nimport (\n\t\""+strings.Join(paths, "\"\n\t\"")+"\"\n)\n\n"+body)
	testfile.Write(l.T, file+".cfg", l.config(append(paths, "runtime")...))
	l.do("go", "tool", "compile", "-p", "main", "-trimpath", l.dir+"=>.", "-importcfg", file+".cfg", "-o", file+".a", file+".go")
	l.do("go", append([]string{"tool", "link"}, flags(file, file+".a", file+".wasm")...)...)
	return file
}

func flags(file, object, out string) []string {
	return []string{"-s", "-w", "-buildid=", "-importcfg", file + ".cfg", "-o", out, object}
}

// config is an importcfg for all that packages import.
func (l *resting) config(paths ...string) (text string) {
	for _, path := range must.Get(l.m.Closure(paths...)).Or(l.T) {
		text += "packagefile " + path + "=" + l.m.Packages[path].Object.Name + "\n"
	}
	return text
}

func (l *resting) do(name string, args ...string) {
	l.Helper()
	cmd := exec.CommandContext(l.Context(), name, args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		l.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// after links a package whose linker has loaded all that another imports, and returns the exit status.
func (l *resting) after(other, file string) int {
	l.Helper()
	object, next, out := filepath.Join(l.dir, "main.a"), filepath.Join(l.dir, "next.a"), filepath.Join(l.dir, "out")
	testfile.Write(l.T, object, string(must.Get(os.ReadFile(other+".a")).Or(l.T)))
	testfile.Write(l.T, next, string(must.Get(os.ReadFile(file+".a")).Or(l.T)))
	cmd := exec.CommandContext(l.Context(), l.tool, flags(other, object, out)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "MARGINALIA_REST="+next)
	said, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		l.Logf("%s", said)
		return exit.ExitCode()
	}
	must.Do(l.T, err)
	if !bytes.Equal(must.Get(os.ReadFile(out)).Or(l.T), must.Get(os.ReadFile(file+".wasm")).Or(l.T)) {
		l.Errorf("%s after %s has other bytes than Go's linker writes", filepath.Base(file), filepath.Base(other))
	}
	return 0
}

// TestRest links programs by a linker that has loaded all packages for another program. All bytes are
// those that Go's own linker writes, or it says that it can't.
func TestRest(t *testing.T) {
	root, goroot := repotest.Root(t), must.Get(goEnv(t.Context(), ".", "GOROOT")).Or(t)
	l := &resting{T: t, dir: t.TempDir()}
	l.tool = filepath.Join(l.dir, "link")
	o := must.Get(writeOverlay(goroot, t.TempDir())).Or(t)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay="+o.file(), "-o", l.tool, "cmd/link")
	cmd.Dir = filepath.Join(goroot, "src")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l.m = must.Get(Archives(t.Context(), root, []string{"fmt", "encoding/json", "slices", "sort", "gonum.org/v1/gonum/mat"})).Or(t)
	// Strings, types and instances of generic functions that other packages have as well, and some that none has.
	const shared = "type point struct{ X, Y int }\n\nfunc (p point) String() string { return fmt.Sprint(p.X, \"invalid argument\") }\n\n" +
		"func last[T any](list []T) T { return list[len(list)-1] }\n\nvar of = map[string]int{\"a\": 1, \"bb\": 2, \"ccc\": 3}\n\n"
	const many = "encoding/json fmt gonum.org/v1/gonum/mat slices sort"
	for _, programs := range [][]string{
		{
			l.build("hello", "fmt", "func main() { fmt.Println(`hello`) }"),
			l.build("again", "fmt", "func main() { fmt.Println(`hello`, 2) }"),
			l.build("shared", "fmt", shared+"func main() { fmt.Println(point{1, 2}, last([]int{1}), last([]string{``}), of, [3]float64{}, struct{}{}) }"),
		}, {
			l.build("many", many, "func main() {\n\tjson.Marshal(1)\n\tsort.Ints(nil)\n\tslices.Sort([]int{})\n\tfmt.Println(mat.NewDense(1, 1, nil))\n}"),
			l.build("many shared", many, shared+"func main() {\n\tout, err := json.Marshal([]any{point{}, of})\n\tslices.Sort([]string{})\n\tslices.SortFunc([]point{}, nil)\n"+
				"\tsort.Slice(of, nil)\n\tfmt.Println(out, err, mat.Formatted(mat.NewVecDense(1, nil)), last([]mat.Matrix{nil}), last([]error{nil}))\n}"),
		},
	} {
		for _, other := range programs {
			for _, file := range programs {
				if status := l.after(other, file); status != 0 {
					t.Errorf("%s after %s: exit status %d", filepath.Base(file), filepath.Base(other), status)
				}
			}
		}
	}
	const cannot = 75 // cannotRest in linker/ld.go.txt
	hello := filepath.Join(l.dir, "hello")
	for _, file := range []string{
		l.build("import", "fmt strconv", "func main() { fmt.Println(strconv.Itoa(1)) }"),
		l.build("export", "fmt", "//go:wasmexport f\nfunc f() {}\n\nfunc main() { fmt.Println(`hello`) }"),
		l.build("linkname", "fmt unsafe", "var _ unsafe.Pointer\n\n//go:linkname now time.other\nfunc now() {}\n\nfunc main() { fmt.Println(`hello`); now() }"),
		l.build("large", "fmt", large(5000)),
	} {
		if status := l.after(hello, file); status != cannot {
			t.Errorf("%s: exit status %d, want %d", filepath.Base(file), status, cannot)
		}
	}
}

// large returns the source of a program with n functions.
func large(n int) string {
	functions, calls := "", ""
	for i := range n {
		functions += fmt.Sprintf("//go:noinline\nfunc f%d() { n++ }\n\n", i)
		calls += fmt.Sprintf("\tf%d()\n", i)
	}
	return "var n int\n\n" + functions + "func main() {\n" + calls + "\tfmt.Println(n)\n}"
}
