package tier

import "testing"

// NoRace skips a test in a build with the race detector: it is long there, and does one thing
// at a time.
func NoRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("does one thing at a time, and is long with the race detector")
	}
}
