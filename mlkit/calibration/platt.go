package calibration

import (
	"fmt"
	"math"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Platt maps scores to probabilities by P(y = +1 | s) = 1/(1 + exp(A s + B)) (John Platt,
// "Probabilistic outputs for support vector machines and comparisons to regularized
// likelihood methods", 2000). A is negative if high scores go with +1.
//
// FitPlatt learns it from scores of samples that the model was not trained on.
//
// Take labels from Predict, not from Prob: the probability may be above ½ where the score
// is below 0.
type Platt struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// Prob returns the probability of the label +1 given the score.
func (p Platt) Prob(score float64) float64 {
	// 1/(1 + exp(z)) without overflow
	z := p.A*score + p.B
	if z >= 0 {
		return math.Exp(-z) / (1 + math.Exp(-z))
	}
	return 1 / (1 + math.Exp(z))
}

// Probs sets dst[i] to Prob(scores[i]) and returns dst, a new slice if dst is nil. dst may
// be scores. It panics if the lengths differ.
func (p Platt) Probs(dst, scores []float64) []float64 {
	dst = rows.Destination("calibration", "Probs", dst, len(scores))
	for i, s := range scores {
		dst[i] = p.Prob(s)
	}
	return dst
}

// FitPlatt finds the maximum likelihood A and B for the labels y, each -1 or +1, given
// their scores. Scores of training samples are too good: eval.CrossScores gives honest
// ones. The targets are
// (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and 0, so that A stays finite.
//
// It uses Newton's method with backtracking (Hsuan-Tien Lin, Chih-Jen Lin, Ruby C. Weng,
// "A note on Platt's probabilistic outputs for support vector machines", 2007, appendix)
// on scores divided by a power of two near the largest, so their unit does not matter. It
// returns an error if scores or y is invalid, and a *mlkit.NotConvergedError if the
// method does not converge.
func FitPlatt(scores []float64, y []int) (Platt, error) {
	if len(scores) == 0 {
		return Platt{}, fmt.Errorf("calibration: scores is empty, want one for each label")
	}
	if err := check.Signs("calibration", len(scores), y); err != nil {
		return Platt{}, err
	}
	if err := check.BothSigns("calibration", y); err != nil {
		return Platt{}, err
	}
	var count [2]float64
	for i, s := range scores {
		if !check.Finite(s) {
			return Platt{}, fmt.Errorf("calibration: scores[%d] = %v, want a finite number", i, s)
		}
		count[(y[i]+1)/2]++
	}
	unit := plattUnit(scores)
	f := plattProblem{scores: make([]float64, len(y)), target: make([]float64, len(y))}
	for i, s := range scores {
		f.scores[i] = math.Ldexp(s, -unit)
	}
	for i, label := range y {
		f.target[i] = 1 / (count[0] + 2)
		if label > 0 {
			f.target[i] = (count[1] + 1) / (count[1] + 2)
		}
	}
	p, err := f.fit(Platt{B: math.Log((count[0] + 1) / (count[1] + 1))})
	p.A = math.Ldexp(p.A, -unit)
	if !check.Finite(p.A) {
		return Platt{}, fmt.Errorf("calibration: the scores are up to 2^%d, too small for a finite A; scale them to larger numbers", unit)
	}
	if err != nil {
		err.Model = p
		return p, err
	}
	return p, nil
}

// plattUnit returns the least e with |s| < 2ᵉ for all scores s. Scaling by a power of two
// is exact.
func plattUnit(scores []float64) int {
	largest := 0.0
	for _, s := range scores {
		largest = max(largest, math.Abs(s))
	}
	_, e := math.Frexp(largest)
	return e
}

// fit maximises the likelihood, starting from p. Its error has no Model.
func (f plattProblem) fit(p Platt) (Platt, *mlkit.NotConvergedError) {
	value := f.value(p)
	for range 100 {
		gA, gB, hAA, hAB, hBB := f.derivatives(p)
		if math.Abs(gA) < 1e-9 && math.Abs(gB) < 1e-9 {
			return p, nil
		}
		det := hAA*hBB - hAB*hAB
		ΔA, ΔB := -(hBB*gA-hAB*gB)/det, -(hAA*gB-hAB*gA)/det
		slope := gA*ΔA + gB*ΔB
		t := 1.0
		for ; t > 1e-12; t /= 2 {
			q := Platt{p.A + t*ΔA, p.B + t*ΔB}
			if v := f.value(q); v < value+1e-4*t*slope {
				p, value = q, v
				break
			}
		}
		if t <= 1e-12 {
			return p, nil // float64 allows no improvement
		}
	}
	return p, &mlkit.NotConvergedError{
		Algorithm: "calibration: Platt", Iterations: 100, Residual: value,
		Reason: "the likelihood still grows after 100 steps; scale the scores",
	}
}

// plattProblem is the cross entropy of targets and probabilities. The largest |score| is
// in [½, 1).
type plattProblem struct{ scores, target []float64 }

func (f plattProblem) value(p Platt) float64 {
	sum := 0.0
	for i, s := range f.scores {
		// -t log P - (1-t) log(1-P), with log(1 + exp) without overflow
		z := p.A*s + p.B
		if z >= 0 {
			sum += f.target[i]*z + math.Log1p(math.Exp(-z))
		} else {
			sum += (f.target[i]-1)*z + math.Log1p(math.Exp(z))
		}
	}
	return sum
}

func (f plattProblem) derivatives(p Platt) (gA, gB, hAA, hAB, hBB float64) {
	hAA, hBB = 1e-12, 1e-12 // keeps the Hessian positive definite if all scores are equal
	for i, s := range f.scores {
		P := p.Prob(s)
		r, v := f.target[i]-P, P*(1-P)
		gA += s * r
		gB += r
		hAA += s * s * v
		hAB += s * v
		hBB += v
	}
	return gA, gB, hAA, hAB, hBB
}
