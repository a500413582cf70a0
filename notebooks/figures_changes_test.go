package notebooks

import (
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/picture"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting"
)

// pick tells the shapes that may be changed.
type pick func(shape) bool

func mark(c plotting.Hue) pick { return of("mark", c) }
func line(c plotting.Hue) pick { return of("line", c) }
func area(c plotting.Hue) pick { return of("area", c) }

// of picks shapes of a colour, however translucent.
func of(kind string, hue plotting.Hue) pick {
	c := color.NRGBAModel.Convert(hue).(color.NRGBA)
	return func(s shape) bool {
		c.A = s.colour.A
		return s.kind == kind && s.colour == c
	}
}

// text is that of a label, and not the paper about it on which it can be read.
func text(t string) pick {
	return func(s shape) bool { return s.kind == "text" && s.text == t && s.colour.A == 0xFF }
}

func isImage(s shape) bool { return s.kind == "image" }

const (
	blue, vermilion, green = plotting.Blue, plotting.Vermilion, plotting.Green
	black, ink, edge       = plotting.Black, plotting.Hue(0x262626), plotting.Hue(0x4D4D4D)
	rim, grid              = plotting.Hue(0xB3B3B3), plotting.Hue(0xEBEBEB)
)

// changes are of the kinds that a lecturer would want to be told of: nth is which of
// the shapes that are picked, from 0 on.
var changes = []struct {
	figure, what string
	shape        pick
	nth          int
	edit         edit
}{
	{"02-least-squares#ten-points", "a marker is lost", mark(blue), 2, drop},
	{"02-least-squares#ten-points", "a marker a pixel to the right", mark(vermilion), 3, moved(1, 0)},
	{"02-least-squares#ten-points", "a marker a pixel up", mark(blue), 1, moved(0, 1)},
	{"02-least-squares#ten-points", "a marker has the other colour", mark(blue), 4, filled(vermilion)},
	{"02-least-squares#ten-points", "the legend lacks a mark", mark(blue), 5, drop},
	{"02-least-squares#ten-points", "the legend lacks a name", text("ω₁ (+1)"), 0, drop},
	{"02-least-squares#ten-points", "a name in the legend has another sign", text("ω₂ (−1)"), 0, saying("ω₂ (+1)")},
	{"02-least-squares#ten-points", "a tick has another number", text("0.3"), 0, saying("0.8")},
	{"02-least-squares#ten-points", "an axis has lost its name", text("x₁"), 0, drop},
	{"02-least-squares#ten-points", "a grid line is lost", line(grid), 3, drop},
	{"02-least-squares#ten-points", "a tick is lost", line(edge), 4, drop},

	{"01-perceptron#signed-distance", "a label is lost", text("x"), 0, drop},
	{"01-perceptron#signed-distance", "a label a pixel to the right", text("x"), 0, moved(1, 0)},
	{"01-perceptron#signed-distance", "a label lacks its minus sign", text("w·x + b < 0"), 0, saying("w·x + b   0")},
	{"01-perceptron#signed-distance", "a tick lacks its minus sign", text("−1"), 0, saying(" 1")},
	{"01-perceptron#signed-distance", "the line is a pixel off", line(ink), 0, moved(0, 1)},
	{"01-perceptron#signed-distance", "the tinted side is plain", area(vermilion), 0, drop},
	{"01-perceptron#signed-distance", "a grid line is a pixel off", line(grid), 2, moved(1, 0)},
	{"01-perceptron#signed-distance", "a thin line through 0 is a pixel off", line(rim), 1, moved(0, 1)},
	{"01-perceptron#signed-distance", "the arrow lacks its head", area(green), 0, drop},

	{"03-logistic#logistic-loss", "a curve is a pixel off", line(blue), 0, moved(0, 1)},
	{"03-logistic#logistic-loss", "a dashed curve is a pixel off", line(vermilion), 0, moved(0, 1)},
	{"03-logistic#logistic-loss", "a dashed curve is plain", line(vermilion), 0, drawnWith(1.8)},
	{"03-logistic#logistic-loss", "a curve is thinner by a fifth of a point", line(blue), 0, drawnWith(1.6)},
	{"03-logistic#logistic-loss", "a curve has another's colour", line(green), 0, in(vermilion)},
	{"03-logistic#logistic-loss", "the legend lacks a line", line(green), 1, drop},
	{"03-logistic#logistic-loss", "the title lacks a letter", text("what a margin costs"), 0, saying("what a margin cost")},

	{"04-margins#widest-street", "a sample is lost", mark(vermilion), 5, drop},
	{"04-margins#widest-street", "a circle is lost", line(ink), 3, drop},
	{"04-margins#widest-street", "a circle is a pixel off", line(ink), 4, moved(1, 0)},
	{"04-margins#widest-street", "a kerb is a pixel off", line(ink), 1, moved(1, 0)},
	{"04-margins#widest-street", "the width has no name", text("2/‖w‖"), 0, drop},

	{"06-spectral-clustering#fiedler", "an edge is lost", line(black), 3, drop},
	{"06-spectral-clustering#fiedler", "an edge is a pixel off", line(black), 1, moved(0, 1)},
	{"06-spectral-clustering#fiedler", "a node has another sign", text("+0.26"), 0, saying("−0.26")},

	{"06-spectral-clustering#eigenvector-signs", "one of 600 small markers is lost", mark(black), 100, drop},
	{"06-spectral-clustering#eigenvector-signs", "a small marker a pixel to the right", mark(blue), 35, moved(1, 0)},
	{"06-spectral-clustering#eigenvector-signs", "another small marker a pixel up", mark(black), 58, moved(0, 1)},
	{"06-spectral-clustering#eigenvector-signs", "a small marker a pixel to the left", mark(blue), 50, moved(-1, 0)},
	{"06-spectral-clustering#eigenvector-signs", "a small marker a pixel down", mark(vermilion), 120, moved(0, -1)},
	{"06-spectral-clustering#eigenvector-signs", "a small marker has another colour", mark(blue), 7, filled(black)},
	{"06-spectral-clustering#eigenvector-signs", "a title lacks its number", text("2"), 0, drop},

	{"03-logistic#same-shape", "a translucent marker is lost", mark(blue), 30, drop},
	{"03-logistic#same-shape", "a translucent marker a pixel to the right", mark(blue), 31, moved(1, 0)},
	{"03-logistic#same-shape", "an ellipse is a pixel off", line(blue), 1, moved(0, 1)},

	{"09-errata#annulus", "a contour is a pixel off", line(ink), 0, moved(1, 0)},
	{"09-errata#annulus", "a sample a pixel up", mark(blue), 9, moved(0, 1)},

	{"03-logistic#posterior-of-gaussians", "the boundary is a pixel off", line(ink), 0, moved(1, 0)},
	{"03-logistic#posterior-of-gaussians", "the shading is a pixel off", isImage, 0, moved(1, 0)},
	{"03-logistic#posterior-of-gaussians", "the bar lacks a number", text("0.4"), 0, drop},

	{"02-least-squares#projection", "the plane has no rim on one side", line(edge), 14, drop},
	{"02-least-squares#projection", "an edge of the box is lost", line(rim), 4, drop},

	{"01-perceptron#threshold-units", "the mark of what no line does is lost", text("?"), 0, drop},
	{"01-perceptron#threshold-units", "a gate's name is another", text("a or b"), 0, saying("a or d")},
	{"01-perceptron#threshold-units", "a corner has the other colour", mark(vermilion), 2, filled(blue)},
}

