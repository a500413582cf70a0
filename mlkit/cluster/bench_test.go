package cluster

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

// blobs draws n samples of d features around k means.
func blobs(n, d, k int) *mat.Dense {
	r := rand.New(rand.NewPCG(9, 0))
	means := mat.NewDense(k, d, nil)
	for i := range k {
		for j := range d {
			means.Set(i, j, 20*(r.Float64()-0.5))
		}
	}
	X := mat.NewDense(n, d, nil)
	for i := range n {
		mean := means.RawRowView(r.IntN(k))
		for j := range d {
			X.Set(i, j, mean[j]+2*r.NormFloat64())
		}
	}
	return X
}

// moons draws n points near two interlocking half circles.
func moons(n int) *mat.Dense {
	r := rand.New(rand.NewPCG(6, 0))
	X := mat.NewDense(n, 2, nil)
	for k, i := range r.Perm(n) {
		sin, cos := math.Sincos(math.Pi * float64(k/2) / float64(n/2-1))
		if k%2 == 1 {
			sin, cos = 0.5-sin, 1-cos
		}
		X.SetRow(i, []float64{cos + 0.05*r.NormFloat64(), sin + 0.05*r.NormFloat64()})
	}
	return X
}

func BenchmarkKMeans(b *testing.B) {
	X := blobs(100000, 10, 10)
	start := mat.DenseCopyOf(X.Slice(0, 10, 0, 10))
	for b.Loop() {
		m := testkit.Try(KMeans{K: 10, Start: start}.Fit(X)).Or(b)
		b.ReportMetric(float64(m.Iterations), "iterations")
	}
}

func BenchmarkSpectral(b *testing.B) {
	for name, c := range map[string]struct {
		s Spectral
		n int
	}{
		"gaussian":   {Spectral{K: 2, Gamma: 50}, 2000},
		"neighbours": {Spectral{K: 2, Affinity: Neighbours, Nearest: 9}, 10000},
	} {
		b.Run(name, func(b *testing.B) {
			X := moons(c.n)
			for b.Loop() {
				if _, err := c.s.Fit(X); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
