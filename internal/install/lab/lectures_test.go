//go:build browser

package lab

import (
	"context"
	"encoding/base64"
	"image"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/notebook/picture"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestLecturesInBrowser does what a lecturer does: starts "go run . lab", opens a
// lecture in a browser, saves it, clears its outputs, chooses Run All Cells from the menu,
// looks at the result, and moves each slider. No cell ends in an error, every figure is
// displayed and is the one stored in the repository, and each slider's figure follows.
// Saved unchanged, after it was run, and after sliders were moved, the file is byte for byte
// the one stored. Lectures are run at the same time, each in a window of its own. Then the
// go command is ended, and nothing stays.
//
// It needs Chromium, and sets JupyterLab up as "go run . lab" does. With
// MARGINALIA_SCREENSHOTS set to a folder it leaves pictures of the lectures there.
func TestLecturesInBrowser(t *testing.T) {
	quick := tier.Quick(t)
	root := repotest.Root(t)
	lectures, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil || len(lectures) < 2 {
		t.Fatalf("lectures %q, error %v", lectures, err)
	}
	if quick {
		lectures = []string{filepath.Join(root, "notebooks", "01-perceptron.ipynb")}
	}
	dir := t.TempDir()
	server := startLab(t, root, dir)
	t.Cleanup(func() { server.end(t) })
	browser := labtest.Chromium(t)
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
	testfile.Write(t, copied, setuptest.Read(t, path))
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
	saved := labtest.WaitUntilRun(ctx, t, copied, cells)
	figures, slides := 0, 0
	for i, c := range saved.Cells {
		got, want := figuresOf(c.Outputs), figuresOf(stored.Cells[i].Outputs)
		if figures += len(want); len(got) != len(want) {
			t.Errorf("cell %s has %d figures, stored are %d", c.ID, len(got), len(want))
			continue
		}
		if strings.Contains(c.Source, "plotting.Slide(") {
			slides++
		}
		for k := range got {
			if d := picture.Compare(decode(t, want[k]), decode(t, got[k])); !d.Same() {
				t.Errorf("cell %s: figure %d is not the one stored: %v", c.ID, k, d)
			}
		}
	}
	labtest.Check(ctx, t, saved)
	sameFile(t, "run", path, copied)
	if moved := moveSliders(ctx, t); moved != slides {
		t.Errorf("the figures of %d sliders followed, the lecture has %d", moved, slides)
	}
	labtest.Save(ctx, t)
	sameFile(t, "its sliders moved", path, copied)
	t.Logf("%d code cells run, %d figures, %d sliders moved", cells, figures, slides)
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

func figuresOf(outputs []nbformat.Output) (figures []string) {
	for _, o := range outputs {
		if png, _ := o.Data["image/png"].(string); png != "" {
			figures = append(figures, png)
		}
	}
	return figures
}

// moveSliders scrolls through the notebook and moves each slider to its right end, once its
// program serves it. It returns how many figures followed.
func moveSliders(ctx context.Context, t *testing.T) (followed int) {
	t.Helper()
	const move = `(async () => {
		const w = document.querySelector('.jp-Notebook .jp-WindowedPanel-outer') ?? document.querySelector('.jp-Notebook');
		const wait = () => new Promise(done => setTimeout(done, 50)); // a window that nobody sees draws no frames
		const seen = new Set();
		let followed = 0;
		for (let at = 0; at < w.scrollHeight; at += Math.max(w.clientHeight - 40, 100)) {
			w.scrollTop = at;
			await wait();
			for (const row of document.querySelectorAll('.jp-Notebook .marginalia-slider')) {
				if (seen.has(row)) continue;
				seen.add(row);
				while (row.querySelector('small').textContent) await wait();
				const slider = row.querySelector('input'), figure = row.nextElementSibling, before = figure.innerHTML;
				const drawn = new Promise(done => new MutationObserver(done).observe(figure, {childList: true}));
				slider.value = slider.max;
				slider.dispatchEvent(new Event('input', {bubbles: true}));
				await drawn;
				followed += figure.innerHTML !== before;
			}
		}
		return followed;
	})()`
	limited, cancel := context.WithTimeout(ctx, labtest.Patience)
	defer cancel()
	followed, err := chromedp.Run(limited, chromedp.Evaluate[int](move, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("moving the sliders: %v%s", err, labtest.Picture(ctx, t.Name()+"-failed"))
	}
	return followed
}

func decode(t *testing.T, base64PNG string) *image.RGBA {
	t.Helper()
	file := must.Get(base64.StdEncoding.DecodeString(strings.TrimSpace(base64PNG))).Or(t)
	img := must.Get(picture.Decode(file)).Or(t)
	return img
}
