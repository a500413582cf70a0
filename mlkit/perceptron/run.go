package perceptron

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// learner is the state of one fit.
type learner struct {
	Perceptron
	X     *mat.Dense
	y     []int
	c2    float64 // c² of the bias
	h     mlkit.Hyperplane
	model Model // statistics so far

	// The hyperplane that survived the most steps, and the steps that the current one
	// has survived.
	pocket      mlkit.Hyperplane
	stood, most int

	// With StopEarly, the rows found right since the last mistake: right[i] is the
	// number of mistakes when row i was last found right.
	right      []int
	rightCount int

	cycle cycle

	judged verdict // scratch for errors

	name      string // of the algorithm, for error messages
	allPasses bool   // whether to make all MaxIter passes, even after one without a mistake
}

// An ending is the reason why a run ended.
type ending int

const (
	outOfEpochs ending = iota // MaxIter passes are done
	clean                     // every sample was classified correctly
	inCycle                   // the hyperplane at the end of a pass occurred before
	stopped                   // a trace returned false
	cancelled                 // the context is done
)

func newLearner(p Perceptron, X *mat.Dense, y []int) *learner {
	n, d := X.Dims()
	if p.Rate == 0 {
		p.Rate = 1
	}
	if p.MaxIter == 0 {
		p.MaxIter = maxEpochs
	}
	r := &learner{Perceptron: p, X: X, y: y, c2: constant(p.Bias, X), name: "Perceptron"}
	r.h.W = make([]float64, d)
	if p.Start != nil {
		r.h = p.Start.Clone()
	}
	r.pocket = r.h.Clone()
	if p.StopEarly {
		r.right = make([]int, n)
		for i := range r.right {
			r.right[i] = -1
		}
	}
	r.cycle = newCycle(r.h, n)
	return r
}

