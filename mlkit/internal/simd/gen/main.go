// Gen writes the assembly of package simd, by way of avo. It is a module of its own,
// so that who uses mlkit needs no avo. Run it by go generate in the folder above.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	cpu()
	for _, s := range []set{{"AVX2", 32}, {"AVX512", 64}} {
		for _, e := range []element{single, double} {
			tile(s, e, 1)
			tile(s, e, 6)
		}
	}
	Generate()
}

// set is an instruction set.
type set struct {
	name  string
	bytes int // of a vector
}

// vector returns a new register.
func (s set) vector() VecVirtual {
	if s.bytes == 64 {
		return ZMM()
	}
	return YMM()
}

// zero returns a register that is 0 in all lanes.
func (s set) zero() VecVirtual {
	v := s.vector()
	if s.bytes == 64 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

// element is a type of numbers and its instructions.
type element struct {
	name  string
	bits  string
	bytes int

	broadcast func(...Op)
	fma       func(...Op) // c += a·b, the operands being b, a, c
}

var (
	single = element{"float32", "32", 4, func(o ...Op) { VBROADCASTSS(o[0], o[1]) }, func(o ...Op) { VFMADD231PS(o...) }}
	double = element{"float64", "64", 8, func(o ...Op) { VBROADCASTSD(o[0], o[1]) }, func(o ...Op) { VFMADD231PD(o...) }}
)
