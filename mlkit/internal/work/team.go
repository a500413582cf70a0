package work

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Team divides jobs of a few microseconds between several processors; starting or waking a
// goroutine for each job would take as long as the job. It is several workers: the goroutine that calls Do, worker 0, and helpers. A helper
// waits for the next job in a loop, which it sees within 0.1 µs, and sleeps if none comes. A
// nil Team has worker 0 alone.
type Team struct {
	workers int
	job     atomic.Pointer[job] // the latest
	ended   sync.WaitGroup

	mu     sync.Mutex
	wake   *sync.Cond
	asleep atomic.Int32 // helpers that wait for wake
}

// spins is how often a helper looks for a job before it sleeps: some tens of microseconds.
const spins = 1 << 15

// employed is the number of workers of all teams.
var employed atomic.Int32

// NewTeam returns a team of at most the given number of workers. All teams together have at
// most GOMAXPROCS of them: helpers beyond that would only keep owners of other teams from
// the processors. The caller must close the team.
func NewTeam(workers int) *Team {
	workers = min(workers, runtime.GOMAXPROCS(0)-int(employed.Load()))
	if workers < 2 {
		return nil
	}
	t := &Team{workers: workers}
	t.wake = sync.NewCond(&t.mu)
	employed.Add(int32(workers))
	for w := 1; w < workers; w++ {
		t.ended.Go(func() { t.help(w) })
	}
	return t
}

// Close ends the helpers.
func (t *Team) Close() {
	if t != nil {
		t.post(closed)
		t.ended.Wait()
		employed.Add(int32(-t.workers))
	}
}

// Workers returns the number of workers.
func (t *Team) Workers() int {
	if t == nil {
		return 1
	}
	return t.workers
}

// Do calls do once for each part from 0 to parts-1, with the number of the worker that
// calls it, and returns when all calls have. A worker begins with a share of its own, the
// same for each job with this number of parts, whose data its caches may still hold. Then it
// takes what others have not begun.
func (t *Team) Do(parts int, do func(worker, part int)) {
	if t == nil || parts < 2 {
		for part := range parts {
			do(0, part)
		}
		return
	}
	j := &job{do: do, shares: make([]share, t.workers)}
	j.left.Store(int32(parts))
	for w := range j.shares {
		s := &j.shares[w]
		s.next.Store(int32(w * parts / t.workers))
		s.end = int32((w + 1) * parts / t.workers)
	}
	t.post(j)
	j.work(0)
	for k := 1; j.left.Load() > 0; k++ {
		if k%spins == 0 {
			runtime.Gosched() // a helper may need this processor to go on
		}
	}
}

// job is a call of Do. A helper that comes late still holds the job, and finds nothing left
// to do.
type job struct {
	do     func(worker, part int)
	shares []share
	left   atomic.Int32 // parts not finished
}

// closed is the last job.
var closed = new(job)

// share is the parts from next to end-1 that nobody has begun. It fills a cache line of its
// own.
type share struct {
	next atomic.Int32
	end  int32
	_    [56]byte
}

// work does parts until none is left, its own first.
func (j *job) work(worker int) {
	for k := range j.shares {
		s, finished := &j.shares[(worker+k)%len(j.shares)], int32(0)
		for part := s.next.Add(1) - 1; part < s.end; part = s.next.Add(1) - 1 {
			j.do(worker, int(part))
			finished++
		}
		j.left.Add(-finished)
	}
}

func (t *Team) post(j *job) {
	t.job.Store(j)
	if t.asleep.Load() > 0 {
		t.mu.Lock()
		t.wake.Broadcast()
		t.mu.Unlock()
	}
}

// help works on one job after another.
func (t *Team) help(worker int) {
	for last := (*job)(nil); ; {
		j := t.after(last)
		if j == closed {
			return
		}
		j.work(worker)
		last = j
	}
}

// after waits for a job after last and returns it.
func (t *Team) after(last *job) *job {
	for range spins {
		if j := t.job.Load(); j != last {
			return j
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asleep.Add(1)
	defer t.asleep.Add(-1)
	for t.job.Load() == last {
		t.wake.Wait()
	}
	return t.job.Load()
}
