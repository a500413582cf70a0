package svm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// problem is what one machine of many learns from; weights may be nil.
type problem struct {
	X       samples
	y       []int
	weights []float64
}

// fitMachines fits a machine to each of count problems, which it asks for in turn. As
// many are fitted at once as there are processors, if binary is an algorithm of this
// package and has no Trace, which might be called by two at once; they share its cache.
// After an error that is no *mlkit.NotConvergedError those of higher number may be
// missing, without an error.
func fitMachines[M mlkit.Classifier](ctx context.Context, binary Binary[M], progress func(done, machines int), count int, problem func(k int) problem) (machines []M, errs []error) {
	machines, errs = make([]M, count), make([]error, count)
	workers := 1
	if concurrent(binary) {
		workers = min(runtime.GOMAXPROCS(0), count)
	}
	if c, ok := any(binary).(Classifier); ok && workers > 1 {
		if c.CacheBytes == 0 {
			c.CacheBytes = smoCache
		}
		c.CacheBytes = max(1, c.CacheBytes/int64(workers))
		binary = any(c).(Binary[M])
	}
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
	shared := &kept{rows: map[int][]float64{}}
	work := func() {
		var m memory
		for !failed.Load() {
			k := int(next.Add(1)) - 1
			if k >= count {
				return
			}
			p := problem(k)
			p.X.kept = shared
			machines[k], errs[k] = fitBinary(ctx, binary, p, &m)
			if errs[k] != nil && !errors.As(errs[k], new(*mlkit.NotConvergedError)) {
				failed.Store(true)
				return
			}
			report()
		}
	}
	var wait sync.WaitGroup
	for range workers - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	return machines, errs
}

// weighted is a Binary that takes weights of samples.
type weighted[M mlkit.Classifier] interface {
	FitWeighted(ctx context.Context, X *mat.Dense, y []int, weights []float64) (M, error)
}

// memory is what one fit leaves to the next.
type memory struct {
	panels []float32
	rows   [][]float32
}

// fitBinary fits a machine, with weights if there are any. Only Classifier does without
// a copy of its samples. That they are finite has been checked.
func fitBinary[M mlkit.Classifier](ctx context.Context, binary Binary[M], p problem, used *memory) (machine M, err error) {
	if c, ok := any(binary).(Classifier); ok {
		if err := c.check(len(p.y)); err != nil {
			return machine, err
		}
		m, err := c.fit(ctx, p.X, p.y, p.weights, used)
		if m != nil {
			machine = any(m).(M)
		}
		return machine, err
	}
	if p.weights == nil {
		return binary.FitContext(ctx, p.X.dense(), p.y)
	}
	b, ok := binary.(weighted[M])
	if !ok {
		return machine, fmt.Errorf("svm: ClassWeights: %T has no method FitWeighted, want none or another algorithm", binary)
	}
	return b.FitWeighted(ctx, p.X.dense(), p.y, p.weights)
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
