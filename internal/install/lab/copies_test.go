//go:build browser

package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// TestCopies opens an exercise, writes in it and saves: its file stays as it is, the copy has what was
// written, and the page says so once. Reopened it is the copy; the menu opens the exercise as it was
// given. What changes on the disk meanwhile is not written over.
func TestCopies(t *testing.T) {
	lab, root := startOnLectures(t)
	server := lab.Server
	const lecture = "exercises/02-least-squares.ipynb"
	given, copied := filepath.Join(root, "notebooks", lecture), filepath.Join(root, "notebooks", OwnFolder, lecture)
	want := testfile.Read(t, given)
	ctx := labtest.Chromium(t)
	write := func(text string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.Steps(
			chromedp.Click(chromedp.CSS(cellAt(4)+` .cm-content`)), // the first answer
			chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)),
			chromedp.KeyEvent(text),
		)); err != nil {
			t.Fatalf("writing in a cell: %v%s", err, labtest.Picture(ctx, t.Name()+"-failed"))
		}
	}
	notices := func() string {
		return labtest.Value[string](ctx, t, `[...document.querySelectorAll('.Toastify__toast')].map(e => e.innerText).join('|')`)
	}
	labtest.Open(ctx, t, server, lecture)
	labtest.Save(ctx, t)
	if _, err := os.Stat(copied); err == nil {
		t.Errorf("saved without a change, the exercise has a copy")
	}
	write("// by the reader")
	labtest.Save(ctx, t)
	labtest.Wait(ctx, t, "the notice", `document.querySelector('.Toastify__toast')`)
	t.Log(labtest.Picture(ctx, t.Name()+"-notice"))
	if got := notices(); strings.Count(got, "own/"+lecture) != 1 {
		t.Errorf("the page says %q", got)
	}
	if testfile.Read(t, given) != want {
		t.Error("the exercise's own file is changed")
	}
	if got := testfile.Read(t, copied); !strings.Contains(got, "// by the reader") || !strings.Contains(got, `"of": "`+lecture+`"`) {
		t.Errorf("the copy is\n%.2000s", got)
	}
	write(" again")
	labtest.Save(ctx, t)
	if got := notices(); strings.Count(got, "own/"+lecture) > 1 {
		t.Errorf("saved twice, the page says %q", got)
	}
	labtest.Choose(ctx, t, "File", "marginalia:original")
	labtest.Wait(ctx, t, "the exercise as it was given", `[...document.querySelectorAll('.jp-NotebookPanel')].some(p => !p.classList.contains('lm-mod-hidden') &&
		p.querySelector('.jp-Cell') && p.innerText.includes('func fourPoints') && !p.innerText.includes('by the reader'))`)
	t.Log(labtest.Picture(ctx, t.Name()+"-original"))
	labtest.Choose(ctx, t, "File", "application:close")
	labtest.Open(ctx, t, server, lecture)
	labtest.Wait(ctx, t, "the copy in its place", `document.querySelector('.jp-Notebook').innerText.includes('by the reader again')`)

	// An update replaces the copy while it is open: JupyterLab asks before it writes.
	var nb map[string]any
	must.Do(t, json.Unmarshal([]byte(testfile.Read(t, copied)), &nb))
	nb["metadata"].(map[string]any)["updated"] = true
	data := must.Get(json.MarshalIndent(nb, "", " ")).Or(t)
	must.Do(t, atomicfile.Write(copied, data))
	write(" and again")
	labtest.Choose(ctx, t, "File", "docmanager:save")
	labtest.Wait(ctx, t, "the question", `document.querySelector('.jp-Dialog')?.innerText.includes('changed on disk')`)
	t.Log(labtest.Picture(ctx, t.Name()+"-question"))
	if testfile.Read(t, copied) != string(data) {
		t.Error("the copy was written over without a question")
	}
}
