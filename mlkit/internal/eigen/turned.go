package eigen

import (
	"context"
	"slices"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/team"
)

// turned is a matrix of n rows that sweeps rotate. The eigenvalues don't depend on it, so
// rotations are recorded and done later, several sweeps at a time: a strip of columns stays in
// the processor's cache meanwhile, and processors share the strips. Each number sees the same
// rotations in the same order, whatever their number.
type turned struct {
	n, stride int
	q         []float64
	order     []int // of the rows in q; ascending or descending within a block
	sweeps    []recorded
}

// recorded is a sweep: the rotations of rows high and high-1, high-1 and high-2, …, as the
// cosine and the sine of each.
type recorded struct {
	high  int
	turns []float64
}

const (
	together = 16 // sweeps
	strip    = 32 // columns; Rotate has no use for parts of 32
)

// newTurned returns n rows of n zeros.
func newTurned(ctx context.Context, n int) (*turned, error) {
	// Rows are padded to whole strips, and are an odd number of cache lines of 8 numbers apart:
	// then a strip takes all parts of the cache.
	m := &turned{n: n, stride: (n+strip-1)/strip*strip + 8, order: make([]int, n)}
	for i := range m.order {
		m.order[i] = i
	}
	var err error
	m.q, err = Zeros(ctx, n*m.stride)
	return m, err
}

// row returns row i.
func (m *turned) row(i int) []float64 {
	at := m.order[i] * m.stride
	return m.q[at : at+m.n : at+m.n]
}

// record takes a sweep up.
func (m *turned) record(ctx context.Context, high int, turns []float64) error {
	m.sweeps = append(m.sweeps, recorded{high, turns})
	if len(m.sweeps) < together {
		return nil
	}
	return m.turn(ctx)
}

// reverse reverses the rows from low to end.
func (m *turned) reverse(ctx context.Context, low, end int) error {
	if err := m.turn(ctx); err != nil {
		return err
	}
	slices.Reverse(m.order[low : end+1])
	return nil
}

// turn does the rotations that are recorded.
func (m *turned) turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := (m.n + strip - 1) / strip
	var t *team.Team
	if m.n >= 128 { // less is a few microseconds of work
		t = team.New(parts)
		defer t.Close()
	}
	t.Do(parts, func(_, part int) {
		left := part * strip
		for _, s := range m.sweeps {
			if len(s.turns) > 0 {
				first := m.order[s.high]
				down := (m.order[s.high-1] - first) * m.stride
				simd.Rotate(m.q, first*m.stride+left, down, strip, s.turns)
			}
		}
	})
	m.sweeps = m.sweeps[:0]
	return nil
}
