package plotting

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
)

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
