package cluster

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
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
