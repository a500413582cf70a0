package plotting

import (
	"bytes"
	"encoding/gob"
	"errors"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/internal/cell/display"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/notebook"
)

// counted draws nothing and counts its calls.
type counted struct{ times *int }

func (c counted) Draw(draw.Canvas) { *c.times++ }

// filed shows a drawing and returns a function that reads the file with an ending.
func filed(t *testing.T, name string, d Drawing) func(ending string) []byte {
	t.Helper()
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	must.Do(t, ShowErr(name, d))
	return func(ending string) []byte {
		t.Helper()
		data := must.Get(os.ReadFile(filepath.Join(dir, name+"."+ending))).Or(t)
		return data
	}
}

// A notebook and a folder of figures get the same picture, drawn once. Another drawing makes the
// notebook's SVG.
func TestShowDrawsOnce(t *testing.T) {
	got := inNotebook(t)
	times := 0
	file := filed(t, "counted", counted{&times})("png")
	if !bytes.Equal(file, (<-got).Data["image/png"].([]byte)) {
		t.Error("the file is not the picture in the notebook")
	}
	if times != 2 {
		t.Errorf("drawn %d times, want once as PNG and once as SVG", times)
	}
}

// Show evaluates a field once for all formats, and they equal those that the figure
// returns itself. The next Show sees a change of the field.
func TestShowEvaluatesOnce(t *testing.T) {
	t.Setenv(display.PipeEnv, "")
	t.Setenv(FormatsEnv, "svg,png")
	calls, sign := 0, 1.0
	f := func(x, y float64) float64 { calls++; return sign * (x + 2) }
	fig := New("", Score(f, Samples(20)), Contour(f, []float64{99}, Samples(10), Name("none"))).Range(-1, 1, -1, 1).Size(2*vg.Inch, 2*vg.Inch)
	for name, d := range map[string]interface {
		Drawing
		SVG() []byte
		PNG(dpi int) []byte
	}{"figure": fig, "panels": Tile(2, fig, fig)} {
		values := 20*20 + 10*10
		if name == "panels" {
			values *= 2
		}
		for range 2 {
			calls = 0
			file := filed(t, "field", d)
			if calls != values {
				t.Errorf("%s: %d values, want %d", name, calls, values)
			}
			for format, want := range map[string][]byte{"svg": d.SVG(), "png": d.PNG(notebook.Screen)} {
				if !bytes.Equal(file(format), want) {
					t.Errorf("%s: the %s is not what the figure draws now", name, format)
				}
			}
			sign = -sign
		}
	}
}

func TestShowOutsideNotebook(t *testing.T) {
	t.Setenv(display.PipeEnv, "")
	t.Setenv(FiguresEnv, "")
	fig := New("", Line(nil, []float64{1, 2}))
	if err := ShowErr("nowhere", fig); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	must.Do(t, ShowErr("a-figure.1", fig))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "a-figure.1.png" {
		t.Fatalf("files %v, %v, want a-figure.1.png alone", files, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a-figure.1.png")); !bytes.Equal(got, fig.PNG(192)) {
		t.Error("the file is not the figure at 192 dpi")
	}
	for name, want := range map[string]string{
		"":        "name",
		"../etc":  "name",
		"a/b":     "name",
		"a b":     "name",
		".hidden": "name",
	} {
		if err := ShowErr(name, fig); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("name %q: error %v", name, err)
		}
	}
	if err := ShowErr("a", nil); err == nil {
		t.Error("nothing to show, and no error")
	}
	t.Setenv(FiguresEnv, filepath.Join(dir, "missing"))
	if err := ShowErr("a", fig); err == nil || !strings.Contains(err.Error(), FiguresEnv) {
		t.Errorf("missing folder: error %v", err)
	}
}

// kernel takes what is displayed, as gob carries it to one.
type kernel chan display.Data