// run makes passes over the samples until there is a reason to stop. It returns an
// error if a score overflows.
func (r *learner) run(ctx context.Context) (ending, error) {
	var random *rand.Rand
	var order []int
	if r.Shuffle {
		random = rand.New(rand.NewPCG(r.Seed, 0))
		order = make([]int, len(r.y))
		for i := range order {
			order[i] = i
		}
	}
	for epoch := range r.MaxIter {
		if r.Shuffle {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		ended, err := r.pass(ctx, epoch, order)
		if err != nil || ended == stopped || ended == cancelled {
			return ended, err
		}
		mistakes := r.model.MistakesPerEpoch[epoch]
		goOn := r.TraceEpoch == nil || r.TraceEpoch(Epoch{
			Epoch: epoch, Mistakes: mistakes, Total: r.model.Mistakes, Steps: r.model.Steps, Hyperplane: r.h.Clone(),
		})
		if (ended == clean || mistakes == 0) && !r.allPasses {
			return clean, nil
		}
		if !goOn {
			return stopped, nil
		}
		// With Shuffle, a hyperplane that recurred need not recur again, but the
		// updates in between are a proof nevertheless.
		if !r.allPasses && r.cycle.closed(r.h, epoch+1) && (!r.Shuffle || r.cycle.proves(r.Perceptron, r.X, r.y)) {
			return inCycle, nil
		}
	}
	return outOfEpochs, nil
}

// pass makes one pass over the samples in the given order; nil means row order.
func (r *learner) pass(ctx context.Context, epoch int, order []int) (ending, error) {
	m := &r.model
	m.Epochs++
	m.MistakesPerEpoch = append(m.MistakesPerEpoch, 0)
	before := mlkit.Hyperplane{}
	if r.Trace != nil {
		before = r.h.Clone()
	}
	for k := range r.y {
		if k%1024 == 0 && ctx.Err() != nil {
			return cancelled, nil
		}
		i := k
		if order != nil {
			i = order[k]
		}
		x, y := r.X.RawRowView(i), float64(r.y[i])
		m.Steps++
		s := floats.Dot(r.h.W, x) + r.h.B
		if !check.Finite(s) {
			return 0, r.overflow(i, s, epoch)
		}
		mistake := r.mistake(s, r.y[i])
		if mistake {
			r.keep()
			// w ← w + ρyx,  b ← b + ρyc²
			floats.AddScaled(r.h.W, r.Rate*y, x)
			r.h.B += r.Rate * y * r.c2
			m.Mistakes++
			m.MistakesPerEpoch[epoch]++
			r.cycle.count(i)
			r.rightCount = 0
		} else {
			r.stood++
			if r.right != nil && r.right[i] != m.Mistakes {
				r.right[i] = m.Mistakes
				r.rightCount++
			}
		}
		if r.Trace != nil {
			after := before
			if mistake {
				after = r.h.Clone()
			}
			if !r.Trace(Step{
				Step: m.Steps, Epoch: epoch, Index: i, X: x, Y: r.y[i], Score: s,
				Mistake: mistake, Mistakes: m.Mistakes, Before: before, After: after,
			}) {
				return stopped, nil
			}
			before = after
		}
		if r.right != nil && r.rightCount == len(r.y) {
			return clean, nil
		}
	}
	return outOfEpochs, nil
}

// mistake reports whether score s is wrong for label y.
func (p Perceptron) mistake(s float64, y int) bool {
	if p.ZeroIsPositive {
		return rows.Side(s) != y
	}
	return s*float64(y) <= 0
}

// keep puts the hyperplane into the pocket if it survived more steps than the one
// there.
func (r *learner) keep() {
	if r.stood > r.most {
		r.most = r.stood
		copy(r.pocket.W, r.h.W)
		r.pocket.B = r.h.B
	}
	r.stood = 0
}

// finish returns the model of a run that has ended, and the error for that ending.
func (r *learner) finish(ended ending, cause error) (*Model, error) {
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
	v, pocket := new(verdict), new(verdict)
	r.judge([]*verdict{v, pocket}, r.h, r.pocket)
	if len(v.wrong) == 0 {
		m.Converged = true
		return m, nil
	}
	if len(pocket.wrong) < len(v.wrong) {
		m.Hyperplane, v = r.pocket, pocket
	}
	e := &mlkit.NotConvergedError{
		Algorithm:  "perceptron: " + r.name,
		Iterations: m.Epochs,
		Residual:   float64(len(v.wrong)),
		Model:      m,
	}
	left := fmt.Sprintf("%d of %d samples are on the wrong side after %d passes and %d mistakes", len(v.wrong), len(r.y), m.Epochs, m.Mistakes)
	if ended == cancelled {
		e.Err = cause
		e.Reason = fmt.Sprintf("%v; %s", cause, left)
		return m, e
	}
	if alpha, reason := r.impossible(ended, v); alpha != nil {
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

// overflow returns the error for score s of row i.
func (r *learner) overflow(i int, s float64, epoch int) error {
	return fmt.Errorf("perceptron: %s: the score of row %d is %v in pass %d, want a finite number; scale X to smaller numbers", r.name, i, s, epoch)
}

// scoresOverflow returns an error for the first row of X whose score under h is not
// finite, or nil. It is for an h that was not evaluated on all rows during the fit,
// which ended in the given pass.
func (r *learner) scoresOverflow(h mlkit.Hyperplane, pass int) error {
	for i := range r.y {
		if s := floats.Dot(h.W, r.X.RawRowView(i)) + h.B; !check.Finite(s) {
			return r.overflow(i, s, pass)
		}
	}
	return nil
}

// weightsOverflow returns the error for a hyperplane that is not finite.
func (r *learner) weightsOverflow() error {
	return fmt.Errorf("perceptron: %s: the weights overflow after %d mistakes; scale X to smaller numbers", r.name, r.model.Mistakes)
}

// errors returns the number of rows of X on the wrong side of h.
func (r *learner) errors(h mlkit.Hyperplane) int {
	r.judge([]*verdict{&r.judged}, h)
	return len(r.judged.wrong)
}

// A verdict is the classification of all samples by one hyperplane. Equal rows have
// bitwise equal scores, up to the sign of 0.
type verdict struct {
	wrong  []int32   // rows of X on the wrong side, ascending
	scores []float64 // of all rows
}

// judge sets all[k] to the verdict of hs[k].
func (r *learner) judge(all []*verdict, hs ...mlkit.Hyperplane) {
	n := len(r.y)
	for _, v := range all {
		v.wrong, v.scores = v.wrong[:0], slices.Grow(v.scores[:0], n)
	}
	for i, y := range r.y {
		for k, h := range hs {
			s := floats.Dot(h.W, r.X.RawRowView(i)) + h.B
			all[k].scores = append(all[k].scores, s)
			if !check.Finite(s) || r.mistake(s, y) {
				all[k].wrong = append(all[k].wrong, int32(i))
			}
		}
	}
}
