package testkit_test

import (
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// A threshold has its value for the rest of a test, and the old one afterwards.
func TestSet(t *testing.T) {
	from := 2000
	t.Run("lowered", func(t *testing.T) {
		testkit.Set(t, &from, 1)
		testkit.Set(t, &from, 2)
		if from != 2 {
			t.Errorf("the threshold is %d, want 2", from)
		}
	})
	if from != 2000 {
		t.Errorf("the threshold is %d after the test, want 2000", from)
	}
}
