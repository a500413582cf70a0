package perceptron

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Dual is the perceptron in its dual form (Yuille, section 14). The weights
// are always w = Σ αᵢyᵢxᵢ, where αᵢ counts the mistakes on sample i, so it learns the
// counts instead,
//
//	if yᵢ(Σⱼ αⱼyⱼ xⱼ·xᵢ + b) ≤ 0:  αᵢ ← αᵢ + 1,  b ← b + yᵢc²
//
// and uses only inner products of samples. It makes the same mistakes as a Perceptron
// with ρ = 1 from w = 0, except where rounding changes the sign of a score near 0, and
// its predictions are the same.
//
// The scores of all samples are stored. A mistake therefore takes O(nd) time, a sample
// classified correctly O(1), and a fit O(n) memory beside X.
type Dual struct {
	// Bias says how b is learnt. The zero value, mlkit.FreeBias, learns it as the weight
	// of a constant feature 1: b ← b + y. mlkit.RadiusBias is Yuille's b ← b + yK².
	Bias mlkit.Bias

	// MaxIter limits the passes over the samples; 0 means 1000. If the hyperplane
	// does not separate the classes by then, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// Trace, if not nil, is called after every step. Returning false ends the fit.
	Trace func(DualStep) bool
}

// DualStep is one step of the dual perceptron: one visit to one sample.
type DualStep struct {
	Step     int     // 1 for the first
	Epoch    int     // the pass, 0 for the first
	Index    int     // the row i of X
	Y        int     // its label
	Score    float64 // Σⱼ αⱼyⱼ xⱼ·xᵢ + b before the step
	Mistake  bool    // whether αᵢ was incremented
	Mistakes int     // mistakes so far, including this step: Σ αᵢ
	Alpha    []int   // the counts after the step; must not be modified
	B        float64 // b after the step
}

// DualModel is the result of a Dual: the number of mistakes on each
// sample, with copies of the samples that had any.
type DualModel struct {
	Alpha            []int       `json:"alpha"`   // αᵢ for each row of X
	Support          []int       `json:"support"` // the rows with αᵢ > 0, ascending
	Vectors          [][]float64 `json:"vectors"` // xᵢ for each row in Support
	Labels           []int       `json:"labels"`  // yᵢ for each row in Support
	B                float64     `json:"b"`
	D                int         `json:"dim"`      // d
	Mistakes         int         `json:"mistakes"` // Σ αᵢ
	Epochs           int         `json:"epochs"`   // passes begun, including the last
	MistakesPerEpoch []int       `json:"mistakes_per_epoch"`
	Converged        bool        `json:"converged"` // whether Fit found every sample on its own side
}

var _ mlkit.ClassifierModel = (*DualModel)(nil)

// Fit learns a hyperplane that separates the rows of X (n×d) with label y[i] = +1 from
// those with y[i] = -1. Its errors are those of Perceptron.Fit, but hold the last
// hyperplane instead of the best.
func (p Dual) Fit(X *mat.Dense, y []int) (*DualModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Dual) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*DualModel, error) {
	ctx, err := o.Unweighted("perceptron: Dual")
	if err != nil {
		return nil, err
	}
	online, err := newRun(o, "Dual", Perceptron{Bias: p.Bias, MaxIter: p.MaxIter}, maxIter, X, y)
	if err != nil {
		return nil, err
	}
	r := &dualRun{run: online, dual: p, alpha: make([]int, len(y)), products: make([]float64, len(y))}
	// The weights recur when all scores do.
	r.cycle = newCycle(mlkit.Hyperplane{W: r.products}, len(y))
	ended, err := r.learn(ctx)
	if err != nil {
		return nil, err
	}
	for i, a := range r.alpha {
		if a > 0 {
			floats.AddScaled(r.h.W, float64(a*y[i]), X.RawRowView(i)) // w = Σ αᵢyᵢxᵢ
		}
	}
	primal, err := r.finish(ended, ctx.Err(), r.h, r.cycle)
	if primal == nil {
		return nil, err
	}
	m := r.newModel(primal)
	var left *mlkit.NotConvergedError
	if errors.As(err, &left) {
		left.Model = m
	}
	return m, err
}

// dualRun is the state of one fit.
type dualRun struct {
	*run
	dual     Dual
	alpha    []int
	products []float64 // Σⱼ αⱼyⱼ xⱼ·xᵢ for each i: the scores without b
	cycle    *cycle
}

func (r *dualRun) learn(ctx context.Context) (ending, error) {
	for epoch := range r.MaxIter {
		ended, err := r.pass(ctx, epoch)
		if err != nil || ended != unended {
			return ended, err
		}
		if r.model.MistakesPerEpoch[epoch] == 0 {
			return clean, nil
		}
		if r.cycle.closed(mlkit.Hyperplane{W: r.products, B: r.h.B}) {
			return inCycle, nil
		}
	}
	return unended, nil
}

