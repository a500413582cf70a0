package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	outerRows    = 4 // columns of the first panel, which are rows of the sum
	outerVectors = 3 // vectors in a row of a panel
)

// outer writes the function that adds the outer products of the rows of two panels to dst: four
// numbers of a times one, two or three vectors of b. Rows of dst start to numbers apart.
//
// Four numbers times three vectors are twelve independent sums, so no fused multiply-add waits
// for the previous one. With the three vectors and one number they fill AVX2's 16 registers.
func outer(s set, e element) {
	TEXT("outer"+e.bits+s.name, NOSPLIT, fmt.Sprintf("func(dst *float64, to int, a, b *%s, count, units int)", e.name))
	Pragma("noescape")
	dst, to := Load(Param("dst"), GP64()), Load(Param("to"), GP64())
	a, b := Load(Param("a"), GP64()), Load(Param("b"), GP64())
	count, units := Load(Param("count"), GP64()), Load(Param("units"), GP64())
	SHLQ(Imm(3), to)
	for wide := outerVectors; wide > 0; wide-- {
		row, fewer := fmt.Sprintf("row%d", wide), fmt.Sprintf("below%d", wide)
		if wide > 1 {
			CMPQ(units, Imm(uint64(wide)))
			JNE(LabelRef(fewer))
		}
		var sums [outerRows][]VecVirtual
		for r := range sums {
			for range wide {
				sums[r] = append(sums[r], s.zero())
			}
		}
		Label(row)
		columns := make([]VecVirtual, wide)
		for c := range columns {
			columns[c] = s.load(Mem{Base: b, Disp: c * s.bytes})
		}
		for r, row := range sums {
			v := s.vector()
			e.broadcast(Mem{Base: a, Disp: r * e.bytes}, v)
			for c, sum := range row {
				e.fma(columns[c], v, sum)
			}
		}
		for _, panel := range []Register{a, b} {
			ADDQ(U32(uint32(outerVectors*s.bytes)), panel)
		}
		DECQ(count)
		JNZ(LabelRef(row))
		for _, row := range sums {
			for c, sum := range row {
				s.addTo(dst, c, e, sum)
			}
			ADDQ(to, dst)
		}
		VZEROUPPER()
		RET()
		if wide > 1 {
			Label(fewer)
		}
	}
}

// addTo adds v to vector c of dst. A vector of float32 takes two vectors of float64 there.
func (s set) addTo(dst Register, c int, e element, v VecVirtual) {
	parts := []VecVirtual{v}
	if e.bytes == 4 {
		low, high := s.vector(), s.vector()
		if s.bytes == 64 {
			half := YMM()
			VEXTRACTF64X4(Imm(1), v, half)
			VCVTPS2PD(v.AsY(), low)
			VCVTPS2PD(half, high)
		} else {
			half := XMM()
			VEXTRACTF128(Imm(1), v, half)
			VCVTPS2PD(v.AsX(), low)
			VCVTPS2PD(half, high)
		}
		parts = []VecVirtual{low, high}
	}
	for k, part := range parts {
		m := Mem{Base: dst, Disp: (c*len(parts) + k) * s.bytes}
		double.add(m, part, part)
		VMOVUPS(part, m)
	}
}
