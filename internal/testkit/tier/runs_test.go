package tier

import "testing"

// NoRace skips with the race detector, and in no other build.
func TestNoRace(t *testing.T) {
	ran := false
	t.Run("marked", func(t *testing.T) {
		NoRace(t)
		ran = true
	})
	if ran == Race {
		t.Errorf("with the race detector %v, the test runs: %v", Race, ran)
	}
}
