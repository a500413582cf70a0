package main

import (
	. "github.com/mmcloughlin/avo/build"
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
