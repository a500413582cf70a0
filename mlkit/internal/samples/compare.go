package samples

import (
	"context"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Near reports an error unless each element of got is that of want, within tol.
func Near(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d elements, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Errorf("%s[%d] = %.10g, want %.10g within %g", what, i, got[i], want[i], tol)
		}
	}
}

// Wrong returns the rows in which the labels differ.
func Wrong(got, want []int) (rows []int) {
	for i := range got {
		if got[i] != want[i] {
			rows = append(rows, i)
		}
	}
	return rows
}

// Errors counts the rows of X that m gives another label than y.
func Errors(m mlkit.Predictor, X *mat.Dense, y []int) int {
	return len(Wrong(m.Predictions(nil, X), y))
}

// LateContext is cancelled once it has been asked Calls times.
type LateContext struct {
	context.Context
	Calls int
	mu    sync.Mutex
}

// Err returns context.Canceled after Calls calls.
func (c *LateContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Calls--; c.Calls < 0 {
		return context.Canceled
	}
	return nil
}
