package wire

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"time"
)

// ErrTurns says that calls of the guest would have to go on in turns. Its stack is one, so a call can go on only when
// those that began after it have ended.
var ErrTurns = errors.New("a call of the student's program waits for another one that has begun later: two of its iterators or calls can't go on in turns; take what one gives into a slice first")

// turns lets goroutines of the judge use an End, one at a time: each encodes, decodes and has the guest run alone. While the guest has called
// a function of the judge's, other goroutines may call it, and that function returns to the guest when they are through. The zero value is ready.
type turns struct {
	mu      sync.Mutex
	changed *sync.Cond
	busy    bool      // a goroutine has its turn
	calls   []*turn   // that have not returned, in the order in which they began
	waiting int       // functions that are to return to the guest, and must wait
	looked  bool      // for a coroutine that they would wait for in vain, since a call has ended or one of them has come
	since   time.Time // when nothing has happened
	over    error     // why there are no more turns
}

// A turn is a call that has begun.
type turn struct {
	back bool // its function is to return to the guest
	lost bool
}

func (s *turns) wait() {
	if s.changed == nil {
		s.changed = sync.NewCond(&s.mu)
	}
	s.changed.Wait()
}

func (s *turns) wake() {
	s.since = time.Now()
	if s.changed != nil {
		s.changed.Broadcast()
	}
}

// begin waits until a call can begin.
func (s *turns) begin() (*turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy && s.over == nil {
		s.wait()
	}
	if s.over != nil {
		return nil, s.over
	}
	t := new(turn)
	s.busy, s.calls = true, append(s.calls, t)
	return t, nil
}

// end ends the call, however.
func (s *turns) end(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, o := range s.calls {
		if o == t {
			s.calls = append(s.calls[:i], s.calls[i+1:]...)
			break
		}
	}
	if !t.lost {
		s.busy = false
	}
	s.looked = false
	s.wake()
}

// leave lets others call while a function of the judge's runs, which the last call has called.
func (s *turns) leave() *turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
	s.wake()
	return s.calls[len(s.calls)-1]
}

// back waits until the function can return to the guest. If it can't, the call has lost its turn.
func (s *turns) back(t *turn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
	t.back, s.looked = true, false
	defer func() { s.waiting--; t.back = false }()
	for s.over == nil && (s.busy || s.calls[len(s.calls)-1] != t) {
		if !s.busy && !s.calls[len(s.calls)-1].back && !s.looked {
			if s.looked = true; parked() {
				s.over = ErrTurns
				break
			}
		}
		s.wait()
	}
	if s.over != nil {
		t.lost = true
		s.wake()
		return s.over
	}
	s.busy = true
	s.wake()
	return nil
}

// parked reports whether a coroutine (iter.Pull) has stopped in a function that the guest has called. It goes on only after what
// runs now.
func parked() bool {
	b := make([]byte, 1<<20)
	for g := range bytes.SplitSeq(b[:runtime.Stack(b, true)], []byte("\n\n")) {
		head, stack, _ := bytes.Cut(g, []byte("\n"))
		if bytes.Contains(head, []byte("[coroutine")) && bytes.Contains(stack, []byte("wire.(*End).Serve")) {
			return true
		}
	}
	return false
}

// Calls returns how many calls of the judge's have not returned.
func (e *End) Calls() int {
	e.turns.mu.Lock()
	defer e.turns.mu.Unlock()
	return len(e.turns.calls)
}

// Busy reports whether a goroutine has its turn: the guest runs, or what crosses is read or written.
func (e *End) Busy() bool {
	e.turns.mu.Lock()
	defer e.turns.mu.Unlock()
	return e.turns.busy
}

// Stalled ends all turns if functions have been waiting for so long to return to the guest, and nothing else has happened.
func (e *End) Stalled(long time.Duration) {
	s := &e.turns
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting > 0 && !s.busy && s.over == nil && time.Since(s.since) > long {
		s.over = ErrTurns
		s.wake()
	}
}

// Finish ends all turns: calls that wait and those to come return err. It returns when none is going on in the guest, which has to
// be ended before.
func (e *End) Finish(err error) {
	s := &e.turns
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == nil {
		s.over = err
	}
	s.wake()
	for s.busy {
		s.wait()
	}
}

// Over says why there are no more turns, or is nil.
func (e *End) Over() error {
	e.turns.mu.Lock()
	defer e.turns.mu.Unlock()
	return e.turns.over
}
