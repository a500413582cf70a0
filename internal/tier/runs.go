package tier

import (
	"os"
	"testing"
)

// NoRace skips a test in a build with the race detector: it is long there, and does one thing
// at a time.
func NoRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("does one thing at a time, and is long with the race detector")
	}
}

// NoEmulation skips a test where MARGINALIA_EMULATED is true: a processor that is emulated runs it
// many times slower, and what it tests is the same on all processors.
func NoEmulation(t testing.TB) {
	t.Helper()
	if os.Getenv("MARGINALIA_EMULATED") == "true" {
		t.Skip("is the same on all processors, and long on one that is emulated")
	}
}

// OneLevel skips a test where MARGINALIA_SIMD forces the instructions of mlkit: what it tests is
// the same with all of them, and has run with the best.
func OneLevel(t testing.TB) {
	t.Helper()
	if os.Getenv("MARGINALIA_SIMD") != "" {
		t.Skip("is the same with all instructions: unset MARGINALIA_SIMD")
	}
}
