package svm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm/internal/smo"
)

// FitMachines fits a machine to each problem, for a model of many classes, and calls done
// after each: see multiclass.Joint. It copies no rows of X but the support vectors, and
// each of these once: the machines share them, and the caller must not modify them.
//
// Fits run at the same time, one on each processor, or fewer if each is large enough to
// keep several processors busy itself, and share CacheBytes. With a Trace they run one
// after another.
func (c Classifier) FitMachines(ctx context.Context, X *mat.Dense, problems []multiclass.Problem, done func()) (machines []*Model, errs []error) {
	machines, errs = make([]*Model, len(problems)), make([]error, len(problems))
	workers := 1
	if c.Trace == nil {
		each := c.processors(X, len(problems[len(problems)/2].Y))
		workers = min((runtime.GOMAXPROCS(0)+each-1)/each, len(problems))
	}
	c.CacheBytes = cmp.Or(c.CacheBytes, smoCache)
	c.CacheBytes = max(1, c.CacheBytes/int64(workers))
	spaces := make(chan *smo.Space, workers)
	for range workers {
		spaces <- new(smo.Space)
	}
	_ = work.Each(len(problems), workers, func(k int) error {
		p, space := problems[k], <-spaces
		defer func() { spaces <- space }()
		if errs[k] = c.check(len(p.Y)); errs[k] == nil {
			machines[k], errs[k] = fitSamples(ctx, c, mlkit.Options{Weights: p.Weights}, smo.Samples{X: X, Rows: p.Rows}, p.Y, space)
		}
		if errs[k] != nil && !errors.As(errs[k], new(*mlkit.NotConvergedError)) {
			return errs[k] // begins no others
		}
		done()
		return nil
	})
	own(machines)
	return machines, errs
}

// processors returns how many processors one fit to n rows of X keeps busy. A fit of large
// samples with float32 rows evaluates these in parallel. Such machines are better fitted
// one after another, each with the whole cache.
func (c Classifier) processors(X *mat.Dense, n int) int {
	rows, d := X.Dims()
	shared := n * d / gram.Share
	if shared == 0 || n < smo.FastFrom || math.IsInf(c.C, 1) {
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

// own replaces the models' views of X by copies, one for each distinct row, which the
// models share.
func own(models []*Model) {
	copies, numbers := map[*float64][]float64{}, 0
	for _, m := range models {
		if m == nil {
			continue
		}
		for _, v := range m.Vectors {
			if _, ok := copies[&v[0]]; !ok {
				copies[&v[0]] = nil
				numbers += len(v)
			}
		}
	}
	if numbers > 1<<21 {
		// The memory of the fits is enough for the copies, once it is known to be garbage:
		// without this the 45 machines of MNIST need 1.3 times the memory.
		runtime.GC()
	}
	for _, m := range models {
		if m == nil {
			continue
		}
		for i, v := range m.Vectors {
			at := &v[0]
			if copies[at] == nil {
				copies[at] = slices.Clone(v)
			}
			m.Vectors[i] = copies[at]
		}
	}
}
