//go:build browser

package lab

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A room is a JupyterLab and a browser that several tests share: each has a notebook
// and a window of its own.
type room struct {
	server  *server
	browser context.Context
	dir     string
}

// TestJupyterLab is JupyterLab as people use it, in a browser. What it needs is said at
// [TestLecturesInBrowser].
func TestJupyterLab(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	dir := t.TempDir()
	r := &room{server: startLab(t, root, dir), dir: dir}
	t.Cleanup(func() { r.server.end(t) })
	r.browser = labtest.Chromium(t)
	for _, test := range []struct {
		name string
		run  func(*room, *testing.T)
	}{
		{"completion", (*room).completion},
		{"slider", (*room).slider},
		{"menus", (*room).menus},
		{"film", (*room).film},
		{"interrupt", (*room).interrupt},
		{"queue", (*room).queue},
		{"flood", (*room).flood},
		{"input", (*room).input},
		{"carriage-returns", (*room).carriageReturns},
		{"restart", (*room).restart},
		{"reload", (*room).reload},
		{"export", (*room).export},
		{"markdown", (*room).markdown},
		{"values", (*room).values},
		{"indent", (*room).indent},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(r, t)
		})
	}
}

// A desk is where one test sits: a notebook, and the window it is open in.
type desk struct {
	ctx  context.Context
	t    *testing.T
	path string
	code int // number of cells, all of code
}

// open writes a notebook of code cells and opens it.
func (r *room) open(t *testing.T, name string, sources ...string) *desk {
	t.Helper()
	return r.openTagged(t, name, nil, sources...)
}

// openTagged is open for cells some of which have a tag, by their index.
func (r *room) openTagged(t *testing.T, name string, tags map[int]string, sources ...string) *desk {
	t.Helper()
	cells := []map[string]any{}
	for i, source := range sources {
		metadata := map[string]any{}
		if tag := tags[i]; tag != "" {
			metadata["tags"] = []string{tag}
		}
		cells = append(cells, map[string]any{"cell_type": "code", "id": "cell-" + strconv.Itoa(i), "metadata": metadata,
			"execution_count": nil, "outputs": []any{}, "source": source})
	}
	b, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{ctx: labtest.Window(t, r.browser), t: t, path: filepath.Join(r.dir, name), code: len(cells)}
	testfile.Write(t, d.path, b)
	labtest.Open(d.ctx, t, r.server.Server, name)
	return d
}

func (d *desk) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	if err := chromedp.Do(d.ctx, steps...); err != nil {
		d.t.Fatalf("%s: %v%s", what, err, d.picture("failed"))
	}
}

// run runs one cell with the keyboard: Enter to edit it, Shift+Enter.
func (d *desk) run(cell int) {
	d.t.Helper()
	d.edit(cell)
	d.do("running a cell", labtest.Keys(kb.Enter, chromedp.ModifierShift))
}

// edit puts the cursor at the end of a cell.
func (d *desk) edit(cell int) {
	d.t.Helper()
	d.do("clicking into a cell",
		chromedp.Click(chromedp.CSS(cellAt(cell)+` .cm-content`)),
		labtest.Keys(kb.End, chromedp.ModifierCtrl))
}

func cellAt(n int) string {
	return `.jp-Notebook .jp-Cell[data-windowed-list-index="` + strconv.Itoa(n) + `"]`
}

// wait waits for a condition in JavaScript.
func (d *desk) wait(what, condition string) {
	d.t.Helper()
	labtest.Wait(d.ctx, d.t, what, condition)
}

func (d *desk) text(css string) string {
	d.t.Helper()
	return labtest.Value[string](d.ctx, d.t, `[...document.querySelectorAll(`+strconv.Quote(css)+`)].map(e => e.innerText).join('\n')`)
}

func (d *desk) picture(what string) string { return labtest.Picture(d.ctx, d.t.Name()+"-"+what) }

// idle says that no cell runs or waits.
const idle = `(document.querySelector('.jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle' &&
	![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*')))`

// ran says that a cell has been run to its end.
func ran(cell int) string {
	return `/\d/.test(document.querySelector('` + cellAt(cell) + ` .jp-InputPrompt')?.textContent)`
}

// saved saves the notebook and reads it.
func (d *desk) saved() *nbformat.Notebook {
	d.t.Helper()
	labtest.Save(d.ctx, d.t)
	return labtest.Read(d.t, d.path)
}

// printedBy joins what a cell has printed.
func printedBy(nb *nbformat.Notebook, cell int) string {
	var b strings.Builder
	for _, o := range nb.Cells[cell].Outputs {
		b.WriteString(o.Text)
	}
	return b.String()
}

// errorsOf joins the errors that a cell ended in.
func errorsOf(nb *nbformat.Notebook, cell int) string {
	var b strings.Builder
	for _, o := range nb.Cells[cell].Outputs {
		if o.Type == "error" {
			b.WriteString(o.EValue)
		}
	}
	return b.String()
}

// countOf is the number beside a cell, as it is written.
func countOf(n *int) string {
	if n == nil {
		return "missing"
	}
	return strconv.Itoa(*n)
}
