package celltest

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// RunAll runs the cells with these ids, as many at a time as there are
// processors, and returns what came of each in the order of ids. It calls ended
// after each, one call at a time, with the cell's place in ids. When the context
// is done it begins no further cell.
func (s *Suite) RunAll(ctx context.Context, ids []string, ended func(i int, r Result)) []Result {
	results := make([]Result, len(ids))
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	for i, id := range ids {
		if ctx.Err() != nil {
			break
		}
		pool.Go(func() error {
			r := s.Run(ctx, id)
			mu.Lock()
			defer mu.Unlock()
			results[i] = r
			ended(i, r)
			return nil
		})
	}
	pool.Wait()
	return results
}
