package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rotated is the number of vectors in a row that rotate processes.
const rotated = 4

// rotate writes the function that rotates neighbouring rows of a matrix. The row that two
// rotations share stays in registers between them.
func rotate(s set) {
	TEXT("rotate"+s.name, NOSPLIT, "func(x *float64, stride int, rotations *float64, count int)")
	Pragma("noescape")
	x, stride := Load(Param("x"), GP64()), Load(Param("stride"), GP64())
	rotations, count := Load(Param("rotations"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(3), stride)
	of := func(u int) Mem { return Mem{Base: x, Disp: u * s.bytes} }
	shared := make([]VecVirtual, rotated)
	for u := range shared {
		shared[u] = s.load(of(u))
	}
	Label("loop")
	cos, sin := s.vector(), s.vector()
	double.broadcast(Mem{Base: rotations}, cos)
	double.broadcast(Mem{Base: rotations, Disp: 8}, sin)
	for u, b := range shared {
		address := of(u)
		address.Index, address.Scale = stride, 1
		a, done := s.load(address), s.vector()
		double.mul(sin, a, done)
		double.fma(cos, b, done)
		VMOVUPD(done, of(u))
		double.mul(cos, a, a)
		double.fnma(sin, b, a)
		VMOVAPD(a, b)
	}
	ADDQ(stride, x)
	ADDQ(Imm(16), rotations)
	DECQ(count)
	JNZ(LabelRef("loop"))
	for u, b := range shared {
		VMOVUPD(b, of(u))
	}
	VZEROUPPER()
	RET()
}
