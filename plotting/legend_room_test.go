package plotting_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	. "marginalia/plotting"

	"marginalia/internal/testkit/tier"
)

// phrase returns a text of n characters, with spaces every few of them if spaced.
func phrase(r *rand.Rand, n int, spaced bool) string {
	letters := []rune("abcdefghijklmnopqrstuvwxyzäßγ日𝐰M")
	var b strings.Builder
	for i := range n {
		if spaced && i > 0 && r.IntN(6) == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// crowdedFigure returns a figure with n names of about the given length.
func crowdedFigure(r *rand.Rand, n, long int, spaced bool) *Figure {
	var names []string
	var y []int
	var xs []float64
	for k := range n {
		names = append(names, fmt.Sprint(k)+phrase(r, max(0, long-2), spaced))
		for range 12 {
			y = append(y, k)
			xs = append(xs, r.Float64(), r.Float64())
		}
	}
	x := mat.NewDense(len(y), 2, xs)
	var layers []Layer
	ends := false
	switch r.IntN(6) {
	case 0, 1:
		layers = append(layers, Classes(x, y, Name(names...)))
	case 2:
		label := func(x, _ float64) float64 { return float64(int(x * float64(n))) }
		layers = append(layers, Regions(label, Samples(30)), Classes(x, y, Name(names...)))
	case 3, 4:
		for k := range n {
			layers = append(layers, Line(nil, xs[k:k+10], Name(names[k])))
		}
		ends = r.IntN(2) == 0
	case 5:
		samples := make([][]float64, n)
		for k := range samples {
			samples[k] = xs[10*k : 10*k+12]
		}
		layers = append(layers, Hist(samples, Name(names...)))
	}
	titles := []int{0, 12, 60, 200}
	f := New(phrase(r, titles[r.IntN(4)], r.IntN(2) == 0), layers...)
	if r.IntN(2) == 0 {
		f.Labels(phrase(r, titles[r.IntN(4)], spaced), phrase(r, titles[r.IntN(4)], spaced))
	}
	if ends {
		f.EndLabels()
	}
	return f
}

// Whatever the number and the length of the names, the title, and the size: no text leaves the
// figure, none covers another, and the axes keep a quarter of each side.
func TestLegendHasRoom(t *testing.T) {
	tier.NoRace(t)
	r := rand.New(rand.NewPCG(42, 8))
	cases := tier.Size(t, 40, 300)
	sides := []vg.Length{2, 2, 2.5, 3, 4, 5, 7, 12}
	for i := range cases {
		n := []int{1, 2, 3, 5, 8, 10, 15, 20, 26}[r.IntN(9)]
		long := []int{1, 3, 8, 20, 60, 200}[r.IntN(6)]
		f := crowdedFigure(r, n, long, r.IntN(2) == 0)
		if w, h := sides[r.IntN(8)]*vg.Inch, sides[r.IntN(8)]*vg.Inch; r.IntN(4) > 0 {
			f.Size(w, h)
		} else if r.IntN(2) == 0 {
			f = f.Resized(w)
		}
		w, h := f.Extent()
		what := fmt.Sprintf("case %d: %d names of %d characters, %.0f×%.0f points", i, n, long, w, h)
		if s := keepApart(t, what, f).frame.Size(); s.X < 0.25*w-0.1 || s.Y < 0.25*h-0.1 {
			t.Errorf("%s: the axes are %.0f×%.0f", what, s.X, s.Y)
		}
	}
}

// Panels share a legend if they have the same one, and else have one each.
func TestPanelsHaveRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 10))
	for i := range tier.Size(t, 8, 60) {
		n, long := 1+r.IntN(26), []int{1, 8, 60, 200}[r.IntN(4)]
		f := crowdedFigure(r, n, long, r.IntN(2) == 0)
		d := Tile(2, f, f)
		if r.IntN(2) == 0 {
			d = Tile(2, f, crowdedFigure(r, n, long, true))
		}
		if r.IntN(2) == 0 {
			d = d.Resized(vg.Length(4+r.IntN(8)) * vg.Inch)
		}
		keepApart(t, fmt.Sprintf("case %d: panels of %d names of %d characters", i, n, long), d)
	}
}

// No text leaves a figure, whatever holds it: notes, names of rows and columns, end labels, colour
// bars, captions, axes in space, panels.
func TestTextStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 9))
	for i := range tier.Size(t, 12, 50) {
		s := phrase(r, 1+r.IntN(200), r.IntN(2) == 0)
		all := everywhere(s)
		for k := range tier.Size(t, 2, len(all)) {
			k = (i + k) % len(all)
			d := all[k]
			switch f, ok := d.(*Figure); r.IntN(3) {
			case 0:
				d = resized(d, vg.Length(2+r.IntN(8))*vg.Inch)
			case 1:
				if ok {
					d = f.Size(vg.Length(1+0.5*float64(r.IntN(10)))*vg.Inch, vg.Length(1+0.5*float64(r.IntN(10)))*vg.Inch)
				}
			}
			placed(d).inside(t, fmt.Sprintf("case %d, drawing %d, text of %d characters", i, k, len(s)))
		}
	}
}
