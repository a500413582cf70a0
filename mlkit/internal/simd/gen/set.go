package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// set is an instruction set with its vector size.
type set struct {
	name  string
	bytes int // of a vector
}

// vector returns a new vector register.
func (s set) vector() VecVirtual {
	if s.bytes == 64 {
		return ZMM()
	}
	return YMM()
}

// zero returns a register with 0 in all lanes.
func (s set) zero() VecVirtual {
	v := s.vector()
	if s.bytes == 64 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

// load returns a register loaded from m.
func (s set) load(m Op) VecVirtual {
	v := s.vector()
	VMOVUPS(m, v)
	return v
}

// parameter returns a register with a parameter of the function in all lanes.
func (s set) parameter(e element, name string) VecVirtual {
	v := s.vector()
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	e.broadcast(m.Addr, v)
	return v
}

// widened returns a register loaded from the float32 numbers at m, converted to
// float64.
func (s set) widened(m Op) VecVirtual {
	v := s.vector()
	VCVTPS2PD(m, v)
	return v
}

// element is a type of numbers with its instructions. The operands are in the order of
// Go's assembly, the destination last. If an operand of min or max is NaN, the result
// is the first operand.
type element struct {
	name  string
	bits  string
	bytes int

	mantissa uint64  // its number of bits
	bias     uint64  // bias of the exponent
	terms    int     // degree of the Taylor polynomial of exp
	least    float64 // smallest argument of exp, so that the result is not denormal
	high     float64 // ln 2 in few enough bits that n·high is exact
	low      float64 // ln 2 - high

	broadcast, add, sub, mul, div, min, max func(...Op)

	fma    func(...Op) // (b, a, c): c ← c + a·b
	fnma   func(...Op) // (b, a, c): c ← c - a·b
	horner func(...Op) // (b, a, c): c ← c·a + b

	shift, addBits func(...Op)

	compare, move, blend func(...Op)
}

const (
	high32 = 0x1.63p-1
	high64 = 0x1.62e42fefp-1
)

var (
	single = element{
		name: "float32", bits: "32", bytes: 4, mantissa: 23, bias: 127, terms: 7, least: -87.25,
		high: high32, low: math.Ln2 - high32,
		broadcast: func(o ...Op) { VBROADCASTSS(o[0], o[1]) },
		add:       func(o ...Op) { VADDPS(o...) },
		sub:       func(o ...Op) { VSUBPS(o...) },
		mul:       func(o ...Op) { VMULPS(o...) },
		div:       func(o ...Op) { VDIVPS(o...) },
		min:       func(o ...Op) { VMINPS(o...) },
		max:       func(o ...Op) { VMAXPS(o...) },
		fma:       func(o ...Op) { VFMADD231PS(o...) },
		fnma:      func(o ...Op) { VFNMADD231PS(o...) },
		horner:    func(o ...Op) { VFMADD213PS(o...) },
		shift:     func(o ...Op) { VPSLLD(o...) },
		addBits:   func(o ...Op) { VPADDD(o...) },
		compare:   func(o ...Op) { VCMPPS(o...) },
		move:      func(o ...Op) { VMOVAPS(o...) },
		blend:     func(o ...Op) { VBLENDVPS(o[0], o[1], o[2], o[3]) },
	}
	double = element{
		name: "float64", bits: "64", bytes: 8, mantissa: 52, bias: 1023, terms: 13, least: -708,
		high: high64, low: math.Ln2 - high64,
		broadcast: func(o ...Op) { VBROADCASTSD(o[0], o[1]) },
		add:       func(o ...Op) { VADDPD(o...) },
		sub:       func(o ...Op) { VSUBPD(o...) },
		mul:       func(o ...Op) { VMULPD(o...) },
		div:       func(o ...Op) { VDIVPD(o...) },
		min:       func(o ...Op) { VMINPD(o...) },
		max:       func(o ...Op) { VMAXPD(o...) },
		fma:       func(o ...Op) { VFMADD231PD(o...) },
		fnma:      func(o ...Op) { VFNMADD231PD(o...) },
		horner:    func(o ...Op) { VFMADD213PD(o...) },
		shift:     func(o ...Op) { VPSLLQ(o...) },
		addBits:   func(o ...Op) { VPADDQ(o...) },
		compare:   func(o ...Op) { VCMPPD(o...) },
		move:      func(o ...Op) { VMOVAPD(o...) },
		blend:     func(o ...Op) { VBLENDVPD(o[0], o[1], o[2], o[3]) },
	}
)

// tables maps names to the constants of the kernels.
var tables = map[string]Mem{}

// A filling is a constant that fills 64 bytes, in units of 4 or 8.
type filling struct {
	bytes int
	bits  uint64
}

// fillings holds all of them for one table: programs link faster with one symbol than
// with fifty.
var fillings []filling

// constant returns the address of a vector with v in all lanes.
func (e element) constant(name string, v float64) Mem {
	if e.bytes == 4 {
		return e.filled(name, uint64(math.Float32bits(float32(v))))
	}
	return e.filled(name, math.Float64bits(v))
}

func (e element) filled(name string, bits uint64) Mem {
	name += e.bits
	m, ok := tables[name]
	if !ok {
		m = NewDataAddr(Symbol{Name: "constants", Static: true}, 64*len(fillings))
		fillings = append(fillings, filling{e.bytes, bits})
		tables[name] = m
	}
	return m
}

// fill writes the table of fillings.
func fill() {
	GLOBL("constants", RODATA|NOPTR)
	for k, f := range fillings {
		for at := 64 * k; at < 64*(k+1); at += f.bytes {
			if f.bytes == 4 {
				DATA(at, U32(f.bits))
			} else {
				DATA(at, U64(f.bits))
			}
		}
	}
}
