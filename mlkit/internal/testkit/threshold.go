package testkit

import "testing"

// Set gives another value to a threshold, the size at which another path of an algorithm
// begins, until t ends. Small samples then take the path of large ones, and every rule of
// mlkittest tests both. No test that runs beside t may depend
// on it.
func Set[T any](t testing.TB, threshold *T, value T) {
	t.Helper()
	was := *threshold
	*threshold = value
	t.Cleanup(func() { *threshold = was })
}
