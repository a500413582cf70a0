//go:build browser

package lab

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// film drags a slider of lecture 4 from end to end and back, and the figure follows each step.
// If MARGINALIA_FILM names a file, film writes a GIF of it there.
func (r *room) film(t *testing.T) {
	const cell = `%%
slider := plotting.Slider{Label: "log₁₀ C", Min: -2, Max: 1.5, Step: 0.05}
plotting.Slide("street", slider, func(v float64) plotting.Drawing {
	C := math.Pow(10, v)
	m := soft(C, mixed)
	return plotting.New(fmt.Sprintf("C = %.3g: margin %.2f", C, m.Margin()),
		plotting.Margin(m.W, m.B, "", plotting.Shade()),
		plotting.Classes(mixed.X, mixed.Y), plotting.Ring(mixed.X, m.Support),
	).Range(-4.5, 4.5, -4.5, 4.5)
})`
	d := r.open(t, "film.ipynb", append(declarations(t, "04-margins.ipynb", "imports", "helpers", "overlap", "overlap-hard", "slack-kkt"), cell)...)
	d.do("making the window narrow", chromedp.EmulateViewport(1160, 1100))
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.wait("the cell's program", liveSlider)
	var frames []image.Image
	const steps = 14
	for i := range 2 * steps {
		part := float64(min(i, 2*steps-i)) / steps
		// As a hand drags it: the browser sets the value and tells of its input.
		d.do("dragging", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(async () => { const s = document.querySelector('.marginalia-slider input');
			const drawn = new Promise(done => new MutationObserver(done).observe(document.querySelector('.marginalia-figure'), {childList: true}));
			s.value = Number(s.min) + %g * (s.max - s.min); s.dispatchEvent(new Event('input', {bubbles: true})); await drawn; })()`, part), chromedp.EvalAwaitPromise))
		frames = append(frames, d.shot())
	}
	file := os.Getenv("MARGINALIA_FILM")
	if file == "" {
		return
	}
	film, err := encodeFilm(frames, 25)
	if err == nil {
		err = os.WriteFile(file, film, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d frames of %v, %d kB: %s", len(frames), frames[0].Bounds().Size(), len(film)/1000, file)
}

// shot returns the picture of the cell that has the slider.
func (d *desk) shot() image.Image {
	d.t.Helper()
	box, err := chromedp.Run(d.ctx, chromedp.Evaluate[[4]float64](`(() => { const c = document.querySelector('.marginalia-slider').closest('.jp-Cell');
		c.scrollIntoView(); const r = c.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })()`))
	if err != nil {
		d.t.Fatal(err)
	}
	file := must.Get(chromedp.Run(d.ctx, chromedp.CaptureScreenshot())).Or(d.t)
	page := must.Get(png.Decode(bytes.NewReader(file))).Or(d.t)
	m := image.NewRGBA(image.Rect(0, 0, int(box[2]-box[0]), int(box[3]-box[1])))
	draw.Draw(m, m.Rect, page, image.Pt(int(box[0]), int(box[1])), draw.Src)
	return m
}

// declarations returns what cells of a lecture declare, by their ids.
func declarations(t *testing.T, lecture string, ids ...string) (sources []string) {
	t.Helper()
	root := must.Get(repo.Root()).Or(t)
	nb := must.Get(nbformat.Read(filepath.Join(root, "notebooks", lecture))).Or(t)
	for _, c := range nb.Cells {
		if slices.Contains(ids, c.ID) {
			source, _, _ := strings.Cut(c.Source, "%%\n")
			sources = append(sources, source)
		}
	}
	return sources
}

// encodeFilm encodes frames of one size as a GIF that is played again and again: each is shown
// for a time in hundredths of a second. Of the colours that the frames have it keeps the
// 256 most frequent, without dithering, which a figure's few colours do without. A frame
// holds only the rectangle in which it differs from the one before.
func encodeFilm(frames []image.Image, delay int) ([]byte, error) {
	counts := map[color.RGBA]int{}
	for _, frame := range frames {
		r := frame.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				counts[color.RGBAModel.Convert(frame.At(x, y)).(color.RGBA)]++
			}
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(256, len(colours))] {
		palette = append(palette, c)
	}
	var film gif.GIF
	var before *image.Paletted
	for _, frame := range frames {
		m := image.NewPaletted(frame.Bounds(), palette)
		draw.Draw(m, m.Rect, frame, m.Rect.Min, draw.Src)
		film.Image = append(film.Image, changed(before, m))
		film.Delay = append(film.Delay, delay)
		before = m
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &film)
	return b.Bytes(), err
}

// changed returns the part of m that differs from what was there before, at least a pixel.
func changed(before, m *image.Paletted) *image.Paletted {
	if before == nil {
		return m
	}
	var r image.Rectangle
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if m.ColorIndexAt(x, y) != before.ColorIndexAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if r.Empty() {
		r = image.Rectangle{Min: m.Rect.Min, Max: m.Rect.Min.Add(image.Pt(1, 1))}
	}
	return m.SubImage(r).(*image.Paletted)
}
