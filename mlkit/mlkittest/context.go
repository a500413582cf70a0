package mlkittest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/whole"
)

// promptness is how soon a fit has to end after its context. tries is how often a busy
// machine may miss that, and pause, times the number of tries so far, how long it is
// given to become less busy.
const (
	promptness = 50 * time.Millisecond
	tries      = 30
	pause      = 20 * time.Millisecond
)

// TestContext tests that a fit ends soon after its context, with a
// *mlkit.NotConvergedError that wraps the context's error and has a model. The fit
// has to be one that would take many seconds. As a machine may be busy with other
// things, it is the quickest of 30 tries that has to end within 50 ms; the first that
// does is the last.
func TestContext[M any](fit func(ctx context.Context) (M, error)) error {
	return promptIn(tries, fit)
}

func promptIn[M any](tries int, fit func(ctx context.Context) (M, error)) error {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := result(fit(ended))
	if err := interrupted(m, err); err != nil {
		return fmt.Errorf("when the context has ended before the fit: %w", err)
	}
	quickest := time.Duration(math.MaxInt64)
	for try := 0; try < tries && quickest > promptness; try++ {
		time.Sleep(time.Duration(try) * pause)
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		cancelled := make(chan struct{})
		timer := time.AfterFunc(20*time.Millisecond, func() {
			at = time.Now()
			cancel()
			close(cancelled)
		})
		m, err := result(fit(ctx))
		if timer.Stop() {
			cancel()
			return fmt.Errorf("the fit ended before its context, with error %v; it has to take longer", err)
		}
		<-cancelled
		quickest = min(quickest, time.Since(at))
		if err := interrupted(m, err); err != nil {
			return fmt.Errorf("when the context ends during the fit: %w", err)
		}
	}
	if quickest > promptness {
		return fmt.Errorf("the fit ended %v after its context, want %v", quickest, promptness)
	}
	return nil
}

func interrupted(m any, err error) error {
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the error %v does not wrap context.Canceled", err)
	}
	return notConverged(m, err)
}

// TestNotConverged tests a fit that can't reach its goal, for want of iterations or
// because there is no solution: that its error is a *mlkit.NotConvergedError, with
// all fields set, and that the model beside it is the one in the error and encodes
// itself.
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
	// It may know little, and yet be kept and asked.
	for _, through := range []func(m, back any) error{viaGob, viaJSON} {
		back := empty(m)
		if err := through(m, back); err != nil {
			return fmt.Errorf("the model beside the error: %w", err)
		}
		if err := whole.Check(back); err != nil {
			return fmt.Errorf("the model beside the error, decoded: %w", err)
		}
	}
	return nil
}
