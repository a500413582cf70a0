package dcd

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/svm/internal/linear"
)

// New returns the fit of p before the first pass, at start if that is not nil, with a
// multiplier for each row of the caller's X. It reports samples whose squares are not finite.
func New(p *linear.Problem, start *linear.Solution) (*Fit, error) {
	n, d := p.X.Dims()
	square, rough, err := squares(p)
	if err != nil {
		return nil, err
	}
	r := &Fit{Problem: p, samples: make([]simd.Coordinate, n), w: make([]float64, d, padded(d))}
	switch p.Bias {
	case mlkit.FreeBias:
		if r.beta2 = floats.Sum(square) / float64(n); r.beta2 == 0 {
			r.beta2 = 1
		}
	case mlkit.PenalizedBias:
		r.beta2 = 1
	}
	for i, v := range square {
		r.samples[i] = simd.Coordinate{Y: p.Y[i], Bound: p.C[i], Square: v + r.beta2}
	}
	if start != nil {
		r.start(start)
	}
	for i := range r.samples {
		if q := &r.samples[i]; r.settled(q) {
			q.Alpha = q.Bound
		}
	}
	if p.Many() {
		r.passes = newFastPasses(r, rough)
	} else {
		r.passes = newPlainPasses(n)
	}
	return r, nil
}

// squares returns ‖xᵢ‖² for each sample. For many samples whose squares float32 can hold, it
// also returns X in float32, with rows padded with zeros.
func squares(p *linear.Problem) (square []float64, rough []float32, err error) {
	n, d := p.X.Dims()
	square = make([]float64, n)
	if p.Many() {
		rough = rows.Large[float32](n * padded(d))
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
			return nil, nil, p.TooLong(i, square[i])
		}
	}
	if largest := slices.Max(square); !(largest > 1e-30 && largest < 1e30) {
		rough = nil
	}
	return square, rough, nil
}

// padded rounds d up to a multiple of the vector length.
func padded(d int) int { return (d + 7) &^ 7 }

// start takes over the multipliers of s, clipped to their bounds, and if b is free, s.B.
func (r *Fit) start(s *linear.Solution) {
	r.warm = true
	for i, a := range r.Pick(s.Alpha) {
		q := &r.samples[i]
		if !r.Squared {
			a = min(a, q.Bound)
		}
		q.Alpha = a
		floats.AddScaled(r.w, a*q.Y, r.X.RawRowView(i))
		r.b += a * q.Y * r.beta2
	}
	if r.Bias == mlkit.FreeBias {
		r.b, r.b0 = s.B, s.B-r.b
	}
}
