package perceptron

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// finish returns the model of a run that has ended, and the error for that ending.
//
// The model is r.h or best, whichever makes fewer mistakes. The cycle is that of r, for a
// proof that the classes are not separable; cause is the error of the context.
func (r *run) finish(ended ending, cause error, best mlkit.Hyperplane, c *cycle) (*Model, error) {
	m := new(Model)
	*m = r.model // a copy, because &r.model would keep X reachable
	m.Hyperplane = r.h
	if !check.Finite(r.h.B) || !check.AllFinite(r.h.W) {
		return nil, r.weightsOverflow()
	}
	if ended == stopped {
		return m, nil
	}
	if ended == clean {
		m.Converged = true
		return m, nil
	}
	scores, bestScores := r.scoresOf(r.h, best)
	wrong := r.errors(scores)
	if wrong == 0 {
		m.Converged = true
		return m, nil
	}
	if fewer := r.errors(bestScores); fewer < wrong {
		m.Hyperplane, wrong = best, fewer
	}
	e := &mlkit.NotConvergedError{
		Algorithm:  "perceptron: " + r.name,
		Iterations: m.Epochs,
		Residual:   float64(wrong),
		Model:      m,
	}
	left := fmt.Sprintf("%d of %d samples are on the wrong side after %d passes and %d mistakes", wrong, len(r.y), m.Epochs, m.Mistakes)
	if ended == cancelled {
		e.Err = cause
		e.Reason = fmt.Sprintf("%v; %s", cause, left)
		return m, e
	}
	if alpha, reason := r.impossible(ended, c, scores); alpha != nil {
		e.Reason = left
		return m, &mlkit.NotSeparableError{Alpha: alpha, Reason: reason, Fit: e}
	}
	if square := radius2(r.X); square < 0x1p-1022 && mat.Max(r.X)-mat.Min(r.X) > 0 {
		e.Reason = left + fmt.Sprintf("; the products of samples underflow, x·x to at most %.3g; scale X to larger numbers", square)
	} else if ended == inCycle {
		e.Reason = left + "; the weights are those of an earlier pass, so this goes on for ever: either no hyperplane separates the classes, or the corrections are lost in rounding, which scaling the columns of X or a smaller Start avoids"
	} else {
		e.Reason = left + "; raise MaxIter, or no hyperplane separates the classes"
	}
	return m, e
}

// scoresOf returns the scores of all rows of X by g and by h, in one pass over X, which may
// be larger than a cache.
func (r *run) scoresOf(g, h mlkit.Hyperplane) (byG, byH []float64) {
	byG, byH = make([]float64, len(r.y)), make([]float64, len(r.y))
	for i := range r.y {
		x := r.X.RawRowView(i)
		byG[i], byH[i] = floats.Dot(g.W, x)+g.B, floats.Dot(h.W, x)+h.B
	}
	return byG, byH
}

// errors returns how many of the scores, one for each row of X, are on the wrong side.
func (r *run) errors(scores []float64) int {
	wrong := 0
	for i, s := range scores {
		if r.wrong(s, r.y[i]) {
			wrong++
		}
	}
	return wrong
}

// wrong reports whether score s, which may have overflowed, is wrong for label y.
func (r *run) wrong(s float64, y int) bool { return !check.Finite(s) || r.mistake(s, y) }

// interrupted returns a *mlkit.NotConvergedError if the context ended the run,
// otherwise nil.
func (r *run) interrupted(ctx context.Context, ended ending, model any) error {
	if ended != cancelled {
		return nil
	}
	return &mlkit.NotConvergedError{
		Algorithm:  "perceptron: " + r.name,
		Iterations: r.model.Epochs,
		Residual:   float64(r.errors(r.h.Scores(nil, r.X))),
		Reason:     ctx.Err().Error(),
		Model:      model,
		Err:        ctx.Err(),
	}
}

// overflow returns the error for score s of row i.
func (r *run) overflow(i int, s float64, epoch int) error {
	return fmt.Errorf("perceptron: %s: the score of row %d is %v in pass %d, want a finite number; scale X to smaller numbers", r.name, i, s, epoch)
}

// scoresOverflow returns an error for the first row of X whose score under h is not
// finite, or nil. It is for an h that was not evaluated on all rows during the fit,
// which ended in the given pass.
func (r *run) scoresOverflow(h mlkit.Hyperplane, pass int) error {
	for i, s := range h.Scores(nil, r.X) {
		if !check.Finite(s) {
			return r.overflow(i, s, pass)
		}
	}
	return nil
}

// weightsOverflow returns the error for a hyperplane that is not finite.
func (r *run) weightsOverflow() error {
	return fmt.Errorf("perceptron: %s: the weights overflow after %d mistakes; scale X to smaller numbers", r.name, r.model.Mistakes)
}
