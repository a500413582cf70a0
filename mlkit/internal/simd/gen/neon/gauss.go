package main

import (
	"fmt"
	"math"
)

// gauss writes the function that replaces a tile of inner products xᵣ·zᵢ by
// exp(-γ‖xᵣ-zᵢ‖²). It computes the squared distance as ‖xᵣ‖² + ‖zᵢ‖² - 2xᵣ·zᵢ, or 0 if
// rounding makes that negative.
func gauss(e element) {
	begin(fmt.Sprintf("gauss%sNEON(tile, own, squares *%s, rows int, minusGamma %[2]s)", e.bits, e.name))
	at, own, squares, rows := load("tile"), load("own"), load("squares"), load("rows")
	table, square, left := constantTable(), register(), register()
	gamma := e.parameter("minusGamma")
	minusTwo, least := read(table, e.constant("minusTwo", -2)), read(table, e.constant("least", e.least))
	x := exponential(e, table)
	nought, ownSquare := zeros(1)[0], vectors(1)[0]
	t, p := vectors(4), vectors(4)
	label("row")
	e.broadcast(own, ownSquare)
	emit("ADD $%d, %v", e.bytes, own)
	emit("MOVD %v, %v", squares, square)
	emit("MOVD $%d, %v", panelBytes/16/len(t), left)
	label("column")
	loadsNext(square, t)
	loads(at, 0, p)
	for i := range t {
		e.add(t[i], ownSquare, t[i])
	}
	for i := range t {
		e.fma(p[i], minusTwo, t[i])
	}
	for i := range t {
		e.max(t[i], nought, t[i])
	}
	for i := range t {
		e.mul(gamma, t[i], t[i])
	}
	for i := range t {
		e.max(t[i], least, t[i])
	}
	storesNext(at, x.exp(t, p))
	next(left, "column")
	next(rows, "row")
	emit("RET")
}

// inverse returns 1/k!.
func inverse(k int) float64 {
	factorial := 1
	for i := 2; i <= k; i++ {
		factorial *= i
	}
	return 1 / float64(factorial)
}

// exponent holds the constants of exp.
type exponent struct {
	element
	table                    general
	shifted                  int // offset in the table of magic
	magic, perLn2, high, low vector
}

// exponential writes the code that loads the constants of exp.
func exponential(e element, table general) exponent {
	x := exponent{element: e, table: table, shifted: e.constant("magic", 1.5*float64(uint64(1)<<e.mantissa)+float64(e.bias))}
	x.magic, x.perLn2 = read(table, x.shifted), read(table, e.constant("perLn2", 1/math.Ln2))
	x.high, x.low = read(table, e.constant("high", e.high)), read(table, e.constant("low", e.low))
	return x
}

// exp returns registers with exp(t), for least ≤ t ≤ 0, and overwrites t and p. It computes
// 2ⁿ·exp(r), where n is the integer nearest to t/ln 2 and r = t - n·ln 2, with n·high
// exact. Since |r| ≤ ½ln 2, the Taylor polynomial of degree terms is enough: the
// remainder is below an ulp of the sum. Adding 1½·2ᵐ plus the bias of exponents, with m
// the number of bits of the mantissa, leaves n plus the bias in the lowest bits, from
// where it is shifted into the exponent.
func (x exponent) exp(t, p []vector) []vector {
	n, q := vectors(len(t)), vectors(len(t))
	x.all(x.shifted, n)
	for i := range t {
		x.fma(x.perLn2, t[i], n[i])
	}
	for i := range t {
		x.sub(x.magic, n[i], p[i])
	}
	for i := range t {
		x.fms(x.high, p[i], t[i])
	}
	for i := range t {
		x.fms(x.low, p[i], t[i])
	}
	x.all(x.constant(fmt.Sprintf("term%d", x.terms), inverse(x.terms)), p)
	for k := x.terms - 1; k >= 0; k-- {
		x.all(x.constant(fmt.Sprintf("term%d", k), inverse(k)), q)
		for i := range t {
			x.fma(p[i], t[i], q[i])
		}
		p, q = q, p
	}
	for i := range t {
		emit("VSHL $%d, %s, %[2]s", x.mantissa, n[i].as(x.lanes))
	}
	for i := range t {
		x.mul(n[i], p[i], p[i])
	}
	return p
}

// all writes loads of a constant into an even number of registers.
func (x exponent) all(offset int, into []vector) {
	for i := 0; i < len(into); i += 2 {
		loads(x.table, offset, into[i:i+2])
	}
}
