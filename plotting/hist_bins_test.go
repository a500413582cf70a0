package plotting

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
)

func TestHistBins(t *testing.T) {
	ramp := make([]float64, 1000)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	for _, c := range []struct {
		name    string
		samples []float64
		s       []HistStyle
		edges   int
		first   []float64 // heights of the first bins
	}{
		// A value on a border belongs to the bin above, except on the last border.
		{"borders", []float64{0, 1, 1, 2, 2.5, 4}, []HistStyle{Bins(4)}, 5, []float64{1, 2, 2, 1}},
		{"own", []float64{-1, 0, 0.5, 3, 9, math.NaN(), math.Inf(1)}, []HistStyle{Edges(0, 1, 9)}, 3, []float64{2, 2}},
		// 4 values within the borders: 2/(4·1) and 2/(4·8).
		{"density", []float64{-1, 0, 0.5, 3, 9}, []HistStyle{Edges(0, 1, 9), Density()}, 3, []float64{0.5, 0.0625}},
		// Sturges for 1000 values: 1 + ⌈log₂ 1000⌉ = 11 bins; Freedman and Diaconis: 999/(2·499.5/10) = 10.
		{"Sturges", ramp, nil, 12, nil},
		{"one value", []float64{7, 7, 7}, nil, 2, []float64{3}},
		{"no value", []float64{math.NaN()}, nil, 2, []float64{0}},
		{"far outlier", append([]float64{1e9}, ramp...), nil, 101, []float64{1000}},
	} {
		l := Hist([][]float64{c.samples}, c.s...).(*hist)
		if len(l.edges) != c.edges {
			t.Errorf("%s: %d borders, want %d", c.name, len(l.edges), c.edges)
		}
		if got := l.heights[0][:len(c.first)]; !slices.Equal(got, c.first) {
			t.Errorf("%s: heights %v, want %v", c.name, got, c.first)
		}
	}
	// The quartiles of 0, …, 999 by the rule q·(n−1): 249.75 and 749.25.
	if a, b := quantile(ramp, 0.25), quantile(ramp, 0.75); a != 249.75 || b != 749.25 {
		t.Errorf("quartiles %g and %g, want 249.75 and 749.25", a, b)
	}
}

// For any values, the default bins contain every finite one, and densities have area 1.
func TestHistProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		class := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 60)
		samples := [][]float64{class.Draw(t, "a"), class.Draw(t, "b")}
		l := Hist(samples).(*hist)
		for k, v := range samples {
			sum := 0.0
			for _, n := range l.heights[k] {
				sum += n
			}
			if sum != float64(len(v)) {
				t.Fatalf("class %d: %g of %d values in the bins %v", k, sum, len(v), l.edges)
			}
		}
		d := Hist(samples, Density()).(*hist)
		for k := range samples {
			area := 0.0
			for i, h := range d.heights[k] {
				area += h * (d.edges[i+1] - d.edges[i])
			}
			if math.Abs(area-1) > 1e-9 {
				t.Fatalf("class %d has the area %g", k, area)
			}
		}
	})
}

func TestHistPanics(t *testing.T) {
	panics(t, "plotting: Hist: 1 names, 2 classes", func() { Hist([][]float64{{1}, {2}}, Name("a")) })
	panics(t, "plotting: Hist: no samples, want one slice for each class", func() { Hist(nil) })
	panics(t, "plotting: Bins: 0, want 1 to 10000", func() { Bins(0) })
	panics(t, "plotting: Edges: at[1] = 1, want rising finite numbers", func() { Edges(1, 1) })
	panics(t, "plotting: Edges: 1 borders, want at least 2", func() { Edges(1) })
}
