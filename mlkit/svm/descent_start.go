package svm

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
)

// newDescent returns the state before the first pass, at c.Start if there is one.
func newDescent(c DualDescent, p *linearProblem) (*descent, error) {
	n, d := p.X.Dims()
	square, rough, err := squares(p)
	if err != nil {
		return nil, err
	}
	r := &descent{DualDescent: c, linearProblem: p, samples: make([]simd.Coordinate, n), w: make([]float64, d, padded(d))}
	switch c.Bias {
	case mlkit.FreeBias:
		if r.beta2 = floats.Sum(square) / float64(n); r.beta2 == 0 {
			r.beta2 = 1
		}
	case mlkit.PenalizedBias:
		r.beta2 = 1
	}
	for i, v := range square {
		r.samples[i] = simd.Coordinate{Y: p.y[i], Bound: p.bound[i], Square: v + r.beta2}
	}
	if c.Start != nil {
		r.start(c.Start)
	}
	for i := range r.samples {
		if q := &r.samples[i]; settled(q, c.Loss) {
			q.Alpha = q.Bound
		}
	}
	if p.many() {
		r.passes = newFastPasses(r, rough)
	} else {
		r.passes = newPlainPasses(n)
	}
	return r, nil
}

// squares returns ‖xᵢ‖² for each sample. For many samples whose squares float32 can hold, it
// also returns X in float32, with rows padded with zeros.
func squares(p *linearProblem) (square []float64, rough []float32, err error) {
	n, d := p.X.Dims()
	square = make([]float64, n)
	if p.many() {
		rough = make([]float32, n*padded(d))
	}
	for i := range n {
		x := p.X.RawRowView(i)
		if rough != nil {
			square[i] = simd.Narrow(rough[i*padded(d):][:d], x)
		} else {
			square[i] = floats.Dot(x, x)
		}
		if !check.Finite(square[i]) {
			if err := check.Samples("svm", p.X); err != nil {
				return nil, nil, err
			}
			return nil, nil, p.tooLong(i, square[i])
		}
	}
	if largest := slices.Max(square); !(largest > 1e-30 && largest < 1e30) {
		rough = nil
	}
	return square, rough, nil
}

// padded rounds d up to a multiple of the vector length.
func padded(d int) int { return (d + 7) &^ 7 }

// start takes over the multipliers of m, clipped to their bounds, and if b is free, m.B.
func (r *descent) start(m *LinearModel) {
	for i, a := range rows.Pick(m.Alpha, r.present) {
		q := &r.samples[i]
		if r.Loss == Hinge {
			a = min(a, q.Bound)
		}
		q.Alpha = a
		floats.AddScaled(r.w, a*q.Y, r.X.RawRowView(i))
		r.b += a * q.Y * r.beta2
	}
	if r.Bias == mlkit.FreeBias {
		r.b, r.b0 = m.B, m.B-r.b
	}
}

// settled reports whether αᵢ = Cᵢ whatever w is: the sample is 0 and there is no b, so that
// its slack is 1.
func settled(q *simd.Coordinate, loss Loss) bool {
	return q.Square == 0 && loss == Hinge
}
