package work

import (
	"context"
	"sync"
)

// Run calls work and returns nil when it has ended, or ctx's error as soon as ctx is
// done. After such an error work still runs in a goroutine of its own, for as long as
// it takes. The caller must not touch anything that work uses, and work must not use
// anything that someone may change: copy the samples first if the caller of Fit might.
//
// If work panics, for example in LAPACK, Run panics in the caller's goroutine, unless
// it has already returned.
//
// Work whose steps are short compared with 50 ms doesn't need Run: it can check its
// context between them. If ctx can never be done, Run calls work directly.
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

// An Ender tells work when to stop: Err returns nil until then. A context.Context is
// one.
type Ender interface{ Err() error }

// Never is an Ender that never stops anything. A program that uses it in place of
// context.Background() links less: the deadline of a context brings in the formats and
// time zones of package time.
type Never struct{}

// Err returns nil.
func (Never) Err() error { return nil }
