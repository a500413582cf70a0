package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// together is the number of vectors of a panel for which distances are computed at a
// time. AVX2 lacks the registers for more.
const together = 4

// squares writes the loop that sums (x - z)² over the features, for the samples z of a
// panel from column (in bytes) on. It rounds each square before adding it, as plain Go
// does, and leaves x at the end of the sample.
func (s set) squares(panel, x, features Register, column int, label string) []VecVirtual {
	sums := make([]VecVirtual, together)
	for i := range sums {
		sums[i] = s.zero()
	}
	at, left, value := GP64(), GP64(), s.vector()
	LEAQ(Mem{Base: panel, Disp: column}, at)
	MOVQ(features, left)
	Label(label)
	double.broadcast(Mem{Base: x}, value)
	for i, sum := range sums {
		difference := s.vector()
		double.sub(Mem{Base: at, Disp: i * s.bytes}, value, difference)
		double.mul(difference, difference, difference)
		double.add(difference, sum, sum)
	}
	ADDQ(Imm(8), x)
	ADDQ(U32(panelBytes), at)
	DECQ(left)
	JNZ(LabelRef(label))
	return sums
}

// distances writes the function that computes the squared distances of one sample from
// those of a panel.
func distances(s set) {
	TEXT("distances"+s.name, NOSPLIT, "func(dst, panel, x *float64, features int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	panel := Load(Param("panel"), GP64())
	x := Load(Param("x"), GP64())
	features := Load(Param("features"), GP64())
	for column := 0; column < panelBytes; column += together * s.bytes {
		own := GP64()
		MOVQ(x, own)
		for i, sum := range s.squares(panel, own, features, column, fmt.Sprintf("column%d", column)) {
			VMOVUPS(sum, Mem{Base: dst, Disp: column + i*s.bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// nearest writes the function that finds the nearest centre of each sample of a panel,
// the first in a tie.
func nearest(s set) {
	TEXT("nearest"+s.name, NOSPLIT, "func(index *int64, least, panel, centres *float64, features, count int)")
	Pragma("noescape")
	index := Load(Param("index"), GP64())
	least := Load(Param("least"), GP64())
	panel := Load(Param("panel"), GP64())
	centres := Load(Param("centres"), GP64())
	features := Load(Param("features"), GP64())
	count := Load(Param("count"), GP64())
	for column := 0; column < panelBytes; column += together * s.bytes {
		best, found := make([]VecVirtual, together), make([]VecVirtual, together)
		for i := range best {
			best[i], found[i] = s.load(double.constant("inf", inf)), s.zero()
		}
		centre, at, left, number := GP64(), GP64(), GP64(), s.zero()
		MOVQ(centres, at)
		MOVQ(count, left)
		Label(fmt.Sprintf("centre%d", column))
		MOVQ(at, centre)
		sums := s.squares(panel, centre, features, column, fmt.Sprintf("feature%d", column))
		MOVQ(centre, at)
		for i, sum := range sums {
			s.greater(double, best[i], sum, []VecVirtual{sum, number}, []VecVirtual{best[i], found[i]})
		}
		double.addBits(double.filled("oneBit", 1), number, number)
		DECQ(left)
		JNZ(LabelRef(fmt.Sprintf("centre%d", column)))
		for i := range best {
			VMOVUPS(best[i], Mem{Base: least, Disp: column + i*s.bytes})
			VMOVUPS(found[i], Mem{Base: index, Disp: column + i*s.bytes})
		}
	}
	VZEROUPPER()
	RET()
}
