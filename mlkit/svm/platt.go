package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Platt maps scores to probabilities by P(y = +1 | s) = 1/(1 + exp(A s + B)) (John Platt,
// "Probabilistic outputs for support vector machines and comparisons to regularized
// likelihood methods", 2000). A is negative if high scores go with +1.
//
// Fit it to scores of samples that the model was not trained on:
//
//	scores, err := svm.CrossScores(ctx, svm.Classifier{}, X, y, 5, 1)
//	p, err := svm.FitPlatt(scores, y)
//	m, err := svm.Classifier{}.Fit(X, y)
//	p.Prob(m.Score(x))
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

// FitPlatt finds the maximum likelihood A and B for the labels y, each -1 or +1, given
// their scores. Scores of training samples are too good; use CrossScores. The targets are
// (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and 0, so that A stays finite.
//
// It uses Newton's method with backtracking (Hsuan-Tien Lin, Chih-Jen Lin, Ruby C. Weng,
// "A note on Platt's probabilistic outputs for support vector machines", 2007, appendix)
// on scores divided by a power of two near the largest, so their unit does not matter. It
// returns an error if scores or y is invalid, and a *mlkit.NotConvergedError if the
// method does not converge.
func FitPlatt(scores []float64, y []int) (Platt, error) {
	if len(scores) == 0 {
		return Platt{}, fmt.Errorf("svm: scores is empty, want one for each label")
	}
	if err := check.Signs("svm", len(scores), y); err != nil {
		return Platt{}, err
	}
	if err := check.BothSigns("svm", y); err != nil {
		return Platt{}, err
	}
	var count [2]float64
	for i, s := range scores {
		if !finite(s) {
			return Platt{}, fmt.Errorf("svm: scores[%d] = %v, want a finite number", i, s)
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
	if !finite(p.A) {
		return Platt{}, fmt.Errorf("svm: the scores are up to 2^%d, too small for a finite A; scale them to larger numbers", unit)
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
		Algorithm: "svm: Platt", Iterations: 100, Residual: value,
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

// CrossScores returns a score for each row of X (n×d), from a model that was not trained
// on it. It deals the rows of each label, in random order, to the folds, and scores each
// fold by the model trained on the others. Its errors are those of binary; it also
// returns an error if folds is not in [2, n] or a label has fewer than two rows.
func CrossScores[M mlkit.Classifier](ctx context.Context, binary Binary[M], X *mat.Dense, y []int, folds int, seed uint64) ([]float64, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if binary == nil {
		return nil, fmt.Errorf("svm: binary is nil, want an algorithm for two classes, such as Classifier{}")
	}
	if err := checkTwoClasses(X, y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if folds < 2 || folds > n {
		return nil, fmt.Errorf("svm: folds = %d, want from 2 to %d, the rows of X", folds, n)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	fold := make([]int, n)
	var dealt [2]int
	for _, i := range random.Perm(n) {
		c := (y[i] + 1) / 2
		fold[i] = dealt[c] % folds
		dealt[c]++
	}
	for c, count := range dealt {
		if count < 2 {
			return nil, fmt.Errorf("svm: y has the label %+d in %d row, want two or more", 2*c-1, count)
		}
	}
	scores := make([]float64, n)
	for k := range folds {
		var rest []int
		for i, f := range fold {
			if f != k {
				rest = append(rest, i)
			}
		}
		Z, signs := mat.NewDense(len(rest), d, nil), make([]int, len(rest))
		for at, i := range rest {
			Z.SetRow(at, X.RawRowView(i))
			signs[at] = y[i]
		}
		m, err := binary.FitContext(ctx, Z, signs)
		if err != nil {
			return nil, fmt.Errorf("%w (CrossScores, fold %d)", err, k)
		}
		for i, f := range fold {
			if f == k {
				scores[i] = m.Score(X.RawRowView(i))
			}
		}
	}
	return scores, nil
}
