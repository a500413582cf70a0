package eigen

import "context"

// Zeros returns make([]float64, n), or the context's error soon after ctx is done.
// To clear some hundreds of megabytes takes longer than a context may wait, and no
// way leads around it; so it is done beside the caller, and if ctx ends first the
// memory is cleared to its end and then given back.
func Zeros(ctx context.Context, n int) ([]float64, error) {
	if ctx.Done() == nil || n < 1<<20 {
		return make([]float64, n), ctx.Err()
	}
	cleared := make(chan []float64, 1)
	go func() { cleared <- make([]float64, n) }()
	select {
	case zeros := <-cleared:
		return zeros, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