func (k kernel) Send(d display.Data) error {
	var pipe bytes.Buffer
	var got display.Data
	err := errors.Join(display.Register(), gob.NewEncoder(&pipe).Encode(&d), gob.NewDecoder(&pipe).Decode(&got))
	k <- got
	return err
}

// inNotebook acts as the kernel and returns what is displayed.
func inNotebook(t *testing.T) <-chan display.Data {
	got := make(kernel, 16)
	display.Use(got)
	t.Cleanup(func() { display.Use(nil) })
	t.Setenv(FiguresEnv, "")
	return got
}

func TestShowInNotebook(t *testing.T) {
	got := inNotebook(t)
	fig := New("hinge", Line(nil, []float64{1, 2})).Size(5*vg.Inch, 3*vg.Inch)
	must.Do(t, ShowErr("hinge", fig))
	d := <-got
	if len(d.Data) != 3 || d.Data["text/plain"] != fig.Alt() {
		t.Errorf("bundle with %d forms, text %q, want the PNG, the SVG and %q", len(d.Data), d.Data["text/plain"], fig.Alt())
	}
	packed, _ := d.Data[display.FigureType].(string)
	if svg, err := display.Unpack(packed); err != nil || !bytes.Equal(svg, fig.SVG()) {
		t.Errorf("the packed document of %d bytes is not the figure's SVG: %v", len(svg), err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(d.Data["image/png"].([]byte)))
	// 5×3 inches at 96 pixels per inch on screen, twice that in the file.
	meta := d.Metadata["image/png"].(map[string]float64)
	if err != nil || size.Width != 960 || size.Height != 576 || meta["width"] != 480 || meta["height"] != 288 {
		t.Errorf("%d×%d pixels shown at %v, want 960×576 at 480×288 (%v)", size.Width, size.Height, meta, err)
	}
	must.Do(t, ShowErr("hinge", fig, "a falling line"))
	if d := <-got; d.Data["text/plain"] != "a falling line" {
		t.Errorf("text %q, want the alternative given", d.Data["text/plain"])
	} else if d.Metadata["alt"] != "a falling line" {
		t.Errorf("metadata alt %q, want the alternative given", d.Metadata["alt"])
	}
}

// A figure whose SVG takes more than a third as much as its PNG has no SVG in a notebook. All
// have a PNG, but where none is needed only those without SVG.
func TestShowWithoutSVG(t *testing.T) {
	tier.NoRace(t)
	got := inNotebook(t)
	fig := New("", Line(nil, []float64{1, 2}))
	rng := rand.New(rand.NewPCG(1, 1))
	xs, ys := make([]float64, 20000), make([]float64, 20000)
	for i := range xs {
		xs[i], ys[i] = rng.Float64(), rng.Float64()
	}
	for name, c := range map[string]struct {
		d    Drawing
		want bool
	}{"figure": {fig, true}, "points": {New("", Points(xs, ys)), false}} {
		for _, stills := range []string{"", "0"} {
			t.Setenv(display.StillsEnv, stills)
			must.Do(t, ShowErr(name, c.d))
			d := <-got
			_, svg := d.Data[display.FigureType]
			_, still := d.Data["image/png"]
			if want := !c.want || stills != "0"; svg != c.want || still != want {
				t.Errorf("%s, %s=%s: the notebook has an SVG is %v, want %v; a PNG is %v, want %v", name, display.StillsEnv, stills, svg, c.want, still, want)
			}
			if d.Data["text/plain"] == "" || d.Metadata["figure"] != name {
				t.Errorf("%s: text %q, metadata %v", name, d.Data["text/plain"], d.Metadata)
			}
		}
	}
}

// gonums returns a plot of gonum/plot, with its fonts and a layer of this package.
func gonums(t *testing.T) *plot.Plot {
	t.Helper()
	p := plot.New()
	p.Title.Text, p.X.Label.Text = "Growth", "n"
	p.Title.TextStyle.Font.Weight, p.X.Label.TextStyle.Font.Style = font.WeightBold, font.StyleItalic
	scatter := must.Get(plotter.NewScatter(plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 4}})).Or(t)
	p.Add(scatter, Line([]float64{1, 3}, []float64{1, 9}))
	return p
}

