package svm

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// Every function returns an error that names an argument that must not be nil.
func TestNilArguments(t *testing.T) {
	X, y := irises(t, 0, 1)
	for name, fit := range map[string]func() error{
		"kernel Func": func() error { _, err := Classifier{Kernel: kernel.Func(nil)}.Fit(X, y); return err },
		"kernel Any":  func() error { _, err := Classifier{Kernel: kernel.Any{}}.Fit(X, y); return err },
		"X":           func() error { _, err := Classifier{}.Fit(nil, y); return err },
	} {
		if err := fit(); err == nil || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), "nil") {
			t.Errorf("%s: %v, want an error about nil", name, err)
		}
	}
}

// The largest int as a limit neither exhausts the memory nor ends a fit at once.
func TestHugeSizes(t *testing.T) {
	X, y := irises(t, 1, 2)
	const huge = math.MaxInt
	trace := func(LinearStep) bool { return false }
	if m, err := (Classifier{MaxIter: huge, CacheBytes: math.MaxInt64}).Fit(X, y); err != nil || !m.Converged {
		t.Errorf("Classifier: %v", err)
	}
	if m, err := (DualDescent{MaxIter: huge, Trace: trace}).Fit(X, y); err != nil || m.Iterations != 1 {
		t.Errorf("DualDescent: %+v, %v", m, err)
	}
	if m, err := (Newton{MaxIter: huge, Trace: trace}).Fit(X, y); err != nil || m.Iterations != 1 {
		t.Errorf("Newton: %+v, %v", m, err)
	}
	if m, err := (SubgradientDescent{MaxIter: huge, Trace: trace}).Fit(X, y); err != nil || m.Iterations != 1 {
		t.Errorf("SubgradientDescent: %+v, %v", m, err)
	}
	if m, err := (Pegasos{MaxIter: huge, Trace: trace}).Fit(X, y); err != nil || m.Iterations != 1 {
		t.Errorf("Pegasos: %+v, %v", m, err)
	}
	// Only the context can end a step with that many samples.
	ctx := &samples.LateContext{Context: t.Context(), Calls: 5}
	if _, err := (Pegasos{BatchSize: huge}).FitWith(mlkit.Options{Context: ctx}, X, y); !errors.Is(err, context.Canceled) {
		t.Errorf("Pegasos, BatchSize: %v", err)
	}
}

// The zero Model panics with a message and does not call every sample +1.
func TestZeroModel(t *testing.T) {
	X := mat.NewDense(1, 2, []float64{1, 2})
	for name, use := range map[string]func(m *Model){
		"Score":       func(m *Model) { m.Score([]float64{1, 2}) },
		"Scores":      func(m *Model) { m.Scores(nil, X) },
		"Predict":     func(m *Model) { m.Predict([]float64{1, 2}) },
		"Predictions": func(m *Model) { m.Predictions(nil, X) },
	} {
		testkit.Panics(t, name, func() { use(new(Model)) }, "svm: ", "the model has no kernel")
	}
}
