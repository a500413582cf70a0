package host

import (
	"testing"
	"time"
)

// Package variables are zero and then initialised for each test but the first in a process, which finds them as new.
func TestGiven(t *testing.T) {
	defer Given(nil)
	x, y, renewed, once := 1, []int{2}, 0, false
	Given(func(used bool) {
		if renewed++; used {
			if x != 0 || y != nil {
				t.Errorf("%d and %v are not zero", x, y)
			}
			if once {
				panic("can be declared once")
			}
			x, y = 1, []int{2}
		}
	}, &x, &y)
	for i := range 3 {
		if !renewGiven() || renewed != i+1 || x != 1 || len(y) != 1 || y[0] != 2 {
			t.Errorf("%d: %d, %v after %d initialisations", i, x, y, renewed)
		}
		x, y[0] = 5, 5
	}
	if once = true; renewGiven() {
		t.Error("what can be initialised once is renewed")
	}
}

// What After gives follows the processor while the guest runs, and the clock otherwise. When a call has ended that it may be for, it is over.
func TestAfter(t *testing.T) {
	over := func(c <-chan time.Time) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	startTimers()
	defer func() { timers.attempted = false }()
	c := After(time.Hour)
	timers.clock = timers.clock.Add(-2 * time.Hour)
	if tick(true); over(c) {
		t.Error("the clock counts while the guest runs on a busy machine")
	}
	timers.clock, timers.cpu = timers.clock.Add(-2*time.Hour), timers.cpu-2*time.Hour
	if tick(true); !over(c) {
		t.Error("the processor's time does not count")
	}
	c = After(time.Hour)
	timers.clock = timers.clock.Add(-2 * time.Hour)
	if tick(false); !over(c) {
		t.Error("the clock does not count while nothing runs")
	}
	c = After(time.Hour)
	if hasten(); !over(c) {
		t.Error("nothing has ended")
	}
	current.stuck = time.Time{}
}
