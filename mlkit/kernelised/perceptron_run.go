package kernelised

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// perceptronRun is the state of one fit.
type perceptronRun struct {
	Perceptron
	X      *mat.Dense
	y      []int
	alpha  []int
	scores []float64   // of all samples, up to date
	kept   [][]float64 // rows of the Gram matrix + c², up to keptLimit numbers
	left   int         // how many more numbers may be kept
	model  PerceptronModel

	// pocket is the α that lasted for the most steps, most is that number of steps, and
	// stood is how long the current α has lasted.
	pocket      []int
	stood, most int

	// marked are the scores at the end of pass mark, for detecting a cycle.
	marked []float64
	mark   int
}

// keptLimit is how many numbers of the Gram matrix a fit keeps in memory: 64 MiB.
const keptLimit = 8 << 20

// ending is the way a run ended.
type ending int

const (
	outOfEpochs ending = iota // MaxIter passes were made
	clean                     // the last pass made no mistakes
	inCycle                   // the scores repeat those of an earlier pass
	stopped                   // Trace returned false
	cancelled                 // the context was done
)

func newPerceptronRun(p Perceptron, X *mat.Dense, y []int) *perceptronRun {
	n := len(y)
	p.Kernel = kernel.OrLinear(p.Kernel)
	if p.MaxIter == 0 {
		p.MaxIter = maxEpochs
	}
	return &perceptronRun{
		Perceptron: p, X: X, y: y,
		alpha: make([]int, n), scores: make([]float64, n), pocket: make([]int, n),
		kept: make([][]float64, n), left: keptLimit,
		marked: make([]float64, n),
	}
}

// run makes passes over the samples until there is a reason to stop.
func (r *perceptronRun) run(ctx context.Context) (ending, error) {
	for epoch := range r.MaxIter {
		ended, err := r.pass(ctx, epoch)
		if err != nil || ended != outOfEpochs {
			return ended, err
		}
		if r.model.MistakesPerEpoch[epoch] == 0 {
			return clean, nil
		}
		// Detect cycles by Brent's method: compare with the scores of a marked pass, and
		// double the distance between marks.
		if slices.Equal(r.scores, r.marked) {
			return inCycle, nil
		}
		if epoch+1 == 2*r.mark || r.mark == 0 {
			r.mark = epoch + 1
			copy(r.marked, r.scores)
		}
	}
	return outOfEpochs, nil
}

// pass makes one pass over the samples.
func (r *perceptronRun) pass(ctx context.Context, epoch int) (ending, error) {
	m := &r.model
	m.Epochs++
	m.MistakesPerEpoch = append(m.MistakesPerEpoch, 0)
	var shown []int
	if r.Trace != nil {
		shown = slices.Clone(r.alpha)
	}
	for i, y := range r.y {
		if i%1024 == 0 && ctx.Err() != nil {
			return cancelled, nil
		}
		m.Steps++
		s := r.scores[i]
		mistake := r.mistake(s, y)
		if mistake {
			if ctx.Err() != nil {
				return cancelled, nil
			}
			r.keepInPocket()
			// α ← α + 1, thus f ← f + y(k(xᵢ, ·) + c²)
			r.alpha[i]++
			floats.AddScaled(r.scores, float64(y), r.row(i))
			m.Mistakes++
			m.MistakesPerEpoch[epoch]++
			if j := slices.IndexFunc(r.scores, notFinite); j >= 0 {
				return 0, fmt.Errorf("kernelised: Perceptron: the score of row %d is %v after a mistake on row %d in pass %d, want a finite number; scale X", j, r.scores[j], i, epoch)
			}
		} else {
			r.stood++
		}
		if r.Trace != nil {
			if mistake {
				shown = slices.Clone(r.alpha)
			}
			if !r.Trace(PerceptronStep{
				Step: m.Steps, Epoch: epoch, Index: i, Y: y, Score: s,
				Mistake: mistake, Mistakes: m.Mistakes, Alpha: shown,
			}) {
				return stopped, nil
			}
		}
	}
	return outOfEpochs, nil
}

