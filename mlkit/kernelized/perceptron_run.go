package kernelized

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/kernel"
)

// perceptronRun is the state of one fit. It makes the passes and counts. Its pocket and its
// trace watch and change nothing.
type perceptronRun struct {
	Perceptron
	X *mat.Dense
	y []int

	alpha  []int
	made   int             // the step that made alpha; 0 for the first
	scores []float64       // of all samples, up to date
	model  PerceptronModel // statistics so far

	kept [][]float64 // rows of the Gram matrix + c², up to keptLimit numbers
	left int         // how many more numbers may be kept

	pocket []int // the α that survived the most samples, the first of them in a tie
	most   int   // samples that it survived
	shown  []int // the copy of alpha for the trace
	report func(pass int, mistakes float64)
}

// keptLimit is how many numbers of the Gram matrix a fit keeps in memory: 64 MiB.
var keptLimit = 8 << 20

// maxEpochs is the default of Perceptron.MaxIter.
const maxEpochs = 1000

// An ending is the reason why a run ended.
type ending int

const (
	unended   ending = iota // none: the run goes on, or has made all its passes
	clean                   // a pass made no mistake
	inCycle                 // the scores at the end of a pass occurred before
	stopped                 // Trace returned false
	cancelled               // the context is done
)

// newPerceptronRun returns a run of p, or an error if p, X or y is invalid.
func newPerceptronRun(p Perceptron, X *mat.Dense, y []int) (*perceptronRun, error) {
	if err := p.check(X, y); err != nil {
		return nil, err
	}
	n := len(y)
	p.Kernel = kernel.OrLinear(p.Kernel)
	p.MaxIter = cmp.Or(p.MaxIter, maxEpochs)
	return &perceptronRun{
		Perceptron: p, X: X, y: y,
		alpha: make([]int, n), scores: make([]float64, n),
		kept: make([][]float64, n), left: keptLimit,
		pocket: make([]int, n), shown: make([]int, n),
	}, nil
}

func (p Perceptron) check(X *mat.Dense, y []int) error {
	if p.Bias != mlkit.FreeBias && p.Bias != mlkit.NoBias {
		return fmt.Errorf("kernelized: Perceptron.Bias = %v, want FreeBias or NoBias", p.Bias)
	}
	if p.MaxIter < 0 {
		return fmt.Errorf("kernelized: Perceptron.MaxIter = %d, want a positive number, or 0 for %d", p.MaxIter, maxEpochs)
	}
	if err := checkBoth(kernel.OrLinear(p.Kernel), X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := check.Signs("kernelized", n, y); err != nil {
		return err
	}
	return check.BothSigns("kernelized", y)
}

// epoch makes the next pass, a piece at a time, so that it ends soon after ctx is done.
func (r *perceptronRun) epoch(ctx context.Context) (ending, error) {
	const piece = 1024
	r.model.Epochs++
	r.model.MistakesPerEpoch = append(r.model.MistakesPerEpoch, 0)
	for first := 0; first < len(r.y); first += piece {
		if ctx.Err() != nil {
			return cancelled, nil
		}
		if ended, err := r.pass(ctx, first, min(first+piece, len(r.y))); err != nil || ended != unended {
			return ended, err
		}
	}
	return unended, nil
}

// observe counts a mistake. It puts α, which is about to be updated, into the pocket if it
// survived more samples than any before.
func (r *perceptronRun) observe() {
	m := &r.model
	if survived := m.Steps - r.made; survived > r.most {
		r.most = survived
		copy(r.pocket, r.alpha)
	}
	m.Mistakes++
	m.MistakesPerEpoch[m.Epochs-1]++
	r.made = m.Steps + 1
}

// trace shows the step on row i, whose score was s, and reports whether to go on.
func (r *perceptronRun) trace(i int, s float64, mistake bool) bool {
	m := &r.model
	if mistake {
		r.shown = slices.Clone(r.alpha)
	}
	return r.Trace(PerceptronStep{
		Step: m.Steps, Epoch: m.Epochs - 1, Index: i, Y: r.y[i], Score: s,
		Mistake: mistake, Mistakes: m.Mistakes, Alpha: r.shown,
	})
}

// row returns k(xᵢ, ·) at all samples, plus 1 with a bias.
func (r *perceptronRun) row(i int) []float64 {
	if r.kept[i] != nil {
		return r.kept[i]
	}
	row := kernel.Row(nil, r.Kernel, r.X.RawRowView(i), r.X)
	if r.Bias == mlkit.FreeBias {
		floats.AddConst(1, row)
	}
	if r.left >= len(row) {
		r.left -= len(row)
		r.kept[i] = row
	}
	return row
}
