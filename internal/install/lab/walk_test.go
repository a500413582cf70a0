//go:build browser

package lab

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/tier"
)

// TestWalk goes through a newcomer's first ten minutes and a lecturer's first hour, and makes a
// picture of each step for a person to look at:
//
//	MARGINALIA_TEST=browser MARGINALIA_SCREENSHOTS=pictures go test -tags browser -run Walk ./internal/install/lab
func TestWalk(t *testing.T) {
	tier.Browser(t)
	if os.Getenv("MARGINALIA_SCREENSHOTS") == "" {
		t.Skip("pictures for people: MARGINALIA_SCREENSHOTS names the folder for them")
	}
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	browser := labtest.Browse(t, needBrowser(t))
	t.Run("newcomer", func(t *testing.T) { newcomer(t, root, browser) })
	t.Run("lecturer", func(t *testing.T) { lecturer(t, root, browser) })
}

func newcomer(t *testing.T, root string, browser context.Context) {
	dir := t.TempDir()
	lectures, _ := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb")) // the pattern is well-formed
	for _, path := range lectures {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), []byte(setuptest.Read(t, path)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &room{server: startLab(t, root, dir), dir: dir, browser: browser}

	d := &desk{ctx: labtest.Window(t, browser), t: t, path: filepath.Join(dir, "00-index.ipynb")}
	labtest.Open(d.ctx, t, r.server.Server, "00-index.ipynb")
	t.Log(d.picture("01-index"))

	d = &desk{ctx: labtest.Window(t, browser), t: t, path: filepath.Join(dir, "01-perceptron.ipynb")}
	labtest.Open(d.ctx, t, r.server.Server, "01-perceptron.ipynb")
	t.Log(d.picture("02-lecture"))
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.wait("a slider that is live", `[...document.querySelectorAll('.marginalia-slider small')].some(e => e.textContent === '') || (document.querySelector('.jp-WindowedPanel-outer').scrollTop += 300, false)`)
	d.do("looking at the slider", chromedp.Evaluate[chromedp.Void](`document.querySelector('.marginalia-slider').scrollIntoView({block: 'center'})`))
	t.Log(d.picture("03-slider"))

	d = r.open(t, "mine.ipynb",
		"fmt.Println(\"hello\")",
		"%%\nfmt.Println(\"hello\")",
		"%%\nd := datasets.CMUSix()\nm, err := svm.Classifer{}.Fit(d.X, d.Y)\nfmt.Println(m, err)",
		"%%\nx := []float64{1, 2}\nfmt.Println(x[len(x)])",
		"%%\nvar name string\nfmt.Scanln(&name)\nfmt.Println(\"hello,\", name)",
		"%%\nd := datasets.CMUSix()\nplotting.Show(\"six\", plotting.New(\"six points\", plotting.Classes(d.X, d.Y)))",
		"%%\nfor i := 0; ; i++ {\n}",
		"%%\nd := datasets.CMUSix()\nd.")
	for i := range 4 {
		d.run(i)
		d.wait("the cell", ran(i))
	}
	d.wait("the kernel", idle)
	t.Log(d.picture("04-mistakes"))
	d.run(4)
	d.do("waiting for the input box", chromedp.WaitVisible(chromedp.CSS(`.jp-Stdin-input`)))
	t.Log(d.picture("05-input"))
	d.do("answering", chromedp.SendKeys(chromedp.CSS(`.jp-Stdin-input`), "Ada"+kb.Enter))
	d.wait("the cell", ran(4))
	d.run(5)
	d.wait("the figure", ran(5))
	t.Log(d.picture("06-figure"))
	d.edit(7)
	d.pressUntil("the list", `!!document.querySelector('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item')`, chromedp.KeyEvent(kb.Tab))
	t.Log(d.picture("07-completion"))

	d.do("choosing the dark theme", labtest.Submenu("Settings", "Theme", "apputils:change-theme"), labtest.Pick("JupyterLab Dark"))
	d.wait("the dark theme", `document.body.dataset.jpThemeLight === 'false'`)
	d.do("looking at the mistakes", chromedp.Evaluate[chromedp.Void](`document.querySelector('`+cellAt(0)+`').scrollIntoView()`))
	t.Log(d.picture("08-mistakes-dark"))
	d.edit(7)
	d.pressUntil("the list", `!!document.querySelector('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item')`, chromedp.KeyEvent(kb.Tab))
	t.Log(d.picture("09-completion-dark"))
	d.do("closing the list", chromedp.KeyEvent(kb.Escape))

	d.run(6)
	d.wait("the endless loop to run", `document.querySelector('`+cellAt(6)+` .jp-InputPrompt')?.textContent.includes('*')`)
	killed := 0
	for _, process := range jupytertest.Strays(r.server.marker) {
		pid, command, _ := strings.Cut(process, " ")
		if id, err := strconv.Atoi(pid); err == nil && strings.Contains(command, "/gonb -kernel") && syscall.Kill(id, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Error("no GoNB is found")
	}
	d.wait("the end of the cell", ran(6))
	d.wait("a GoNB", idle)
	t.Log(d.picture("10-killed-dark"))
	labtest.Choose(d.ctx, t, "File", "launcher:create")
	d.do("waiting for the launcher", chromedp.WaitVisible(chromedp.CSS(`.jp-LauncherCard`)))
	t.Log(d.picture("11-launcher-dark"))
	d.do("choosing the light theme", labtest.Submenu("Settings", "Theme", "apputils:change-theme"), labtest.Pick("JupyterLab Light"))
}

// goRun runs the README's command.
func goRun(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"run", "."}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go run . %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	t.Logf("go run . %s\n%s", strings.Join(args, " "), out)
}

func lecturer(t *testing.T, root string, browser context.Context) {
	course := filepath.Join(t.TempDir(), "course")
	goRun(t, root, "new", course)
	const name = "notebooks/01-first.ipynb"
	first := filepath.Join(course, name)
	r := &room{server: startLab(t, root, course), dir: course, browser: browser}
	d := &desk{ctx: labtest.Window(t, browser), t: t, path: first}
	labtest.Open(d.ctx, t, r.server.Server, name)
	t.Log(d.picture("01-course"))
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	code := 0
	for _, c := range labtest.Read(t, first).Cells {
		if c.Type == "code" {
			code++
		}
	}
	labtest.WaitUntilRun(d.ctx, t, first, code)
	t.Log(d.picture("02-run"))
	goRun(t, root, "test", first)
	goRun(t, root, "figures", "--output", filepath.Join(course, "figures"), first)
	python := EnvironmentOf(root).Python()
	for _, format := range []string{"html", "slides"} {
		look(t, browser, convert(t, python, format, first), "03-"+format)
	}
	assignment(t, root, r)
}

// look opens a page and makes a picture of it.
func look(t *testing.T, browser context.Context, page, name string) {
	t.Helper()
	d := &desk{ctx: labtest.Window(t, browser), t: t}
	d.do("opening the page", chromedp.Navigate("file://"+page))
	labtest.Typeset(d.ctx, t)
	t.Log(d.picture(name))
}

// assignment goes with a first assignment from its release to the pages that its students and its
// lecturer get. One student hands in.
func assignment(t *testing.T, root string, r *room) {
	const released, handedIn, stub = "assignments/release/ps0/ps0.ipynb", "handed-in/ps0.ipynb", `panic("not implemented")`
	assignments := filepath.Join(r.dir, "assignments")
	goRun(t, root, "course", "new", assignments)
	goRun(t, root, "course", "--course", assignments, "release", "ps0")
	d := &desk{ctx: labtest.Window(t, r.browser), t: t, path: filepath.Join(r.dir, released)}
	labtest.Open(d.ctx, t, r.server.Server, released)
	t.Log(d.picture("04-release"))

	// The student forgets that there may be no numbers.
	nb := labtest.Read(t, d.path)
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return strings.Contains(c.Source, stub) })
	if i < 0 {
		t.Fatal("the release has no answer to give")
	}
	nb.Cells[i].Source = strings.Replace(nb.Cells[i].Source, stub, "sum := 0.0\n\tfor _, v := range x {\n\t\tsum += v\n\t}\n\treturn sum / float64(len(x)), nil", 1)
	data, err := nb.Encode()
	copied := filepath.Join(r.dir, handedIn)
	if err := errors.Join(err, os.Mkdir(filepath.Dir(copied), 0o755), os.WriteFile(copied, data, 0o644)); err != nil {
		t.Fatal(err)
	}
	d = &desk{ctx: labtest.Window(t, r.browser), t: t, path: copied}
	labtest.Open(d.ctx, t, r.server.Server, handedIn)
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	labtest.WaitUntilRun(d.ctx, t, copied, 3) // the imports, the answer and its tests
	t.Log(d.picture("05-answer"))

	goRun(t, root, "course", "--course", assignments, "collect", "ps0", copied, "--student", "ada")
	for _, verb := range []string{"grade", "feedback", "report"} {
		goRun(t, root, "course", "--course", assignments, verb, "ps0")
	}
	look(t, r.browser, filepath.Join(assignments, "feedback", "ada", "ps0", "ps0.html"), "06-feedback")
	look(t, r.browser, filepath.Join(assignments, "report-ps0.html"), "07-report")
}
