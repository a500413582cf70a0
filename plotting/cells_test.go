package plotting

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

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
	if one, none := l.entry(0, 1), l.entry(0, 2); one != "1" || none != "" {
		t.Errorf("counts of 1 and 0 are written %q and %q, want 1 and nothing", one, none)
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
	if v.x.Label != "predicted" || v.y.Label != "true" {
		t.Errorf("axes %q and %q", v.x.Label, v.y.Label)
	}
	if v := New("", l).Labels("ŷ", "y").view(); v.x.Label != "ŷ" || v.y.Label != "y" {
		t.Errorf("axes %q and %q, want those given", v.x.Label, v.y.Label)
	}
}

// Samples are sorted by class and keep their order within a class, in rows and columns.
func TestGramOrder(t *testing.T) {
	k := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	l := Gram(k, []int{1, -1, 1}).(*gram)
	if want := []float64{5, 4, 6, 2, 1, 3, 8, 7, 9}; !slices.Equal(l.cells[0], want) {
		t.Errorf("cells %v, want %v", l.cells[0], want)
	}
	tr := l.Traits()
	if !slices.Equal(tr.Rows, []string{"y = −1", "y = +1"}) || !slices.Equal(tr.RowsAt, []float64{-0.5, -2}) {
		t.Errorf("names %v at %v", tr.Rows, tr.RowsAt)
	}
	if plain := Gram(k, nil).(*gram); !slices.Equal(plain.cells[0], k.RawMatrix().Data) || plain.strip() != 0 {
		t.Errorf("without labels: %v", plain.cells[0])
	}
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

// Gradient angles are measured clockwise, since rows of pixels run downwards. If values
// rise downwards, at 90°, the edge is level. If they rise to the lower right, at 45°, the
// edge goes up to the right. The centres of four bins over 180° are 22.5°, 67.5°, 112.5°
// and 157.5°. If signed, the strokes follow the gradient itself.
func TestCellStrokes(t *testing.T) {
	for _, c := range []struct {
		k, bins int
		signed  bool
		angle   float64 // in the figure, counterclockwise, in degrees; modulo 180 unless signed
	}{
		{0, 4, false, 90 - 22.5},
		{1, 4, false, 90 - 67.5},
		{2, 4, false, 90 - 112.5},
		{0, 1, false, 0},
		{0, 2, false, 45},
		{0, 1, true, 180},
		{0, 2, true, -90},
		{0, 4, true, -45},
	} {
		l := cells{Look: pen.Look{Signed: c.signed}}
		x, y := l.stroke(c.k, c.bins)
		turn := 180.0
		if c.signed {
			turn = 360
		}
		d := math.Mod(math.Atan2(y, x)*180/math.Pi-c.angle+2*turn, turn)
		if math.Min(d, turn-d) > 1e-9 || math.Abs(math.Hypot(x, y)-1) > 1e-12 {
			t.Errorf("bin %d of %d, signed %v: direction (%g, %g), want %g°", c.k, c.bins, c.signed, x, y, c.angle)
		}
	}
}

// Two cells of 8 pixels leave out one of 17 pixels, at the right.
func TestCellPlaces(t *testing.T) {
	l := Cells(mat.NewDense(4, 3, nil), 17, 16, 8).(*cells)
	for i, want := range [][2]float64{{4, -4}, {12, -4}, {4, -12}, {12, -12}} {
		if x, y := l.centre(i); x != want[0] || y != want[1] {
			t.Errorf("cell %d is around (%g, %g), want %v", i, x, y, want)
		}
	}
	// 20 pixels leave out two on each side.
	if x, y := Cells(mat.NewDense(4, 3, nil), 20, 16, 8).(*cells).centre(0); x != 6 || y != -4 {
		t.Errorf("cell 0 is around (%g, %g), want (6, -4)", x, y)
	}
}

func TestImageColors(t *testing.T) {
	l := Image([]float64{-1, 0, 0.5, 2}, 2).(*raster)
	if l.Lo != -2 || l.Hi != 2 {
		t.Errorf("colours from %g to %g, want them symmetric about 0", l.Lo, l.Hi)
	}
	if c := l.shadeOf(0); c != (color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}) {
		t.Errorf("0 is %v, want white", c)
	}
	if minus, plus := l.shadeOf(-1), l.shadeOf(1); minus.B <= minus.R || plus.R <= plus.B {
		t.Errorf("-1 is %v and +1 %v, want blue and vermilion", minus, plus)
	}
	g := Image([]float64{0, 1, 4, 2}, 2).(*raster)
	if a, b := g.shadeOf(0), g.shadeOf(4); a.R != 0xFF || b.R != 0 {
		t.Errorf("0 is %v and the greatest %v, want white and black", a, b)
	}
	// Cells have sharp borders: only the colours of values occur inside.
	var q probe
	img := decoded(t, New("", Image([]float64{0, 1, 1, 0}, 2), &q).Size(3*vg.Inch, 3*vg.Inch).PNG(101))
	dpi, h := 101.0, img.Bounds().Dy()
	for y := int(q.canvas.Min.Y.Dots(dpi)) + 3; y < int(q.canvas.Max.Y.Dots(dpi))-3; y++ {
		for x := int(q.canvas.Min.X.Dots(dpi)) + 3; x < int(q.canvas.Max.X.Dots(dpi))-3; x++ {
			if c := color.GrayModel.Convert(img.At(x, h-1-y)).(color.Gray).Y; c != 0 && c != 0xFF {
				t.Fatalf("pixel (%d, %d) has grey %d, want 0 or 255", x, y, c)
			}
		}
	}
}

