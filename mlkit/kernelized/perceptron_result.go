package kernelized

import (
	"fmt"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// finish returns the model of a run that has ended, and the error for that ending. cause is
// the error of the context.
func (r *perceptronRun) finish(ended ending, cause error) (*PerceptronModel, error) {
	m := r.expanded(r.alpha)
	if ended == stopped {
		return m, nil
	}
	wrong := r.errors(r.scores)
	if wrong == 0 {
		m.Converged = true
		return m, nil
	}
	if ended != cancelled { // after cancellation this would take too long
		best := r.expanded(r.pocket)
		if fewer := r.errors(best.Scores(nil, r.X)); fewer < wrong {
			m, wrong = best, fewer
		}
	}
	left := fmt.Sprintf("%d of %d samples are on the wrong side after %d passes and %d mistakes", wrong, len(r.y), m.Epochs, m.Mistakes)
	e := &mlkit.NotConvergedError{
		Algorithm: "kernelized: Perceptron", Iterations: m.Epochs, Residual: float64(wrong), Model: m, Reason: left,
	}
	if ended == cancelled {
		e.Err = cause
		e.Reason = fmt.Sprintf("%v; %s", cause, left)
		return m, e
	}
	if i, j := r.opposed(); i >= 0 {
		alpha := make([]float64, len(r.y))
		alpha[i], alpha[j] = 1, 1
		return m, &mlkit.NotSeparableError{
			Alpha:  alpha,
			Reason: fmt.Sprintf("X[%d] and X[%d] are one point with both labels", i, j),
			Fit:    e,
		}
	}
	if ended == inCycle {
		e.Reason += "; the scores are those of an earlier pass, so this goes on for ever: the kernel does not separate the classes"
	} else {
		e.Reason += "; raise MaxIter, or the kernel does not separate the classes"
	}
	return m, e
}

// expanded returns a model with the statistics of the run and the expansion of alpha.
func (r *perceptronRun) expanded(alpha []int) *PerceptronModel {
	m := new(PerceptronModel)
	*m = r.model // a copy, because &r.model would keep X reachable
	m.Kernel = kernel.Any{Kernel: r.Kernel}
	for i, a := range alpha {
		if a == 0 {
			continue
		}
		m.Rows = append(m.Rows, i)
		m.Alpha = append(m.Alpha, a)
		m.Coef = append(m.Coef, float64(a*r.y[i]))
		if r.Bias == mlkit.FreeBias {
			m.B += float64(a * r.y[i])
		}
	}
	m.X = copyRows(r.X, m.Rows)
	return m
}

// errors returns how many of the scores, one for each row of X, are on the wrong side.
func (r *perceptronRun) errors(scores []float64) int {
	wrong := 0
	for i, s := range scores {
		if r.mistake(s, r.y[i]) {
			wrong++
		}
	}
	return wrong
}

// opposed returns two equal rows with different labels, or -1, -1.
func (r *perceptronRun) opposed() (i, j int) {
	all := make([]int, len(r.y))
	for i := range all {
		all[i] = i
	}
	return rows.Opposed(r.X, r.y, all)
}

// overflow returns the error for the score of row i after a mistake on row j.
func (r *perceptronRun) overflow(i, j int) error {
	return fmt.Errorf("kernelized: Perceptron: the score of row %d is %v after a mistake on row %d in pass %d, want a finite number; scale X", i, r.scores[i], j, r.model.Epochs-1)
}

func notFinite(v float64) bool { return !check.Finite(v) }
