package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// fitScaled is fit with the samples in another unit, a power of 2, which is exact.
func (k KMeans) fitScaled(ctx context.Context, o mlkit.Options, X *mat.Dense, unit float64) (*KMeansModel, error) {
	scaled := func(A *mat.Dense) *mat.Dense {
		var S mat.Dense
		S.Scale(unit, A)
		return &S
	}
	back := func(centres [][]float64, inertia *float64) {
		for _, c := range centres {
			floats.Scale(1/unit, c)
		}
		*inertia = *inertia / unit / unit
	}
	if k.Start != nil {
		k.Start = scaled(k.Start)
	}
	if trace := k.Trace; trace != nil {
		k.Trace = func(s KMeansStep) bool {
			back(s.Centers, &s.Inertia)
			return trace(s)
		}
	}
	m, err := k.fit(ctx, o, scaled(X))
	if m != nil {
		back(m.Centers, &m.Inertia) // this is also err's model
	}
	return m, err
}

// kmeansUnit returns 1 unless the squares of all differences in X underflow. Then it
// returns the power of 2 that scales the largest difference to about 1, or as close to 1
// as the size of the samples allows.
func kmeansUnit(X *mat.Dense) float64 {
	largest, spread := 0.0, 0.0
	n, _ := X.Dims()
	first := X.RawRowView(0)
	for i := range n {
		for j, v := range X.RawRowView(i) {
			e := math.Abs(v - first[j])
			if e*e >= tiny {
				return 1
			}
			largest, spread = max(largest, math.Abs(v)), max(spread, e)
		}
	}
	if spread == 0 {
		return 1
	}
	_, of := math.Frexp(spread)
	_, at := math.Frexp(largest)
	return math.Ldexp(1, min(-of, 500-max(0, at)))
}
