package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// hinge writes the function that computes Σ Cδ max(0, ξ - tδ), and Σ Cδ² where ξ > tδ,
// one partial sum per lane.
func hinge(s set) {
	TEXT("hinge"+s.name, NOSPLIT, "func(slack, change, bound *float64, count int, t float64, lanes *float64)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"slack", "change", "bound"}, []int{8, 8, 8})
	t := s.parameter(double, "t")
	first, second := make([]VecVirtual, units), make([]VecVirtual, units)
	for u := range units {
		first[u], second[u] = s.zero(), s.zero()
	}
	Label("loop")
	for u := range units {
		ξ, δ, zero, some := s.load(l.of(p[0], 8, u)), s.load(l.of(p[1], 8, u)), s.zero(), s.zero()
		double.fnma(δ, t, ξ)
		price := s.vector()
		double.mul(l.of(p[2], 8, u), δ, price)
		s.greater(double, ξ, zero, []VecVirtual{price}, []VecVirtual{some})
		double.fma(some, ξ, first[u])
		double.fma(some, δ, second[u])
	}
	l.next("loop")
	s.store(double, first, second)
}
