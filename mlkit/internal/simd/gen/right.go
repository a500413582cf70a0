package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// right counts the rows before the first whose product with w, plus b, times its label
// is not above 0 and finite, and stores that product plus b.
func right(s set) {
	TEXT("right"+s.name, NOSPLIT, "func(x *float64, stride, rows int, w *float64, count int, b float64, y, score *float64) (right int)")
	Pragma("noescape")
	m := s.matrix(double, "w")
	y, b, zero, most, right := Load(Param("y"), GP64()), Load(Param("b"), XMM()), XMM(), XMM(), GP64()
	VXORPD(zero, zero, zero)
	VMOVSD(double.constant("most", 0x1.fffffffffffffp1023), most)
	XORQ(right, right)
	Label("row")
	sums := make([]VecVirtual, 4)
	for i := range sums {
		sums[i] = s.zero()
	}
	m.columns("row", len(sums), func(c columns) {
		for u := range c.vectors {
			if m.step(u)%64 == 0 {
				PREFETCHT0(m.row(0, u).Offset(fetched))
			}
			double.fma(c.sample(0, u), c.number(u), sums[u])
		}
	})
	double.add(sums[1], sums[0], sums[0])
	double.add(sums[3], sums[2], sums[2])
	double.add(sums[2], sums[0], sums[0])
	f, margin := s.across(sums[0]).AsX(), XMM()
	VADDSD(b, f, f)
	VMULSD(Mem{Base: y}, f, margin)
	VUCOMISD(zero, margin) // what is no number is not above
	JBE(LabelRef("found"))
	VUCOMISD(most, margin)
	JA(LabelRef("found"))
	INCQ(right)
	ADDQ(Imm(8), y)
	ADDQ(m.stride, m.x)
	DECQ(m.rows)
	JNZ(LabelRef("row"))
	Label("found")
	VMOVSD(f, Mem{Base: Load(Param("score"), GP64())})
	Store(right, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
