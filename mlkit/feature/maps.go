package feature

import (
	"fmt"
	"math"
)

// Bias adds "a constant component equal to 1" at the end of the sample, so that a
// hyperplane through the origin gets a bias (EE-559; Theodoridis, section 3.3).
type Bias struct {
	D int `json:"d"` // numbers in a sample
}

func (b Bias) valid() error {
	if b.D < 1 || b.D > maxNumbers {
		return fmt.Errorf("feature: Bias.D = %d, want 1 to %d numbers in a sample", b.D, maxNumbers)
	}
	return nil
}

// Inputs is D.
func (b Bias) Inputs() int { return b.D }

// Dim is D + 1.
func (b Bias) Dim() int { return b.D + 1 }

// TransformSample sets dst to x, and 1.
func (b Bias) TransformSample(dst, x []float64) []float64 {
	dst = prepare(b, dst, x)
	dst[copy(dst, x)] = 1
	return dst
}

// Polar turns a point of the plane into its distance r from Centre and its angle θ
// about it, -π < θ ≤ π, counted from the direction of x₀ towards x₁. Rings about
// the centre become stripes, which a line separates. At the centre θ is 0.
type Polar struct {
	Centre [2]float64 `json:"centre"`
}

// Inputs is 2.
func (Polar) Inputs() int { return 2 }

// Dim is 2.
func (Polar) Dim() int { return 2 }

// TransformSample sets dst to (r, θ).
func (p Polar) TransformSample(dst, x []float64) []float64 {
	dst = prepare(p, dst, x)
	// Adding 0 makes 0 of -0, whose angle could be -π.
	u, v := x[0]-p.Centre[0]+0, x[1]-p.Centre[1]+0
	dst[0], dst[1] = math.Hypot(u, v), math.Atan2(v, u)
	return dst
}

// Histogram counts how many of the numbers of a sample, such as the pixels of an
// image, fall into each of several bins of equal width, and divides by their
// number: the features of the χ² kernel (Cornell, section 4.1). A bin holds its
// lower edge and not its upper one; numbers outside count in the bin at the end.
type Histogram struct {
	D    int     `json:"d"`    // numbers in a sample
	Bins int     `json:"bins"` // number of bins
	Low  float64 `json:"low"`  // lower edge of the first
	High float64 `json:"high"` // upper edge of the last
}

// maxFeatures is the largest number of features that a Histogram or a HOG makes: with a
// slip of the pen it would fill the memory.
const maxFeatures = 10_000_000

// NewHistogram returns a Histogram for samples of d numbers, of at most ten million bins.
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

// Inputs is D.
func (h Histogram) Inputs() int { return h.D }

// Dim is Bins.
func (h Histogram) Dim() int { return h.Bins }

// edge returns the lower edge of a bin.
func (h Histogram) edge(bin int) float64 {
	return h.Low + (h.High-h.Low)*(float64(bin)/float64(h.Bins))
}

// TransformSample sets dst to the fractions of the numbers in each bin, whose sum is 1.
// A NaN makes all of them NaN.
func (h Histogram) TransformSample(dst, x []float64) []float64 {
	dst = prepare(h, dst, x)
	clear(dst)
	for _, v := range x {
		if math.IsNaN(v) {
			for i := range dst {
				dst[i] = v
			}
			return dst
		}
		bin := int(min(max((v-h.Low)/(h.High-h.Low)*float64(h.Bins), 0), float64(h.Bins-1)))
		// What is nearer to an edge than v - Low has digits may be on its other side.
		if bin > 0 && v < h.edge(bin) {
			bin--
		} else if bin < h.Bins-1 && v >= h.edge(bin+1) {
			bin++
		}
		dst[bin]++
	}
	for i := range dst {
		dst[i] /= float64(h.D)
	}
	return dst
}
