package testkit

import (
	"os"
	"testing"
)

// NoRace skips a test in a build with the race detector: it is long there, and
// starts no goroutine, or only those that another test starts too.
func NoRace(t testing.TB) {
	t.Helper()
	if race {
		t.Skip("starts no goroutine of its own, and is long with the race detector")
	}
}

// NoEmulation skips a test where MARGINALIA_EMULATED is true: an emulated processor runs it many
// times slower, and what it tests is the same on all processors.
func NoEmulation(t testing.TB) {
	t.Helper()
	if os.Getenv("MARGINALIA_EMULATED") == "true" {
		t.Skip("is the same on all processors, and long on one that is emulated")
	}
}

// OneLevel skips a test where MARGINALIA_SIMD forces the instructions: what it tests is the same
// with all of them, and runs with the best.
func OneLevel(t testing.TB) {
	t.Helper()
	if os.Getenv("MARGINALIA_SIMD") != "" {
		t.Skip("is the same with all instructions: unset MARGINALIA_SIMD")
	}
}
