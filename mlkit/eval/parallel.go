package eval

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"marginalia/mlkit/internal/early"
)

// maxNumbers limits the numbers in a result (2 GiB). A slip such as 1<<40 runs then is an
// error and does not fill the memory.
const maxNumbers = 1 << 28

// forEach calls do(i) for i from 0 to n-1 in the given number of goroutines; 0 means one
// per processor. It returns the error of the lowest i that fails, for any number of
// workers: indices are handed out in order, so all lower ones have begun and are waited
// for. If do panics for that i, forEach panics with a *mlkit.PanicError. If do calls
// runtime.Goexit, as t.FailNow does, so does forEach.
func forEach(ctx context.Context, n, workers int, do func(i int) error) error {
	if ctx == nil {
		return fmt.Errorf("eval: ctx is nil, want a context, such as context.Background()")
	}
	if workers < 0 {
		return fmt.Errorf("eval: Workers = %d, want a positive number, or 0 for one a processor", workers)
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs, ends := make([]error, n), make([]*early.End, n)
	var next atomic.Int64
	var failed atomic.Bool
	var working sync.WaitGroup
	for range min(workers, n) {
		var i int
		early.Go(&working, func() {
			for !failed.Load() {
				i = int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := ctx.Err(); err != nil {
					errs[i] = fmt.Errorf("eval: stopped before the end: %w", err)
				} else {
					errs[i] = do(i)
				}
				if errs[i] != nil {
					failed.Store(true)
				}
			}
		}, func(e *early.End) {
			ends[i] = e
			failed.Store(true)
		})
	}
	working.Wait()
	for i, err := range errs {
		if ends[i] != nil {
			ends[i].Repeat()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