func asIs(x float64) float64 { return x }

// originals are the figures of this file as they are.
var originals = sync.OnceValue(func() map[string]original {
	all := map[string]original{}
	for name, figure := range drawn {
		r := record(figure(asIs))
		all[name] = original{r, r.picture()}
	}
	return all
})

type original struct {
	recording
	pixels *image.RGBA
}

// What the figures of this file are is what the notebooks hold, so that changes of
// them are changes of the lectures' figures.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for name, figure := range drawn {
		notebook, figureName, _ := strings.Cut(name, "#")
		want, err := picture.Decode(stored(t, notebook+".ipynb", figureName))
		if err != nil {
			t.Fatal(err)
		}
		got, err := picture.Decode(figure(asIs).PNG(2 * 96))
		if err != nil {
			t.Fatal(err)
		}
		if above := want.Rect.Dy() - got.Rect.Dy(); above > 0 { // a picture of the figure's slider
			lower := image.NewRGBA(got.Rect)
			draw.Draw(lower, lower.Rect, want, image.Pt(0, above), draw.Src)
			want = lower
		}
		if d := picture.Compare(want, got); !d.Same() {
			t.Errorf("%s: its cell draws something else: %v", name, d)
		}
	}
}

// stored returns the picture of a figure that a notebook holds.
func stored(t *testing.T, file, figure string) []byte {
	t.Helper()
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if text, ok := o.Data["image/png"].(string); ok && o.Metadata["figure"] == figure {
				png, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
				if err != nil {
					t.Fatal(err)
				}
				return png
			}
		}
	}
	t.Fatalf("%s has no picture of %s", file, figure)
	return nil
}

// A figure that was changed has changed, for the comparison that holds on other
// machines than the one that recorded it.
func TestChanges(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	for _, c := range changes {
		before := originals()[c.figure]
		var shapes []shape
		for _, s := range before.shapes() {
			if c.shape(s) {
				shapes = append(shapes, s)
			}
		}
		if c.nth >= len(shapes) {
			t.Errorf("%s: %s: the figure has %d such shapes", c.figure, c.what, len(shapes))
			continue
		}
		after := before.edited(shapes[c.nth], c.edit).picture()
		if d := picture.Compare(before.pixels, after); d.Same() {
			t.Errorf("%s: %s, and the pictures are the same: %v", c.figure, c.what, d)
		}
	}
}

// Rounding changes no figure: neither that of the data nor that of the coordinates of
// what is drawn. Every number moves by one unit in the last place, up or down by
// chance. A zero stays: it has no last place, and sums that cancel do so everywhere.
func TestRounding(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 0))
	ulp := func(x float64) float64 {
		if x == 0 {
			return 0
		}
		return math.Nextafter(x, math.Inf(1-2*rng.IntN(2)))
	}
	length := func(l vg.Length) vg.Length { return vg.Length(ulp(float64(l))) }
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		o := originals()[name]
		if d := picture.Compare(o.pixels, record(drawn[name](ulp)).picture()); !d.Same() {
			t.Errorf("%s: the data moved by a last place: %v", name, d)
		}
		r := recording{o.w, o.h, slices.Clone(o.steps)}
		for i, s := range r.steps {
			r.steps[i] = mapped(s, func(p vg.Point) vg.Point { return vg.Point{X: length(p.X), Y: length(p.Y)} })
		}
		if d := picture.Compare(o.pixels, r.picture()); !d.Same() {
			t.Errorf("%s: the coordinates moved by a last place: %v", name, d)
		}
	}
}
