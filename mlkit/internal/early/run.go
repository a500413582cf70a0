package early

import (
	"context"
	"sync"
)

// Run calls work and returns nil when it has ended, or ctx's error as soon as that
// is done. In this case work goes on in a goroutine of its own for as long as it
// takes: it must not touch, and the caller must leave to it, anything that somebody
// changes later. Samples that a caller of Fit may change have to be copied first.
//
// A panic of work, such as one of LAPACK, comes to the caller, unless work was left to
// itself.
//
// Work that is short beside 50 ms needs no Run: it looks at its context between
// its parts. Where ctx can't be done, work is just called.
func Run(ctx context.Context, work func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		work()
		return nil
	}
	ended := make(chan *End, 1)
	var nobodyWaits sync.WaitGroup
	Go(&nobodyWaits, func() {
		work()
		ended <- nil
	}, func(e *End) { ended <- e })
	select {
	case e := <-ended:
		if e != nil {
			e.Repeat()
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An Ender tells work to end: Err is nil until it has to. Work that looks at its context
// between its parts asks for no more than that.
type Ender interface{ Err() error }

// Never is an Ender that lets work come to its end. A program that uses this in place of
// context.Background() is linked without the formats and time zones of package time, which
// come with the deadline that a context has.
type Never struct{}

// Err returns nil.
func (Never) Err() error { return nil }
