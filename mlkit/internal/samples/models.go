package samples

import (
	"errors"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/mlkittest"
)

// Models collects a small value of every type of a package that is encoded.
type Models struct {
	T   testing.TB
	All []any
}

// Add adds a model. The test fails if there is an error, but for that of a fit which has
// not converged: its best model will do.
func (s *Models) Add(m any, err error) {
	s.T.Helper()
	if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		s.T.Fatalf("%T: %v", m, err)
	}
	s.All = append(s.All, m)
}

// TestDecoding tests that each of the models, damaged, is refused.
func TestDecoding(t *testing.T, models []any) {
	t.Helper()
	for _, m := range models {
		if err := mlkittest.TestDecoding(m); err != nil {
			t.Errorf("%T: %v", m, err)
		}
	}
}
