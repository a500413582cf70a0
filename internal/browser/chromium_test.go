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
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/manifest"
	"marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// policy is what the site's pages admit.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"

// A kernel is a page in Chromium with a kernel.
type kernel struct {
	context.Context
	t testing.TB
}

// served is the folder that serve serves.
func served(t testing.TB) string {
	t.Helper()
	return filepath.Join(must.Get(os.UserCacheDir()).Or(t), "marginalia", "browser-test")
}

// A site serves the files of a page.
type site struct {
	address string
	server  *httptest.Server
	m       *manifest.Manifest

	mu    sync.Mutex
	asked map[string]int // how often each path was asked for
}

// loaded returns how many compressed files have been asked for, without the manifest, since the last call,
// and their bytes.
func (s *site) loaded() (files int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := map[string]int64{}
	note := func(f manifest.File) { sizes["/"+f.Name] = f.Size }
	for _, f := range s.m.Tools {
		note(f)
	}
	for _, p := range s.m.Packages {
		note(p.Export)
		note(p.Object)
	}
	for _, b := range s.m.Bundles {
		note(b.File)
	}
	for path, n := range s.asked {
		if size, ok := sizes[path]; ok {
			files, bytes = files+n, bytes+int64(n)*size
		}
	}
	clear(s.asked)
	return files, bytes
}

// serve builds all files of a page into a folder, the same at each run, and serves them.
func serve(t testing.TB) *site {
	t.Helper()
	dir := served(t)
	python := must.Get(venv.Find(t.Context())).Or(t)
	s := &site{asked: map[string]int{}}
	s.m = must.Get(toolchain.Build(t.Context(), repotest.Root(t), dir, toolchain.Packages, python.Path)).Or(t)
	must.Do(t, page.Write(t.Context(), dir))
	testfile.Write(t, filepath.Join(dir, "figure.js"), lab.FigureScript())
	testfile.Write(t, filepath.Join(dir, "offline.js"), string(page.Offline)) // the folder has none above it
	testfile.Write(t, filepath.Join(dir, "index.html"), `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`+policy+
		`"><link rel="icon" href="data:,"><title>Go in a page</title>`)
	files := http.FileServer(http.Dir(dir))
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		s.mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.server.Close)
	s.address = s.server.URL
	return s
}

// open opens a page with a kernel, in a browser of its own.
func open(t testing.TB, address string) *kernel {
	t.Helper()
	return openIn(t, labtest.Chromium(t), address)
}

func openIn(t testing.TB, browser context.Context, address string) *kernel {
	t.Helper()
	k := &kernel{labtest.Window(t, browser), t}
	must.Do(t, chromedp.Listen(k, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			t.Errorf("the page says %s %s", e.Entry.Text, e.Entry.URL)
		case *runtime.EventExceptionThrown:
			t.Errorf("the page throws %s %s:%d %+v", e.ExceptionDetails.Text, e.ExceptionDetails.URL, e.ExceptionDetails.LineNumber, e.ExceptionDetails.Exception)
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
	Why     string // it could not be executed
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

// svg is the last figure, "" without one.
func (e executed) svg(t testing.TB) (svg string) {
	t.Helper()
	for _, o := range e.Outputs {
		if packed, ok := o.Data[display.FigureType].(string); ok {
			svg = string(must.Get(display.Unpack(packed)).Or(t))
		}
	}
	return svg
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
		const show = (o) => o.output_type === "input_request" ? kernel.input(null) : run.outputs.push(o); // nobody types
		run.ended = kernel.execute("cell", %s, show).then((done) => JSON.stringify({ ...done, outputs: run.outputs }));
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
func decode(t testing.TB, text string) (e executed) {
	t.Helper()
	var got struct {
		OK      bool
		Count   int
		Outputs []json.RawMessage
		Why     string
	}
	must.Do(t, json.Unmarshal([]byte(text), &got))
	e.OK, e.Count, e.Why = got.OK, got.Count, got.Why
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
