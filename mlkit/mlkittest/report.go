package mlkittest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"marginalia/mlkit"
)

// TestReport tests that a fit, which must be long enough for a report, reports how far it is, and
// that this changes nothing: the model and the error are those without Report, bit for bit. Reports
// must not be concurrent. They must name the algorithm as its errors do, and have one Of; Done must
// rise from 1 or more, to Of at most. A panic in Report must reach the caller, itself or in a
// *mlkit.PanicError.
func TestReport[M any](fit func(o mlkit.Options) (M, error)) error {
	ctx, cancel := context.WithCancel(context.Background()) // which a fit may watch from a goroutine
	defer cancel()
	want, wantErr := result(fit(mlkit.Options{}))
	var reports []mlkit.Progress
	var busy, together atomic.Bool
	got, err := result(fit(mlkit.Options{Context: ctx, Report: func(p mlkit.Progress) {
		if !busy.CompareAndSwap(false, true) {
			together.Store(true)
			return
		}
		runtime.Gosched() // to others that would report now
		reports = append(reports, p)
		busy.Store(false)
	}}))
	if together.Load() {
		return errors.New("two calls of Report are concurrent")
	}
	if err := sameBits(want, got); err != nil {
		return fmt.Errorf("with Report, %w", err)
	}
	if err := (comparison{}).same("the error", wantErr, err); err != nil {
		return fmt.Errorf("with Report, %w", err)
	}
	if err := rising(reports, err); err != nil {
		return err
	}
	if v := panicIn(func() {
		_, _ = fit(mlkit.Options{Context: ctx, Report: func(mlkit.Progress) { panic(errReport) }})
	}); !errors.Is(v, errReport) {
		return fmt.Errorf("a panic in Report reaches the caller as %v, want itself or a *mlkit.PanicError", v)
	}
	return nil
}

// rising tests the reports of a fit that returned err.
func rising(reports []mlkit.Progress, err error) error {
	if len(reports) == 0 {
		return fmt.Errorf("the fit ended, with error %v, without a report; it has to take longer, or to report more often", err)
	}
	first, done := reports[0], 0
	if err := named(errors.New(first.Algorithm+" "), ""); err != nil {
		return fmt.Errorf("the field Algorithm: %w", err)
	}
	var e *mlkit.NotConvergedError
	if errors.As(err, &e) && e.Algorithm != first.Algorithm {
		return fmt.Errorf("the reports are of %q, the error of %q", first.Algorithm, e.Algorithm)
	}
	for i, p := range reports {
		if p.Algorithm != first.Algorithm || p.Of != first.Of {
			return fmt.Errorf("report %d is of %q, %d at most, the first of %q, %d at most", i, p.Algorithm, p.Of, first.Algorithm, first.Of)
		}
		if p.Done <= done || p.Done > p.Of {
			return fmt.Errorf("report %d has Done = %d after %d, want more, and at most Of = %d", i, p.Done, done, p.Of)
		}
		done = p.Done
	}
	return nil
}

var errReport = errors.New("mlkittest: the panic of a report")

// panicIn returns the error that f panics with, nil if it does not.
func panicIn(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			var ok bool
			if err, ok = v.(error); !ok {
				err = fmt.Errorf("%v", v)
			}
		}
	}()
	f()
	return nil
}
