// Package threshold sets, in tests, the sizes at which another path of an algorithm begins.
// Small samples then take the path of large ones, and every rule of mlkittest tests both.
package threshold

import "testing"

// Set gives a threshold another value until t ends. No test that runs beside t may depend
// on it.
func Set[T any](t testing.TB, threshold *T, value T) {
	t.Helper()
	was := *threshold
	*threshold = value
	t.Cleanup(func() { *threshold = was })
}
