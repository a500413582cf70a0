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
		row := tile[r*w : (r+1)*w]
		for i, product := range row {
			row[i] = exp(-gamma * max(0, square+squares[i]-2*product))
		}
	}
}

// exp returns exp(t) for t ≤ 0. For float32 it uses the algorithm of exp in gen, which
// is faster than math.Exp.
func exp[T Float](t T) T {
	if Width[T]() == 32 {
		return T(math.Exp(max(-708, float64(t))))
	}
	const magic = 1.5 * (1 << 23)
	x := max(-87.25, float32(t))
	n := float32(x*(1/math.Ln2)+magic) - magic
	r := x - n*0x1.63p-1 - n*(math.Ln2-0x1.63p-1)
	p := 1 + r*(1+r*(1./2+r*(1./6+r*(1./24+r*(1./120+r*(1./720+r*(1./5040)))))))
	return T(p * math.Float32frombits(uint32(int32(n)+127)<<23))
}
