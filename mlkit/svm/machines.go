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
	"marginalia/mlkit/svm/internal/smo"
)

// problem is the training set of one machine; weights may be nil.
type problem struct {
	X       smo.Samples
	y       []int
	weights []float64
}

// fitMachines fits one machine per problem. Problem k has sizes[k] rows; problem(k, y)
// builds it and may reuse y for its labels.
//
// It fits concurrently, largest first, if binary is an algorithm of this package without
// a Trace; otherwise one after another. Concurrent fits share the cache. After a fatal
// error it begins no more fits, so machines may be missing without an error of their own.
// Only one fatal error is returned, that of the first problem in the order of fitting. It
// does not depend on the number of workers.
func fitMachines[M mlkit.Classifier](ctx context.Context, binary Binary[M], progress func(done, machines int), sizes []int, X *mat.Dense, problem func(k int, y []int) problem) (machines []M, errs []error) {
	count := len(sizes)
	machines, errs = make([]M, count), make([]error, count)
	workers := 1
	order := make([]int, count)
	for k := range order {
		order[k] = k
	}
	if concurrent(binary) {
		// Largest first: its memory is enough for all others.
		largestFirst(order, sizes)
		each := processors(binary, X, sizes[order[count/2]])
		workers = min((runtime.GOMAXPROCS(0)+each-1)/each, count)
	}
	c, lent := any(binary).(Classifier) // only its models contain samples
	if lent && workers > 1 {
		if c.CacheBytes == 0 {
			c.CacheBytes = smoCache
		}
		c.CacheBytes = max(1, c.CacheBytes/int64(workers))
		binary = any(c).(Binary[M])
	}
	// Problems are handed out in order. So all problems before one that fails have begun,
	// and we wait for them: the first failure does not depend on the number of workers.
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
		var labels []int
		for !failed.Load() {
			at := int(next.Add(1)) - 1
			if at >= count {
				return
			}
			k := order[at]
			p := problem(k, labels)
			if lent {
				labels = p.y
			}
			machines[k], errs[k] = fitMachine(ctx, binary, p)
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

// together calls work in the given number of goroutines and waits for them. If a kernel
// or progress callback panics, the other workers stop, and the panic reaches the caller.
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

// fatal reports whether err means that there is no machine.
func fatal(err error) bool {
	return err != nil && !errors.As(err, new(*mlkit.NotConvergedError))
}

// onlyFirst clears all fatal errors except the first in the given order.
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

// largestFirst sorts problem indices by descending size. It is not generic: every program
// would have to compile the sorting again.
func largestFirst(order, sizes []int) {
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
}

// weighted is a Binary with sample weights.
type weighted[M mlkit.Classifier] interface {
	FitWeighted(ctx context.Context, X *mat.Dense, y []int, weights []float64) (M, error)
}

// processors returns how many processors one fit by binary to n rows of X keeps busy. A
// fast fit of large samples evaluates rows of the Gram matrix in parallel. Such machines
// are better fitted one after another, each with the whole cache.
func processors(binary any, X *mat.Dense, n int) int {
	c, ok := binary.(Classifier)
	rows, d := X.Dims()
	shared := n * d / gram.Share
	if !ok || shared == 0 || n < smo.FastFrom || math.IsInf(c.C, 1) {
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

// fitMachine fits binary to a problem, with weights if there are any. X must have been
// checked. Only Classifier works without a copy of its samples.
func fitMachine[M mlkit.Classifier](ctx context.Context, binary Binary[M], p problem) (machine M, err error) {
	if c, ok := any(binary).(Classifier); ok {
		if err := c.check(len(p.y)); err != nil {
			return machine, err
		}
		m, err := fitSamples(ctx, c, p.X, p.y, p.weights, true)
		if m != nil {
			machine = any(m).(M)
		}
		return machine, err
	}
	if p.weights == nil {
		return binary.FitContext(ctx, p.X.Dense(), p.y)
	}
	b, ok := binary.(weighted[M])
	if !ok {
		return machine, fmt.Errorf("svm: ClassWeights: %T has no method FitWeighted, want none or another algorithm", binary)
	}
	return b.FitWeighted(ctx, p.X.Dense(), p.y, p.weights)
}

// concurrent reports whether fits by binary may run concurrently.
func concurrent(binary any) bool {
	switch b := binary.(type) {
	case Classifier:
		return b.Trace == nil
	case Newton:
		return b.Trace == nil
	case DualDescent:
		return b.Trace == nil
	case SubgradientDescent:
		return b.Trace == nil
	case Pegasos:
		return b.Trace == nil
	}
	return false
}
