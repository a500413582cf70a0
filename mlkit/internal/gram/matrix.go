package gram

import (
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// width is the number of samples in a panel of float32.
const width = 64

// Matrix is the Gram matrix of samples, in float32. It evaluates rows on request, and a
// row has the same bits whichever rows are requested with it. The samples are rounded
// to float32 first. The diagonal is rounded like the other elements; for a Gaussian
// kernel it is exactly 1.
type Matrix struct {
	f       Function
	n, d    int
	used    []int     // the d features that are kept: those that are not 0 in all samples
	panels  []float32 // each has d runs of width numbers: one feature of width samples
	squares []float32 // xᵢ·xᵢ, and 0 for the padding of the last panel
	square  float64   // the largest xᵢ·xᵢ
	terms   int       // the most features of a sample that are not 0

	Team *work.Team // evaluates rows; nil means the goroutine that calls Rows alone

	groups  []group[float32]
	workers []packer
}

// packer is the workspace of one goroutine that works on a Matrix.
type packer struct {
	x      []float64            // a sample minus shift
	sample [simd.Rows][]float32 // samples from unpack
	tile   []float32
	panel  []float32 // samples gathered for Sums
	group  group[float32]
	square float64 // the largest x·x that pack has seen
	terms  int     // the most features that are not 0
}

// Limits within which float32 is accurate enough. The relative error of the Gaussian
// kernel, from rounding its argument, is a few units in the last place times γ‖x‖²:
// about 10⁻⁴ at the limit. Values of the other kernels must neither overflow nor
// underflow.
const (
	gaussLimit = 200
	largest    = 1e15
	smallest   = 1e-10
)

// New packs n samples of d features, returned by row. It subtracts shift from them
// first, unless shift is nil; see Shift. It returns ok = false if float32 is too coarse
// for them, see Fits, or if all are 0. If ctx is done, New returns ctx.Err() soon
// after.
//
// New reuses the memory of old, unless old is nil; old must not be used afterwards.
// Several goroutines call row at once.
func New(ctx work.Ender, f Function, n, d int, row func(i int) []float64, shift []float64, old *Matrix) (m *Matrix, ok bool, err error) {
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
	workers := m.employ(processors(n * m.d * width))
	parallel(workers, func(w int) {
		m.workers[w].square, m.workers[w].terms = 0, 0
		for p := int(next.Add(1)) - 1; p < count && ctx.Err() == nil; p = int(next.Add(1)) - 1 {
			m.pack(ctx, &m.workers[w], p, row, shift)
		}
	})
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	for _, w := range m.workers[:workers] {
		m.square, m.terms = max(m.square, w.square), max(m.terms, w.terms)
	}
	return m, f.Fits(m.square), nil
}

// used returns, in ascending order, the features that are not 0 in all n samples. If
// ctx is done, it returns ctx.Err() soon after.
func used(ctx work.Ender, n, d int, row func(i int) []float64) ([]int, error) {
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

// employ ensures that m has a packer for each of workers goroutines, and returns workers.
func (m *Matrix) employ(workers int) int {
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

// pack fills panel p and computes the squares of its samples. It computes them with
// simd.Tile, as the inner products will be, so that equal samples are at distance
// exactly 0. It stops soon after ctx is done.
func (m *Matrix) pack(ctx work.Ender, own *packer, p int, row func(i int) []float64, shift []float64) {
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
		terms := 0
		for k, feature := range m.used {
			v := float32(x[feature])
			panel[k*width+i-from] = v
			if v != 0 {
				terms++
			}
		}
		own.terms = max(own.terms, terms)
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

// Part returns the matrix of the samples with indices keep. Its elements have the same
// bits as in m.
func (m *Matrix) Part(keep []int) *Matrix {
	n := len(keep)
	count := (n + width - 1) / width
	p := &Matrix{
		f: m.f, n: n, d: m.d, square: m.square, terms: m.terms, panels: make([]float32, count*width*m.d), squares: make([]float32, count*width),
		Team: m.Team, workers: m.workers,
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

// Fits reports whether float32 is accurate enough for f: whether values of f for
// samples x with the given largest x·x are far from overflow, underflow and large
// rounding errors.
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

// unpack copies sample i to dst.
func (m *Matrix) unpack(dst []float32, i int) {
	panel := m.panel(i / width)
	for k := range dst {
		dst[k] = panel[k*width+i%width]
	}
}

// Padded returns the length of a row: n rounded up to whole panels. The values beyond n
// are meaningless.
func (m *Matrix) Padded() int { return len(m.squares) }

// Diagonal returns the diagonal, padded like a row. It uses the memory of dst if there
// is enough.
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

// Rows sets dst[k] to row which[k]. If ctx is done, Rows returns ctx.Err() soon after.
// It is not safe for concurrent use.
func (m *Matrix) Rows(ctx work.Ender, dst [][]float32, which []int) error {
	m.employ(m.Team.Workers())
	groups := m.grouped(which)
	const together = 4 // panels in a part: some microseconds of work
	panels := len(m.squares) / width
	every := 1 + every(m.d)/width/together // parts between checks of ctx
	var done atomic.Bool
	m.Team.Do((panels+together-1)/together, func(w, part int) {
		if done.Load() {
			return
		}
		if part%every == 0 && ctx.Err() != nil {
			done.Store(true)
			return
		}
		for p := part * together; p < min(panels, (part+1)*together); p++ {
			panel, squares := m.panel(p), m.squares[p*width:(p+1)*width]
			for q := range groups {
				tile := evaluate(&groups[q], m.f, m.workers[w].tile, panel, squares)
				for r := range groups[q].rows {
					copy(dst[q*simd.Rows+r][p*width:(p+1)*width], tile[r*width:])
				}
			}
		}
	})
	return ctx.Err()
}

// grouped returns the samples with indices which in groups, until it is called again.
func (m *Matrix) grouped(which []int) []group[float32] {
	groups := (len(which) + simd.Rows - 1) / simd.Rows
	for len(m.groups) < groups {
		m.groups = append(m.groups, group[float32]{})
	}
	m.Team.Do(groups, func(w, q int) {
		part := which[q*simd.Rows : min(len(which), (q+1)*simd.Rows)]
		sample := m.workers[w].sample[:len(part)]
		var squares [simd.Rows]float32
		for r, i := range part {
			m.unpack(sample[r], i)
			squares[r] = m.squares[i]
		}
		set(&m.groups[q], sample, squares[:len(part)])
	})
	return m.groups[:groups]
}
