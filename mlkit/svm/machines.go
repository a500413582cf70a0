package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/kernel"
)

// problem is what one machine of many learns from; weights may be nil.
type problem struct {
	X       samples
	y       []int
	weights []float64
}

// fitMachines fits a machine to each of some problems, the k-th of sizes[k] rows of X, for
// which it asks with memory for its y. As many are fitted at once as keep the
// processors busy, if binary is an algorithm of this package and has no Trace, which might
// be called by two at once; they share its cache. After an error that is no
// *mlkit.NotConvergedError others may be missing, without an error; it is that of the first
// problem that has one in the order in which they are begun, however many are fitted at once.
func fitMachines[M mlkit.Classifier](ctx context.Context, binary Binary[M], progress func(done, machines int), sizes []int, X *mat.Dense, problem func(k int, y []int) problem) (machines []M, errs []error) {
	count := len(sizes)
	machines, errs = make([]M, count), make([]error, count)
	workers := 1
	order := make([]int, count)
	for k := range order {
		order[k] = k
	}
	if concurrent(binary) {
		// The largest first: what it has used is enough for all others.
		largestFirst(order, sizes)
		each := processors(binary, X, sizes[order[count/2]])
		workers = min((runtime.GOMAXPROCS(0)+each-1)/each, count)
	}
	c, lent := any(binary).(Classifier) // whose models have samples
	if lent && workers > 1 {
		if c.CacheBytes == 0 {
			c.CacheBytes = smoCache
		}
		c.CacheBytes = max(1, c.CacheBytes/int64(workers))
		binary = any(c).(Binary[M])
	}
	// Problems are handed out in order, so all before one that fails have been begun, and
	// are waited for: which is the first to fail does not depend on the number of workers.
	var next atomic.Int64
	var failed atomic.Bool
	var mu sync.Mutex
	done := 0
	report := func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; progress != nil {
			progress(done, count)
		}
	}
	work := func() {
		fit := fitter(binary)
		var labels []int
		for !failed.Load() {
			at := int(next.Add(1)) - 1
			if at >= count {
				return
			}
			k := order[at]
			p := problem(k, labels)
			if p.X.lent = lent; lent {
				labels = p.y
			}
			machines[k], errs[k] = fit(ctx, p)
			if fatal(errs[k]) {
				failed.Store(true)
				return
			}
			report()
		}
	}
	together(workers, &failed, work)
	onlyFirst(order, errs)
	if lent {
		own(any(machines).([]*Model))
	}
	return machines, errs
}

// together calls work in a number of goroutines and waits for them. If a kernel or a report
// of progress panics in one of them, the others see that it failed, and the panic comes to
// the caller.
func together(workers int, failed *atomic.Bool, work func()) {
	if workers == 1 {
		work()
		return
	}
	var wait sync.WaitGroup
	ends := make([]*early.End, workers)
	for w := range workers {
		early.Go(&wait, work, func(e *early.End) {
			ends[w] = e
			failed.Store(true)
		})
	}
	wait.Wait()
	for _, e := range ends {
		if e != nil {
			e.Repeat()
		}
	}
}

// fatal reports whether err is one beside which there is no machine.
func fatal(err error) bool {
	return err != nil && !errors.As(err, new(*mlkit.NotConvergedError))
}

// onlyFirst deletes all fatal errors but the first in the given order.
func onlyFirst(order []int, errs []error) {
	first := true
	for _, k := range order {
		if fatal(errs[k]) {
			if !first {
				errs[k] = nil
			}
			first = false
		}
	}
}

// largestFirst sorts the numbers of problems by their sizes. In a generic function each
// program would compile the sorting for itself.
func largestFirst(order, sizes []int) {
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
}

// weighted is a Binary that takes weights of samples.
type weighted[M mlkit.Classifier] interface {
	FitWeighted(ctx context.Context, X *mat.Dense, y []int, weights []float64) (M, error)
}

// processors returns how many processors one fit by binary to n rows of X keeps busy. The
// fast fit to large samples evaluates rows of the Gram matrix by several; it is better then
// to fit machines one after another, each with all of the memory.
func processors(binary any, X *mat.Dense, n int) int {
	c, ok := binary.(Classifier)
	rows, d := X.Dims()
	shared := n * d / gram.Share
	if !ok || shared == 0 || n < fastFrom || math.IsInf(c.C, 1) {
		return 1
	}
	if c.Kernel == nil {
		c.Kernel = kernel.Linear{}
	}
	square := 0.0
	for i := range rows {
		x := X.RawRowView(i)
		square = max(square, floats.Dot(x, x))
	}
	if f, ok := kernel.OfProducts(c.Kernel); !ok || !gram.Function(f).Fits(square) {
		return 1
	}
	return 1 + shared
}

// memory is what one fit leaves to the next.
type memory struct {
	matrix          *gram.Matrix
	cache           *rowCache[float32]
	y, g, diag, sum []float64
	diag32          []float32
	upper, lower    []float32
	guessed         []bool

	// For the sums over support vectors.
	space   gram.Space
	z       [][]float64
	terms   []gram.Term
	termsOf [][]gram.Term
}

// fitter returns a function that fits machines one after another, with weights if there are
// any. Only Classifier does without a copy of its samples. That they are finite has been
// checked.
func fitter[M mlkit.Classifier](binary Binary[M]) func(ctx context.Context, p problem) (M, error) {
	if c, ok := any(binary).(Classifier); ok {
		fit := inTurn(c)
		return func(ctx context.Context, p problem) (machine M, err error) {
			m, err := fit(ctx, p)
			if m != nil {
				machine = any(m).(M)
			}
			return machine, err
		}
	}
	return func(ctx context.Context, p problem) (machine M, err error) {
		if p.weights == nil {
			return binary.FitContext(ctx, p.X.dense(), p.y)
		}
		b, ok := binary.(weighted[M])
		if !ok {
			return machine, fmt.Errorf("svm: ClassWeights: %T has no method FitWeighted, want none or another algorithm", binary)
		}
		return b.FitWeighted(ctx, p.X.dense(), p.y, p.weights)
	}
}

// inTurn returns a function that fits c to one problem after another, each in the memory of
// the one before. Generic functions, which each program compiles for itself, don't see what
// is in that memory.
func inTurn(c Classifier) func(ctx context.Context, p problem) (*Model, error) {
	used := new(memory)
	return func(ctx context.Context, p problem) (*Model, error) {
		if err := c.check(len(p.y)); err != nil {
			return nil, err
		}
		return fitClassifier(ctx, c, p.X, p.y, p.weights, used)
	}
}

// concurrent reports whether several fits by binary may run at once.
func concurrent(binary any) bool {
	switch b := binary.(type) {
	case Classifier:
		return b.Trace == nil
	case Newton:
		return b.Trace == nil
	case DualDescent:
		return b.Trace == nil
	case HingeDescent:
		return b.Trace == nil
	case Pegasos:
		return b.Trace == nil
	}
	return false
}
