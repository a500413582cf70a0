package plotting

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// cloud is points that cover all of the axes, side in a row.
func cloud(side int, name string) Layer {
	var xs, ys []float64
	for i := range side * side {
		xs, ys = append(xs, float64(i%side)), append(ys, float64(i/side))
	}
	return Points(xs, ys, Name(name))
}

// fitted returns the view of a figure on a canvas, with the rectangle of its axes.
func fitted(f *Figure, w, h vg.Length) (*view, vg.Rectangle) {
	v, r := f.view(), vg.Rectangle{Max: vg.Point{X: w, Y: h}}
	v.fit(r)
	return v, v.box(r, v.margins())
}

// A title beside whose axes the legend stands is hardly wider than the axes.
func TestHeadingBesideLegend(t *testing.T) {
	long := "γ = 1: 16 support vectors, 32 of 1000 fresh points wrong"
	v, box := fitted(New(long, cloud(20, "a cloud")), 360, 300)
	axes := box.Size().X
	if wide := pen.Style(pen.TitleSize).Width(v.heading()); !v.outer || wide > 1.2*axes || pen.Style(pen.TitleSize).Width(long) < 1.2*axes {
		t.Errorf("legend beside the axes: %v; the title is %v wide, the axes %v", v.outer, wide, axes)
	}
}

// A cloud covers all of the axes, with equal scales and a colour bar, which forces the
// legend outside. It stands beside the axes in a wide figure, below them in a column.
// Equal scales widen only one of the ranges; a previous attempt to place the legend must
// not leave the other range widened.
func TestLegendOutside(t *testing.T) {
	fig := New("a title that is longer than the axes", Score(func(x, y float64) float64 { return x }, Samples(4), Bar("score")),
		cloud(20, "the points of a cloud")).Equal()
	free := fig.view()
	for _, c := range []struct {
		w, h  vg.Length
		under bool
	}{{560, 500, false}, {230, 172, true}, {150, 150, true}} {
		v, b := fitted(fig, c.w, c.h)
		if v.under != c.under || v.outer == c.under {
			t.Errorf("%v wide: below %v, beside %v", c.w, v.under, v.outer)
		}
		if b.Size().X < c.w/3 || b.Size().Y < c.h/4 || b.Min.X < 0 || b.Max.X > c.w || b.Max.Y > c.h {
			t.Errorf("%v wide: the axes are %v", c.w, b)
		}
		if below := b.Min.Y - v.margins().bottom + pen.Border; c.under && below < pen.Border-0.01 {
			t.Errorf("%v wide: the legend is %v from the border", c.w, below)
		}
		dx := math.Abs(v.x.Max - v.x.Min - (free.x.Max - free.x.Min))
		dy := math.Abs(v.y.Max - v.y.Min - (free.y.Max - free.y.Min))
		if min(dx, dy) > 1e-9 {
			t.Errorf("%v wide: both ranges were widened, by %v and %v", c.w, dx, dy)
		}
	}
}

func TestKeyRows(t *testing.T) {
	keys := []pen.Entry{{Name: "a"}, {Name: "bb"}, {Name: strings.Repeat("long ", 9)}, {Name: "c"}}
	for _, c := range []struct {
		width vg.Length
		want  string
	}{{1000, "4"}, {rowWidth(keys[:2]), "2 1 1"}, {rowWidth(keys[:2]) - 1, "1 1 1 1"}, {1, "1 1 1 1"}, {rowWidth(keys[:3]), "3 1"}} {
		var got []string
		at := 0
		for _, row := range keyRows(keys, c.width+0.001) {
			got = append(got, string(rune('0'+len(row))))
			for _, k := range row {
				if k.Name != keys[at].Name {
					t.Errorf("width %v: %q in the place of %q", c.width, k.Name, keys[at].Name)
				}
				at++
			}
		}
		if s := strings.Join(got, " "); s != c.want || at != 4 {
			t.Errorf("width %v: rows of %s, want %s", c.width, s, c.want)
		}
	}
	if rows := keyRows(nil, 10); rows != nil {
		t.Errorf("no keys: %v", rows)
	}
}

