//go:build browser

package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/release"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestPages does the assignment of a new course in the browser, from its release to the mark: a check fails, the solution is
// written, the check passes, and the notebook that Hand in gives is collected and graded.
func TestPages(t *testing.T) {
	tier.Browser(t)
	dir, out := exampleCourse(t), filepath.Join(t.TempDir(), "public")
	if status := statusOf(t.Context(), []string{"course", "release", "ps0", "--course", dir, "--pages", out}); status != 0 {
		t.Fatalf("course release: status %d", status)
	}
	released := filepath.Join("release", "ps0", "ps0.ipynb")
	if served, want := must.Get(os.ReadFile(filepath.Join(out, "lab", "files", "ps0.ipynb"))).Or(t), must.Get(os.ReadFile(filepath.Join(dir, released))).Or(t); string(served) != string(want) {
		t.Error("the notebook in the pages is not the released one")
	}
	searchTools(t, dir, filepath.Join(out, "go"))
	source := must.Get(nbformat.Read(filepath.Join(dir, "source", "ps0", "ps0.ipynb"))).Or(t)
	stub := must.Get(nbformat.Read(filepath.Join(dir, released))).Or(t)
	at := func(id string) int {
		i := slices.IndexFunc(stub.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
		if i < 0 || source.Cells[i].ID != id {
			t.Fatalf("there is no cell %s in the release, or it stands elsewhere in the source", id)
		}
		return i
	}
	site := httptest.NewServer(http.FileServer(http.Dir(out)))
	defer site.Close()
	s := student{labtest.Window(t, labtest.Chromium(t)), t}
	s.do(chromedp.Navigate(site.URL), chromedp.Click(chromedp.CSS(`.open`)))
	labtest.Wait(s, t, "the notebook and its kernel", `document.querySelectorAll(".jp-Notebook .jp-Cell").length > 1 && document.querySelector('[data-command="marginalia:hand-in"]') && `+s.idle())
	answer, check := at("mean"), at("mean-test")
	for i, c := range stub.Cells[:check] {
		if c.Type == "code" {
			s.run(i)
		}
	}
	s.run(check)
	if said := s.output(check); !strings.Contains(said, "✗ TestMean") {
		t.Errorf("the check of the stub says %q", said)
	}
	t.Log(labtest.Picture(s, "TestPages-fails"))
	s.write(answer, source.Cells[answer].Source)
	s.run(answer)
	s.run(check)
	if said := s.output(check); !strings.Contains(said, "✓ TestMean") || strings.Contains(said, "✗") {
		t.Errorf("the check of the solution says %q", said)
	}
	t.Log(labtest.Picture(s, "TestPages-passes"))
	t.Logf("the page has loaded %.1f MB", labtest.Value[float64](s, t, `performance.getEntriesByType("resource").reduce((sum, e) => sum + e.transferSize, 0) / 1e6`))

	file := s.handIn()
	for _, args := range [][]string{{"course", "collect", "ps0", file, "--student", "anna", "--course", dir}, {"course", "grade", "ps0", "--course", dir}} {
		if status := statusOf(t.Context(), args); status != 0 {
			t.Fatalf("%q: status %d", args, status)
		}
	}
	book := must.Get(gradebook.Open(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
	defer book.Close()
	all := must.Get(book.Submissions(t.Context(), "ps0")).Or(t)
	if len(all) != 1 || all[0].Student.ID != "anna" {
		t.Fatalf("the gradebook has %+v", all)
	}
	marks := all[0].Notebooks[0].Cells
	i := slices.IndexFunc(marks, func(m gradebook.Mark) bool { return m.Cell == "mean-test" })
	if i < 0 || marks[i].Max != 3 || marks[i].Score() != 3 { // "POINTS: 3" in the source
		t.Errorf("the marks are %+v, want 3 of 3 for mean-test", marks)
	}
}

// search finds texts, those of its arguments behind the first, in the compressed files of a folder.
const search = `
import lzma, pathlib, sys
for file in pathlib.Path(sys.argv[1]).glob("*.lzma"):
    packed = file.read_bytes()
    data = lzma.decompress(packed[:5] + b"\xff" * 8 + packed[13:], lzma.FORMAT_ALONE)  # as if the size were unknown: Python refuses a known one with a mark at the end
    for text in sys.argv[2:]:
        if text.encode() in data: print(file.name, text)
`

// searchTools looks for what students must not see in the compressed tools and packages; that the other files have nothing of it, package
// pages tests.
func searchTools(t *testing.T, dir, golang string) {
	t.Helper()
	args := []string{"-c", search, golang}
	for _, nb := range must.Get(release.Make(must.Get(course.Open(dir)).Or(t), "ps0")).Or(t).Notebooks {
		for _, r := range nb.Removed {
			for line := range strings.Lines(r.Text) {
				if line = strings.TrimSpace(line); len(line) > 15 {
					args = append(args, line)
				}
			}
		}
	}
	if len(args) < 8 {
		t.Fatalf("%q is little to look for", args[3:])
	}
	python := must.Get(venv.Find(t.Context())).Or(t)
	for text, want := range map[string]bool{"": false, "BuildInfo": true} { // that name is in the linker
		looked := args
		if text != "" {
			looked = append(args[:3:3], text)
		}
		found, err := exec.CommandContext(t.Context(), python.Path, looked...).CombinedOutput()
		if err != nil || (len(found) > 0) != want {
			t.Errorf("%v: the tools have\n%s", err, found)
		}
	}
}

// A student is a window with an assignment.
type student struct {
	context.Context
	t *testing.T
}

func (s student) do(steps ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	must.Do(s.t, chromedp.Do(s, steps...))
}

// idle says that no cell runs or waits.
func (student) idle() string {
	return `document.querySelector('#jp-main-statusbar')?.innerText.includes('Go (gonb) | Idle') && ![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))`
}

func (student) cell(n int) string {
	return `.jp-Cell[data-windowed-list-index="` + strconv.Itoa(n) + `"]`
}

// run runs a cell, and waits for its end.
func (s student) run(cell int) {
	s.t.Helper()
	s.do(chromedp.Click(chromedp.CSS(s.cell(cell)+` .cm-content`)), labtest.Keys(kb.Enter, chromedp.ModifierShift))
	labtest.Wait(s, s.t, "the cell's end", s.idle()+` && /\d/.test(document.querySelector('`+s.cell(cell)+` .jp-InputPrompt')?.textContent)`)
}

func (s student) output(cell int) string {
	s.t.Helper()
	return labtest.Value[string](s, s.t, `[...document.querySelectorAll('`+s.cell(cell)+` .jp-OutputArea-output')].map(e => e.innerText).join('\n')`)
}

// write puts a text into a cell, in the place of what stands there.
func (s student) write(cell int, text string) {
	s.t.Helper()
	s.do(chromedp.Click(chromedp.CSS(s.cell(cell)+` .cm-content`)), labtest.Keys("a", chromedp.ModifierCtrl))
	_ = must.Get(chromedp.Call(s, input.InsertText, input.InsertTextParams{Text: text})).Or(s.t)
}

// handIn presses the button, and returns the file that the browser has downloaded.
func (s student) handIn() string {
	s.t.Helper()
	dir := s.t.TempDir()
	must.Get(chromedp.CallBrowser(s, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, EventsEnabled: new(true),
	})).Or(s.t)
	done := make(chan struct{})
	must.Do(s.t, chromedp.ListenBrowser(s, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == "completed" {
			close(done)
		}
	}))
	s.do(chromedp.Click(chromedp.CSS(`[data-command="marginalia:hand-in"]`)))
	select {
	case <-done:
	case <-s.Done():
		s.t.Fatal("nothing is downloaded")
	}
	return filepath.Join(dir, "ps0.ipynb")
}
