//go:build browser

package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	browserkernel "marginalia/internal/browser/kernel"
	"marginalia/internal/browser/kernel/kerneltest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestCells executes cells in Chromium, with the compiler and the linker in the page.
func TestCells(t *testing.T) {
	tier.Browser(t)
	k := open(t, serve(t).address)
	k.run(t, "hello", func() {
		e := k.execute("%%\nfmt.Println(\"hello, world\")")
		if got := e.text("stdout"); got != "hello, world\n" || !e.OK || e.Count != 1 {
			k.t.Errorf("%+v", e)
		}
	})
	k.run(t, "figure", k.figure)
	k.run(t, "compile error", func() {
		e := k.execute("func f() {}\n\n%%\nf(1)")
		if want := "line 4: too many arguments in call to f\n  have (number)\n  want ()\n  f(1)\n    ^\n  → Shift+Tab in the brackets shows what the function wants"; e.OK || e.failure() != want {
			k.t.Errorf("it says\n%s\nwant\n%s", e.failure(), want)
		}
	})
	k.run(t, "panic", func() {
		e := k.execute("%%\nfmt.Println(\"before\")\nvar m map[string]int\nm[\"a\"] = 1")
		if want := "panic: assignment to entry in nil map\n  line 4: m[\"a\"] = 1\n  → make the map first: make(map[string]int)"; e.OK || e.failure() != want || e.text("stdout") != "before\n" {
			k.t.Errorf("it prints %q and says\n%s\nwant\n%s", e.text("stdout"), e.failure(), want)
		}
	})
	k.run(t, "deadlock", func() {
		e := k.execute("%%\n<-make(chan int)")
		if want := "fatal error: all goroutines are asleep - deadlock!\n"; !strings.HasPrefix(e.failure(), want) {
			k.t.Errorf("it says\n%s\nwant\n%s", e.failure(), want)
		}
	})
	k.run(t, "endless loop", func() {
		begun := k.begin("%%\nfmt.Println(\"begun\")\nfor {\n}")
		labtest.Wait(k, k.t, "the loop to begin", begun+`.outputs.length > 0`)
		labtest.Value[bool](k, k.t, `(kernel.interrupt(), true)`)
		e := k.end(begun)
		if want := "the program was ended by interrupt"; e.OK || e.text("stdout") != "begun\n" || e.failure() != want {
			k.t.Errorf("%+v\nit says %q, want %q", e, e.failure(), want)
		}
	})
	k.run(t, "interrupt of what is being built", func() {
		begun := k.begin("%%\nfor {\n}")
		labtest.Value[bool](k, k.t, `(kernel.interrupt(), true)`)
		e := k.end(begun)
		if want := "the program was ended by interrupt"; e.OK || e.failure() != want {
			k.t.Errorf("%+v\nit says %q, want %q", e, e.failure(), want)
		}
	})
	k.run(t, "the next cell", func() {
		e := k.execute("%%\nf()\nfmt.Println(\"goes on\")")
		if want := "undefined: f"; e.OK || !strings.Contains(e.failure(), want) {
			k.t.Errorf("it says %q, want %q: the cell with f did not compile", e.failure(), want)
		}
	})
	// The linker goes on from the last program of the same packages, and then from none.
	k.run(t, "programs after others", func() {
		for _, c := range [][2]string{
			{"%%\nfmt.Println(\"one\")", "one\n"},
			{"%%\nfmt.Println(\"two\")", "two\n"},
			{"import _ \"unsafe\"\n\n//go:linkname nowhere time.nowhere\nfunc nowhere()\n\n%%\nnowhere()", "function index"}, // Go's linker reports nothing, and V8 refuses the program
			{"%%\nfmt.Println(strings.ToUpper(\"three\"))", "THREE\n"},
			{"%%\nfmt.Println(\"four\")", "four\n"},
		} {
			e := k.execute(c[0])
			if got := e.text("stdout"); got != c[1] && (e.OK || got != "" || !strings.Contains(e.failure(), c[1])) {
				k.t.Errorf("%s\nprints %q and says %q, want %q", c[0], got, e.failure(), c[1])
			}
		}
	})
	k.run(t, "names", func() {
		got := labtest.Value[string](k, k.t, `kernel.complete("%%\nfmt.Printl", 13).then(({ names, prefix }) => JSON.stringify({ names, prefix }))`)
		if want := `{"names":[{"text":"Println","type":"function","signature":"func(a ...any) (n int, err error)"}],"prefix":6}`; got != want {
			k.t.Errorf("the names are %s, want %s", got, want)
		}
		got = labtest.Value[string](k, k.t, `kernel.inspect("%%\nfmt.Println()", 12)`)
		if want := "func fmt.Println(a ...any) (n int, err error)"; got != want {
			k.t.Errorf("the name is %s, want %s", got, want)
		}
	})
	// A program that calls what is behind syscall/js gets the names that the standard library needs, and not what
	// it could change the site with. 0x7FF80001 marks an object, and the fifth value is what is global (wasm_exec.js).
	k.run(t, "reach", func() {
		e := k.execute(`//go:wasmimport gojs syscall/js.valueGet
//go:noescape
func get(of uint64, name string) uint64

const global = 0x7FF80001<<32 | 5

%%
for _, name := range []string{"fs", "Object", "caches", "indexedDB", "fetch", "postMessage", "Function", "eval", "globalThis"} {
	if get(global, name) != 0 { // undefined is 0
		fmt.Println(name)
	}
}
object := get(global, "Object")
fmt.Println(get(get(object, "getPrototypeOf"), "constructor") == object) // found in Object.prototype, and not in that of functions`)
		if got := e.text("stdout"); got != "fs\nObject\ntrue\n" {
			k.t.Errorf("a program reaches %q %s", got, e.failure())
		}
	})
	k.run(t, "files", func() {
		labtest.Value[bool](k, k.t, `(kernel.changed = (path, bytes) => { (kernel.kept ??= {})[path] = new TextDecoder().decode(bytes); }, kernel.put("/notebooks/given.txt", new TextEncoder().encode("given")), true)`)
		k.execute("%%\nos.MkdirAll(\"kept\", 0o755)\nos.WriteFile(\"kept/a.txt\", []byte(\"from the cell above\"), 0o644)")
		e := k.execute("%%\ntext, err := os.ReadFile(\"kept/a.txt\")\ndir, _ := os.Getwd()\nfmt.Println(string(text), err, dir)")
		if got := e.text("stdout"); got != "from the cell above <nil> /notebooks\n" {
			k.t.Errorf("it prints %q: %+v", got, e)
		}
		e = k.execute("%%\ntext, err := os.ReadFile(\"given.txt\")\nfmt.Println(string(text), err)")
		if got := e.text("stdout"); got != "given <nil>\n" {
			k.t.Errorf("it prints %q: %+v", got, e)
		}
		if got := labtest.Value[string](k, k.t, `JSON.stringify(kernel.kept)`); got != `{"/notebooks/kept/a.txt":"from the cell above"}` {
			k.t.Errorf("the page is told of %s", got)
		}
	})
}

