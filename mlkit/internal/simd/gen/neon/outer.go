package main

import "fmt"

const (
	outerRows    = 4 // columns of the first panel, which are rows of the sum
	outerVectors = 3 // pairs of vectors in a row of a panel
)

// outer writes the function that adds the outer products of the rows of two panels to dst: four
// numbers of a times one, two or three pairs of vectors of b, at most 24 sums. Rows of dst
// start to numbers apart.
func outer(e element) {
	begin(fmt.Sprintf("outer%sNEON(dst *float64, to int, a, b *%s, count, units int)", e.bits, e.name))
	dst, to, a, b, count, wanted := load("dst"), load("to"), load("a"), load("b"), load("count"), load("units")
	emit("LSL $3, %v, %v", to, to)
	all := freeVectors
	for wide := outerVectors; wide > 0; wide-- {
		freeVectors = all
		if wide > 1 {
			emit("CMP $%d, %v", wide, wanted)
			emit("BNE below%d", wide)
		}
		sums := make([][]vector, outerRows)
		for r := range sums {
			sums[r] = zeros(2 * wide)
		}
		xs, columns := vectors(outerRows*e.bytes/16), vectors(2*wide)
		label(fmt.Sprintf("row%d", wide))
		if e.bytes == 4 {
			emit("FMOVQ (%v), %v", a, xs[0])
		} else {
			loads(a, 0, xs)
		}
		loads(b, 0, columns)
		for r, row := range sums {
			lanes := 16 / e.bytes
			for c, sum := range row {
				e.fmaLane(xs[r/lanes], r%lanes, columns[c], sum)
			}
		}
		emit("ADD $%d, %v", 32*outerVectors, a)
		emit("ADD $%d, %v", 32*outerVectors, b)
		next(count, fmt.Sprintf("row%d", wide))
		release(append(xs, columns...)...)
		for _, row := range sums {
			for c := 0; c < len(row); c += 2 {
				addTo(dst, c, e, row[c:c+2])
			}
			emit("ADD %v, %v", to, dst)
		}
		emit("RET")
		if wide > 1 {
			label(fmt.Sprintf("below%d", wide))
		}
	}
}

// addTo adds two vectors to dst, from vector c on. Vectors of float32 take twice as many of
// float64 there.
func addTo(dst general, c int, e element, pair []vector) {
	parts, into := pair, vectors(2)
	if e.bytes == 4 {
		parts = vectors(4)
		for k, v := range pair {
			widen(v, parts[2*k])
			widenRest(v, parts[2*k+1])
		}
	}
	for k := 0; k < len(parts); k += 2 {
		at := 16 * (c*len(parts)/2 + k)
		loads(dst, at, into)
		double.add(parts[k], into[0], into[0])
		double.add(parts[k+1], into[1], into[1])
		stores(dst, at, into)
	}
	release(into...)
	if e.bytes == 4 {
		release(parts...)
	}
}