// row returns k(xᵢ, ·) + c² at all samples.
func (r *perceptronRun) row(i int) []float64 {
	if r.kept[i] != nil {
		return r.kept[i]
	}
	row := kernel.Row(nil, r.Kernel, r.X.RawRowView(i), r.X)
	floats.AddConst(r.Constant*r.Constant, row)
	if r.left >= len(row) {
		r.left -= len(row)
		r.kept[i] = row
	}
	return row
}

// mistake reports whether score s is wrong for label y.
func (p Perceptron) mistake(s float64, y int) bool {
	if p.ZeroIsPositive {
		return rows.Side(s) != y
	}
	return s*float64(y) <= 0
}

// keepInPocket puts α in the pocket if it lasted longer than any before.
func (r *perceptronRun) keepInPocket() {
	if r.stood > r.most {
		r.most = r.stood
		copy(r.pocket, r.alpha)
	}
	r.stood = 0
}

// finish returns the model of a run that has ended and the error for the way it ended.
func (r *perceptronRun) finish(ended ending, cause error) (*PerceptronModel, error) {
	m := new(PerceptronModel)
	*m = r.model // a copy, because r keeps X in memory
	m.Kernel = kernel.Any{Kernel: r.Kernel}
	r.expand(m, r.alpha)
	if ended == stopped {
		return m, nil
	}
	wrong := 0
	for i, s := range r.scores {
		if r.mistake(s, r.y[i]) {
			wrong++
		}
	}
	if wrong == 0 {
		m.Converged = true
		return m, nil
	}
	if ended != cancelled { // after cancellation this would take too long
		best := new(PerceptronModel)
		*best = *m
		r.expand(best, r.pocket)
		if pocket := r.errors(best); pocket < wrong {
			m, wrong = best, pocket
		}
	}
	left := fmt.Sprintf("%d of %d samples are on the wrong side after %d passes and %d mistakes", wrong, len(r.y), m.Epochs, m.Mistakes)
	e := &mlkit.NotConvergedError{
		Algorithm: "kernelised: Perceptron", Iterations: m.Epochs, Residual: float64(wrong), Model: m, Reason: left,
	}
	if ended == cancelled {
		e.Err = cause
		e.Reason = fmt.Sprintf("%v; %s", cause, left)
		return m, e
	}
	if i, j := r.twins(); i >= 0 {
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

// expand sets the expansion of m to that of alpha.
func (r *perceptronRun) expand(m *PerceptronModel, alpha []int) {
	m.Rows, m.Alpha, m.Coef, m.B = nil, nil, nil, 0
	for i, a := range alpha {
		if a == 0 {
			continue
		}
		m.Rows = append(m.Rows, i)
		m.Alpha = append(m.Alpha, a)
		m.Coef = append(m.Coef, float64(a*r.y[i]))
		m.B += float64(a*r.y[i]) * r.Constant * r.Constant
	}
	m.X = copyRows(r.X, m.Rows)
}

// errors returns the number of samples that m has on the wrong side.
func (r *perceptronRun) errors(m *PerceptronModel) int {
	count := 0
	for i, s := range m.Scores(nil, r.X) {
		if r.mistake(s, r.y[i]) {
			count++
		}
	}
	return count
}

// twins returns two equal rows with different labels, or -1, -1.
func (r *perceptronRun) twins() (int, int) {
	order := make([]int, len(r.y))
	for i := range order {
		order[i] = i
	}
	compare := func(i, j int) int { return slices.Compare(r.X.RawRowView(i), r.X.RawRowView(j)) }
	slices.SortStableFunc(order, compare)
	first := 0
	for k, i := range order {
		if compare(order[first], i) != 0 {
			first = k
		} else if r.y[order[first]] != r.y[i] {
			return order[first], i
		}
	}
	return -1, -1
}

func notFinite(v float64) bool { return !check.Finite(v) }
