package plotting

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Numbers are legible on every shade: the contrast is at least 4.5.
func TestInkOn(t *testing.T) {
	for k := range 1001 {
		ground := tableShade(float64(k) / 1000)
		if c := contrast(inkOn(ground), ground); c < 4.5 {
			t.Errorf("share %v: contrast %.2f, want 4.5", float64(k)/1000, c)
		}
	}
	// WCAG's own examples: black on white has 21, a colour on itself 1. #767676 is known
	// as the lightest grey that reaches 4.5 on white.
	for _, c := range []struct {
		a    Hue
		want float64
	}{{Black, 21}, {paper, 1}, {0x767676, 4.54}} {
		if got := contrast(c.a, color.White); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%06x on white: %.3f, want %v", uint32(c.a), got, c.want)
		}
	}
}

// Rows are true classes. A cell shows its share of its row; a class without samples has no
// shares.
func TestConfusionShares(t *testing.T) {
	l := Confusion([][]int{{3, 1, 0}, {0, 0, 0}, {5, 0, 15}}, nil).(*confusion)
	want := []float64{0.75, 0.25, 0, math.NaN(), math.NaN(), math.NaN(), 0.25, 0, 0.75}
	for i := range 3 {
		for j := range 3 {
			if got := l.share(i, j); got != want[3*i+j] && !(math.IsNaN(got) && math.IsNaN(want[3*i+j])) {
				t.Errorf("share (%d, %d) is %v, want %v", i, j, got, want[3*i+j])
			}
		}
	}
	if white := (color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}); tableShade(math.NaN()) != white || tableShade(0) != white {
		t.Error("an empty cell is not white")
	}
	for v, want := range map[float64]string{12: "12", 0: "0", -3: "−3", 0.98765: "0.988", 1e9: "1e+09", 123456: "123456"} {
		if got := entryText(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	if got := entryText(math.NaN()); got != "–" {
		t.Errorf("NaN is written %s", got)
	}
	v := New("", l).view()
	if v.x.label != "predicted" || v.y.label != "true" {
		t.Errorf("axes %q and %q", v.x.label, v.y.label)
	}
	if v := New("", l).Labels("ŷ", "y").view(); v.x.label != "ŷ" || v.y.label != "y" {
		t.Errorf("axes %q and %q, want those given", v.x.label, v.y.label)
	}
	panics(t, "plotting: Confusion: counts is empty, want a row for each class", func() { Confusion(nil, nil) })
	panics(t, "plotting: Confusion: len(counts[1]) = 3, want 2, a column for each row", func() { Confusion([][]int{{0, 0}, {0, 0, 0}}, nil) })
	panics(t, "plotting: Confusion: counts[0][1] = -3, want at least 0", func() { Confusion([][]int{{0, -3}, {0, 0}}, nil) })
	panics(t, "plotting: Confusion: 2 classes, 3 names", func() { Confusion([][]int{{1, 0}, {0, 1}}, make([]string, 3)) })
}

// Samples are sorted by class and keep their order within a class, in rows and columns.
func TestGramOrder(t *testing.T) {
	k := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	l := Gram(k, []int{1, -1, 1}).(*gram)
	if want := []float64{5, 4, 6, 2, 1, 3, 8, 7, 9}; !slices.Equal(l.cells[0], want) {
		t.Errorf("cells %v, want %v", l.cells[0], want)
	}
	tr := l.traits()
	if !slices.Equal(tr.rows, []string{"y = −1", "y = +1"}) || !slices.Equal(tr.rowsAt, []float64{-0.5, -2}) {
		t.Errorf("names %v at %v", tr.rows, tr.rowsAt)
	}
	if plain := Gram(k, nil).(*gram); !slices.Equal(plain.cells[0], k.RawMatrix().Data) || plain.strip() != 0 {
		t.Errorf("without labels: %v", plain.cells[0])
	}
	panics(t, "plotting: Gram: the matrix is 2×3, want as many rows as columns", func() { Gram(mat.NewDense(2, 3, nil), nil) })
	panics(t, "plotting: Gram: 3 rows, 2 labels", func() { Gram(k, []int{1, 1}) })
	panics(t, "plotting: Gram: 1 names, 2 classes", func() { Gram(k, []int{1, -1, 1}, Name("a")) })
}

// With 1030 samples a cell has two or three samples per side. The mean of k(i, j) = i + j
// over a block is the sum of the means of its sides.
func TestGramOfMany(t *testing.T) {
	const n = 1030
	k, order := mat.NewDense(n, n, nil), make([]int, n)
	for i := range n {
		order[i] = i
		for j := range n {
			k.Set(i, j, float64(i+j))
		}
	}
	cells, m := gramCells(k, order)
	if m != 512 || len(cells) != m*m {
		t.Fatalf("%d cells a side, want 512", m)
	}
	middle := func(a int) float64 { return float64(a*n/m+(a+1)*n/m-1) / 2 }
	for _, c := range [][2]int{{0, 0}, {511, 511}, {3, 200}, {300, 17}} {
		if got, want := cells[c[0]*m+c[1]], middle(c[0])+middle(c[1]); math.Abs(got-want) > 1e-9 {
			t.Errorf("cell %v is %v, want %v", c, got, want)
		}
	}
}
