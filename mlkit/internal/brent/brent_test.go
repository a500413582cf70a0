package brent_test

import (
	"testing"

	"marginalia/mlkit/internal/brent"
)

// A sequence that enters a cycle of p states at state t is found at state m + p, where m is
// the first of 0, 1, 2, 4, 8, … with m ≥ t that is followed by p states without another mark:
// p ≤ m, or p = 1 after state 0.
func TestDetector(t *testing.T) {
	for start := range 40 {
		for period := 1; period < 40; period++ {
			mark := 0
			for mark < start || mark > 0 && period > mark || mark == 0 && period > 1 {
				mark = max(1, 2*mark)
			}
			state := func(step int) float64 {
				if step < start {
					return float64(-1 - step)
				}
				return float64((step - start) % period)
			}
			for name, split := range map[string]func(v float64) ([]float64, float64){
				"vector": func(v float64) ([]float64, float64) { return []float64{7, v}, 7 },
				"number": func(v float64) ([]float64, float64) { return []float64{7, 7}, v },
			} {
				d := brent.New(split(state(0)))
				for step := 1; ; step++ {
					recurs, marked := d.Next(split(state(step)))
					if power := step&(step-1) == 0; !recurs && marked != power {
						t.Fatalf("entered at %d, period %d, in the %s: state %d marked: %v", start, period, name, step, marked)
					}
					if recurs || step > 200 {
						if step != mark+period {
							t.Errorf("entered at %d, period %d, in the %s: found at state %d, want %d", start, period, name, step, mark+period)
						}
						break
					}
				}
			}
		}
	}
}

// The detector keeps copies: a state that the iteration overwrites does not recur by that.
func TestDetectorCopies(t *testing.T) {
	w := []float64{0}
	d := brent.New(w, 0)
	for step := range 20 {
		w[0]++
		if recurs, _ := d.Next(w, 0); recurs {
			t.Fatalf("state %d recurs", step+1)
		}
	}
}
