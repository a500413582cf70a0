//go:build browser

package lab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/lab"
	"marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	installed "marginalia/internal/install/lab"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/testkit/must"
)

// serve serves a site of the lab alone, and returns its address. Go's folder is that of the other tests of
// internal/browser, the same at each run.
func serve(t *testing.T, contents map[string][]byte) string {
	t.Helper()
	golang := filepath.Join(must.Get(os.UserCacheDir()).Or(t), "marginalia", "browser-test")
	python := must.Get(venv.Find(t.Context())).Or(t)
	must.Get(toolchain.Build(t.Context(), repotest.Root(t), golang, toolchain.Packages, python.Path)).Or(t)
	must.Do(t, page.Write(t.Context(), golang))
	files := must.Get(lab.Files(lab.Options{Archive: must.Get(venv.Lite(t.Context(), nil)).Or(t), Contents: contents, Figures: installed.Extension()})).Or(t)
	mux := http.NewServeMux()
	mux.Handle("/go/", http.StripPrefix("/go/", http.FileServer(http.Dir(golang))))
	mux.HandleFunc("/offline.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "offline.js", lab.Never, bytes.NewReader(page.Offline))
	})
	mux.HandleFunc("/lab/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/lab/")
		if data, ok := files[name]; ok {
			http.ServeContent(w, r, name, lab.Never, strings.NewReader(string(data)))
			return
		}
		if !strings.HasPrefix(name, "api/contents/") { // JupyterLite asks the site for the folders of a reader, too
			t.Errorf("the page asks for %s, which the lab does not have", name)
		}
		http.NotFound(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// notebook is a notebook of code cells, as JupyterLab stores it.
func notebook(t *testing.T, sources ...string) []byte {
	t.Helper()
	cells := []map[string]any{}
	for i, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "id": "cell-" + strconv.Itoa(i), "metadata": map[string]any{},
			"execution_count": nil, "outputs": []any{}, "source": source})
	}
	return must.Get(json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})).Or(t)
}

// A desk is a window with the lab.
type desk struct {
	context.Context
	t       *testing.T
	browser context.Context
	address string
}

// window opens a window of a browser for the lab, whose requests all go to the site.
func window(t *testing.T, browser context.Context, address string) *desk {
	t.Helper()
	d := &desk{labtest.Window(t, browser), t, browser, address}
	must.Do(t, chromedp.Listen(d, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError && !strings.HasPrefix(e.Entry.URL, address+"/lab/api/contents/") {
				t.Errorf("the page says %s %s", e.Entry.Text, e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == "error" {
				t.Errorf("the console says %s", must.Get(json.Marshal(e.Args)).Or(t))
			}
		case *runtime.EventExceptionThrown:
			t.Errorf("the page throws %s", e.ExceptionDetails.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, address) && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:"+address) {
				t.Errorf("the page asks for %s", e.Request.URL)
			}
		}
	}))
	return d
}

// enter opens an address of the lab.
func (d *desk) enter(address string) {
	d.do(chromedp.Navigate(d.address + "/lab/" + address))
}

// open opens a notebook of the lab as the site's links do, and waits for its kernel.
func (d *desk) open(file string) *desk {
	d.t.Helper()
	d.enter(lab.Link(file))
	d.isOpen(file)
	return d
}

// isOpen waits until a notebook is in front, with its kernel.
func (d *desk) isOpen(file string) {
	d.t.Helper()
	d.wait(file+" and its kernel", `document.querySelector("#jp-main-dock-panel .lm-TabBar-tab.jp-mod-current")?.title.split("\n").includes("Path: `+file+`") && `+ready)
}

// panel is the selector of the notebook that is in front.
const panel = `.jp-NotebookPanel:not(.lm-mod-hidden)`

// ready says that a notebook has its kernel.
const ready = `document.querySelector("` + panel + ` .jp-Cell") && ` + idle

func (d *desk) wait(what, condition string) {
	d.t.Helper()
	labtest.Wait(d, d.t, what, condition)
}

func (d *desk) picture(what string) { d.t.Log(labtest.Picture(d, d.t.Name()+"-"+what)) }

func (d *desk) do(steps ...chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	must.Do(d.t, chromedp.Do(d, steps...))
}

// idle says that no cell runs or waits, in a window of any size.
const idle = `(document.querySelector('#jp-main-statusbar')?.innerText.includes('Go (gonb) | Idle') &&
	![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*')))`

// cellAt is the selector of a cell.
func cellAt(n int) string {
	return panel + ` .jp-Cell[data-windowed-list-index="` + strconv.Itoa(n) + `"]`
}

// write puts a text into a cell, in the place of what stands there.
func (d *desk) write(cell int, text string) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(cellAt(cell)+` .cm-content`)), labtest.Keys("a", chromedp.ModifierCtrl))
	_ = must.Get(chromedp.Call(d, input.InsertText, input.InsertTextParams{Text: text})).Or(d.t)
}

// run begins to run a cell with the keyboard.
func (d *desk) run(cell int) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(cellAt(cell)+` .cm-content`)), labtest.Keys(kb.Enter, chromedp.ModifierShift))
}

// says runs a cell to its end, and returns its number and the text of its outputs.
func (d *desk) says(cell int) (count, text string) {
	d.t.Helper()
	d.run(cell)
	d.wait("the cell's end", idle+` && /\d/.test(document.querySelector('`+cellAt(cell)+` .jp-InputPrompt')?.textContent)`)
	return labtest.Value[string](d, d.t, `document.querySelector('`+cellAt(cell)+` .jp-InputPrompt').textContent`), d.output(cell)
}

// output is the text of a cell's outputs.
func (d *desk) output(cell int) string {
	d.t.Helper()
	return labtest.Value[string](d, d.t, `[...document.querySelectorAll('`+cellAt(cell)+` .jp-OutputArea-output')].map(e => e.innerText).join('\n')`)
}
