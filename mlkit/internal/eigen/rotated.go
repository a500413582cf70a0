package eigen

import (
	"context"
	"slices"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// rotated is the matrix of eigenvectors, one a row, while sweeps rotate its rows. The eigenvalues
// don't depend on it. So record only stores the rotations of a sweep, and apply does several
// sweeps at once, one strip of columns after the other, since a strip stays in the cache.
// Processors share the strips. Every number sees the same rotations in the same order, so the
// bits don't depend on the number of processors.
type rotated struct {
	n, stride int
	q         []float64
	order     []int // of the rows in q; ascending or descending within a block
	sweeps    []sweep
}

// sweep holds the rotations of rows high and high-1, high-1 and high-2, and so on: the cosine
// and the sine of each.
type sweep struct {
	high      int
	rotations []float64
}

const (
	together = 16 // sweeps
	strip    = 32 // columns; a multiple of what Rotate does in assembly
)

// newRotated returns n rows of n zeros.
func newRotated(ctx context.Context, n int) (*rotated, error) {
	// A row is padded to whole strips and one more cache line (8 numbers). With an odd number of
	// lines between them, the rows of a strip spread over the whole cache.
	m := &rotated{n: n, stride: (n+strip-1)/strip*strip + 8, order: make([]int, n)}
	for i := range m.order {
		m.order[i] = i
	}
	var err error
	m.q, err = Zeros(ctx, n*m.stride)
	return m, err
}

// row returns row i.
func (m *rotated) row(i int) []float64 {
	at := m.order[i] * m.stride
	return m.q[at : at+m.n : at+m.n]
}

// record stores a sweep. Once enough are stored, it applies them.
func (m *rotated) record(ctx context.Context, high int, rotations []float64) error {
	if len(rotations) > 0 {
		m.sweeps = append(m.sweeps, sweep{high, rotations})
	}
	if len(m.sweeps) < together {
		return nil
	}
	return m.apply(ctx)
}

// reverse reverses the rows from low to end.
func (m *rotated) reverse(ctx context.Context, low, end int) error {
	if err := m.apply(ctx); err != nil {
		return err
	}
	slices.Reverse(m.order[low : end+1])
	return nil
}

// apply does the stored rotations.
func (m *rotated) apply(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := (m.n + strip - 1) / strip
	var t *work.Team
	if m.n >= 128 { // less is a few microseconds of work
		t = work.NewTeam(parts)
		defer t.Close()
	}
	t.Do(parts, func(_, part int) {
		for _, s := range m.sweeps {
			first := m.order[s.high]
			down := (m.order[s.high-1] - first) * m.stride
			simd.Rotate(m.q, first*m.stride+part*strip, down, strip, s.rotations)
		}
	})
	m.sweeps = m.sweeps[:0]
	return nil
}
