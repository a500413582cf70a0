package host

import (
	"errors"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"

	"marginalia/internal/sandbox/guest"
)

var (
	errNone = errors.New("there is no program that could be called")
	errTime = errors.New("it takes too long")
	errBig  = errors.New("it takes too much memory")
)

// maxMemory is what this program may have beside the guest's memory, in bytes. What guests
// return lies in it.
const maxMemory = 1 << 30

// memory returns the bytes that this process holds.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// patience is what the tests of a guest may take of the processor, together, before it is compiled: about what compiling
// takes, 1 to 1.5 seconds for the assignments of this repository. Whatever the tests take, interpreter
// and compiler then cost at most about twice what the better choice would have (R. M. Karp, On-line algorithms versus
// off-line algorithms, 1992, section 2, of renting skis). The solutions take up to a second.
const patience = 1500 * time.Millisecond

// preparing is what the engine of a module may take of the processor: a minute is fifty times
// what the largest takes that a person writes.
const preparing = time.Minute

// prepare makes an engine ready. The code that it compiles is the student's.
func prepare(module *guest.Module, mode guest.Mode, giveUp func(error)) error {
	start := cpu()
	defer watch(module, giveUp, func() {
		if cpu()-start > preparing {
			giveUp(errTime)
		}
	})()
	return module.Prepare(mode)
}

// watch calls look again and again, and gives up when this program takes too much memory, until stop
// is called.
func watch(module *guest.Module, giveUp func(error), look func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			if memory() > maxMemory+uint64(module.Memory()) {
				giveUp(errBig)
			}
			look()
		}
	}()
	return func() { close(end); <-ended }
}

// What comes after a test that has run.
type after int

const (
	next      after = iota // the next test
	again                  // the test once more, compiled
	elsewhere              // the test once more, compiled and in another process
	leave                  // the next test, in another process: something of this one still runs here
)

// patient is how long a test may last by the clock behind the end of one of its goroutines, for whose result it may wait.
const patient = 30 * time.Second

// run runs one test. limit is what each of its checks may take of the processor. It takes from left, which
// is of patience. giveUp ends the program: a test that loops itself, over a number that the guest returned, say,
// can't be stopped otherwise.
func run(module *guest.Module, name string, test func(*T), left *time.Duration, limit time.Duration, giveUp func(error)) (Result, after) {
	if *left > 0 && !module.Ready(guest.Compiled) && !Concurrent {
		r, then := attempt(module, guest.Interpreted, name, test, min(*left, limit), 2*limit, giveUp)
		*left -= time.Duration(r.Seconds * 1e9)
		if then != again {
			return r, then
		}
	}
	return attempt(module, guest.Compiled, name, test, limit, 2*limit, giveUp)
}

func attempt(module *guest.Module, mode guest.Mode, name string, test func(*T), limit, last time.Duration, giveUp func(error)) (r Result, then after) {
	current.module, current.mode, current.guest, current.slow, current.deep, current.aborted, current.panicked, current.checks, current.said = module, mode, nil, false, false, nil, nil, 0, 0
	current.stubs, current.heard, current.over = nil, false, false
	if err := prepare(module, mode, giveUp); err != nil { // its time is not the student's
		return Result{Checks: []Check{{Name: name, Panic: err.Error()}}}, next
	}
	if !renewGiven() {
		return r, elsewhere
	}
	startTimers()
	start := cpu()
	current.since, current.late, current.stuck = start, false, time.Time{}
	stop := watch(module, giveUp, func() {
		mu.Lock()
		g := current.guest
		mu.Unlock()
		if g != nil {
			g.End.Stalled(patient)
		}
		tick(g != nil && g.End.Busy())
		current.watch.Lock()
		defer current.watch.Unlock()
		taken := cpu() - current.since
		most := last
		if g != nil && g.Deep() {
			most += limit // its stack overflows soon
		}
		if taken > most || !current.stuck.IsZero() && time.Since(current.stuck) > patient {
			giveUp(errTime)
		}
		if current.end != nil && !current.late && taken > limit {
			current.slow, current.late = true, true
			current.end(errTime)
		}
	})
	renew()
	goroutines := runtime.NumGoroutine()
	t := newT(name, nil)
	current.root = t
	t.run(test)
	mu.Lock()
	current.over = true
	mu.Unlock()
	calls := 0
	if current.guest != nil {
		calls = current.guest.End.Calls()
		r.Output = current.guest.Output()
		endGuest()
	}
	stop()
	if calls > 0 || mode == guest.Compiled && more(goroutines) {
		then = leave
	}
	mu.Lock()
	defer mu.Unlock()
	r.Checks, r.Seconds = t.all(), (cpu() - start).Seconds()
	if !current.heard {
		slices.Sort(current.stubs)
		r.Stubs = slices.Compact(current.stubs)
	}
	switch {
	case mode == guest.Compiled || !current.deep && !current.slow:
		return r, then
	case then == leave:
		return r, elsewhere
	}
	return r, again
}

// more reports whether a test has left goroutines behind: more are there than before. One that is about to end, as the test's own may be,
// is waited for, since a busy machine lets it run late. One that waits for something is left behind, as is one that goes on computing.
func more(before int) bool {
	start := cpu()
	for runtime.NumGoroutine() >= before { // one of them was watch's
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if len(able.FindAll(stacks, 2)) < 2 || cpu()-start > ending { // this one runs
			break
		}
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine() >= before
}

// able is the first line of the stack of a goroutine that waits for nothing.
var able = regexp.MustCompile(`(?m)^goroutine \d+ \[run(ning|nable)`)

// ending is what goroutines may use of the processor to come to their end.
const ending = 50 * time.Millisecond
