package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in bytes of the fields of Coordinate, which has five words, and of Descent.
const (
	atAlpha, atLabel, atBound, atSquare, atOut = 0, 8, 16, 24, 32

	atBias, atBias2, atLow, atHigh, atSquared = 0, 8, 16, 24, 32
	atGap, atLeast, atMost, atMissed          = 40, 48, 56, 64
)

// rowsAhead is how many rows ahead descend prefetches.
const rowsAhead = 16

// descend writes the function that takes a step of dual coordinate descent for each row
// listed in order. It prefetches the row that comes rowsAhead later.
func descend(s set, of element) {
	TEXT("descend"+of.bits+s.name, NOSPLIT, "func(x *"+of.name+", stride int, w *float64, count int, order *int32, rows int, samples, state *float64)")
	Pragma("noescape")
	all, m := Load(Param("x"), GP64()), s.matrix(of, "w")
	order, samples, state := Load(Param("order"), GP64()), Load(Param("samples"), GP64()), Load(Param("state"), GP64())
	number := func(at int) VecVirtual {
		v := XMM()
		VMOVSD(Mem{Base: state, Disp: at}, v)
		return v
	}
	b, gap, least, most, missed := number(atBias), number(atGap), number(atLeast), number(atMost), number(atMissed)
	zero := XMM()
	VXORPD(zero, zero, zero)

	address := func(to, row Register) {
		IMULQ(m.stride, row)
		LEAQ(Mem{Base: all, Index: row, Scale: 1}, to)
	}
	Label("row")
	row, at, sample := GP64(), GP64(), GP64()

	// Prefetch the row that comes rowsAhead later, or this one near the end.
	later, left := GP64(), GP64()
	XORQ(later, later)
	MOVQ(U32(uint32(rowsAhead)), left)
	CMPQ(m.rows, U32(uint32(rowsAhead)))
	CMOVQGT(left, later)
	MOVLQSX(Mem{Base: order, Index: later, Scale: 4}, row)
	LEAQ(Mem{Base: row, Index: row, Scale: 4}, sample)
	PREFETCHT0(Mem{Base: samples, Index: sample, Scale: 8})
	address(at, row)
	MOVQ(m.count, left)
	Label("line")
	PREFETCHT0(Mem{Base: at})
	ADDQ(Imm(64), at)
	SUBQ(Imm(uint64(64/of.bytes)), left)
	JG(LabelRef("line"))

	MOVLQSX(Mem{Base: order}, row)
	LEAQ(Mem{Base: row, Index: row, Scale: 4}, sample)
	LEAQ(Mem{Base: samples, Index: sample, Scale: 8}, sample)
	address(m.x, row)
	sums := make([]VecVirtual, 4)
	for i := range sums {
		sums[i] = s.zero()
	}
	m.columns("product", len(sums), func(c columns) {
		for u := range c.vectors {
			double.fma(c.sample(0, u), c.number(u), sums[u])
		}
	})
	double.add(sums[1], sums[0], sums[0])
	double.add(sums[3], sums[2], sums[2])
	double.add(sums[2], sums[0], sums[0])

	// G = y(w·x + b) - 1
	G, alpha, y, bound, slack := s.across(sums[0]).AsX(), XMM(), XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: sample, Disp: atAlpha}, alpha)
	VMOVSD(Mem{Base: sample, Disp: atLabel}, y)
	VMOVSD(Mem{Base: sample, Disp: atBound}, bound)
	VADDSD(b, G, G)
	VMULSD(y, G, G)
	VSUBSD(double.constant("one", 1), G, G)

	// gap ← gap + C max(0, -G) + αG, or C max(0, -G)² + αG + rα²/2 with r = 1/(2C) for the squared hinge loss
	curvature, upper := XMM(), XMM()
	VMOVSD(Mem{Base: sample, Disp: atSquare}, curvature)
	VSUBSD(G, zero, slack)
	VMAXSD(slack, zero, slack)
	VFMADD231SD(G, alpha, gap)
	CMPQ(Mem{Base: state, Disp: atSquared}, Imm(0))
	JE(LabelRef("hinge"))
	VMULSD(slack, slack, slack)
	one, ridge, part := XMM(), XMM(), XMM()
	VMOVSD(double.constant("one", 1), one)
	VADDSD(bound, bound, ridge)
	VDIVSD(ridge, one, ridge)
	VMULSD(alpha, ridge, part)
	VADDSD(part, G, G)
	VMULSD(alpha, part, part)
	VFMADD231SD(double.constant("half", 0.5), part, gap)
	VADDSD(ridge, curvature, curvature)
	VMOVSD(double.constant("infinite", math.Inf(1)), upper)
	JMP(LabelRef("bounded"))
	Label("hinge")
	VMOVAPD(bound, upper)
	Label("bounded")
	VFMADD231SD(slack, bound, gap)

	VUCOMISD(zero, alpha)
	JNE(LabelRef("above"))
	VUCOMISD(Mem{Base: state, Disp: atHigh}, G)
	JA(LabelRef("out"))
	VUCOMISD(zero, G)
	JAE(LabelRef("next"))
	JMP(LabelRef("step"))
	Label("above")
	VUCOMISD(upper, alpha)
	JNE(LabelRef("step"))
	low := number(atLow)
	VUCOMISD(G, low)
	JA(LabelRef("out"))
	VUCOMISD(G, zero)
	JAE(LabelRef("next"))

	Label("step")
	VMINSD(least, G, least)
	VMAXSD(most, G, most)
	// α ← min(max(α - G/(‖x‖² + β² + r), 0), U),  w ← w + Δyx,  b ← b + Δyβ²
	after := XMM()
	VDIVSD(curvature, G, after)
	VSUBSD(after, alpha, after)
	VMAXSD(after, zero, after)
	VMINSD(after, upper, after)
	VUCOMISD(alpha, after)
	JPS(LabelRef("move"))
	JEQ(LabelRef("next"))
	Label("move")
	VMOVSD(after, Mem{Base: sample, Disp: atAlpha})
	size := XMM()
	VSUBSD(G, zero, size)
	VMAXSD(G, size, size)
	VMAXSD(size, missed, missed)
	VSUBSD(alpha, after, after)
	VMULSD(y, after, after)
	VFMADD231SD(Mem{Base: state, Disp: atBias2}, after, b)
	steps := s.vector()
	VBROADCASTSD(after, steps)
	m.columns("move", 1, func(c columns) {
		v := c.number(0)
		double.fma(c.sample(0, 0), steps, v)
		c.store(v)
	})
	JMP(LabelRef("next"))
	Label("out")
	MOVQ(U32(1), left)
	MOVQ(left, Mem{Base: sample, Disp: atOut})
	Label("next")
	ADDQ(Imm(4), order)
	DECQ(m.rows)
	JNZ(LabelRef("row"))

	VMOVSD(b, Mem{Base: state, Disp: atBias})
	VMOVSD(gap, Mem{Base: state, Disp: atGap})
	VMOVSD(least, Mem{Base: state, Disp: atLeast})
	VMOVSD(most, Mem{Base: state, Disp: atMost})
	VMOVSD(missed, Mem{Base: state, Disp: atMissed})
	VZEROUPPER()
	RET()
}
