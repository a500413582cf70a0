package perceptron

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// run is the state of one fit. It makes the passes of a perceptron and counts; what else a fit
// wants to know, its observers find out.
type run struct {
	Perceptron
	name  string // of the algorithm, for error messages
	X     *mat.Dense
	y     []int
	c2    float64      // c² of the bias
	order func() []int // the rows to visit in the next pass

	h     mlkit.Hyperplane
	made  int   // the step that made h; 0 for Start
	model Model // statistics so far

	observers []observer
	watches   []watch
	report    func(pass int, mistakes float64)
}

// newRun returns a run of p that nobody observes, for the algorithm of the given name, or
// an error if p, X or y is invalid.
func newRun(o mlkit.Options, name string, p Perceptron, l limit, X *mat.Dense, y []int) (*run, error) {
	if err := p.check(name, l, X, y); err != nil {
		return nil, err
	}
	p.Rate = cmp.Or(p.Rate, 1)
	p.MaxIter = cmp.Or(p.MaxIter, l.usual)
	n, d := X.Dims()
	r := &run{Perceptron: p, name: name, X: X, y: y, c2: constant(p.Bias, X), order: p.orders(n)}
	r.report = work.Reporter(o, "perceptron: "+name, p.MaxIter)
	r.h.W = make([]float64, d)
	if p.Start != nil {
		r.h = p.Start.Clone()
	}
	return r, nil
}

// orders returns a function that returns the order of n rows in the next pass. The next
// call overwrites it.
func (p Perceptron) orders(n int) func() []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if !p.Shuffle {
		return func() []int { return order }
	}
	random := rand.New(rand.NewPCG(p.Seed, 0))
	return func() []int {
		random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order
	}
}

// all makes MaxIter passes, with or without mistakes.
func (r *run) all(ctx context.Context) (ending, error) {
	for range r.MaxIter {
		if ended, err := r.epoch(ctx); err != nil || ended != unended {
			return ended, err
		}
	}
	return unended, nil
}

// epoch makes the next pass, a piece at a time, so that it ends soon after ctx is done.
func (r *run) epoch(ctx context.Context) (ending, error) {
	r.model.Epochs++
	r.model.MistakesPerEpoch = append(r.model.MistakesPerEpoch, 0)
	for piece := range slices.Chunk(r.order(), 1024) {
		if ctx.Err() != nil {
			return cancelled, nil
		}
		if ended, err := r.pass(piece); err != nil || ended != unended {
			return ended, err
		}
	}
	r.reportPass()
	return unended, nil
}

// reportPass reports the pass that has ended.
func (r *run) reportPass() {
	passes := r.model.Epochs
	r.report(passes, float64(r.model.MistakesPerEpoch[passes-1]))
}

// observe counts a mistake on row i and tells the observers.
func (r *run) observe(i int) {
	m := &r.model
	for _, o := range r.observers {
		o.mistake(i, r.h, r.survived())
	}
	m.Mistakes++
	m.MistakesPerEpoch[m.Epochs-1]++
	r.made = m.Steps + 1
}

// survived returns how many samples h has classified correctly since it was made.
func (r *run) survived() int { return r.model.Steps - r.made }
