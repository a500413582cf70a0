package calibration

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Platt maps scores to probabilities by P(y = +1 | s) = 1/(1 + exp(A s + B)) (John Platt,
// "Probabilistic outputs for support vector machines and comparisons to regularized
// likelihood methods", 2000). A is negative if high scores go with +1.
//
// FitPlatt learns it from scores of samples that the model was not trained on. The
// probability may be above ½ where the score is below 0. A Classifier has labels that agree
// with its probabilities.
type Platt struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// Prob returns the probability of the label +1 given the score.
func (p Platt) Prob(score float64) float64 {
	return rows.Sigmoid(-p.z(score))
}

// z returns A s + B. An infinite score counts as a huge one, so that A may be 0.
func (p Platt) z(score float64) float64 {
	return p.A*min(max(score, -math.MaxFloat64), math.MaxFloat64) + p.B
}

// logOdds replaces scores by the logarithms of the odds of +1.
func (p Platt) logOdds(scores []float64) {
	for i, s := range scores {
		scores[i] = -p.z(s)
	}
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
// ones. The targets are (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and 0, so that A stays
// finite.
//
// The term of a sample in the likelihood, and in the counts n₊ and n₋, is multiplied by its
// weight; nil weights mean 1. Both labels need samples of positive weight.
//
// It uses Newton's method with backtracking (Hsuan-Tien Lin, Chih-Jen Lin, Ruby C. Weng,
// "A note on Platt's probabilistic outputs for support vector machines", 2007, appendix)
// on scores with their mean as origin, divided by a power of two near the largest, so that
// their origin and unit do not matter. Scores that differ by less than 2⁻⁴⁰ of the largest
// count as equal, and A is 0: A s + B could not tell them apart. FitPlatt returns an error if
// scores or y is invalid, and a *mlkit.NotConvergedError if the method does not converge.
func FitPlatt(scores []float64, y []int, weights []float64) (Platt, error) {
	if len(scores) == 0 {
		return Platt{}, fmt.Errorf("calibration: scores is empty, want one for each label")
	}
	if err := check.Signs("calibration", len(scores), y); err != nil {
		return Platt{}, err
	}
	if err := check.BothSigns("calibration", y); err != nil {
		return Platt{}, err
	}
	if err := check.Weights("calibration", len(y), weights); err != nil {
		return Platt{}, err
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	weightUnit := plattUnit(weights) - 1 // the largest weight becomes 1 to 2
	var f plattProblem
	var count [2]float64
	for i, s := range scores {
		if !check.Finite(s) {
			return Platt{}, fmt.Errorf("calibration: scores[%d] = %v, want a finite number", i, s)
		}
		if weights[i] > 0 {
			f.scores = append(f.scores, s)
			f.target = append(f.target, float64(y[i]))
			f.weight = append(f.weight, math.Ldexp(weights[i], -weightUnit))
			count[(y[i]+1)/2] += weights[i]
		}
	}
	for k, n := range count {
		if !(n > 0 && check.Finite(n)) {
			return Platt{}, fmt.Errorf("calibration: the weights of the label %+d sum to %v, want a positive finite number", 2*k-1, n)
		}
	}
	for i, label := range f.target {
		f.target[i] = 1 / (count[0] + 2)
		if label > 0 {
			f.target[i] = (count[1] + 1) / (count[1] + 2)
		}
	}
	unit := f.scale()
	centre := stat.Mean(f.scores, f.weight)
	floats.AddConst(-centre, f.scores)
	spread := f.scale()
	if spread < -40 {
		clear(f.scores)
	}
	p, err := f.fit(Platt{B: math.Log((count[0] + 1) / (count[1] + 1))})
	p.A = math.Ldexp(p.A, -spread)
	p.B -= p.A * centre
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

// scale divides the scores by 2ᵉ, so that the largest |score| is in [½, 1), and returns e.
func (f plattProblem) scale() (e int) {
	e = plattUnit(f.scores)
	for i, s := range f.scores {
		f.scores[i] = math.Ldexp(s, -e)
	}
	return e
}

// plattUnit returns the least e with |s| < 2ᵉ for all numbers s. Scaling by a power of two
// is exact.
func plattUnit(numbers []float64) int {
	largest := 0.0
	for _, s := range numbers {
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

// plattProblem is the cross entropy of targets and probabilities. The scores have the mean 0,
// and the largest |score| is in [½, 1).
type plattProblem struct{ scores, target, weight []float64 }

func (f plattProblem) value(p Platt) float64 {
	sum := 0.0
	for i, s := range f.scores {
		// -t log P - (1-t) log(1-P), with log(1 + exp) without overflow
		z := p.A*s + p.B
		if z >= 0 {
			sum += f.weight[i] * (f.target[i]*z + math.Log1p(math.Exp(-z)))
		} else {
			sum += f.weight[i] * ((f.target[i]-1)*z + math.Log1p(math.Exp(z)))
		}
	}
	return sum
}

func (f plattProblem) derivatives(p Platt) (gA, gB, hAA, hAB, hBB float64) {
	hAA, hBB = 1e-12, 1e-12 // keeps the Hessian positive definite if all scores are equal
	for i, s := range f.scores {
		P := p.Prob(s)
		r, v := f.weight[i]*(f.target[i]-P), f.weight[i]*P*(1-P)
		gA += s * r
		gB += r
		hAA += s * s * v
		hAB += s * v
		hBB += v
	}
	return gA, gB, hAA, hAB, hBB
}
