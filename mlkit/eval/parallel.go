package eval

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// forEach calls do with the numbers from 0 to n-1 in as many goroutines as there are
// workers, 0 meaning one a processor. It returns the error of the lowest number
// that has one, whatever the number of workers: the numbers are handed out in
// order, so all that are lower have been begun and are waited for.
func forEach(ctx context.Context, n, workers int, do func(i int) error) error {
	if workers < 0 {
		return fmt.Errorf("eval: Workers = %d, want a positive number, or 0 for one a processor", workers)
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var working sync.WaitGroup
	for range min(workers, n) {
		working.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
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
		})
	}
	working.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
