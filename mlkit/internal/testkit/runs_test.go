package testkit

import "testing"

// Each mark skips in the run that it names, and in no other.
func TestMarks(t *testing.T) {
	ran := func(mark func(testing.TB)) (ran bool) {
		t.Run("marked", func(t *testing.T) {
			mark(t)
			ran = true
		})
		return ran
	}
	for _, c := range []struct{ emulated, level string }{{"", ""}, {"true", ""}, {"", "off"}, {"true", "avx2"}} {
		t.Setenv("MARGINALIA_EMULATED", c.emulated)
		t.Setenv("MARGINALIA_SIMD", c.level)
		if got, want := ran(NoEmulation), c.emulated == ""; got != want {
			t.Errorf("%+v: NoEmulation runs the test: %v, want %v", c, got, want)
		}
		if got, want := ran(OneLevel), c.level == ""; got != want {
			t.Errorf("%+v: OneLevel runs the test: %v, want %v", c, got, want)
		}
		if got := ran(NoRace); got == race {
			t.Errorf("with the race detector %v, NoRace runs the test: %v", race, got)
		}
	}
}
