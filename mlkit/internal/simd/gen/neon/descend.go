package main

import (
	"fmt"
	"math"
)

// Offsets in bytes of the fields of Coordinate, which has five words, and of Descent.
const (
	atAlpha, atLabel, atBound, atSquare, atOut = 0, 8, 16, 24, 32

	atBias, atBias2, atLow, atHigh, atSquared = 0, 8, 16, 24, 32
	atGap, atLeast, atMost, atMissed          = 40, 48, 56, 64
)

// rowsAhead is how many rows ahead descend prefetches.
const rowsAhead = 16

// scalar writes an instruction for single numbers of float64: d ← n op m.
func scalar(name string, m, n, d vector) { emit("%sD %v, %v, %v", name, m, n, d) }

// scalarFMA: d ← d + n·m, rounded once.
func scalarFMA(m, n, d vector) { emit("FMADDD %v, %v, %v, %[2]v", m, d, n) }

// compare writes the comparison of n with m. After it, BGT branches if n > m and BGE if
// n ≥ m; BEQ if n = m. None does if one is NaN.
func compare(m, n vector) { emit("FCMPD %v, %v", m, n) }

// descend writes the function that takes a step of dual coordinate descent for each row
// listed in order. It prefetches the row that comes rowsAhead later.
func descend(of element) {
	begin(fmt.Sprintf("descend%sNEON(x *%s, stride int, w *float64, count int, order *int32, rows int, samples, state *float64)", of.bits, of.name))
	m := begun(of, "w", 1)
	all, order, samples, state := m.x, load("order"), load("samples"), load("state")
	m.x = register()
	number := func(base general, at int) vector {
		v := vectors(1)[0]
		emit("FMOVD %d(%v), %v", at, base, v)
		return v
	}
	b, bias2, low, high := number(state, atBias), number(state, atBias2), number(state, atLow), number(state, atHigh)
	gap, least, most, missed := number(state, atGap), number(state, atLeast), number(state, atMost), number(state, atMissed)
	squared, later, row, sample := register(), register(), register(), register()
	emit("MOVD %d(%v), %v", atSquared, state, squared)
	nought, one, half, infinite := zeros(1)[0], vectors(1)[0], vectors(1)[0], vectors(1)[0]
	emit("FMOVD $1.0, %v", one)
	emit("FMOVD $0.5, %v", half)
	emit("MOVD $%#x, %v", math.Float64bits(math.Inf(1)), row)
	emit("FMOVD %v, %v", row, infinite)

	// place sets sample and at to the addresses of a row's sample, of 40 bytes, and of
	// the row.
	place := func(at general) {
		emit("ADD %v<<2, %[1]v, %v", row, sample)
		emit("ADD %v<<3, %v, %[1]v", sample, samples)
		emit("MUL %v, %v, %[2]v", m.stride, row)
		emit("ADD %v, %v, %v", row, all, at)
	}
	label("row")

	// Prefetch the row that comes rowsAhead later, or this one near the end.
	emit("MOVD $%d, %v", 4*rowsAhead, later)
	emit("CMP $%d, %v", rowsAhead, m.rows)
	emit("CSEL GT, %v, ZR, %[1]v", later)
	emit("MOVW (%v)(%v), %v", order, later, row)
	place(m.x)
	emit("PRFM (%v), PLDL1KEEP", sample)
	emit("MOVD %v, %v", m.count, m.left)
	label("line")
	emit("PRFM (%v), PLDL1KEEP", m.x)
	emit("ADD $64, %v", m.x)
	emit("SUBS $%d, %v, %[2]v", 64/of.bytes, m.left)
	emit("BGT line")

	emit("MOVW.P 4(%v), %v", order, row)
	place(m.x)
	G := m.product("product")
	alpha, y, bound, curvature := number(sample, atAlpha), number(sample, atLabel), number(sample, atBound), number(sample, atSquare)
	free := vectors(4)
	slack, upper, ridge, part := free[0], free[1], free[2], free[3]

	// G = y(w·x + b) - 1
	scalar("FADD", b, G, G)
	scalar("FMUL", y, G, G)
	scalar("FSUB", one, G, G)

	// gap ← gap + C max(0, -G) + αG, or C max(0, -G)² + αG + rα²/2 with r = 1/(2C) for the squared hinge loss
	scalar("FSUB", G, nought, slack)
	scalar("FMAX", nought, slack, slack)
	scalarFMA(G, alpha, gap)
	emit("FMOVD %v, %v", bound, upper)
	emit("CBZ %v, hinge", squared)
	emit("FMOVD %v, %v", infinite, upper)
	scalar("FMUL", slack, slack, slack)
	scalar("FADD", bound, bound, ridge)
	scalar("FDIV", ridge, one, ridge)
	scalar("FMUL", alpha, ridge, part)
	scalar("FADD", part, G, G)
	scalar("FMUL", alpha, part, part)
	scalarFMA(half, part, gap)
	scalar("FADD", ridge, curvature, curvature)
	label("hinge")
	scalarFMA(slack, bound, gap)

	compare(nought, alpha)
	emit("BNE above")
	compare(high, G)
	emit("BGT out")
	compare(nought, G)
	emit("BGE next")
	emit("B step")
	label("above")
	compare(upper, alpha)
	emit("BNE step")
	compare(G, low)
	emit("BGT out")
	compare(G, nought)
	emit("BGE next")

	label("step")
	scalar("FMIN", G, least, least)
	scalar("FMAX", G, most, most)
	// α ← min(max(α - G/(‖x‖² + β² + r), 0), U),  w ← w + Δyx,  b ← b + Δyβ²
	after, size := slack, part
	scalar("FDIV", curvature, G, after)
	scalar("FSUB", after, alpha, after)
	scalar("FMAX", nought, after, after)
	scalar("FMIN", upper, after, after)
	compare(alpha, after)
	emit("BEQ next")
	emit("FMOVD %v, %d(%v)", after, atAlpha, sample)
	emit("FABSD %v, %v", G, size)
	scalar("FMAX", size, missed, missed)
	scalar("FSUB", alpha, after, after)
	scalar("FMUL", y, after, after)
	scalarFMA(bias2, after, b)
	double.fill(after)
	release(G, alpha, y, bound, curvature, upper, ridge, part)
	m.add("move", []vector{after})
	emit("B next")
	label("out")
	emit("MOVD $1, %v", row)
	emit("MOVD %v, %d(%v)", row, atOut, sample)
	label("next")
	next(m.rows, "row")

	for i, v := range []vector{b, gap, least, most, missed} {
		emit("FMOVD %v, %d(%v)", v, []int{atBias, atGap, atLeast, atMost, atMissed}[i], state)
	}
	emit("RET")
}
