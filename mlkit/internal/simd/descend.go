package simd

import "math"

// A Coordinate is the state of one sample in dual coordinate descent.
type Coordinate struct {
	Alpha  float64 // the multiplier α
	Y      float64 // the label, -1 or +1
	Bound  float64 // C
	Square float64 // ‖x‖² + β²
	Out    uint64  // set to 1 when shrinking removes the sample
}

// Descent is the state of dual coordinate descent, apart from w and the coordinates.
type Descent struct {
	B, Bias2  float64 // the bias b, and β², which scales its steps
	Low, High float64 // shrinking thresholds: remove α = 0 if G > High, and α = U if G < Low
	Squared   uint64  // 1 for the squared hinge loss
	Gap       float64 // accumulates each sample's part of the duality gap

	// The smallest and the largest G that asks for a step, and the largest |G| of a
	// step.
	Least, Most, Missed float64
}

// Descend takes one step for each row of x listed in order, with x as for Products:
//
//	G = y(w·x + b) - 1 + rα,  α ← min(max(α - G/(‖x‖² + β² + r), 0), U),  w ← w + Δyx,  b ← b + Δyβ²
//
// where r = 0 and U = C, or, for the squared hinge loss, r = 1/(2C) and U = ∞ (Cho-Jui
// Hsieh and others, "A dual coordinate descent method for large-scale linear SVM",
// 2008, algorithms 1 and 3). It takes no step for samples that shrinking removes. Each
// sample adds C max(0, -G) + αG to Gap, or C max(0, -G)² + αG + rα²/2 for the squared
// hinge loss, where G is taken without the term rα.
//
// Descend panics if stride is less than len(w). The caller must ensure that order lists
// only rows of x and of c.
func Descend[T Float](x []T, stride int, w []float64, order []int32, c []Coordinate, s *Descent) {
	if stride < len(w) {
		panic("simd: rows are longer than the stride")
	}
	if len(order) == 0 || descendAssembly(x, stride, w, order, c, s) {
		return
	}
	for _, i := range order {
		row, q := x[int(i)*stride:][:len(w)], &c[i]
		G, upper, ridge := q.Y*(product(row, w)+s.B)-1, q.Bound, 0.0
		slack := max(0, -G)
		s.Gap += q.Alpha * G
		if s.Squared != 0 {
			upper, ridge = math.Inf(1), 1/(2*q.Bound)
			slack *= slack
			G += ridge * q.Alpha
			s.Gap += q.Alpha * q.Alpha * ridge / 2
		}
		s.Gap += q.Bound * slack
		if q.Alpha == 0 && G > s.High || q.Alpha == upper && G < s.Low {
			q.Out = 1
			continue
		}
		if q.Alpha == 0 && G >= 0 || q.Alpha == upper && G <= 0 {
			continue
		}
		s.Least, s.Most = min(s.Least, G), max(s.Most, G)
		after := min(max(q.Alpha-G/(q.Square+ridge), 0), upper)
		if after == q.Alpha {
			continue
		}
		s.Missed = max(s.Missed, math.Abs(G))
		step := (after - q.Alpha) * q.Y
		q.Alpha = after
		Combine(w, row, stride, []float64{step})
		s.B += step * s.Bias2
	}
}
