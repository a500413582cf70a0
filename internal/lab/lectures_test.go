package lab

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	pixels "marginalia/internal/picture"
)

// TestLecturesInBrowser does what a lecturer does: starts "go run . lab", opens a
// lecture in a browser, chooses Run All Cells from the menu, drags each slider when it
// appears, and looks at the result. No cell ends in an error, every figure is displayed
// and is the one stored in the repository, and each slider's figure follows. Then the go
// command is ended, and nothing stays.
//
// It needs Chromium and JupyterLab as "go run . lab" sets it up; where they are missing
// it is skipped, with CI=true it sets JupyterLab up and fails without Chromium. All
// lectures take some minutes, so only with CI=true are there more than the first. With
// MARGINALIA_SCREENSHOTS set to a folder it leaves pictures of the lectures there.
func TestLecturesInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	needBrowser(t, root)
	lectures, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil || len(lectures) < 2 {
		t.Fatalf("lectures %q, error %v", lectures, err)
	}
	for i, path := range lectures {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".ipynb"), func(t *testing.T) {
			if i > 1 && os.Getenv("CI") != "true" {
				t.Skip("CI=true runs all lectures in a browser")
			}
			runInBrowser(t, root, path)
		})
	}
}

func runInBrowser(t *testing.T, root, path string) {
	dir, name := t.TempDir(), filepath.Base(path)
	copied := filepath.Join(dir, name)
	stored := readNotebook(t, path)
	cells := copyUnrun(t, path, copied)
	ctx, server := runAll(t, root, dir, name)
	sliders := hands{}
	saved := waitUntilRun(ctx, t, copied, cells, func() { sliders.drag(ctx, t) })
	figures, slides := 0, 0
	for i, c := range saved.Cells {
		slid := strings.Contains(text(c.Source), "plotting.Slide(")
		if slid {
			slides++
		}
		var got, want []string
		printed := ""
		for _, o := range c.Outputs {
			printed += text(o.Text)
			if o.Type == "error" {
				t.Errorf("cell %s (%d) ended in an error: %s\n%s", c.ID, i, o.EValue, printed)
			}
			if png := text(o.Data["image/png"]); png != "" {
				got = append(got, png)
			}
		}
		for _, o := range stored.Cells[i].Outputs {
			if png := text(o.Data["image/png"]); png != "" {
				want = append(want, png)
			}
		}
		figures += len(got)
		if len(got) != len(want) {
			t.Errorf("cell %s has %d figures, stored are %d", c.ID, len(got), len(want))
			continue
		}
		for k := range got {
			// The figure of a slider is that of where it was left.
			if d := pixels.Compare(decode(t, want[k]), decode(t, got[k])); !slid && !d.Same() {
				t.Errorf("cell %s: figure %d is not the one stored: %v", c.ID, k, d)
			}
		}
	}
	if len(sliders) != slides {
		t.Errorf("%d sliders were dragged, the lecture has %d", len(sliders), slides)
	}
	for n, followed := range sliders {
		if !followed {
			t.Errorf("slider %d was dragged and its figure stayed as it was", n)
		}
	}
	seen := lookThrough(ctx, t, strings.TrimSuffix(name, ".ipynb"))
	if len(seen) < figures {
		t.Errorf("%d figures are displayed, the notebook has %d", len(seen), figures)
	}
	for where, size := range seen {
		if size[0] == 0 || size[1] == 0 {
			t.Errorf("the image at cell:number %s is %v pixels, so it is broken", where, size)
		}
	}
	t.Logf("%d code cells run, %d figures, %d images displayed, %d sliders dragged", cells, figures, len(seen), len(sliders))
	server.end(t)
}

// hands are the sliders that were dragged, by number, and whether the figure followed.
type hands map[int]bool

// drag moves each slider to its right end until its figure follows, as a hand does: the
// browser sets the value and tells of its input.
func (h hands) drag(ctx context.Context, t *testing.T) {
	t.Helper()
	const move = `[...document.querySelectorAll('.jp-OutputArea input[type=range]')].flatMap(s => {
		const figure = s.closest('.jp-Cell').querySelector('.jp-OutputArea img');
		if (!figure) return [];
		s.was ??= figure.src;
		s.number ??= window.sliders = (window.sliders ?? 0) + 1;
		if (s.was === figure.src) {
			s.value = s.max;
			s.dispatchEvent(new Event('input', {bubbles: true}));
		}
		return [[s.number, s.was === figure.src ? 0 : 1]];
	})`
	moved, err := chromedp.Run(ctx, chromedp.Evaluate[[][2]int](move))
	if err != nil {
		t.Fatalf("dragging: %v", err)
	}
	for _, m := range moved {
		h[m[0]] = h[m[0]] || m[1] == 1
	}
}

func readNotebook(t *testing.T, path string) (nb notebook) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &nb)
	}
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func decode(t *testing.T, base64PNG string) *image.RGBA {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(strings.TrimSpace(base64PNG))
	if err != nil {
		t.Fatal(err)
	}
	img, err := pixels.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// text joins what nbformat calls a multiline string.
func text(v any) string {
	if lines, ok := v.([]any); ok {
		var b strings.Builder
		for _, line := range lines {
			b.WriteString(line.(string))
		}
		return b.String()
	}
	s, _ := v.(string)
	return s
}
