package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// axpy writes the function that adds a·x to dst.
func axpy(s set) {
	TEXT("axpy"+s.name, NOSPLIT, "func(dst, x *float64, count int, a float64)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"dst", "x"}, []int{8, 8})
	a := s.parameter(double, "a")
	Label("loop")
	for u := range units {
		v := s.load(l.of(p[0], 8, u))
		double.fma(l.of(p[1], 8, u), a, v)
		VMOVUPS(v, l.of(p[0], 8, u))
	}
	l.next("loop")
	VZEROUPPER()
	RET()
}

// dot writes the function that computes Σ xᵢkᵢ, one partial sum per lane.
func dot(s set) {
	TEXT("dot"+s.name, NOSPLIT, "func(x *float64, k *float32, count int, lanes *float64)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"x", "k"}, []int{8, 4})
	sums := make([]VecVirtual, units)
	for u := range sums {
		sums[u] = s.zero()
	}
	Label("loop")
	for u, sum := range sums {
		double.fma(l.of(p[0], 8, u), s.widened(l.of(p[1], 4, u)), sum)
	}
	l.next("loop")
	s.store(sums)
}
