//go:build browser

package lab_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// own are the cells of a notebook that is made in the lab.
var own = []string{
	"import \"fmt\"\n\nfunc twice(x int) int {\n\treturn 2 * x\n}",
	"%%\nfmt.Println(twice(21))",
	"%%\nfmt.Println(nowhere)",
	"%%\nfmt.Println(\"runs\")\nfor {\n}",
	"%%\nfmt.Println(twice(4))",
	"import \"github.com/janpfeifer/gonb/gonbui\"\n\n%%\nid := gonbui.UniqueId()\ngonbui.UpdateHtml(id, \"first\")\ngonbui.UpdateHtml(id, \"second\")",
	"%%\ntext, err := os.ReadFile(\"points.csv\")\nfmt.Print(string(text), err)\nos.WriteFile(\"made/twice.csv\", append(text, text...), 0o644)",
	"%%\nos.Mkdir(\"made\", 0o755)",
}

// TestLab does in the lab what readers do, in one browser, which keeps what they leave. All requests go to the site, as the policy of the page has it.
func TestLab(t *testing.T) {
	tier.Browser(t)
	contents := map[string][]byte{"own.ipynb": notebook(t, own...), "phone.ipynb": notebook(t, own...), "points.csv": []byte("1,2 µ\n"),
		"two/own.ipynb": notebook(t, "func twice(x int) int {\n\treturn 3 * x\n}", own[1]), "two/kept.ipynb": notebook(t, own[:2]...)}
	for _, name := range []string{"01-perceptron.ipynb", "exercises/01-perceptron.ipynb"} {
		contents[name] = must.Get(os.ReadFile(filepath.Join(repotest.Root(t), "notebooks", name))).Or(t)
	}
	address, browser := serve(t, contents), labtest.Chromium(t)
	for _, tt := range []struct {
		name string
		read func(*desk)
	}{
		{"own", readOwn}, {"two", readTwo}, {"kept", keep}, {"made", makeNotebook}, {"phone", readOnPhone}, {"lecture", readLecture}, {"exercise", doExercise},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.read(window(t, browser, address)) })
	}
}

// expect runs a cell, which gets a number, and whose outputs contain a text.
func (d *desk) expect(cell, count int, want string) {
	d.t.Helper()
	if n, got := d.says(cell); n != "["+strconv.Itoa(count)+"]:" || !strings.Contains(got, want) {
		d.t.Errorf("cell %d is %s, and says\n%s\nwant [%d] and %q", cell, n, got, count, want)
	}
}

// readOwn runs cells, breaks one, ends an endless loop, and restarts the kernel.
func readOwn(d *desk) {
	t := d.t
	d.open("own.ipynb")
	d.expect(0, 1, "")
	d.expect(1, 2, "42")
	d.expect(2, 3, "line 2: undefined: nowhere\n  fmt.Println(nowhere)\n              ^")
	d.picture("error")
	d.run(3)
	d.wait("the loop", `document.querySelector('`+cellAt(3)+` .jp-OutputArea-output')?.innerText.includes("runs")`)
	labtest.Choose(d, t, "Kernel", "kernelmenu:interrupt")
	d.wait("the end of the loop", idle)
	if got := d.output(3); !strings.Contains(got, "interrupt") {
		t.Errorf("the loop that was interrupted says %q", got)
	}
	d.picture("interrupted")
	d.expect(4, 5, "8")
	d.expect(5, 6, "second")
	if got := d.output(5); strings.Contains(got, "first") {
		t.Errorf("a display that is updated shows %q", got)
	}
	d.expect(7, 7, "")
	d.expect(6, 8, "1,2 µ")
	d.wait("the file that a cell has written", `[...document.querySelectorAll(".jp-DirListing-itemText")].some((e) => e.innerText === "made")`)
	d.complete(1, "Print", "Println")
	labtest.Choose(d, t, "Kernel", "kernelmenu:restart")
	d.do(chromedp.Click(chromedp.CSS(`.jp-Dialog .jp-mod-accept`)))
	d.wait("the restart", `!document.querySelector(".jp-Dialog") && `+idle)
	d.expect(4, 1, "undefined: twice")
	d.picture("restarted")
}

