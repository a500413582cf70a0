//go:build browser

package pages

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"marginalia/internal/browser/lab"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/testkit/must"
)

// A server serves pages of assignments, each below its name, with Go's scripts and without its tools: no cell runs.
type server struct {
	*httptest.Server
	t       *testing.T
	archive string

	mu    sync.Mutex
	sites map[string]map[string][]byte
}

func newServer(t *testing.T) *server {
	t.Helper()
	h := &server{t: t, archive: must.Get(venv.Lite(t.Context(), nil)).Or(t), sites: map[string]map[string][]byte{}}
	scripts := t.TempDir()
	must.Do(t, gopage.Write(t.Context(), scripts))
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if script, ok := strings.CutPrefix(name, "go/"); ok {
			http.ServeFile(w, r, filepath.Join(scripts, filepath.FromSlash(script)))
			return
		}
		if name == "" {
			name = "index.html"
		}
		h.mu.Lock()
		data, ok := h.sites[site][name]
		h.mu.Unlock()
		if !ok {
			http.NotFound(w, r) // JupyterLite asks for the folders of a student, too
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, filepath.Base(name), lab.Never, strings.NewReader(string(data))) // no time: the content decides
	}))
	t.Cleanup(h.Close)
	return h
}

// put serves the pages of an assignment.
func (h *server) put(site string, c *course.Course, a *release.Handout) {
	h.t.Helper()
	made := must.Get(files(c, a, h.archive)).Or(h.t)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sites[site] = made
}

// A desk is a student's window.
type desk struct {
	context.Context
	t *testing.T
}

func (d desk) do(steps ...chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	must.Do(d.t, chromedp.Do(d, steps...))
}

func (d desk) wait(what, condition string) {
	d.t.Helper()
	labtest.Wait(d, d.t, what, condition)
}

func (d desk) picture(what string) { d.t.Log(labtest.Picture(d, d.t.Name()+"-"+what)) }

// phone makes the window small.
func (d desk) phone() {
	must.Get(chromedp.Call(d, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 844, DeviceScaleFactor: 2, Mobile: true})).Or(d.t)
}

// enter opens the page of an assignment, and from there its notebook.
func (d desk) enter(address string) {
	d.t.Helper()
	d.do(chromedp.Navigate(address), chromedp.Click(chromedp.CSS(`.open`)))
	d.wait("the notebook", opened)
}

const (
	panel  = `.jp-NotebookPanel:not(.lm-mod-hidden)`
	button = panel + ` [data-command="marginalia:hand-in"]`
	opened = `document.querySelectorAll("` + panel + ` .jp-Cell").length > 1 &&
		document.querySelector('#jp-main-statusbar')?.innerText.includes('Go (gonb) | Idle')`
)

// write puts a text into a cell, in the place of what stands there.
func (d desk) write(cell int, text string) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(panel+` .jp-Cell[data-windowed-list-index="`+strconv.Itoa(cell)+`"] .cm-content`)), labtest.Keys("a", chromedp.ModifierCtrl))
	_ = must.Get(chromedp.Call(d, input.InsertText, input.InsertTextParams{Text: text})).Or(d.t)
}

// dialog waits for a dialog, and returns its text.
func (d desk) dialog(title string) string {
	d.t.Helper()
	d.wait("the dialog "+title, `document.querySelector(".jp-Dialog-header")?.innerText === `+strconv.Quote(title))
	return labtest.Value[string](d, d.t, `document.querySelector(".jp-Dialog-content").innerText`)
}

// The buttons of dialogs.
const (
	accept = `.jp-Dialog button.jp-mod-accept`
	reject = `.jp-Dialog button.jp-mod-reject`
)

// choose presses a button of the dialog.
func (d desk) choose(button string) {
	d.t.Helper()
	title := labtest.Value[string](d, d.t, `document.querySelector(".jp-Dialog-header").innerText`)
	d.do(chromedp.Click(chromedp.CSS(button)))
	d.wait("the dialog's end", `document.querySelector(".jp-Dialog-header")?.innerText !== `+strconv.Quote(title))
}

// download returns what a step downloads, with its name.
func (d desk) download(step func()) (name string, text []byte) {
	d.t.Helper()
	dir := d.t.TempDir()
	must.Get(chromedp.CallBrowser(d, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, EventsEnabled: new(true),
	})).Or(d.t)
	done := make(chan struct{}, 1)
	must.Do(d.t, chromedp.ListenBrowser(d, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == "completed" {
			select {
			case done <- struct{}{}:
			default:
			}
		}
	}))
	step()
	select {
	case <-done:
	case <-d.Done():
		d.t.Fatal("nothing is downloaded")
	}
	entries := must.Get(os.ReadDir(dir)).Or(d.t)
	if len(entries) != 1 {
		d.t.Fatalf("%d files are downloaded, want 1", len(entries))
	}
	return entries[0].Name(), must.Get(os.ReadFile(filepath.Join(dir, entries[0].Name()))).Or(d.t)
}
