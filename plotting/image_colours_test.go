package plotting

import (
	"bytes"
	"cmp"
	"image/color"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestImageColours(t *testing.T) {
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
	img, err := png.Decode(bytes.NewReader(New("", Image([]float64{0, 1, 1, 0}, 2), &q).Size(3*vg.Inch, 3*vg.Inch).PNG(101)))
	if err != nil {
		t.Fatal(err)
	}
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
		img, err := png.Decode(bytes.NewReader(New("", Image(c.pixels, 2), &q).Size(3*vg.Inch, 3*vg.Inch).PNG(101)))
		if err != nil {
			t.Fatal(err)
		}
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