// A dash in the middle of a cell says that it is negative, also in a grey print: white on the dark
// cell of -1, dark on the light one of -0.2. An image without negative pixels has none.
func TestImageMarksNegative(t *testing.T) {
	for _, c := range []struct {
		pixels []float64
		dashes [4]int // sign of the difference of grey between the middle of a cell and its corner
	}{
		{[]float64{-1, 1, -0.2, 0.2}, [4]int{+1, 0, -1, 0}},
		{[]float64{1, 0, 0.2, 0.5}, [4]int{}},
	} {
		var q probe
		img := decoded(t, New("", Image(c.pixels, 2), &q).Size(3*vg.Inch, 3*vg.Inch).PNG(101))
		grey := func(x, y float64) int { // fractions of the canvas, from above
			px := q.canvas.Min.X.Dots(101) + x*(q.canvas.Max.X-q.canvas.Min.X).Dots(101)
			py := float64(img.Bounds().Dy()) - q.canvas.Max.Y.Dots(101) + y*(q.canvas.Max.Y-q.canvas.Min.Y).Dots(101)
			return int(color.GrayModel.Convert(img.At(int(px), int(py))).(color.Gray).Y)
		}
		for k, want := range c.dashes {
			x, y := float64(k%2)/2, float64(k/2)/2
			if have := cmp.Compare(grey(x+0.25, y+0.25)/32, grey(x+0.05, y+0.05)/32); have != want {
				t.Errorf("%v, cell %d: the middle is %+d to its corner, want %+d", c.pixels, k, have, want)
			}
		}
	}
}

// A sheet of ten images per row: a column of 3.2 inches has room for five of half an inch
// with gaps of 0.12 of that; seven images are split into four and three.
func TestSheetWithin(t *testing.T) {
	for _, c := range []struct {
		images, want int
		inches       vg.Length
	}{{20, 5, 3.2}, {10, 5, 3.2}, {7, 4, 3.2}, {4, 4, 3.2}, {20, 10, 6}, {20, 10, 5.61}, {20, 7, 5.5}, {3, 1, 0.5}, {3, 1, 0.1}} {
		fig := New("", Digits(mat.NewDense(c.images, 64, nil), 8, 8, 10))
		got := fig.Resized(c.inches * vg.Inch).layers[0].(*raster).cols
		if got != c.want {
			t.Errorf("%d images in %v inches: %d in a row, want %d", c.images, float64(c.inches), got, c.want)
		}
		if own := fig.layers[0].(*raster).cols; own != min(10, c.images) {
			t.Errorf("%d images: the figure itself has %d in a row now", c.images, own)
		}
	}
}
