package smo

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// FastFrom is the number of samples from which Solve takes steps with float32 rows.
// Smaller fits are fast anyway, and keep the same bits on every processor. Tests lower it.
var FastFrom = 1000

// shrinking takes the steps of Optimise with float32 rows, and with the active set alone:
// the samples whose multipliers still change. The loss of precision is temporary: Solve
// finally evaluates g in float64 and goes on from there if the violation is above Tol.
// Later changes of g are small, and so are their errors.
type shrinking struct {
	samples  Samples
	function gram.Function
	shift    []float64
	matrix   *gram.Matrix
	bytes    int64
	space    *Space
	active   *active // nil before the first step

	traced [][]float32 // the rows of a step for all samples, for trace
}

// active is an active set. At first it is all samples, and its slices are those of the
// whole problem.
type active struct {
	Dual
	rows   *panels
	index  []int     // its samples; nil means all
	others []float64 // α of all samples, up to date only outside the active set
}

// Space is memory that one Solve leaves to the next. The panels and cached rows of the fits
// of a many-class model would otherwise be garbage beside the samples until the heap has
// doubled: for the 45 machines of MNIST 1.8 times the memory, and 1.1 times the time.
type Space struct {
	matrix *gram.Matrix
	rows   [][]float32
	sums   gram.Space
}

// newShrinking returns nil if the fit is to take float64 steps: for few samples, a hard
// margin, a kernel that is not a function of inner products, or samples for which float32
// is too coarse.
func newShrinking(ctx work.Ender, f *Fit) (*shrinking, error) {
	n, d := f.Samples.Dims()
	form, ok := kernel.OfProducts(f.Kernel)
	function := gram.Function(form)
	if n < FastFrom || f.Hard || !ok || floats.Max(f.C) > 1e15 {
		return nil, nil
	}
	shift, err := gram.Shift(ctx, function, n, d, f.Samples.Row)
	if err != nil {
		return nil, err
	}
	space := f.Space
	if space == nil {
		space = new(Space)
	}
	m, ok, err := gram.New(ctx, function, n, d, f.Samples.Row, shift, space.matrix)
	if m != nil {
		space.matrix = m
	}
	if !ok || err != nil {
		return nil, err
	}
	if f.Linear {
		f.Origin = shift
	} else if !function.Gauss {
		shift = nil // g must be that of the unshifted kernel
	}
	return &shrinking{samples: f.Samples, function: function, shift: shift, matrix: m, bytes: f.CacheBytes, space: space}, nil
}

func (a *shrinking) diagonal(work.Ender) ([]float64, error) {
	n, _ := a.samples.Dims()
	diagonal := make([]float64, n)
	for i, v := range a.matrix.Diagonal(nil)[:n] {
		diagonal[i] = float64(v)
	}
	return diagonal, nil
}

// workers returns the number of workers for whom there is enough to do in the rows and in
// the passes over them: some tens of microseconds, or a few.
func (a *shrinking) workers() int {
	n, d := a.samples.Dims()
	return max(batch*n*d/gram.Share, n/(4*partSize))
}

// optimise starts with all samples. After 4n iterations it begins to shrink the active
// set, and tries again every n. If gradient finds that samples outside violate the
// conditions, Solve calls optimise again, with all samples.
func (a *shrinking) optimise(ctx work.Ender, d *Dual) (Ending, error) {
	n := len(d.Y)
	a.matrix.Team = work.NewTeam(a.workers())
	defer func() {
		a.matrix.Team.Close()
		a.matrix.Team = nil
	}()
	a.all(ctx, d)
	for look := d.Iterations + 4*n; ; look = a.active.Iterations + n {
		p := a.active
		p.MaxIter = min(d.MaxIter, look)
		ended, err := Optimise(ctx, &p.Dual, p.rows)
		d.Iterations = p.Iterations
		if ended == OutOfSteps && p.Iterations < d.MaxIter {
			a.active = p.shrink()
			continue
		}
		if err == nil && ended != Cancelled && ended != Stopped && ended != Overflowed {
			p.finish(d)
		}
		return ended, err
	}
}

