package host

import (
	"sync"
	"time"
)

// timers are what After has been asked for. Their time is the processor's while the guest runs, so that a test that
// waits for an answer a second gives it as much on a busy machine, and the clock's while nothing runs.
var timers struct {
	sync.Mutex
	all       []*timer
	cpu       time.Duration
	clock     time.Time
	attempted bool // a test is going on, and somebody calls tick
}

type timer struct {
	left time.Duration
	c    chan time.Time
}

// After stands for time.After in the notebook's tests and given cells.
func After(d time.Duration) <-chan time.Time {
	timers.Lock()
	defer timers.Unlock()
	if !timers.attempted {
		return time.After(d)
	}
	t := &timer{d, make(chan time.Time, 1)}
	timers.all = append(timers.all, t)
	return t.c
}

// startTimers forgets all timers, and begins to count.
func startTimers() {
	timers.Lock()
	defer timers.Unlock()
	timers.all, timers.cpu, timers.clock, timers.attempted = nil, cpu(), time.Now(), true
}

// tick takes from all timers what has passed since the last tick. busy says that the guest runs.
func tick(busy bool) {
	timers.Lock()
	defer timers.Unlock()
	now, taken := time.Now(), cpu()
	passed := now.Sub(timers.clock)
	if busy {
		passed = min(passed, taken-timers.cpu)
	}
	timers.clock, timers.cpu = now, taken
	pass(passed)
}

// hasten has all timers end: a call that they may be for has ended without a result.
func hasten() {
	timers.Lock()
	pass(1 << 62)
	timers.Unlock()
	current.watch.Lock()
	defer current.watch.Unlock()
	if current.stuck.IsZero() {
		current.stuck = time.Now()
	}
}

func pass(passed time.Duration) {
	var left []*timer
	for _, t := range timers.all {
		if t.left -= passed; t.left > 0 {
			left = append(left, t)
		} else {
			t.c <- timers.clock
		}
	}
	timers.all = left
}
