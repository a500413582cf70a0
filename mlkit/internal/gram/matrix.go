package gram

import (
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
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
	used    []int     // which d features of the samples there are: those that are not 0 in all
	panels  []float32 // of width samples each: d times one number of each
	squares []float32 // xᵢ·xᵢ, and 0 for the samples that fill the last panel up

	groups  []group[float32]
	workers []packer
}

// packer is what one goroutine needs for its work on a Matrix.
type packer struct {
	x      []float64            // a sample less shift
	sample [simd.Rows][]float32 // samples, as unpack returns them
	tile   []float32
	group  group[float32]
	square float64 // the largest that pack has seen
}

// The limits within which float32 will do. The Gaussian kernel's error is some units in
// the last place for the rounding of its argument, times γ‖x‖²: at its limit about 10⁻⁴.
// Others must neither overflow nor vanish.
const (
	gaussLimit = 200
	largest    = 1e15
	smallest   = 1e-10
)

// New packs n samples of d features, which row returns. It reports false if float32 is too
// coarse for them: see Fits. It ends with the error of ctx soon after that is done.
//
// It subtracts shift first, if that is not nil: see Shift. It uses the memory of old, if
// that is not nil, which is no matrix any more then. row is called by several goroutines
// at once.
func New(ctx early.Ender, f Function, n, d int, row func(i int) []float64, shift []float64, old *Matrix) (m *Matrix, ok bool, err error) {
	count := (n + width - 1) / width
	m = &Matrix{f: f, n: n}
	if m.used, err = used(ctx, n, d, row); err != nil || len(m.used) == 0 {
		return nil, false, err
	}
	m.d = len(m.used)
	if old != nil {
		m.panels, m.squares, m.groups, m.workers = old.panels, old.squares, old.groups, old.workers
	}
	m.panels, m.squares = Resized(m.panels, count*width*m.d), Resized(m.squares, count*width)
	clear(m.panel(count - 1))
	clear(m.squares[(count-1)*width:])
	var next atomic.Int64
	workers := m.team(processors(n * m.d * width))
	parallel(workers, func(w int) {
		m.workers[w].square = 0
		for p := int(next.Add(1)) - 1; p < count && ctx.Err() == nil; p = int(next.Add(1)) - 1 {
			m.pack(ctx, &m.workers[w], p, row, shift)
		}
	})
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	largestSquare := 0.0
	for _, w := range m.workers[:workers] {
		largestSquare = max(largestSquare, w.square)
	}
	return m, f.Fits(largestSquare), nil
}

// used returns the features that are not 0 in all of n samples, ascending. It ends with
// the error of ctx soon after that is done.
func used(ctx early.Ender, n, d int, row func(i int) []float64) ([]int, error) {
	zero := make([]int, d)
	for k := range zero {
		zero[k] = k
	}
	for i := 0; i < n && len(zero) > 0; i++ {
		if i%every(d) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x, still := row(i), zero[:0]
		for _, k := range zero {
			if x[k] == 0 {
				still = append(still, k)
			}
		}
		zero = still
	}
	used := make([]int, 0, d-len(zero))
	for k := range d {
		if len(zero) > 0 && zero[0] == k {
			zero = zero[1:]
		} else {
			used = append(used, k)
		}
	}
	return used, nil
}

// team makes sure that there is a packer for each of so many goroutines, and returns
// their number.
func (m *Matrix) team(workers int) int {
	for len(m.workers) < workers {
		m.workers = append(m.workers, packer{})
	}
	for w := range workers {
		own := &m.workers[w]
		own.tile = Resized(own.tile, simd.Rows*width)
		for r := range own.sample {
			own.sample[r] = Resized(own.sample[r], m.d)
		}
	}
	return workers
}

// pack sets panel p, and the squares of its samples as the tiles have them, so that a
// sample is at distance 0 from itself, and from one that is equal to it. It ends soon
// after ctx is done.
func (m *Matrix) pack(ctx early.Ender, own *packer, p int, row func(i int) []float64, shift []float64) {
	panel := m.panel(p)
	own.x = Resized(own.x, len(shift))
	from, to := p*width, min(m.n, (p+1)*width)
	for i := from; i < to; i++ {
		if i%every(m.d) == 0 && ctx.Err() != nil {
			return
		}
		x := row(i)
		if shift != nil {
			x = floats.SubTo(own.x, x, shift)
		}
		own.square = max(own.square, floats.Dot(x, x))
		for k, feature := range m.used {
			panel[k*width+i-from] = float32(x[feature])
		}
	}
	for ; from < to; from += simd.Rows {
		some := own.sample[:min(to-from, simd.Rows)]
		for r := range some {
			m.unpack(some[r], from+r)
		}
		set(&own.group, some, nil)
		simd.Tile(own.tile, panel, own.group.x, own.group.features, own.group.tall)
		for r := range some {
			m.squares[from+r] = own.tile[r*width+(from+r)%width]
		}
	}
}

// Part returns the matrix of some of the samples, whose rows are rounded as m's are.
func (m *Matrix) Part(keep []int) *Matrix {
	n := len(keep)
	count := (n + width - 1) / width
	p := &Matrix{
		f: m.f, n: n, d: m.d, panels: make([]float32, count*width*m.d), squares: make([]float32, count*width),
		workers: m.workers,
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

// Fits reports whether f's values for samples, the largest square x·x of which is given,
// are far from overflow, underflow, and rounding that matters in float32.
func (f Function) Fits(square float64) bool {
	if !(square <= largest && square >= smallest) {
		return false
	}
	if f.Gauss {
		return f.Gamma*square <= gaussLimit
	}
	v := power(f.Gamma*square+max(f.Coef0, -f.Coef0), f.Degree)
	return v <= largest && v >= smallest
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

// Diagonal returns the diagonal, as long as a row, in the memory of dst if there is enough.
func (m *Matrix) Diagonal(dst []float32) []float32 {
	diagonal := Resized(dst, len(m.squares))
	copy(diagonal, m.squares)
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
func (m *Matrix) Rows(ctx early.Ender, dst [][]float32, which []int) error {
	groups := (len(which) + simd.Rows - 1) / simd.Rows
	for len(m.groups) < groups {
		m.groups = append(m.groups, group[float32]{})
	}
	workers := m.team(processors(len(which) * m.n * m.d))
	parallel(min(workers, groups), func(w int) {
		sample := m.workers[w].sample[:]
		for q := w; q < groups; q += min(workers, groups) {
			part := which[q*simd.Rows : min(len(which), (q+1)*simd.Rows)]
			var squares [simd.Rows]float32
			for r, i := range part {
				m.unpack(sample[r], i)
				squares[r] = m.squares[i]
			}
			set(&m.groups[q], sample[:len(part)], squares[:len(part)])
		}
	})
	panels := len(m.squares) / width
	every := 1 + every(m.d)/width // panels between looks at ctx
	var next atomic.Int64
	parallel(workers, func(w int) {
		for p := int(next.Add(1)) - 1; p < panels; p = int(next.Add(1)) - 1 {
			if p%every == 0 && ctx.Err() != nil {
				next.Store(int64(panels))
				return
			}
			panel, squares := m.panel(p), m.squares[p*width:(p+1)*width]
			for q := range groups {
				tile := evaluate(&m.groups[q], m.f, m.workers[w].tile, panel, squares)
				for r := range m.groups[q].rows {
					copy(dst[q*simd.Rows+r][p*width:(p+1)*width], tile[r*width:])
				}
			}
		}
	})
	return ctx.Err()
}
