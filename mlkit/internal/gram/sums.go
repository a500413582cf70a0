package gram

import (
	"runtime"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/simd"
)

// Term is one term Coef·k(z, x) of the sum dst[Sum] over samples z.
type Term struct {
	Sum  int
	Coef float64
}

// Sums adds to dst[s][t], for each of n samples xₜ, Σ Coef·k(zⱼ, xₜ) over the terms[j] of all
// zⱼ whose Sum is s. It evaluates in float64, and distances by way of ‖z‖² + ‖x‖² - 2z·x
// after subtracting shift from all samples, unless that is nil.
//
// row returns sample xₜ, of length d, and z are such samples; neither is changed, and
// row is called by several goroutines at once. The order of all sums is that of z, so
// the result does not depend on their number. It ends with the error of ctx soon after
// that is done, and dst is worth nothing then. It uses the memory of used, unless that is
// nil, and leaves it there for the next call, which must not be at the same time.
func Sums(ctx early.Ender, dst [][]float64, f Function, z [][]float64, terms [][]Term, n int, row func(t int) []float64, shift []float64, used *Space) error {
	if n == 0 || len(z) == 0 {
		return ctx.Err()
	}
	d := len(z[0])
	// As many samples z at a time as stay near the processor.
	chunk := simd.Rows * max(1, (1<<23)/(8*simd.Rows*(d+1)))
	if used == nil {
		used = new(Space)
	}
	for count := (min(len(z), chunk) + simd.Rows - 1) / simd.Rows; len(used.groups) < count; {
		used.groups = append(used.groups, group[float64]{})
	}
	panels := (n + width64 - 1) / width64
	workers := min(runtime.GOMAXPROCS(0), panels)
	for len(used.workers) < workers {
		used.workers = append(used.workers, adder{})
	}
	for from := 0; from < len(z); from += chunk {
		to := min(len(z), from+chunk)
		s := &sums{dst: dst, f: f, terms: terms[from:to], n: n, d: d, row: row, shift: shift}
		s.groups = used.groups[:(to-from+simd.Rows-1)/simd.Rows]
		s.pack(z[from:to], &used.samples)
		parallel(workers, func(w int) { s.work(ctx, &used.workers[w], panels) })
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Space is memory for Sums: some megabytes. The zero value has none yet.
type Space struct {
	groups  []group[float64]
	samples [simd.Rows][]float64
	workers []adder
}

// adder is what one goroutine needs.
type adder struct{ panel, squares, x, tile []float64 }

// width64 is the number of samples in a panel of float64.
const width64 = 32

// sums is Sums for some of z.
type sums struct {
	dst    [][]float64
	f      Function
	terms  [][]Term
	n, d   int
	row    func(t int) []float64
	shift  []float64
	groups []group[float64]

	next atomic.Int64 // the panel that nobody has taken yet
}

// shifted sets dst to x - shift and returns its square.
func (s *sums) shifted(dst, x []float64) float64 {
	copy(dst, x)
	if s.shift != nil {
		floats.Sub(dst, s.shift)
	}
	return floats.Dot(dst, dst)
}

func (s *sums) pack(z [][]float64, samples *[simd.Rows][]float64) {
	var squares [simd.Rows]float64
	for r := range samples {
		samples[r] = Resized(samples[r], s.d)
	}
	for q := range s.groups {
		part := z[q*simd.Rows : min(len(z), (q+1)*simd.Rows)]
		for r, x := range part {
			squares[r] = s.shifted(samples[r], x)
		}
		set(&s.groups[q], samples[:len(part)], squares[:len(part)])
	}
}

// work takes panels until there are no more.
func (s *sums) work(ctx early.Ender, own *adder, panels int) {
	own.panel, own.squares = Resized(own.panel, s.d*width64), Resized(own.squares, width64)
	own.x, own.tile = Resized(own.x, s.d), Resized(own.tile, simd.Rows*width64)
	panel, squares, x, tile := own.panel, own.squares, own.x, own.tile
	every := 1 + (1<<16)/(s.d+16) // groups between looks at ctx
	for {
		p := int(s.next.Add(1)) - 1
		if p >= panels {
			return
		}
		from, to := p*width64, min(s.n, (p+1)*width64)
		for t := from; t < to; t++ {
			squares[t-from] = s.shifted(x, s.row(t))
			for k, v := range x {
				panel[k*width64+t-from] = v
			}
		}
		for q := range s.groups {
			if q%every == 0 && ctx.Err() != nil {
				return
			}
			values := evaluate(&s.groups[q], s.f, tile, panel, squares)
			for r := range s.groups[q].rows {
				for _, term := range s.terms[q*simd.Rows+r] {
					simd.Axpy(s.dst[term.Sum][from:to], term.Coef, values[r*width64:])
				}
			}
		}
	}
}
