package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gauss writes the function that replaces a tile of inner products xᵣ·zᵢ by
// exp(-γ‖xᵣ-zᵢ‖²). It computes the squared distance as ‖xᵣ‖² + ‖zᵢ‖² - 2xᵣ·zᵢ, or 0 if
// rounding makes that negative.
func gauss(s set, e element) {
	TEXT("gauss"+e.bits+s.name, NOSPLIT,
		fmt.Sprintf("func(tile, own, squares *%s, rows int, minusGamma %[1]s)", e.name))
	Pragma("noescape")
	at := Load(Param("tile"), GP64())
	own := Load(Param("own"), GP64())
	squares := Load(Param("squares"), GP64())
	rows := Load(Param("rows"), GP64())
	gamma := s.parameter(e, "minusGamma")
	minusTwo := s.load(e.constant("minusTwo", -2))
	zero := s.zero()
	least := s.load(e.constant("least", e.least))
	square := s.vector()
	Label("row")
	e.broadcast(Mem{Base: own}, square)
	together := s.bytes / 16 // vectors at a time, limited by the registers
	for from := 0; from < panelBytes; from += together * s.bytes {
		t := make([]VecVirtual, together)
		for i := range t {
			t[i] = s.vector()
			e.add(Mem{Base: squares, Disp: from + i*s.bytes}, square, t[i])
		}
		for i := range t {
			e.fma(Mem{Base: at, Disp: from + i*s.bytes}, minusTwo, t[i])
		}
		for i := range t {
			e.max(t[i], zero, t[i])
		}
		for i := range t {
			e.mul(gamma, t[i], t[i])
		}
		for i := range t {
			e.max(t[i], least, t[i])
		}
		for i, p := range s.exp(e, t) {
			VMOVUPS(p, Mem{Base: at, Disp: from + i*s.bytes})
		}
	}
	ADDQ(U32(panelBytes), at)
	ADDQ(Imm(uint64(e.bytes)), own)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// inverse returns 1/k!.
func (element) inverse(k int) float64 {
	factorial := 1
	for i := 2; i <= k; i++ {
		factorial *= i
	}
	return 1 / float64(factorial)
}

// exp computes exp(t) for least ≤ t ≤ 0 as 2ⁿ·exp(r), where n is the integer nearest to
// t/ln 2 and r = t - n·ln 2, with n·high exact. Since |r| ≤ ½ln 2, the Taylor
// polynomial of degree terms is enough: the remainder is below an ulp of the sum.
// Adding 1½·2ᵐ, with m the number of bits of the mantissa, leaves n in the lowest bits,
// from where it is shifted into the exponent.
func (s set) exp(e element, t []VecVirtual) []VecVirtual {
	n, p := make([]VecVirtual, len(t)), make([]VecVirtual, len(t))
	magic := e.constant("magic", 1.5*float64(uint64(1)<<e.mantissa))
	for i := range t {
		n[i] = s.load(magic)
		e.fma(e.constant("perLn2", 1/math.Ln2), t[i], n[i])
	}
	for i := range t {
		p[i] = s.vector()
		e.sub(magic, n[i], p[i])
	}
	for i := range t {
		e.fnma(e.constant("high", e.high), p[i], t[i])
	}
	for i := range t {
		e.fnma(e.constant("low", e.low), p[i], t[i])
	}
	for i := range t {
		VMOVUPS(e.constant(fmt.Sprintf("term%d", e.terms), e.inverse(e.terms)), p[i])
	}
	for k := e.terms - 1; k >= 0; k-- {
		for i := range t {
			e.horner(e.constant(fmt.Sprintf("term%d", k), e.inverse(k)), t[i], p[i])
		}
	}
	for i := range t {
		e.shift(Imm(e.mantissa), n[i], n[i])
	}
	for i := range t {
		e.addBits(e.filled("bias", e.bias<<e.mantissa), n[i], n[i])
	}
	for i := range t {
		e.mul(n[i], p[i], p[i])
	}
	return p
}
