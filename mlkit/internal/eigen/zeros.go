package eigen

import (
	"context"

	"marginalia/mlkit/internal/rows"
)

// Zeros returns make([]float64, n), or the error of ctx soon after ctx is done.
// Clearing hundreds of megabytes takes longer than a cancelled call may take, and make
// can't be interrupted. So a goroutine does it; if ctx ends first, the goroutine
// finishes and the memory becomes garbage.
func Zeros(ctx context.Context, n int) ([]float64, error) {
	if ctx.Done() == nil || n < 1<<20 {
		return rows.Large[float64](n), ctx.Err()
	}
	cleared := make(chan []float64, 1)
	go func() { cleared <- rows.Large[float64](n) }()
	select {
	case zeros := <-cleared:
		return zeros, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
