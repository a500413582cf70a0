package eval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// maxNumbers limits the numbers in a result (2 GiB). A slip such as 1<<40 runs then is an
// error and does not fill the memory.
const maxNumbers = 1 << 28

// forEach is work.Each with the given number of goroutines, 0 meaning one per processor.
// It stops before the next i if ctx is done.
func forEach(ctx context.Context, n, workers int, do func(i int) error) error {
	if ctx == nil {
		return fmt.Errorf("eval: ctx is nil, want a context, such as context.Background()")
	}
	if workers < 0 {
		return fmt.Errorf("eval: Workers = %d, want a positive number, or 0 for one a processor", workers)
	}
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	return work.Each(n, workers, func(i int) error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("eval: stopped before the end: %w", err)
		}
		return do(i)
	})
}

// forEach calls do(i) for n fits with p's workers, and done after each.
func (p Plan) forEach(o mlkit.Options, n int, done func(), do func(i int) error) error {
	return forEach(o.ContextOrBackground(), n, p.Workers, func(i int) error {
		err := do(i)
		if err == nil {
			done()
		}
		return err
	})
}
