package main

import (
	"fmt"
	"math"
)

// element is a type of numbers with its instructions for vectors. The operands are in
// the order of Go's assembly, the destination last.
type element struct {
	name  string
	bits  string
	bytes int

	lanes    string  // of a vector, in Go's assembly
	arm      string  // the same in ARM's
	mantissa int     // its number of bits
	bias     uint64  // bias of the exponent
	terms    int     // degree of the Taylor polynomial of exp
	least    float64 // smallest argument of exp, so that the result is not denormal
	high     float64 // ln 2 in few enough bits that n·high is exact
	low      float64 // ln 2 - high
}

const (
	high32 = 0x1.63p-1
	high64 = 0x1.62e42fefp-1
)

var (
	single = element{
		name: "float32", bits: "32", bytes: 4, lanes: "S4", arm: "4s", mantissa: 23, bias: 127,
		terms: 7, least: -87.25, high: high32, low: math.Ln2 - high32,
	}
	double = element{
		name: "float64", bits: "64", bytes: 8, lanes: "D2", arm: "2d", mantissa: 52, bias: 1023,
		terms: 13, least: -708, high: high64, low: math.Ln2 - high64,
	}
)

// word writes an instruction that Go's assembler lacks, as its encoding (Arm
// Architecture Reference Manual for A-profile, section C7.2). The comment has it in
// ARM's syntax, where the destination comes first: a test compares the two.
func word(code uint32, format string, operands ...any) {
	fmt.Fprintf(&text, "\tWORD\t$%#08x // %s\n", code, fmt.Sprintf(format, operands...))
}

// three writes an instruction with two sources, given its code for 4 lanes of float32
// and without registers: d ← n op m.
func (e element) three(name string, code uint32, m, n, d vector) {
	if e.bytes == 8 {
		code |= 1 << 22
	}
	word(code|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s v%d.%s, v%d.%[3]s, v%[5]d.%[3]s", name, d, e.arm, n, m)
}

func (e element) add(m, n, d vector) { e.three("fadd", 0x4e20d400, m, n, d) }
func (e element) sub(m, n, d vector) { e.three("fsub", 0x4ea0d400, m, n, d) }
func (e element) mul(m, n, d vector) { e.three("fmul", 0x6e20dc00, m, n, d) }
func (e element) div(m, n, d vector) { e.three("fdiv", 0x6e20fc00, m, n, d) }

// max sets d to the greater one, or to NaN if either is NaN.
func (e element) max(m, n, d vector) { e.three("fmax", 0x4e20f400, m, n, d) }

// minNumber sets d to the smaller one, or to the other if one is NaN.
func (e element) minNumber(m, n, d vector) { e.three("fminnm", 0x4ea0c400, m, n, d) }

// greater sets all bits of the lanes of d where n > m, and no bits of the others.
func (e element) greater(m, n, d vector) { e.three("fcmgt", 0x6ea0e400, m, n, d) }

// addPairs sets d to the sum of the lanes of n, and that of the lanes of m.
func (e element) addPairs(m, n, d vector) { e.three("faddp", 0x6e20d400, m, n, d) }

// fma: d ← d + n·m, fms: d ← d - n·m, rounded once.
func (e element) fma(m, n, d vector) {
	emit("VFMLA %s, %s, %s", m.as(e.lanes), n.as(e.lanes), d.as(e.lanes))
}

func (e element) fms(m, n, d vector) {
	emit("VFMLS %s, %s, %s", m.as(e.lanes), n.as(e.lanes), d.as(e.lanes))
}

// fmaLane: d ← d + n·(lane of m).
func (e element) fmaLane(m vector, lane int, n, d vector) {
	code, name := 0x4f801000|uint32(m)<<16|uint32(n)<<5|uint32(d), "s"
	if e.bytes == 8 {
		code, name = code|1<<22|uint32(lane)<<11, "d"
	} else {
		code |= uint32(lane&1)<<21 | uint32(lane>>1)<<11
	}
	word(code, "fmla v%d.%s, v%d.%[2]s, v%[4]d.%s[%d]", d, e.arm, n, m, name, lane)
}

// broadcast fills d with the number at an address, a register with an optional offset.
func (e element) broadcast(at general, d vector) {
	emit("VLD1R (%v), [%s]", at, d.as(e.lanes))
}

// fill sets all lanes of d to lane 0.
func (e element) fill(d vector) {
	emit("VDUP %s[0], %s", d.as(e.lanes[:1]), d.as(e.lanes))
}

// parameter returns a register with a parameter of the function in all lanes.
func (e element) parameter(name string) vector {
	v := vectors(1)[0]
	emit("FMOV%s %s, %v", e.lanes[:1], places[name], v)
	e.fill(v)
	return v
}

// widen converts the first half of n to float64, widenRest the second.
func widen(n, d vector) {
	word(0x0e617800|uint32(n)<<5|uint32(d), "fcvtl v%d.2d, v%d.2s", d, n)
}

func widenRest(n, d vector) {
	word(0x4e617800|uint32(n)<<5|uint32(d), "fcvtl2 v%d.2d, v%d.4s", d, n)
}

// shorten rounds n to float32 in the first half of d, shortenRest in the second.
func shorten(n, d vector) {
	word(0x0e616800|uint32(n)<<5|uint32(d), "fcvtn v%d.2s, v%d.2d", d, n)
}

func shortenRest(n, d vector) {
	word(0x4e616800|uint32(n)<<5|uint32(d), "fcvtn2 v%d.4s, v%d.2d", d, n)
}

// across sets the first lane of d to the sum of the lanes of n.
func across(n, d vector) {
	word(0x7e70d800|uint32(n)<<5|uint32(d), "faddp d%d, v%d.2d", d, n)
}

// choose sets into to from in the lanes that mask has.
func choose(mask, from, into vector) {
	emit("VBIT %s, %s, %s", mask.as("B16"), from.as("B16"), into.as("B16"))
}

// addBits adds integers.
func (e element) addBits(m, n, d vector) {
	emit("VADD %s, %s, %s", m.as(e.lanes), n.as(e.lanes), d.as(e.lanes))
}

// A constant fills constantBytes of a table: two vectors, so that one instruction loads
// it into two registers.
const constantBytes = 32

// constants maps the names of constants to their numbers in the table.
var constants = map[string]int{}

// constant returns the offset in the table of a constant with v in all lanes.
func (e element) constant(name string, v float64) int {
	if e.bytes == 4 {
		b := uint64(math.Float32bits(float32(v)))
		return tabled(name+e.bits, b<<32|b)
	}
	return tabled(name+e.bits, math.Float64bits(v))
}

// tabled returns the offset in the table of a constant, given as units of 8 bytes that
// repeat.
func tabled(name string, units ...uint64) int {
	at, ok := constants[name]
	if !ok {
		at = len(constants)
		constants[name] = at
		for i := range constantBytes / 8 {
			fmt.Fprintf(&table, "DATA constants<>+%d(SB)/8, $%#016x\n", constantBytes*at+8*i, units[i%len(units)])
		}
	}
	return constantBytes * at
}

// constantTable returns a register with the address of the table.
func constantTable() general {
	r := register()
	emit("MOVD $constants<>(SB), %v", r)
	return r
}

// read returns a register loaded from the table.
func read(table general, offset int) vector {
	v := vectors(1)[0]
	emit("FMOVQ %d(%v), %v", offset, table, v)
	return v
}
