package mlkittest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync/atomic"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/whole"
)

// TestContext tests that a fit ends with its context: it must return a model and a
// *mlkit.NotConvergedError that wraps the context's error. The context ends before the
// fit, or during it when the fit checks it (calls Err or Done) for the 2nd, 4th, 8th or
// 16th time. The fit must take long enough to make all these checks. No clock is
// involved: an algorithm that rarely checks its context fails because its fit ends
// without the context's error.
func TestContext[M any](fit func(ctx context.Context) (M, error)) error {
	for _, look := range []int64{1, 2, 4, 8, 16} {
		ctx := endsAt(look)
		m, err := result(fit(ctx))
		if looks := ctx.looks.Load(); looks < look {
			ctx.cancel()
			return fmt.Errorf("the fit ended, with error %v, having looked at its context %d times; it has to take longer, or to look more often", err, looks)
		}
		if err := interrupted(m, err); err != nil {
			when := "during the fit"
			if look == 1 {
				when = "before the fit looks at it"
			}
			return fmt.Errorf("when the context ends %s, at look %d: %w", when, look, err)
		}
	}
	return nil
}

// ending is a context that ends when it is checked for the look-th time.
type ending struct {
	context.Context
	cancel context.CancelFunc
	look   int64
	looks  atomic.Int64
}

func endsAt(look int64) *ending {
	ctx, cancel := context.WithCancel(context.Background())
	return &ending{Context: ctx, cancel: cancel, look: look}
}

func (e *ending) count() {
	if e.looks.Add(1) == e.look {
		e.cancel()
	}
}

func (e *ending) Err() error {
	e.count()
	return e.Context.Err()
}

func (e *ending) Done() <-chan struct{} {
	e.count()
	return e.Context.Done()
}

func interrupted(m any, err error) error {
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the error %v does not wrap context.Canceled", err)
	}
	return notConverged(m, err)
}

// TestNotConverged tests a fit that cannot converge, because it has too few iterations or
// there is no solution. Its error must be a *mlkit.NotConvergedError with all fields set.
// The model returned must be the one in the error, and it must survive encoding.
func TestNotConverged[M any](fit func() (M, error)) error {
	m, err := result(fit())
	if err == nil {
		return errors.New("the fit has no error; it has to be one that can't converge")
	}
	if err := notConverged(m, err); err != nil {
		return err
	}
	var e *mlkit.NotConvergedError
	errors.As(err, &e)
	if e.Iterations < 1 {
		return fmt.Errorf("the error %q counts %d iterations", err, e.Iterations)
	}
	return nil
}

func notConverged(m any, err error) error {
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) {
		return fmt.Errorf("the error %v is a %T, want *mlkit.NotConvergedError", err, err)
	}
	if err := named(err, ""); err != nil {
		return err
	}
	if err := named(errors.New(e.Algorithm+" "), ""); err != nil {
		return fmt.Errorf("the field Algorithm: %w", err)
	}
	if e.Reason == "" {
		return fmt.Errorf("the error %q has no Reason", err)
	}
	if math.IsNaN(e.Residual) {
		return fmt.Errorf("the error %q has the Residual NaN", err)
	}
	if v := reflect.ValueOf(m); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("no model is returned beside the error %q", err)
	}
	if !reflect.DeepEqual(m, e.Model) {
		return fmt.Errorf("the model %+v is returned beside an error that has %+v", m, e.Model)
	}
	// The model may be incomplete, but it must survive encoding and be usable.
	back := empty(m)
	if err := viaJSON(m, back); err != nil {
		return fmt.Errorf("the model beside the error: %w", err)
	}
	if err := whole.Check(back); err != nil {
		return fmt.Errorf("the model beside the error, decoded: %w", err)
	}
	return nil
}
