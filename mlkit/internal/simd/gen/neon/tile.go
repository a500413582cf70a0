package main

import "fmt"

// A panel holds panelBytes for each feature: one number per sample.
const (
	panelBytes = 1 << panelShift
	panelShift = 8
)

// tile writes the function that computes the inner products of one or six samples x
// with all samples of a panel. It sums over the features in order, whatever the number
// of rows, so a product does not depend on which samples are processed together.
//
// One sample has a sum in each of 16 registers. For six, the function computes the tile
// in four parts, with the sums of a quarter of the panel's samples in 24 registers.
func tile(e element, rows int) {
	begin(fmt.Sprintf("tile%sx%dNEON(dst, panel, x *%s, features *uint32, count int)", e.bits, rows, e.name))
	dst, panel, x, features, count := load("dst"), load("panel"), load("x"), load("features"), load("count")
	at, feature, left, offset, from, parts := register(), register(), register(), register(), register(), register()
	together := panelBytes / 16 // vectors of the panel
	if rows > 1 {
		together = 4
		emit("MOVD $%d, %v", panelBytes/16/together, parts)
		label("part")
	}
	sums := make([][]vector, rows)
	for r := range sums {
		sums[r] = zeros(together)
	}
	lanes := 16 / e.bytes
	xs, p := vectors((rows+lanes-1)/lanes), vectors(4)
	emit("MOVD %v, %v", x, at)
	emit("MOVD %v, %v", features, feature)
	emit("MOVD %v, %v", count, left)
	label("feature")
	emit("MOVWU.P 4(%v), %v", feature, offset)
	emit("ADD %v<<%d, %v, %v", offset, panelShift, panel, from)
	switch {
	case rows == 1:
		emit("FMOV%s.P %d(%v), %v", e.lanes[:1], e.bytes, at, xs[0])
	case e.bytes == 4:
		emit("FMOVQ.P 16(%v), %v", at, xs[0])
		emit("FMOVD.P 8(%v), %v", at, xs[1])
	default:
		loadsNext(at, xs[:2])
		emit("FMOVQ.P 16(%v), %v", at, xs[2])
	}
	for c := 0; c < together; c += len(p) {
		loads(from, 16*c, p)
		for u, v := range p {
			for r := range sums {
				e.fmaLane(xs[r/lanes], r%lanes, v, sums[r][c+u])
			}
		}
	}
	next(left, "feature")
	if rows == 1 {
		stores(dst, 0, sums[0])
		emit("RET")
		return
	}
	emit("MOVD %v, %v", dst, at)
	for _, row := range sums {
		stores(at, 0, row)
		emit("ADD $%d, %v", panelBytes, at)
	}
	emit("ADD $%d, %v", 16*together, panel)
	emit("ADD $%d, %v", 16*together, dst)
	next(parts, "part")
	emit("RET")
}
