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
	"marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
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

// serve builds all files of a page into a folder, the same at each run, and serves them.
func serve(t *testing.T) (address string) {
	t.Helper()
	cache := must.Get(os.UserCacheDir()).Or(t)
	dir := filepath.Join(cache, "marginalia", "browser-test")
	must.Get(toolchain.Build(t.Context(), repotest.Root(t), dir, toolchain.Packages)).Or(t)
	must.Do(t, page.Write(t.Context(), dir))
	testfile.Write(t, filepath.Join(dir, "index.html"), `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`+policy+
		`"><link rel="icon" href="data:,"><title>Go in a page</title>`)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server.URL
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

// execute executes a cell.
func (k *kernel) execute(source string) executed {
	k.t.Helper()
	quoted := must.Get(json.Marshal(source)).Or(k.t)
	begun := fmt.Sprintf(`(() => { const outputs = []; return kernel.execute("cell", %s, (o) => outputs.push(o)).then((done) => JSON.stringify({ ...done, outputs })); })()`, quoted)
	return decode(k.t, labtest.Value[string](k, k.t, begun))
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
	e.Outputs = nb.Cells[0].Outputs
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
	k := open(t, serve(t))
	t.Run("hello", func(t *testing.T) {
		k.t = t
		e := k.execute("%%\nfmt.Println(\"hello, world\")")
		if got := e.text("stdout"); got != "hello, world\n" || !e.OK || e.Count != 1 {
			t.Errorf("%+v", e)
		}
	})
}
