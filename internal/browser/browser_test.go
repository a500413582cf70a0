//go:build browser

package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	browserkernel "marginalia/internal/browser/kernel"
	"marginalia/internal/browser/kernel/kerneltest"
	"marginalia/internal/browser/manifest"
	"marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// policy is what the site's pages admit.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"

// A kernel is a page in Chromium with a kernel.
type kernel struct {
	context.Context
	t *testing.T
}

// served is the folder that serve serves.
func served(t *testing.T) string {
	t.Helper()
	return filepath.Join(must.Get(os.UserCacheDir()).Or(t), "marginalia", "browser-test")
}

// serve builds all files of a page into a folder, the same at each run, and serves them.
func serve(t *testing.T) (address string, m *manifest.Manifest) {
	t.Helper()
	dir := served(t)
	python := must.Get(venv.Find(t.Context())).Or(t)
	m = must.Get(toolchain.Build(t.Context(), repotest.Root(t), dir, toolchain.Packages, python.Path)).Or(t)
	must.Do(t, page.Write(t.Context(), dir))
	testfile.Write(t, filepath.Join(dir, "index.html"), `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`+policy+
		`"><link rel="icon" href="data:,"><title>Go in a page</title>`)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server.URL, m
}

// open opens a page with a kernel.
func open(t *testing.T, address string) *kernel {
	t.Helper()
	k := &kernel{labtest.Window(t, labtest.Chromium(t)), t}
	must.Do(t, chromedp.Listen(k, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			t.Errorf("the page says %s %s", e.Entry.Text, e.Entry.URL)
		case *runtime.EventExceptionThrown:
			t.Errorf("the page throws %s", e.ExceptionDetails.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, address) && !strings.HasPrefix(e.Request.URL, "data:") {
				t.Errorf("the page asks for %s", e.Request.URL)
			}
		}
	}))
	must.Do(t, chromedp.Do(k, chromedp.Navigate(address+"/index.html")))
	labtest.Value[bool](k, t, `import("/client.js").then(({ Kernel }) => { globalThis.kernel = new Kernel("/", "/notebooks"); return true; })`)
	return k
}

// executed is what came of a cell.
type executed struct {
	OK      bool
	Count   int
	Outputs []nbformat.Output
}

// text is what the cell wrote to a stream.
func (e executed) text(stream string) (text string) {
	for _, o := range e.Outputs {
		if o.Name == stream {
			text += o.Text
		}
	}
	return text
}

// failure is the traceback of the cell's error, without colours.
func (e executed) failure() (text string) {
	for _, o := range e.Outputs {
		text += strings.Join(o.Traceback, "\n")
	}
	return strings.NewReplacer("\x1b[31m", "", "\x1b[1m", "", "\x1b[0m", "").Replace(text)
}

// run runs a subtest with the kernel.
func (k *kernel) run(t *testing.T, name string, test func()) {
	t.Run(name, func(t *testing.T) {
		k.t = t
		test()
	})
	k.t = t
}

// execute executes a cell.
func (k *kernel) execute(source string) executed {
	k.t.Helper()
	return k.end(k.begin(source))
}

// begin begins to execute a cell. It returns JavaScript for what comes of it: its outputs so far, and
// the promise ended.
func (k *kernel) begin(source string) (js string) {
	k.t.Helper()
	quoted := must.Get(json.Marshal(source)).Or(k.t)
	labtest.Value[bool](k, k.t, fmt.Sprintf(`(() => {
		const run = { outputs: [] };
		run.ended = kernel.execute("cell", %s, (o) => run.outputs.push(o)).then((done) => JSON.stringify({ ...done, outputs: run.outputs }));
		(globalThis.runs ??= []).push(run);
		return true;
	})()`, quoted))
	return "runs.at(-1)"
}

// end waits for the end of a cell.
func (k *kernel) end(js string) executed {
	k.t.Helper()
	return decode(k.t, labtest.Value[string](k, k.t, js+".ended"))
}

// decode reads what came of a cell.
func decode(t *testing.T, text string) (e executed) {
	t.Helper()
	var got struct {
		OK      bool
		Count   int
		Outputs []json.RawMessage
	}
	must.Do(t, json.Unmarshal([]byte(text), &got))
	e.OK, e.Count = got.OK, got.Count
	cell := fmt.Sprintf(`{"cells":[{"cell_type":"code","id":"c","metadata":{},"execution_count":1,"source":"","outputs":[%s]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`, join(got.Outputs))
	nb := must.Get(nbformat.Decode([]byte(cell))).Or(t)
	first := map[string]int{} // a display with an id replaces the one that had it first
	for i, o := range nb.Cells[0].Outputs {
		var shown struct {
			Transient struct {
				ID string `json:"display_id"`
			}
		}
		must.Do(t, json.Unmarshal(got.Outputs[i], &shown))
		at, again := first[shown.Transient.ID]
		if id := shown.Transient.ID; id != "" && again {
			e.Outputs[at] = o
			continue
		} else if id != "" {
			first[id] = len(e.Outputs)
		}
		e.Outputs = append(e.Outputs, o)
	}
	return e
}

func join(list []json.RawMessage) string {
	var texts []string
	for _, one := range list {
		texts = append(texts, string(one))
	}
	return strings.Join(texts, ",")
}

// TestCells executes cells in Chromium, with the compiler and the linker in the page.
func TestCells(t *testing.T) {
	tier.Browser(t)
	address, _ := serve(t)
	k := open(t, address)
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
	k.run(t, "the next cell", func() {
		e := k.execute("%%\nf()\nfmt.Println(\"goes on\")")
		if want := "undefined: f"; e.OK || !strings.Contains(e.failure(), want) {
			k.t.Errorf("it says %q, want %q: the cell with f did not compile", e.failure(), want)
		}
	})
	k.run(t, "files", func() {
		k.execute("%%\nos.MkdirAll(\"kept\", 0o755)\nos.WriteFile(\"kept/a.txt\", []byte(\"from the cell above\"), 0o644)")
		e := k.execute("%%\ntext, err := os.ReadFile(\"kept/a.txt\")\ndir, _ := os.Getwd()\nfmt.Println(string(text), err, dir)")
		if got := e.text("stdout"); got != "from the cell above <nil> /notebooks\n" {
			k.t.Errorf("it prints %q: %+v", got, e)
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
	svg := func(list []nbformat.Output) string {
		packed, _ := list[len(list)-1].Data[display.FigureType].(string)
		return string(must.Get(display.Unpack(packed)).Or(k.t))
	}
	if a, b := svg(want), svg(e.Outputs); a != b || !strings.Contains(a, "<svg") {
		k.t.Errorf("the SVG has %d bytes, and %d here", len(b), len(a))
	}
}
