package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// fetched is how many bytes ahead narrow and standardise prefetch. The processor
// prefetches by itself, but not across memory pages.
const fetched = 2 * 4096

// fetch prefetches what unit u of a slice of float64 will read later.
func (l *selection) fetch(slice Register, u int) {
	if u*l.set.bytes%64 == 0 {
		PREFETCHT0(l.of(slice, 8, u).Offset(fetched))
	}
}

// put stores float64 numbers, converted to the type of.
func (s set) put(of element, v VecVirtual, to Mem) {
	if of.bytes == 8 {
		VMOVUPS(v, to)
		return
	}
	var half VecVirtual = YMM()
	if s.bytes == 64 {
		VCVTPD2PS(v, half)
	} else {
		half = XMM()
		VCVTPD2PSY(v, half)
	}
	VMOVUPS(half, to)
}

// narrow writes the function that stores x as float32 and returns the sum of its
// squares.
func narrow(s set) {
	TEXT("narrow"+s.name, NOSPLIT, "func(dst *float32, x *float64, count int) float64")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"dst", "x"}, []int{4, 8})
	sums := make([]VecVirtual, units)
	for u := range sums {
		sums[u] = s.zero()
	}
	Label("loop")
	for u, sum := range sums {
		l.fetch(p[1], u)
		v := s.load(l.of(p[1], 8, u))
		double.fma(v, v, sum)
		s.put(single, v, l.of(p[0], 4, u))
	}
	l.next("loop")
	double.add(sums[1], sums[0], sums[0])
	Store(s.across(sums[0]).AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// standardise writes the function that stores (x - mean)·perScale.
func standardise(s set, of element) {
	TEXT("standardise"+of.bits+s.name, NOSPLIT, "func(dst *"+of.name+", x, mean, perScale *float64, count int)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"dst", "x", "mean", "perScale"}, []int{of.bytes, 8, 8, 8})
	Label("loop")
	for u := range units {
		l.fetch(p[1], u)
		v := s.load(l.of(p[1], 8, u))
		double.sub(l.of(p[2], 8, u), v, v)
		double.mul(l.of(p[3], 8, u), v, v)
		s.put(of, v, l.of(p[0], of.bytes, u))
	}
	l.next("loop")
	VZEROUPPER()
	RET()
}