// figure compares what the README's cell shows with what the same cell shows on this computer: all
// bytes of the SVG are the same. The pixels of the PNG may differ in what processors round.
func (k *kernel) figure() {
	readme := string(must.Get(os.ReadFile(filepath.Join(repotest.Root(k.t), "README.md"))).Or(k.t))
	_, rest, _ := strings.Cut(readme, "```go\n")
	source, _, ok := strings.Cut(rest, "```")
	if !ok || !strings.Contains(source, `plotting.Show("perceptron"`) {
		k.t.Fatalf("the README begins with another cell:\n%s", source)
	}
	here := kerneltest.New(k.t, "marginalia/mlkit/perceptron", "marginalia/plotting", "log", "flag")
	var want []nbformat.Output
	here.Execute(browserkernel.Cell{ID: "cell", Source: source}, func(o browserkernel.Output) { want = append(want, o.Output) })
	e := k.execute(source)
	if diffs := outputs.Compare(want, e.Outputs, outputs.Options{}); len(diffs) > 0 || !e.OK {
		k.t.Fatalf("it differs from what it shows here: %v\n%s", diffs, e.failure())
	}
	if a, b := (executed{Outputs: want}).svg(k.t), e.svg(k.t); a != b || !strings.Contains(a, "<svg") {
		k.t.Errorf("the SVG has %d bytes, and %d here", len(b), len(a))
	}
}
