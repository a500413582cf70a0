package work

import (
	"sync"
	"sync/atomic"
)

// Each calls do(i) for i from 0 to n-1 in the given number of goroutines, one at least. It
// returns the error of the lowest i that fails, for any number of workers: indices are
// handed out in order, so all lower ones have begun and are waited for; no others are
// begun. If do panics for that i, or calls runtime.Goexit, so does Each; see [End.Repeat].
func Each(n, workers int, do func(i int) error) error {
	errs, ends := make([]error, n), make([]*End, n)
	var next atomic.Int64
	var failed atomic.Bool
	var working sync.WaitGroup
	for range min(max(1, workers), n) {
		var i int
		Go(&working, func() {
			for !failed.Load() {
				i = int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		}, func(e *End) {
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