// complete types a line behind a cell, and asks for what may stand there.
func (d *desk) complete(cell int, name, want string) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(cellAt(cell)+` .cm-content`)), labtest.Keys(kb.End, chromedp.ModifierCtrl))
	_ = must.Get(chromedp.Call(d, input.InsertText, input.InsertTextParams{Text: "\nfmt." + name})).Or(d.t)
	d.do(labtest.Keys(kb.Tab))
	d.wait("the names", `[...document.querySelectorAll(".jp-Completer-item")].some((e) => e.innerText.includes(`+strconv.Quote(want)+`))`)
	d.picture("completed")
	d.do(labtest.Keys(kb.Escape))
}

// readTwo reads two notebooks of one name in one window. Each has a kernel of its own.
func readTwo(d *desk) {
	d.open("own.ipynb")
	d.expect(0, 1, "")
	d.visit("two", "own.ipynb")
	d.isOpen("two/own.ipynb")
	d.expect(0, 1, "")
	d.expect(1, 2, "63")
	d.do(chromedp.Click(chromedp.CSS(`#jp-main-dock-panel .lm-TabBar-tab[title*="Path: own.ipynb"]`)))
	d.isOpen("own.ipynb")
	d.expect(1, 2, "42")
	d.picture("two")
}

// visit opens a folder, and a file in it, in the list of files.
func (d *desk) visit(folder, file string) {
	d.t.Helper()
	const item = `.jp-DirListing-item[title*="Name: `
	d.do(chromedp.DoubleClick(chromedp.CSS(item+folder+`"]`)), chromedp.DoubleClick(chromedp.CSS(item+file+`"][title*="Path: `+folder+`"]`)))
}

// keep edits a notebook in a window, runs and renames it in another, and comes back to each.
func keep(d *desk) {
	d.open("two/kept.ipynb")
	d.write(1, "%%\nfmt.Println(twice(50))")
	d.save()
	d = window(d.t, d.browser, d.address).open("two/kept.ipynb")
	d.expect(0, 1, "")
	d.expect(1, 2, "100")
	d.save()
	d.open("two/kept.ipynb")
	d.wait("the output that was saved", `document.querySelector('`+cellAt(1)+` .jp-OutputArea-output')?.innerText === "100\n"`)
	labtest.Choose(d, d.t, "File", "docmanager:rename")
	d.wait("the box for the name", `document.activeElement.matches(".jp-Dialog input")`)
	d.do(labtest.Keys("a", chromedp.ModifierCtrl))
	_ = must.Get(chromedp.Call(d, input.InsertText, input.InsertTextParams{Text: "own name.ipynb"})).Or(d.t)
	d.do(chromedp.Click(chromedp.CSS(`.jp-Dialog .jp-mod-accept`)))
	d.isOpen("two/own name.ipynb")
	d.enter("lab/index.html")
	d.visit("two", "own name.ipynb")
	d.isOpen("two/own name.ipynb")
	d.wait("the output that was saved", `document.querySelector('`+cellAt(1)+` .jp-OutputArea-output')?.innerText === "100\n"`)
	d.picture("kept")
}

// save saves the notebook: a window with changes asks before it is left.
func (d *desk) save() {
	d.t.Helper()
	labtest.Choose(d, d.t, "File", "docmanager:save")
	d.wait("the notebook that is saved", `!document.querySelector("#jp-main-dock-panel .jp-mod-dirty")`)
}

// index is that of a cell in a notebook.
func index(t *testing.T, nb *nbformat.Notebook, id string) int {
	t.Helper()
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no cell %s", id)
	}
	return i
}

// runTo runs all cells to one that is given, and waits for their end.
func (d *desk) runTo(cell int) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(cellAt(0))), labtest.Keys(kb.Escape))
	d.goOn(0, cell)
}

// goOn runs the cell that is chosen and those below it, to one that is given, and waits for their end.
func (d *desk) goOn(from, to int) {
	d.t.Helper()
	for range to - from + 1 {
		d.do(labtest.Keys(kb.Enter, chromedp.ModifierShift))
	}
	d.wait("the cells' end", idle+` && /\d/.test(document.querySelector('`+cellAt(to)+` .jp-InputPrompt')?.textContent)`)
}

