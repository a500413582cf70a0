package simd

import "math"

// A Coordinate is what a step of dual coordinate descent needs of a sample.
type Coordinate struct {
	Alpha  float64 // the multiplier
	Y      float64 // the label, -1 or +1
	Bound  float64 // C
	Square float64 // ‖x‖² + β²
	Out    uint64  // 1 if it is to be left out from now on
}

// Descent is the state of dual coordinate descent, beside w and the coordinates.
type Descent struct {
	B, Bias2  float64 // b, and β², by which it moves
	Low, High float64 // a multiplier at 0 is left out if G > High, at its upper bound if G < Low
	Squared   uint64  // 1 if slack is squared
	Gap       float64 // to which each sample adds its part when its turn comes

	// The least and the largest G that asks for a step, and the largest |G| of a step.
	Least, Most, Missed float64
}

// Descend takes a step for each of the rows of x that order has, for x as for Products:
//
//	G = y(w·x + b) - 1 + rα,  α ← min(max(α - G/(‖x‖² + β² + r), 0), U),  w ← w + Δyx,  b ← b + Δyβ²
//
// where r = 0 and U = C, or with squared slack r = 1/(2C) and U = ∞ (Cho-Jui Hsieh and
// others, "A dual coordinate descent method for large-scale linear SVM", 2008, algorithms
// 1 and 3). Samples that are to be left out get no step. What a sample adds to Gap is
// C max(0, -G) + αG, or C max(0, -G)² + αG + rα²/2 with the G that has no rα.
//
// It panics if stride is less than len(w). That order has only rows of x and of c is up to
// the caller.
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