// The legend shows points that are too small for their colour to be visible with a minimum size.
func TestKeyMark(t *testing.T) {
	sign := func(size float64) []byte {
		q := New("", Points([]float64{1}, []float64{1}, Size(size), Name("a"))).view()
		k := newInk(vg.Point{X: 20, Y: 20})
		q.keys[0].Sign(&k.c, vg.Point{X: 10, Y: 10}, pen.KeySign)
		return canvas.EncodePNG(k.cv.Image(), inkDPI)
	}
	least := sign(2 * float64(pen.KeyMark))
	if !bytes.Equal(sign(0.5), least) {
		t.Error("the sign of points of half a point is not the smallest one")
	}
	if bytes.Equal(sign(10), least) {
		t.Error("the sign of points of ten points is the smallest one")
	}
}

// If a legend beside the axes narrows them, equal scales with fixed ranges make the axes
// lower, and the figure must become lower too.
func TestLegendOutsideFixed(t *testing.T) {
	fig := New("", cloud(20, "a cloud")).Range(-1, 20, -1, 20).Equal()
	w, h := fig.Extent()
	v, box := fitted(fig, w, h)
	if !v.outer {
		t.Fatal("the legend is not beside the axes")
	}
	m := v.margins()
	if free := h - m.bottom - m.top - box.Size().Y; free < -1 || free > 1 {
		t.Errorf("%v points are left free of %v×%v", free, w, h)
	}
}

// The legend hides no border between classes: here a border passes through all but one of
// its places.
func TestLegendOffBorders(t *testing.T) {
	label := func(x, y float64) float64 {
		switch {
		case y > 0.8 && x < 0.9, y < -0.8, math.Abs(x+0.8) < 0.05:
			return 1
		}
		return 0
	}
	v := New("", Regions(label), Points([]float64{0.5}, []float64{0.85}, Name("a"))).Range(-1, 1, -1, 1).view()
	v.keys = append(v.keys, v.keys...)
	v.fit(vg.Rectangle{Max: vg.Point{X: 360, Y: 300}})
	size := v.box(vg.Rectangle{Max: vg.Point{X: 360, Y: 300}}, v.margins()).Size()
	if v.legend == nil || math.Abs(float64(v.legend.X+keySize(v.keys).X+6-size.X)) > 1 || v.legend.Y < size.Y/3 || v.legend.Y > size.Y*2/3 {
		t.Errorf("the legend is at %v of %v, want it at the right in the middle", v.legend, size)
	}
}

// A legend goes below rather than leave the axes less than two and a half inches.
func TestLegendBelow(t *testing.T) {
	fig := New("", Curve(func(x float64) float64 { return 9 * math.Sin(30*x) }, Name("a = 0.2")), Curve(func(x float64) float64 { return 9 * math.Cos(30*x) }, Name("a = 0.9")))
	for w, under := range map[vg.Length]bool{280: true, 360: false} {
		v, _ := fitted(fig, w, 200)
		if v.under != under || v.outer == under {
			t.Errorf("%v wide: below %v, beside %v", w, v.under, v.outer)
		}
	}
}

// The legend must not hide points, wherever they are.
func TestLegendHidesNothing(t *testing.T) {
	for corner := range 16 {
		// Points in some of the four corners.
		xs, ys := []float64{0.5}, []float64{0.5}
		for k := range 4 {
			if corner>>k&1 == 1 {
				xs, ys = append(xs, float64(k%2)), append(ys, float64(k/2))
			}
		}
		v, box := fitted(New("", Points(xs, ys, Name("points"))).Range(-0.1, 1.1, -0.1, 1.1), 300, 220)
		if v.outer {
			t.Errorf("corners %04b: the legend is outside, though there is room on the sides", corner)
			continue
		}
		at := v.legend.Add(box.Min)
		to := at.Add(keySize(v.keys))
		p := v.plot()
		tx, ty := p.Transforms(&draw.Canvas{Rectangle: box})
		for i := range xs {
			if x, y := tx(xs[i]), ty(ys[i]); x > at.X-3 && x < to.X+3 && y > at.Y-3 && y < to.Y+3 {
				t.Errorf("corners %04b: the legend hides the point (%g, %g)", corner, xs[i], ys[i])
			}
		}
	}
	// A cloud without gaps: the legend goes beside the axes, still on the canvas.
	v, box := fitted(New("", cloud(30, "points")), 300, 220)
	if right := box.Max.X + keyGap + keySize(v.keys).X; !v.outer || right > 300 {
		t.Errorf("full axes: outer = %v, the legend ends at %v of 300", v.outer, right)
	}
}
