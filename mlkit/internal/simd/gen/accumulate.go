package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// accumulate adds each sample to the sum that its label says.
func accumulate(s set) {
	TEXT("accumulate"+s.name, NOSPLIT, "func(sums, x *float64, labels *int, stride, count, features int)")
	Pragma("noescape")
	sums := Load(Param("sums"), GP64())
	x := Load(Param("x"), GP64())
	labels := Load(Param("labels"), GP64())
	stride := Load(Param("stride"), GP64())
	count := Load(Param("count"), GP64())
	features := Load(Param("features"), GP64())
	whole, sum, at := GP64(), GP64(), GP64()
	MOVQ(features, whole) // features that fill vectors
	ANDQ(I32(-(s.bytes / 8)), whole)
	Label("sample")
	MOVQ(Mem{Base: labels}, sum)
	IMULQ(features, sum)
	LEAQ(Mem{Base: sums, Index: sum, Scale: 8}, sum)
	XORQ(at, at)
	CMPQ(at, whole)
	JGE(LabelRef("rest"))
	Label("vector")
	v := s.load(Mem{Base: x, Index: at, Scale: 8})
	double.add(Mem{Base: sum, Index: at, Scale: 8}, v, v)
	VMOVUPS(v, Mem{Base: sum, Index: at, Scale: 8})
	ADDQ(Imm(uint64(s.bytes/8)), at)
	CMPQ(at, whole)
	JLT(LabelRef("vector"))
	Label("rest")
	CMPQ(at, features)
	JGE(LabelRef("next"))
	one := XMM()
	VMOVSD(Mem{Base: x, Index: at, Scale: 8}, one)
	VADDSD(Mem{Base: sum, Index: at, Scale: 8}, one, one)
	VMOVSD(one, Mem{Base: sum, Index: at, Scale: 8})
	INCQ(at)
	JMP(LabelRef("rest"))
	Label("next")
	LEAQ(Mem{Base: x, Index: stride, Scale: 8}, x)
	ADDQ(Imm(8), labels)
	DECQ(count)
	JNZ(LabelRef("sample"))
	VZEROUPPER()
	RET()
}
