package feature

import (
	"fmt"
	"math"

	"marginalia/mlkit/internal/rows"
)

// Constant appends "a constant component … equal to 1" to a sample, which gives a hyperplane
// through the origin a bias (EE-559; Theodoridis, section 3.3).
type Constant struct {
	D int `json:"d"` // numbers in a sample
}

func (c Constant) valid() error {
	if c.D < 1 || c.D > maxNumbers {
		return fmt.Errorf("feature: Constant.D = %d, want 1 to %d numbers in a sample", c.D, maxNumbers)
	}
	return nil
}

// Inputs returns D.
func (c Constant) Inputs() int { return c.D }

// Dim returns D + 1.
func (c Constant) Dim() int { return c.D + 1 }

// TransformSample sets dst to x followed by 1.
func (c Constant) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", c, dst, x)
	dst[copy(dst, x)] = 1
	return dst
}

// Polar maps a point of the plane to polar coordinates about Center: the distance r and
// the angle θ, -π < θ ≤ π, counted from the direction of x₀ towards x₁. Rings about the
// centre become stripes, which a line separates. At the centre θ is 0.
type Polar struct {
	Center [2]float64 `json:"center"`
}

// Inputs returns 2.
func (Polar) Inputs() int { return 2 }

// Dim returns 2.
func (Polar) Dim() int { return 2 }

// TransformSample sets dst to (r, θ).
func (p Polar) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", p, dst, x)
	// Adding 0 turns -0 into 0; the angle of -0 could be -π.
	u, v := x[0]-p.Center[0]+0, x[1]-p.Center[1]+0
	dst[0], dst[1] = math.Hypot(u, v), math.Atan2(v, u)
	return dst
}

// Histogram counts the numbers of a sample, such as the pixels of an image, in bins of
// equal width, and divides the counts by D: the features of the χ² kernel (Cornell,
// section 4.1). A bin includes its lower edge and excludes its upper one. The edges are the
// numbers nearest to Low + k·(High − Low)/Bins. Numbers outside all bins count in the first
// or last bin.
type Histogram struct {
	D    int     `json:"d"`    // numbers in a sample
	Bins int     `json:"bins"` // number of bins
	Low  float64 `json:"low"`  // lower edge of the first bin
	High float64 `json:"high"` // upper edge of the last bin
}

// maxFeatures is the largest number of features of a Histogram or HOG. It limits the
// memory that a mistyped argument can allocate.
const maxFeatures = 10_000_000

// NewHistogram returns a Histogram for samples of d numbers. It returns an error if
// d < 1, if bins is not from 1 to ten million, or unless low < high with a finite
// difference.
func NewHistogram(d, bins int, low, high float64) (Histogram, error) {
	h := Histogram{D: d, Bins: bins, Low: low, High: high}
	return h, h.valid()
}

func (h Histogram) valid() error {
	if h.D < 1 || h.Bins < 1 {
		return fmt.Errorf("feature: a histogram of %d numbers in %d bins, want at least one of each", h.D, h.Bins)
	}
	if h.Bins > maxFeatures {
		return fmt.Errorf("feature: a histogram has %d bins, want at most %d", h.Bins, maxFeatures)
	}
	if !(h.Low < h.High) || math.IsInf(h.High-h.Low, 0) {
		return fmt.Errorf("feature: a histogram from %v to %v, want finite numbers, the first below the second", h.Low, h.High)
	}
	return nil
}

// Inputs returns D.
func (h Histogram) Inputs() int { return h.D }

// Dim returns Bins.
func (h Histogram) Dim() int { return h.Bins }

// bin returns the bin of a number.
func (h Histogram) bin(v float64) int {
	switch {
	case v < h.Low:
		return 0
	case v >= h.High:
		return h.Bins - 1
	}
	at := (v - h.Low) / (h.High - h.Low) * float64(h.Bins)
	bin := min(int(at), h.Bins-1)
	// The lower edge of a bin is Low + bin·(High − Low)/Bins, rounded once.
	edge := func(bin int) float64 { return nearestBorder(h.Low, h.High, bin, h.Bins) }
	// The roundings of the position and of the edges, in bins, are less than doubt. Where they
	// may cross an edge, the edges decide.
	largest := max(math.Abs(h.Low), math.Abs(h.High))
	doubt := float64(h.Bins) * (0x1p-50 + 2*(largest-math.Nextafter(largest, 0))/(h.High-h.Low))
	if math.Abs(at-math.Round(at)) > doubt {
		return bin
	}
	for bin > 0 && v < edge(bin) {
		bin--
	}
	for bin < h.Bins-1 && v >= edge(bin+1) {
		bin++
	}
	return bin
}

// TransformSample sets dst to the fraction of the numbers in each bin; the fractions
// sum to 1. If x contains NaN, all of them are NaN.
func (h Histogram) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", h, dst, x)
	clear(dst)
	for _, v := range x {
		if math.IsNaN(v) {
			for i := range dst {
				dst[i] = v
			}
			return dst
		}
		dst[h.bin(v)]++
	}
	for i := range dst {
		dst[i] /= float64(h.D)
	}
	return dst
}