// pass makes one pass over the samples in row order.
func (r *dualRun) pass(ctx context.Context, epoch int) (ending, error) {
	m := &r.model
	m.Epochs++
	m.MistakesPerEpoch = append(m.MistakesPerEpoch, 0)
	var alpha []int // the copy passed to the trace
	if r.dual.Trace != nil {
		alpha = slices.Clone(r.alpha)
	}
	for i, label := range r.y {
		if i%1024 == 0 && ctx.Err() != nil {
			return cancelled, nil
		}
		m.Steps++
		s := r.products[i] + r.h.B
		if !check.Finite(s) {
			return 0, r.overflow(i, s, epoch)
		}
		mistake := float64(label)*s <= 0
		if mistake {
			// αᵢ ← αᵢ + 1,  b ← b + yᵢc²
			r.alpha[i]++
			r.h.B += float64(label) * r.c2
			if !r.raise(ctx, i) {
				return cancelled, nil
			}
			m.Mistakes++
			m.MistakesPerEpoch[epoch]++
			r.cycle.mistakes[i]++
		}
		if r.dual.Trace == nil {
			continue
		}
		if mistake {
			alpha = slices.Clone(r.alpha)
		}
		if !r.dual.Trace(DualStep{
			Step: m.Steps, Epoch: epoch, Index: i, Y: label, Score: s,
			Mistake: mistake, Mistakes: m.Mistakes, Alpha: alpha, B: r.h.B,
		}) {
			return stopped, nil
		}
	}
	r.reportPass()
	return unended, nil
}

// raise updates all scores for αᵢ ← αᵢ + 1. It returns false, with the scores partly
// updated, if the context is done.
func (r *dualRun) raise(ctx context.Context, i int) bool {
	x, y := r.X.RawRowView(i), float64(r.y[i])
	for j := range r.products {
		if j%1024 == 1023 && ctx.Err() != nil {
			return false
		}
		r.products[j] += y * floats.Dot(x, r.X.RawRowView(j))
	}
	return true
}

func (r *dualRun) newModel(primal *Model) *DualModel {
	m := &DualModel{
		Alpha:            r.alpha,
		B:                r.h.B,
		D:                len(r.h.W),
		Mistakes:         primal.Mistakes,
		Epochs:           primal.Epochs,
		MistakesPerEpoch: primal.MistakesPerEpoch,
		Converged:        primal.Converged,
	}
	for i, a := range r.alpha {
		if a > 0 {
			m.Support = append(m.Support, i)
			m.Vectors = append(m.Vectors, slices.Clone(r.X.RawRowView(i)))
			m.Labels = append(m.Labels, r.y[i])
		}
	}
	return m
}

// Inputs returns d, the number of features of a sample.
func (m *DualModel) Inputs() int { return m.D }

// Hyperplane returns the primal form, w = Σ αᵢyᵢxᵢ and b.
func (m *DualModel) Hyperplane() mlkit.Hyperplane {
	h := mlkit.Hyperplane{W: make([]float64, m.D), B: m.B}
	for k, i := range m.Support {
		floats.AddScaled(h.W, float64(m.Alpha[i]*m.Labels[k]), m.Vectors[k])
	}
	return h
}

// Score returns Σ αᵢyᵢ xᵢ·x + b over the rows with αᵢ > 0. It panics if len(x) != D.
func (m *DualModel) Score(x []float64) float64 {
	m.mustFit("Score", len(x))
	return m.score(x)
}

func (m *DualModel) score(x []float64) float64 {
	s := 0.0
	for k, i := range m.Support {
		s += float64(m.Alpha[i]*m.Labels[k]) * floats.Dot(m.Vectors[k], x)
	}
	return s + m.B
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if
// dst is nil. It panics if d != D or len(dst) != n.
func (m *DualModel) Scores(dst []float64, X mat.Matrix) []float64 {
	n, d, row := rows.Of(X)
	m.mustFit("Scores", d)
	dst = rows.Destination("perceptron", "Scores", dst, n)
	for i := range dst {
		dst[i] = m.score(row(i))
	}
	return dst
}

// Predict returns +1 if the score of x is at least 0 and -1 otherwise. It panics if
// len(x) != D.
func (m *DualModel) Predict(x []float64) int {
	m.mustFit("Predict", len(x))
	return rows.Side(m.score(x))
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics under the same conditions as Scores.
func (m *DualModel) Predictions(dst []int, X mat.Matrix) []int {
	n, d, row := rows.Of(X)
	m.mustFit("Predictions", d)
	dst = rows.Destination("perceptron", "Predictions", dst, n)
	for i := range dst {
		dst[i] = rows.Side(m.score(row(i)))
	}
	return dst
}

func (m *DualModel) mustFit(method string, d int) {
	if d != m.D {
		panic(fmt.Sprintf("perceptron: %s: a sample has %d elements, want %d, the columns of X", method, d, m.D))
	}
}
