package mlkit_test

import (
	"context"
	"errors"
	"testing"

	"marginalia/mlkit"
)

func TestErrors(t *testing.T) {
	nc := &mlkit.NotConvergedError{Algorithm: "p: Alg", Reason: "7 of 9 are wrong", Model: "m", Err: context.DeadlineExceeded}
	if got, want := nc.Error(), "p: Alg: not converged: 7 of 9 are wrong"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	ns := &mlkit.NotSeparableError{Alpha: []float64{1, 1}, Reason: "two are one", Fit: nc}
	if got, want := ns.Error(), "p: Alg: not separable: two are one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var inner *mlkit.NotConvergedError
	if !errors.As(ns, &inner) || inner.Model != any("m") {
		t.Error("a NotSeparableError does not lead to its NotConvergedError")
	}
	if !errors.Is(ns, context.DeadlineExceeded) {
		t.Error("the context's error can't be found")
	}
}
