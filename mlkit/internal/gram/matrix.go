package gram

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
)

// width is the number of samples in a panel of float32.
const width = 64

// Matrix is the Gram matrix of samples, in float32. Its rows are evaluated when asked
// for, and are the same bits whichever are asked for together. It is of samples that
// were rounded to float32, and its diagonal is rounded as the rest is: of a Gaussian it is 1.
type Matrix struct {
	f       Function
	n, d    int
	panels  []float32 // of width samples each: d times one number of each
	squares []float32 // xᵢ·xᵢ, and 0 for the samples that fill the last panel up

	groups []group[float32]
	sample [simd.Rows][]float32
	tile   []float32
}

// The limits within which float32 will do. The Gaussian kernel's error is some units in
// the last place for the rounding of its argument, times γ‖x‖²: at its limit about 10⁻⁴.
// Others must neither overflow nor vanish.
const (
	gaussLimit = 200
	largest    = 1e15
	smallest   = 1e-10
)

// New packs n samples of d features, which row returns. It reports false if float32 is too coarse for them. It
// ends with the error of ctx soon after that is done.
//
// It subtracts shift first, if that is not nil: see Shift. It uses memory if that is large
// enough; see Memory.
func New(ctx context.Context, f Function, n, d int, row func(i int) []float64, shift []float64, memory []float32) (m *Matrix, ok bool, err error) {
	count := (n + width - 1) / width
	m = &Matrix{f: f, n: n, d: d}
	if m.panels = memory; cap(memory) < count*width*d {
		m.panels = make([]float32, count*width*d, (count+count/8)*width*d) // a bit more for the next
	}
	m.panels, m.squares = m.panels[:count*width*d], make([]float32, count*width)
	clear(m.panel(count - 1))
	x, largestSquare := make([]float64, d), 0.0
	for i := range n {
		if i%every(d) == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		copy(x, row(i))
		if shift != nil {
			floats.Sub(x, shift)
		}
		largestSquare = max(largestSquare, floats.Dot(x, x))
		panel := m.panels[i/width*width*d:]
		for k, v := range x {
			panel[k*width+i%width] = float32(v)
		}
	}
	if !m.fits(largestSquare) {
		return nil, false, nil
	}
	m.tile = make([]float32, simd.Rows*width)
	for r := range m.sample {
		m.sample[r] = make([]float32, d)
	}
	return m, true, m.square(ctx)
}

// Part returns the matrix of some of the samples, whose rows are rounded as m's are.
func (m *Matrix) Part(keep []int) *Matrix {
	n := len(keep)
	count := (n + width - 1) / width
	p := &Matrix{
		f: m.f, n: n, d: m.d, panels: make([]float32, count*width*m.d), squares: make([]float32, count*width),
		sample: m.sample, tile: m.tile,
	}
	for i, from := range keep {
		p.squares[i] = m.squares[from]
		old, new := m.panel(from/width), p.panel(i/width)
		for k := range m.d {
			new[k*width+i%width] = old[k*width+from%width]
		}
	}
	return p
}

// Memory returns the largest part of m's memory, for another matrix after m.
func (m *Matrix) Memory() []float32 { return m.panels }

// fits reports whether the values are far from overflow, underflow, and rounding that
// matters.
func (m *Matrix) fits(square float64) bool {
	if !(square <= largest && square >= smallest) {
		return false
	}
	if m.f.Gauss {
		return m.f.Gamma*square <= gaussLimit
	}
	v := power(m.f.Gamma*square+max(m.f.Coef0, -m.f.Coef0), m.f.Degree)
	return v <= largest && v >= smallest
}

// square sets squares as the tiles have them, so that a sample is at distance 0 from
// itself, and from one that is equal to it.
func (m *Matrix) square(ctx context.Context) error {
	var g group[float32]
	for from := 0; from < m.n; from += simd.Rows {
		if from/simd.Rows%(1+every(m.d)/width) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		to := min(m.n, from+simd.Rows)
		for i := from; i < to; i++ {
			m.unpack(m.sample[i-from], i)
		}
		g.set(m.sample[:to-from], nil)
		for p := from / width; p <= (to-1)/width; p++ {
			simd.Tile(m.tile, m.panel(p), g.x, g.features, g.tall)
			for i := from; i < to; i++ {
				if i/width == p {
					m.squares[i] = m.tile[(i-from)*width+i%width]
				}
			}
		}
	}
	return nil
}

func (m *Matrix) panel(p int) []float32 { return m.panels[p*width*m.d : (p+1)*width*m.d] }

// unpack sets dst to sample i.
func (m *Matrix) unpack(dst []float32, i int) {
	panel := m.panel(i / width)
	for k := range dst {
		dst[k] = panel[k*width+i%width]
	}
}

// Padded returns the length of a row: n, and more for samples that fill up the last
// panel, whose values mean nothing.
func (m *Matrix) Padded() int { return len(m.squares) }

// Diagonal returns the diagonal, as long as a row.
func (m *Matrix) Diagonal() []float32 {
	diagonal := slices.Clone(m.squares)
	if m.f.Gauss {
		for i := range diagonal {
			diagonal[i] = 1
		}
		return diagonal
	}
	values(m.f, diagonal, nil, nil)
	return diagonal
}

// Rows sets dst[k] to row which[k]. It ends with the error of ctx soon after that is
// done. It must not be called by two goroutines at once.
func (m *Matrix) Rows(ctx context.Context, dst [][]float32, which []int) error {
	groups := (len(which) + simd.Rows - 1) / simd.Rows
	for len(m.groups) < groups {
		m.groups = append(m.groups, group[float32]{})
	}
	for q := range groups {
		part := which[q*simd.Rows : min(len(which), (q+1)*simd.Rows)]
		var squares [simd.Rows]float32
		for r, i := range part {
			m.unpack(m.sample[r], i)
			squares[r] = m.squares[i]
		}
		m.groups[q].set(m.sample[:len(part)], squares[:len(part)])
	}
	every := 1 + every(m.d)/width // panels between looks at ctx
	for p := range len(m.squares) / width {
		if p%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		panel, squares := m.panel(p), m.squares[p*width:(p+1)*width]
		for q := range groups {
			tile := m.groups[q].evaluate(m.f, m.tile, panel, squares)
			for r := range m.groups[q].rows {
				copy(dst[q*simd.Rows+r][p*width:(p+1)*width], tile[r*width:])
			}
		}
	}
	return nil
}
