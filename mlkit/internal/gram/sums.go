package gram

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

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
// that is done, and dst is worth nothing then.
func Sums(ctx context.Context, dst [][]float64, f Function, z [][]float64, terms [][]Term, n int, row func(t int) []float64, shift []float64) error {
	if n == 0 || len(z) == 0 {
		return ctx.Err()
	}
	d := len(z[0])
	// As many samples z at a time as stay near the processor.
	chunk := simd.Rows * max(1, (1<<23)/(8*simd.Rows*(d+1)))
	groups := spare.Get().(*[]group[float64])
	defer spare.Put(groups)
	for count := (min(len(z), chunk) + simd.Rows - 1) / simd.Rows; len(*groups) < count; {
		*groups = append(*groups, group[float64]{})
	}
	for from := 0; from < len(z); from += chunk {
		to := min(len(z), from+chunk)
		s := &sums{dst: dst, f: f, terms: terms[from:to], n: n, d: d, row: row, shift: shift}
		s.groups = (*groups)[:(to-from+simd.Rows-1)/simd.Rows]
		s.pack(z[from:to])
		if err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// spare has groups, which are some megabytes, for the next of many fits.
var spare = sync.Pool{New: func() any { return new([]group[float64]) }}

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

func (s *sums) pack(z [][]float64) {
	var samples [simd.Rows][]float64
	var squares [simd.Rows]float64
	for r := range samples {
		samples[r] = make([]float64, s.d)
	}
	for q := range s.groups {
		part := z[q*simd.Rows : min(len(z), (q+1)*simd.Rows)]
		for r, x := range part {
			squares[r] = s.shifted(samples[r], x)
		}
		s.groups[q].set(samples[:len(part)], squares[:len(part)])
	}
}

// run shares the panels out between the processors.
func (s *sums) run(ctx context.Context) error {
	panels := (s.n + width64 - 1) / width64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), panels) - 1 {
		wait.Go(func() { s.work(ctx, panels) })
	}
	s.work(ctx, panels)
	wait.Wait()
	return ctx.Err()
}

// work takes panels until there are no more.
func (s *sums) work(ctx context.Context, panels int) {
	panel, squares := make([]float64, s.d*width64), make([]float64, width64)
	x, tile := make([]float64, s.d), make([]float64, simd.Rows*width64)
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
			values := s.groups[q].evaluate(s.f, tile, panel, squares)
			for r := range s.groups[q].rows {
				for _, term := range s.terms[q*simd.Rows+r] {
					simd.Axpy(s.dst[term.Sum][from:to], term.Coef, values[r*width64:])
				}
			}
		}
	}
}
