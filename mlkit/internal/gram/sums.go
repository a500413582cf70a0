package gram

import (
	"runtime"
	"sync/atomic"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// Term is the term Coef·k(z, x) of sum number Sum, for some sample z.
type Term struct {
	Sum  int
	Coef float64
}

// Sums adds sums of kernels to dst. For each of n samples xₜ and each sum s it adds to
// dst[s][t]
//
//	Σ Coef·k(zⱼ, xₜ)
//
// over all j and all terms in terms[j] whose Sum is s. It computes in float64, and
// distances as ‖z‖² + ‖x‖² - 2z·x after subtracting shift from all samples, unless
// shift is nil.
//
// row returns sample xₜ, as long as each zⱼ; several goroutines call it at once. Sums
// changes no sample. It adds in the order of z, and always for whole panels of samples. So a
// sum depends neither on the number of goroutines nor on the other samples. If ctx is done, Sums returns ctx.Err() soon after, and the
// contents of dst are then meaningless.
//
// Sums takes its memory from used and leaves it there for the next call; nil means that
// it allocates. Concurrent calls must not share used.
func Sums(ctx work.Ender, dst [][]float64, f Function, z [][]float64, terms [][]Term, n int, row func(t int) []float64, shift []float64, used *Space) error {
	if n == 0 || len(z) == 0 {
		return ctx.Err()
	}
	d := len(z[0])
	// Process as many samples z at a time as stay in the cache.
	chunk := simd.Rows * max(1, (1<<23)/(8*simd.Rows*(d+1)))
	if used == nil {
		used = new(Space)
	}
	panels := (n + width64 - 1) / width64
	workers := used.employ(runtime.GOMAXPROCS(0), panels)
	for from := 0; from < len(z); from += chunk {
		to := min(len(z), from+chunk)
		s := &sums{dst: dst, f: f, terms: terms[from:to], n: n, d: d, row: row, shift: shift, groups: used.room(to - from)}
		s.pack(z[from:to], &used.samples)
		parallel(workers, func(w int) { s.work(ctx, &used.workers[w], panels) })
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Space is reusable memory for Sums and SelfSums: a few megabytes. The zero value is ready for use.
type Space struct {
	groups  []group[float64]
	samples [simd.Rows][]float64
	workers []adder
	later   []float64 // of SelfSums
}

// employ ensures that there is an adder for each of at most most goroutines, but no more than
// parts, and returns their number.
func (u *Space) employ(most, parts int) (workers int) {
	workers = min(most, parts)
	for len(u.workers) < workers {
		u.workers = append(u.workers, adder{})
	}
	return workers
}

// room returns groups for n samples.
func (u *Space) room(n int) []group[float64] {
	count := (n + simd.Rows - 1) / simd.Rows
	for len(u.groups) < count {
		u.groups = append(u.groups, group[float64]{})
	}
	return u.groups[:count]
}

// adder is the workspace of one goroutine.
type adder struct{ panel, squares, x, tile, sums []float64 }

// width64 is the number of samples in a panel of float64.
const width64 = 32

// sums is the state of Sums for one chunk of z.
type sums struct {
	dst    [][]float64
	f      Function
	terms  [][]Term
	n, d   int
	row    func(t int) []float64
	shift  []float64
	groups []group[float64]

	next atomic.Int64 // the next panel that no goroutine has taken
}

func (s *sums) pack(z [][]float64, samples *[simd.Rows][]float64) {
	var squares [simd.Rows]float64
	for r := range samples {
		samples[r] = Resized(samples[r], s.d)
	}
	for q := range s.groups {
		part := z[q*simd.Rows : min(len(z), (q+1)*simd.Rows)]
		for r, x := range part {
			squares[r] = shifted(samples[r], x, s.shift)
		}
		set(&s.groups[q], samples[:len(part)], squares[:len(part)])
	}
}

// load packs the panel of the samples from t on, and returns their number.
func (s *sums) load(own *adder, t int) (count int) {
	own.panel, own.squares = Resized(own.panel, s.d*width64), Resized(own.squares, width64)
	own.x, own.tile = Resized(own.x, s.d), Resized(own.tile, simd.Rows*width64)
	own.sums = Resized(own.sums, max(2, len(s.dst))*width64)
	if count = min(s.n-t, width64); count < width64 {
		clear(own.panel)
		clear(own.squares)
	}
	for i := range count {
		own.squares[i] = shifted(own.x, s.row(t+i), s.shift)
		for k, v := range own.x {
			own.panel[k*width64+i] = v
		}
	}
	return count
}

// work takes panels until none is left.
func (s *sums) work(ctx work.Ender, own *adder, panels int) {
	every := 1 + (1<<16)/(s.d+16) // groups between checks of ctx
	for p := int(s.next.Add(1)) - 1; p < panels; p = int(s.next.Add(1)) - 1 {
		from := p * width64
		to := from + s.load(own, from)
		for k, sum := range s.dst {
			copy(own.sums[k*width64:][:width64], sum[from:to])
		}
		for q := range s.groups {
			if q%every == 0 && ctx.Err() != nil {
				return
			}
			values := evaluate(&s.groups[q], s.f, own.tile, own.panel, own.squares)
			for r := range s.groups[q].rows {
				for _, term := range s.terms[q*simd.Rows+r] {
					simd.Axpy(own.sums[term.Sum*width64:][:width64], term.Coef, values[r*width64:])
				}
			}
		}
		for k, sum := range s.dst {
			copy(sum[from:to], own.sums[k*width64:])
		}
	}
}
