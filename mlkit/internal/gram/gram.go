// Package gram evaluates kernels of inner products between many samples at once: rows
// of a Gram matrix in float32, and sums of kernels in float64. It packs samples into
// panels for package simd.
package gram

import (
	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/simd"
)

// Function is a kernel that is a function of the inner products of two samples with each
// other and with themselves.
type Function struct {
	Gauss  bool // exp(-γ‖x-z‖²), and else (γx·z + c)ᵈ
	Gamma  float64
	Coef0  float64 // c
	Degree int     // d ≥ 1
}

// values turns a tile of inner products into values of the kernel: those of samples
// with the squares own with samples with the squares given.
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

// power returns vᵈ for d > 0 by squaring.
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

// group is up to simd.Rows samples, as simd.Tile takes them. It has functions in place of
// methods, since the methods of a generic type, and all that they call, are compiled into
// each package that comes across the type, if only in a field of a field. That makes
// programs slow to link.
type group[T simd.Float] struct {
	rows     int // that there are
	tall     int // that the tile has: 1 or simd.Rows
	features []uint32
	x        []T
	own      []T // squares
}

// set gives g samples of d features. It keeps no reference.
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

// evaluate sets the first rows of tile to the kernel's values of g's samples with those of
// a panel.
func evaluate[T simd.Float](g *group[T], f Function, tile, panel, squares []T) []T {
	simd.Tile(tile, panel, g.x, g.features, g.tall)
	tile = tile[:g.rows*len(squares)]
	values(f, tile, g.own, squares)
	return tile
}

// Shift returns the mean of n samples of d features if they are far from 0, as seen from
// their spread: if more than nine tenths of their sum of squares are due to it. Else it
// returns nil, since what is 0 costs no time as long as it is 0; and for the powers of
// inner products, which would not be the same. Subtracting it leaves distances as they
// are, and inner products up to one number for each of the two samples, which makes no
// difference to Σ αᵢyᵢk(xᵢ, x) - Σ αᵢyᵢk(xᵢ, z) as long as Σ αᵢyᵢ = 0. It ends with the
// error of ctx soon after that is done.
func Shift(ctx early.Ender, f Function, n, d int, row func(i int) []float64) ([]float64, error) {
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

// every is how many samples of d features may go by between looks at a context.
func every(d int) int { return 1 + (1<<18)/(d+16) }