// all makes all samples active.
func (a *shrinking) all(ctx work.Ender, d *Dual) {
	if p := a.active; p != nil && p.index == nil {
		p.Dual.Iterations = d.Iterations
		_, p.rows.ahead.m, p.rows.ahead.M = d.First()
		return
	}
	a.release()
	p := &active{Dual: *d}
	p.rows = newPanels(&p.Dual, a.matrix, newRowCache(len(d.Y), a.matrix.Padded(), 4, a.bytes, a.space.rows))
	a.space.rows = nil
	if d.Trace != nil {
		p.Trace = func(i, j int) (bool, error) { return a.trace(ctx, d, i, j) }
	}
	a.active = p
}

// release leaves the memory of the cache to the next active set of all samples.
func (a *shrinking) release() {
	if a.active != nil {
		a.space.rows = a.active.rows.cache.all()
		a.active = nil
	}
}

// shrink drops samples at a bound that form no violating pair with any active sample (Fan,
// Chen, Lin, section 4). It returns p itself if it would drop fewer than a fifth.
// Otherwise it takes over p's cache, so p must not be used again.
func (p *active) shrink() *active {
	_, m, M := p.First()
	var keep []int
	for t, g := range p.G {
		if p.up(t) && g >= M || p.low(t) && g <= m {
			keep = append(keep, t)
		}
	}
	if 5*len(keep) > 4*len(p.Y) {
		return p
	}
	q := &active{Dual: p.Dual, index: keep, others: p.others}
	q.Y, q.C, q.K = pick(p.Y, keep), pick(p.C, keep), pick(p.K, keep)
	q.Alpha, q.G = pick(p.Alpha, keep), pick(p.G, keep)
	if p.index == nil {
		q.others = slices.Clone(p.Alpha)
	} else {
		p.collect()
		q.index = pick(p.index, keep)
	}
	matrix := p.rows.matrix.Part(keep)
	rows := newPanels(&q.Dual, matrix, p.rows.cache.part(keep, matrix.Padded()))
	rows.ahead.guesses, rows.ahead.hits = p.rows.ahead.guesses, p.rows.ahead.hits
	q.rows = rows
	return q
}

// pick returns the elements of s at the indices keep.
func pick[T any](s []T, keep []int) []T {
	picked := make([]T, len(keep))
	for k, t := range keep {
		picked[k] = s[t]
	}
	return picked
}

// collect copies the active multipliers to others.
func (p *active) collect() {
	for k, t := range p.index {
		p.others[t] = p.Alpha[k]
	}
}

// finish copies the multipliers of all samples to d. If the active set has shrunk, d.G is
// out of date, and finish marks it with a NaN until it is evaluated.
func (p *active) finish(d *Dual) {
	if p.index != nil {
		p.collect()
		copy(d.Alpha, p.others)
		d.G[0] = math.NaN()
	}
}

// trace calls d.Trace after a step on the active samples i and j. If the active set has
// shrunk, it first brings α and g of all samples up to date, with rows of its own: what a
// trace sees is the state of the whole fit, and costs time, but does not touch the steps.
func (a *shrinking) trace(ctx work.Ender, d *Dual, i, j int) (goOn bool, err error) {
	p := a.active
	d.Iterations = p.Iterations
	if p.index == nil {
		return d.Trace(i, j)
	}
	if a.traced == nil {
		a.traced = [][]float32{make([]float32, a.matrix.Padded()), make([]float32, a.matrix.Padded())}
	}
	of := []int{p.index[i], p.index[j]}
	if err := a.matrix.Rows(ctx, a.traced, of); err != nil {
		return false, err
	}
	for k, after := range []float64{p.Alpha[i], p.Alpha[j]} {
		t := of[k]
		Δ := after - d.Alpha[t]
		d.Alpha[t] = after
		for u := range d.G {
			d.G[u] -= d.Y[t] * Δ * float64(a.traced[k][u])
		}
	}
	return d.Trace(of[0], of[1])
}
