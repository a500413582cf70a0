package simd

import "math"

// Gauss replaces tile[r·w+i], the inner product xᵣ·zᵢ from Tile, by
//
//	exp(-γ max(0, own[r] + squares[i] - 2xᵣ·zᵢ)) = exp(-γ‖xᵣ-zᵢ‖²)
//
// for γ > 0, own[r] = ‖xᵣ‖² and squares[i] = ‖zᵢ‖², the w = Width of a panel. Let t =
// γ‖xᵣ-zᵢ‖². If t is above 87.25 for float32 or 708 for float64, Gauss uses that number
// instead, so that no result is denormal. NaN stays NaN. Apart from rounding errors in
// the inner products and squares, the relative error is at most
//
//	(5 + 2t + γ(own[r] + squares[i]))·u
//
// with u = 2⁻²⁴ for float32 and 2⁻⁵³ for float64.
//
// Gauss panics if tile is shorter than len(own)·w or squares is shorter than w.
func Gauss[T Float](tile, own, squares []T, gamma T) {
	w := Width[T]()
	tile, squares = tile[:len(own)*w], squares[:w]
	if len(own) == 0 || gaussAssembly(tile, own, squares, -gamma) {
		return
	}
	for r, square := range own {
		switch row := any(tile[r*w : (r+1)*w]).(type) {
		case []float32:
			gauss32(row, any(squares).([]float32), float32(square), float32(gamma))
		case []float64:
			gauss64(row, any(squares).([]float64), float64(square), float64(gamma))
		}
	}
}

// gauss32 is Gauss for one sample, by the algorithm of exp in gen. Its steps are those of
// one loop, without calls, so that the processor works on several numbers at once.
func gauss32(row, squares []float32, own, gamma float32) {
	const magic = 1.5 * (1 << 23)
	squares = squares[:len(row)]
	for i, product := range row {
		s := own + squares[i] - 2*product
		if s < 0 {
			s = 0
		}
		x := -gamma * s
		if x < -87.25 {
			x = -87.25
		}
		n := x*(1/math.Ln2) + magic
		scale := math.Float32frombits((math.Float32bits(n) + 127) << 23) // 2ⁿ
		n -= magic
		r := x - n*0x1.63p-1 - n*(math.Ln2-0x1.63p-1)
		row[i] = scale * (1 + r*(1+r*(1./2+r*(1./6+r*(1./24+r*(1./120+r*(1./720+r*(1./5040))))))))
	}
}

// gauss64 is gauss32 for float64.
func gauss64(row, squares []float64, own, gamma float64) {
	const magic = 1.5 * (1 << 52)
	const high = 0x1.62e42fefap-1 // n·high is exact
	squares = squares[:len(row)]
	for i, product := range row {
		s := own + squares[i] - 2*product
		if s < 0 {
			s = 0
		}
		x := -gamma * s
		if x < -708 {
			x = -708
		}
		n := x*(1/math.Ln2) + magic
		scale := math.Float64frombits((math.Float64bits(n) + 1023) << 52) // 2ⁿ
		n -= magic
		r := x - n*high - n*(math.Ln2-high)
		// The terms of the Taylor polynomial in pairs, and these in pairs: with fewer
		// steps after one another than Horner's rule.
		r2 := r * r
		r4 := r2 * r2
		low := (1./2 + r*(1./6)) + r2*(1./24+r*(1./120))
		mid := (1./720 + r*(1./5040)) + r2*(1./40320+r*(1./362880))
		top := (1./3628800 + r*(1./39916800)) + r2*(1./479001600+r*(1./6227020800))
		row[i] = scale * (1 + (r + r2*(low+r4*(mid+r4*top))))
	}
}
