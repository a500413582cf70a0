// Package gram evaluates kernels between many samples at once: rows of a Gram matrix in
// float32 and sums of kernels in float64. It packs samples into panels for package
// simd. It also factorises positive definite matrices and sums outer products.
package gram

import (
	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// Function is a kernel k(x, z) that depends only on the inner products x·x, z·z and
// x·z.
type Function struct {
	Gauss  bool // exp(-γ‖x-z‖²) if true, (γx·z + c)ᵈ otherwise
	Gamma  float64
	Coef0  float64 // c
	Degree int     // d ≥ 1
}

// values replaces a tile of inner products by values of the kernel. own and squares
// hold the squared norms of the samples in the rows and in the columns of the tile.
func values[T simd.Float](f Function, tile, own, squares []T) {
	if f.Gauss {
		simd.Gauss(tile, own, squares, T(f.Gamma))
		return
	}
	if f.Gamma == 1 && f.Coef0 == 0 && f.Degree == 1 {
		return
	}
	gamma, c := T(f.Gamma), T(f.Coef0)
	for i, product := range tile {
		tile[i] = power(gamma*product+c, f.Degree)
	}
}

// power returns vᵈ for d > 0 by repeated squaring.
func power[T simd.Float](v T, d int) T {
	p := T(1)
	for ; d > 1; d /= 2 {
		if d%2 == 1 {
			p *= v
		}
		v *= v
	}
	return p * v
}

// group holds up to simd.Rows samples in the form that simd.Tile takes. It has
// functions in place of methods: a package that mentions a generic type, even in a
// field of a field, compiles all its methods and what they call, which makes programs
// slow to link.
type group[T simd.Float] struct {
	rows     int // number of samples
	tall     int // rows of the tile: 1 or simd.Rows
	features []uint32
	x        []T
	own      []T // squared norms of the samples
}

// set fills g with samples and their squared norms. It keeps no reference to either. It
// leaves out the features that are 0 in all of the samples.
func set[T simd.Float](g *group[T], samples [][]T, squares []T) {
	g.rows, g.tall = len(samples), simd.Rows
	if g.rows == 1 {
		g.tall = 1
	}
	g.own = append(g.own[:0], squares...)
	g.features, g.x = Resized(g.features, len(samples[0]))[:0], Resized(g.x, len(samples[0])*g.tall)[:0]
	var column [simd.Rows]T
	for k := range samples[0] {
		some := false
		for r, sample := range samples {
			column[r] = sample[k]
			some = some || sample[k] != 0
		}
		if some {
			g.features = append(g.features, uint32(k))
			g.x = append(g.x, column[:g.tall]...)
		}
	}
}

// evaluate sets the first g.rows rows of tile to the kernel's values between g's
// samples and those of a panel, and returns those rows. squares holds the squared norms
// of the panel's samples.
func evaluate[T simd.Float](g *group[T], f Function, tile, panel, squares []T) []T {
	simd.Tile(tile, panel, g.x, g.features, g.tall)
	tile = tile[:g.rows*len(squares)]
	values(f, tile, g.own, squares)
	return tile
}

// Shift returns the mean of n samples of d features if they lie far from 0 compared
// with their spread: if the mean makes up more than nine tenths of their mean square.
// Otherwise it returns nil, since shifting turns zeros, which cost no time, into other
// numbers.
//
// Subtracting the mean leaves distances unchanged. It changes inner products by one
// term for each of the two samples, which cancels in Σ αᵢyᵢk(xᵢ, x) - Σ αᵢyᵢk(xᵢ, z) if
// Σ αᵢyᵢ = 0. It would change powers of inner products, so for a polynomial kernel of
// degree 2 or more Shift returns nil.
//
// If ctx is done, Shift returns ctx.Err() soon after.
func Shift(ctx work.Ender, f Function, n, d int, row func(i int) []float64) ([]float64, error) {
	if !f.Gauss && f.Degree > 1 {
		return nil, nil
	}
	mean := make([]float64, d)
	squares := 0.0
	for i := range n {
		if i%every(d) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := row(i)
		floats.Add(mean, x)
		squares += floats.Dot(x, x)
	}
	floats.Scale(1/float64(n), mean)
	if floats.Dot(mean, mean) <= 0.9*squares/float64(n) {
		return nil, nil
	}
	return mean, nil
}

// every returns how many samples of d features to process between checks of a context.
func every(d int) int { return 1 + (1<<18)/(d+16) }