// readLecture runs cells of the first lecture, and looks at a figure and at a slider.
func readLecture(d *desk) {
	t := d.t
	d.open("01-perceptron.ipynb")
	nb := must.Get(nbformat.Read(filepath.Join(repotest.Root(t), "notebooks", "01-perceptron.ipynb"))).Or(t)
	score, figure, slider := index(t, nb, "score"), index(t, nb, "signed-distance-figure"), index(t, nb, "turn-slider")
	d.runTo(score)
	if got, want := strings.TrimSpace(d.output(score)), strings.TrimSpace(nb.Cells[score].Outputs[0].Text); got != want || want == "" {
		t.Errorf("the cell score prints %q, stored is %q", got, want)
	}
	d.goOn(score+1, slider)
	d.wait("the figure", `document.querySelector('`+cellAt(figure)+` .marginalia-figure > svg')?.getBoundingClientRect().width > 0`)
	d.wait("the slider, which knows that it stays with its figures", `document.querySelector('`+cellAt(slider)+`')?.innerText.match(/from \d+ stored figures(?!;)/)`)
	d.picture("figure")
}

// readOnPhone runs a cell in a small window. The list of files is folded.
func readOnPhone(d *desk) {
	must.Get(chromedp.Call(d, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 844, DeviceScaleFactor: 2, Mobile: true})).Or(d.t)
	d.open("phone.ipynb")
	d.wait("the fold", `document.querySelector("#jp-left-stack").getBoundingClientRect().width === 0`)
	d.expect(0, 1, "")
	d.expect(1, 2, "42")
	d.picture("phone")
}

// doExercise runs the check of the first exercise: it fails on what stands there, and passes with the solution.
func doExercise(d *desk) {
	t := d.t
	d.open("exercises/01-perceptron.ipynb")
	nb := must.Get(nbformat.Read(filepath.Join(repotest.Root(t), "notebooks", "solutions", "01-perceptron.ipynb"))).Or(t)
	answer, check := index(t, nb, "answer-1"), index(t, nb, "check-1")
	d.runTo(check)
	if got := d.output(check); !strings.Contains(got, "✗ TestMistakesByOrder") {
		t.Errorf("the check of what stands there says %q", got)
	}
	d.picture("fails")
	d.write(answer, nb.Cells[answer].Source)
	d.expect(answer, 5, "")
	d.expect(check, 6, "✓ TestMistakesByOrder")
	d.picture("passes")
}

// makeNotebook makes a notebook in the lab and downloads it: it has the metadata that JupyterLab stores with our kernel, and the
// kernel on this computer shows the same.
func makeNotebook(d *desk) {
	t := d.t
	d.enter("lab/index.html?reset") // the lab opens what was open before
	d.do(chromedp.Click(chromedp.CSS(`.jp-LauncherCard[data-category="Notebook"]`)))
	d.wait("the notebook", ready)
	d.write(0, "import \"fmt\"\n\n%%\nfmt.Println(6 * 7)")
	d.expect(0, 1, "42")
	downloads := t.TempDir()
	must.Get(chromedp.CallBrowser(d, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: downloads, EventsEnabled: new(true),
	})).Or(t)
	done := make(chan struct{})
	must.Do(t, chromedp.ListenBrowser(d, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == "completed" {
			close(done)
		}
	}))
	labtest.Choose(d, t, "File", "docmanager:download")
	select {
	case <-done:
	case <-d.Done():
		t.Fatal("nothing is downloaded")
	}
	file := filepath.Join(downloads, "Untitled.ipynb")
	nb := must.Get(nbformat.Read(file)).Or(t)
	lecture := must.Get(nbformat.Read(filepath.Join(repotest.Root(t), "notebooks", "01-perceptron.ipynb"))).Or(t)
	delete(lecture.Metadata, "title")
	if got, want := must.Get(json.Marshal(nb.Metadata)).Or(t), must.Get(json.Marshal(lecture.Metadata)).Or(t); string(got) != string(want) || nb.Minor != lecture.Minor {
		t.Errorf("the metadata are %s of form 4.%d, want %s", got, nb.Minor, want)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".", "run", "--check", file)
	cmd.Dir = repotest.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", cmd, err, out)
	}
}
