//go:build browser

package lab

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestLecturesInBrowser does what a lecturer does: starts "go run . lab", opens a
// lecture in a browser, saves it, and moves each slider. Every figure is displayed, and each
// slider's figure follows. The first to be opened, which has Markdown and figures in space among its
// outputs, is run in between: its outputs are cleared, Run All Cells is chosen from the menu, and no
// cell ends in an error. Saved unchanged, after it was run, and after sliders were moved, the file is
// byte for byte the one stored. Lectures are opened at the same time, each in a window of its own.
// Then the go command is ended, and nothing stays.
//
// Opened are the one that is run, the one with most sliders and the largest. Lecture 1 runs in
// JupyterLab of the image (docker/test), the cells of all in notebooks/celltests; the site shows the
// figures of all, and TestLecturesAreSaved writes all.
//
// It needs Chromium, and sets JupyterLab up as "go run . lab" does. With
// MARGINALIA_SCREENSHOTS set to a folder it leaves pictures of the lectures there.
func TestLecturesInBrowser(t *testing.T) {
	lectures := []string{"02-least-squares.ipynb", "04-margins.ipynb", "05-kernels.ipynb"}
	if tier.Quick(t) {
		lectures = lectures[:1]
	}
	root := repotest.Root(t)
	dir := t.TempDir()
	server := startLab(t, root, dir)
	t.Cleanup(func() { server.end(t) })
	browser := labtest.Chromium(t)
	for i, name := range lectures {
		t.Run(strings.TrimSuffix(name, ".ipynb"), func(t *testing.T) {
			t.Parallel()
			openInBrowser(labtest.Window(t, browser), t, server.Server, filepath.Join(root, "notebooks", name), filepath.Join(dir, name), i == 0)
		})
	}
}

// TestLecturesAreSaved has Jupyter read and write each lecture, as its server does when JupyterLab saves
// one: the file is byte for byte what it was.
func TestLecturesAreSaved(t *testing.T) {
	root, python := nbconvert(t)
	dir, before := t.TempDir(), map[string]string{}
	args := []string{"-c", "import sys, nbformat\nfor name in sys.argv[1:]:\n    nbformat.write(nbformat.read(name, as_version=4), name)"}
	for _, path := range must.Get(filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))).Or(t) {
		copied := filepath.Join(dir, filepath.Base(path))
		before[copied] = testfile.Read(t, path)
		testfile.Write(t, copied, before[copied])
		args = append(args, copied)
	}
	if out, err := exec.CommandContext(t.Context(), python, args...).CombinedOutput(); err != nil || len(before) < 10 {
		t.Fatalf("%d lectures: %v\n%s", len(before), err, out)
	}
	for copied, text := range before {
		if testfile.Read(t, copied) != text {
			t.Errorf("Jupyter writes %s in another way", filepath.Base(copied))
		}
	}
}

// openInBrowser opens a copy of the lecture at path, and runs it if so wanted.
func openInBrowser(ctx context.Context, t *testing.T, server labtest.Server, path, copied string, run bool) {
	nb := labtest.Read(t, path)
	testfile.Write(t, copied, setuptest.Read(t, path))
	cells, slides := 0, 0
	for _, c := range nb.Cells {
		if c.Type == "code" {
			cells++
		}
		if strings.Contains(c.Source, "plotting.Slide(") {
			slides++
		}
	}
	labtest.Open(ctx, t, server, filepath.Base(copied))
	labtest.Save(ctx, t)
	sameFile(t, "opened and saved", path, copied)
	note := `stored figures; run the cell for values between$`
	if run {
		// Outputs that are found later are this run's.
		labtest.Choose(ctx, t, "Edit", "editmenu:clear-all")
		labtest.Choose(ctx, t, "Run", "runmenu:run-all")
		nb = labtest.WaitUntilRun(ctx, t, copied, cells)
		sameFile(t, "run", path, copied)
		note = `^$`
	}
	figures := labtest.Check(ctx, t, nb)
	if moved := moveSliders(ctx, t, nb, note); moved != slides {
		t.Errorf("the figures of %d sliders followed, the lecture has %d", moved, slides)
	}
	labtest.Save(ctx, t)
	sameFile(t, "its sliders moved", path, copied)
	t.Logf("%d code cells, run: %v, %d figures, %d sliders moved", cells, run, figures, slides)
}

// sameFile fails if JupyterLab has changed the file of a lecture: git would show a student who
// opens or runs it as having changed it. The last digits of what is drawn as SVG may differ,
// since processors round differently.
func sameFile(t *testing.T, done, path, copied string) {
	t.Helper()
	want, got := setuptest.Read(t, path), setuptest.Read(t, copied)
	stored := drawn.FindAllString(want, -1)
	got = drawn.ReplaceAllStringFunc(got, func(now string) string {
		if len(stored) == 0 {
			return now
		}
		before := stored[0]
		stored = stored[1:]
		if len(outputs.Compare(shown(before), shown(now), outputs.Options{})) > 0 {
			return now
		}
		return before
	})
	if got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		around := func(s string) string { return s[max(0, at-200):min(len(s), at+200)] }
		t.Errorf("%s, the file is not what it was: after byte %d it has\n%s\nwant\n%s", done, at, around(got), around(want))
	}
}

// drawn matches the line of a notebook's file that holds a figure as SVG, or a slider's.
var drawn = regexp.MustCompile(`"(` + regexp.QuoteMeta(display.FigureType) + `|` + regexp.QuoteMeta(display.SliderType) + `)": "[^"]*"`)

// shown returns the output that such a line belongs to.
func shown(line string) []nbformat.Output {
	mime, packed, _ := strings.Cut(strings.Trim(line, `"`), `": "`)
	return []nbformat.Output{{Type: "display_data", Data: map[string]any{mime: packed}}}
}

// moveSliders moves each slider of the notebook to its right end, once the note beside it, a
// regular expression, says who draws: no note that its program does. It returns how many figures
// followed.
func moveSliders(ctx context.Context, t *testing.T, nb *nbformat.Notebook, note string) (followed int) {
	t.Helper()
	move := `(async () => {
		let followed = 0;
		for (const row of document.querySelectorAll('.jp-Notebook .marginalia-slider:not(.seen)')) {
			row.classList.add('seen');
			while (!/` + note + `/.test(row.querySelector('small').textContent)) await new Promise(done => setTimeout(done, 50));
			const slider = row.querySelector('input'), figure = row.parentElement.querySelector(':scope > .marginalia-figure'), before = figure.innerHTML;
			const drawn = new Promise(done => new MutationObserver(done).observe(figure, {childList: true}));
			slider.value = slider.max;
			slider.dispatchEvent(new Event('input', {bubbles: true}));
			await drawn;
			followed += figure.innerHTML !== before;
		}
		return followed;
	})()`
	for range labtest.Views(ctx, t, nb) {
		n, err := labtest.Evaluate[int](ctx, move)
		if err != nil {
			t.Fatalf("moving the sliders: %v; beside them stands %s", err, labtest.Value[string](ctx, t,
				`[...document.querySelectorAll('.jp-Notebook .marginalia-slider')].map(row => row.innerText + row.className).join(" | ")`))
		}
		followed += n
	}
	return followed
}
