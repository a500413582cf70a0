//go:build browser

package lab

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
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
			labtest.Keys(kb.End, chromedp.ModifierCtrl),
			labtest.Keys(text),
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
	for path, want := range map[string]string{lecture: testfile.Read(t, copied), "original/" + lecture: want} {
		resp := must.Get(http.Get(lab.Page("/files/"+path) + "&download=1")).Or(t)
		got, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || string(got) != want {
			t.Errorf("the download of %s is %v, %s:\n%.2000s", path, err, resp.Status, got)
		}
		if name := resp.Header.Get("Content-Disposition"); !strings.Contains(name, filepath.Base(lecture)) {
			t.Errorf("the download of %s has the name %q", path, name)
		}
	}
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

// An archive of the course that was unpacked below a repository of something else, such as one of a
// home folder: git does not know its files, and they are lectures all the same.
func TestArchiveInARepository(t *testing.T) {
	_, python := nbconvert(t)
	home, modules := t.TempDir(), t.TempDir()
	testfile.Write(t, filepath.Join(modules, "contents.py"), contents)
	notebooks := filepath.Join(home, "course", "notebooks")
	testfile.Write(t, filepath.Join(notebooks, "1.ipynb"), "{}")
	of := func() string {
		cmd := exec.CommandContext(t.Context(), python, "-c", `import sys; from contents import Contents; print(Contents(root_dir=sys.argv[1], own="own").lecture("1.ipynb"))`, notebooks)
		cmd.Dir = modules
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for _, tt := range []struct{ repository, want string }{
		{"", "1.ipynb"}, {home, "1.ipynb"},
		{filepath.Join(home, "course"), "None"}, // a notebook that the reader put into a clone
	} {
		if tt.repository != "" {
			if out, err := exec.Command("git", "init", "--quiet", tt.repository).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		if got := of(); got != tt.want {
			t.Errorf("with a repository in %q: the lecture %s, want %s", tt.repository, got, tt.want)
		}
	}
}
