package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var inf = math.Inf(1)

// symmetricRows is the number of rows of a symmetric matrix that are read at a time.
const symmetricRows = 4

// symmetric writes the function that adds own[r] times row r of a to dst, for four
// rows, and computes the inner products of the rows with x, one partial sum per lane.
func symmetric(s set) {
	TEXT("symmetric"+s.name, NOSPLIT, "func(dst, a, x *float64, stride, count int, own, lanes *float64)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	a := make([]Register, symmetricRows)
	a[0] = Load(Param("a"), GP64())
	stride := Load(Param("stride"), GP64())
	for r := 1; r < symmetricRows; r++ {
		a[r] = GP64()
		LEAQ(Mem{Base: a[r-1], Index: stride, Scale: 8}, a[r])
	}
	count := Load(Param("count"), GP64())
	own := Load(Param("own"), GP64())
	factors, sums := make([]VecVirtual, symmetricRows), make([]VecVirtual, symmetricRows)
	for r := range factors {
		factors[r], sums[r] = s.vector(), s.zero()
		double.broadcast(Mem{Base: own, Disp: r * 8}, factors[r])
	}
	at := GP64()
	XORQ(at, at)
	of := func(slice Register) Mem { return Mem{Base: slice, Index: at, Scale: 8} }
	Label("loop")
	v, to := s.load(of(x)), s.load(of(dst))
	for r := range a {
		row := s.load(of(a[r]))
		double.fma(row, v, sums[r])
		double.fma(row, factors[r], to)
	}
	VMOVUPS(to, of(dst))
	ADDQ(Imm(uint64(s.bytes/8)), at)
	CMPQ(at, count)
	JLT(LabelRef("loop"))
	lanes := Load(Param("lanes"), GP64())
	for r, sum := range sums {
		VMOVUPS(sum, Mem{Base: lanes, Disp: r * 64})
	}
	VZEROUPPER()
	RET()
}
