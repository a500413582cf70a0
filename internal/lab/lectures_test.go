package lab

import (
	"context"
	"encoding/base64"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/lab/labtest"
	"marginalia/internal/nbformat"
	"marginalia/internal/picture"
	"marginalia/internal/repo"
	"marginalia/internal/setup/setuptest"
	"marginalia/internal/tier"
)

// TestLecturesInBrowser does what a lecturer does: starts "go run . lab", opens a
// lecture in a browser, saves it, clears its outputs, chooses Run All Cells from the menu,
// drags each slider when it appears, and looks at the result. No cell ends in an error,
// every figure is displayed and is the one stored in the repository, and each slider's
// figure follows. Saved unchanged, and after it was run, the file is byte for byte the one
// stored, except for the figures of sliders that were moved. Lectures are run at the same
// time, each in a window of its own, since a slider waits for its reader. Then the go
// command is ended, and nothing stays.
//
// It needs Chromium, and sets JupyterLab up as "go run . lab" does. With
// MARGINALIA_SCREENSHOTS set to a folder it leaves pictures of the lectures there.
func TestLecturesInBrowser(t *testing.T) {
	tier.Browser(t)
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	chromium := needBrowser(t)
	lectures, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil || len(lectures) < 2 {
		t.Fatalf("lectures %q, error %v", lectures, err)
	}
	dir := t.TempDir()
	server := startLab(t, root, dir)
	t.Cleanup(func() { server.end(t) })
	browser := labtest.Browse(t, chromium)
	for _, path := range lectures {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".ipynb"), func(t *testing.T) {
			t.Parallel()
			runInBrowser(labtest.Window(t, browser), t, server.Server, path, filepath.Join(dir, name))
		})
	}
}

func runInBrowser(ctx context.Context, t *testing.T, server labtest.Server, path, copied string) {
	stored := labtest.Read(t, path)
	if err := os.WriteFile(copied, []byte(setuptest.Read(t, path)), 0o644); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for _, c := range stored.Cells {
		if c.Type == "code" {
			cells++
		}
	}
	labtest.Open(ctx, t, server, filepath.Base(copied))
	labtest.Save(ctx, t)
	sameFile(t, "opened and saved", path, copied)
	// Outputs that are found later are this run's.
	labtest.Choose(ctx, t, "Edit", "editmenu:clear-all")
	labtest.Choose(ctx, t, "Run", "runmenu:run-all")
	sliders := hands{}
	drag := func() { sliders.drag(ctx, t) }
	saved := labtest.WaitUntilRun(ctx, t, copied, cells, drag)
	figures, slides := 0, 0
	for i, c := range saved.Cells {
		got, want := figuresOf(c.Outputs), figuresOf(stored.Cells[i].Outputs)
		if figures += len(want); len(got) != len(want) {
			t.Errorf("cell %s has %d figures, stored are %d", c.ID, len(got), len(want))
			continue
		}
		if strings.Contains(c.Source, "plotting.Slide(") {
			slides++
			c.Outputs = stored.Cells[i].Outputs
			continue // its figure is that of where the slider was left
		}
		for k := range got {
			if d := picture.Compare(decode(t, want[k]), decode(t, got[k])); !d.Same() {
				t.Errorf("cell %s: figure %d is not the one stored: %v", c.ID, k, d)
			}
		}
	}
	labtest.Check(ctx, t, saved)
	if slides > 0 {
		if err := saved.WriteFile(copied); err != nil {
			t.Fatal(err)
		}
	}
	sameFile(t, "run", path, copied)
	if len(sliders) != slides {
		t.Errorf("%d sliders were dragged, the lecture has %d", len(sliders), slides)
	}
	for cell, followed := range sliders {
		if !followed {
			t.Errorf("the slider of cell %d was dragged and its figure stayed as it was", cell)
		}
	}
	t.Logf("%d code cells run, %d figures, %d sliders dragged", cells, figures, len(sliders))
}

// sameFile fails if JupyterLab has changed the file of a lecture: git would show a student who
// opens or runs it as having changed it.
func sameFile(t *testing.T, done, path, copied string) {
	t.Helper()
	want, got := setuptest.Read(t, path), setuptest.Read(t, copied)
	if got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		around := func(s string) string { return s[max(0, at-200):min(len(s), at+200)] }
		t.Errorf("%s, the file is not what it was: after byte %d it has\n%s\nwant\n%s", done, at, around(got), around(want))
	}
}

func figuresOf(outputs []nbformat.Output) (figures []string) {
	for _, o := range outputs {
		if png, _ := o.Data["image/png"].(string); png != "" {
			figures = append(figures, png)
		}
	}
	return figures
}

// hands are the sliders that were dragged, by the place of their cell, and whether the
// figure followed.
type hands map[int]bool

// drag moves each slider to its right end, as a hand does: the browser sets the value and
// tells of its input. A slider waits for this as long as the test does (see startLab), and
// its figure may follow after the slider has gone.
func (h hands) drag(ctx context.Context, t *testing.T) {
	t.Helper()
	const move = `[...document.querySelectorAll('.jp-Notebook .jp-Cell')].flatMap(cell => {
		const slider = cell.querySelector('.jp-OutputArea input[type=range]');
		const figure = cell.querySelector('.jp-OutputArea img');
		if (slider && figure && cell.was === undefined) {
			cell.was = figure.src;
			slider.value = slider.max;
			slider.dispatchEvent(new Event('input', {bubbles: true}));
		}
		return cell.was === undefined || !figure ? [] : [[Number(cell.dataset.windowedListIndex), cell.was === figure.src ? 0 : 1]];
	})`
	moved, err := chromedp.Run(ctx, chromedp.Evaluate[[][2]int](move))
	if err != nil {
		t.Fatalf("dragging: %v", err)
	}
	for _, m := range moved {
		h[m[0]] = h[m[0]] || m[1] == 1
	}
}

func decode(t *testing.T, base64PNG string) *image.RGBA {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(strings.TrimSpace(base64PNG))
	if err != nil {
		t.Fatal(err)
	}
	img, err := picture.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img
}