// A plot of gonum/plot is shown with the pixels of gonum/plot's own back end. It is written
// in all formats, with its fonts and the same bytes each time.
func TestShowAPlotOfGonum(t *testing.T) {
	tier.Long(t)
	got := inNotebook(t)
	must.Do(t, ShowErr("growth", gonums(t)))
	d := <-got
	file := d.Data["image/png"].([]byte)
	img := decoded(t, file)
	c := vgimg.NewWith(vgimg.UseWH(5*vg.Inch, 3.75*vg.Inch), vgimg.UseDPI(notebook.Screen))
	gonums(t).Draw(draw.New(c))
	want := c.Image()
	if img.Bounds() != want.Bounds() {
		t.Fatalf("%v pixels, want %v", img.Bounds(), want.Bounds())
	}
	differ := 0
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); color.RGBAModel.Convert(want.At(x, y)) != (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) {
				differ++
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d pixels are not gonum/plot's", differ)
	}
	// 1 to 3 and 1 to 9 are the ranges of the line; the points lie within.
	if want := "Figure “Growth”. n from 1 to 3, y from 1 to 9."; d.Metadata["alt"] != want || d.Metadata["figure"] != "growth" {
		t.Errorf("alt %q of %q, want %q of growth", d.Metadata["alt"], d.Metadata["figure"], want)
	}

	display.Use(nil)
	t.Setenv(FormatsEnv, "png,svg,pdf")
	var first [][]byte
	for range tier.Size(t, 3, 8) {
		read := filed(t, "growth", gonums(t))
		files := [][]byte{read("png"), read("svg"), read("pdf")}
		if first == nil {
			first = files
		}
		if !slices.EqualFunc(files, first, bytes.Equal) {
			t.Fatal("the files differ from one time to the next")
		}
	}
	if !bytes.Equal(first[0], file) {
		t.Error("the PNG file is not what the notebook shows")
	}
	for i, words := range [][]string{1: {
		`font-family="&#39;Liberation Serif&#39;,serif" font-weight="700"`, `font-style="italic"`, `aria-label="Figure “Growth”.`,
	}, 2: {"/BaseFont /utf8liberationserif-bold", "/BaseFont /utf8liberationserif-italic", "/BaseFont /utf8liberationserif-regular"}} {
		for _, w := range words {
			if !bytes.Contains(bytes.ToLower(first[i]), bytes.ToLower([]byte(w))) {
				t.Errorf("no %s in the %s", w, []string{"PNG", "SVG", "PDF"}[i])
			}
		}
	}
}

// A plot of gonum/plot, 4 by 3, keeps its proportions in a column. A figure that is limited in
// height is narrower, and as high as it may be: 2 inches wide where it may be 1.5 high; heights
// are whole pixels.
func TestShowWithin(t *testing.T) {
	for _, c := range []struct {
		width, height string
		w, h, off     int // pixels
	}{
		{"", "1.5", 2 * notebook.Screen, 3 * notebook.Screen / 2, 2},
		{"4", "1.5", 2 * notebook.Screen, 3 * notebook.Screen / 2, 2},
		{"4", "", 4 * notebook.Screen, 3 * notebook.Screen, 0},
	} {
		t.Setenv(display.PipeEnv, "")
		t.Setenv(WidthEnv, c.width)
		t.Setenv(HeightEnv, c.height)
		size := decoded(t, filed(t, "growth", gonums(t))("png")).Bounds().Size()
		if size.Y > c.h || size.Y < c.h-c.off || size.X < c.w-c.off || size.X > c.w+c.off {
			t.Errorf("width %q, height %q: %v pixels, want %d×%d", c.width, c.height, size, c.w, c.h)
		}
	}
}
