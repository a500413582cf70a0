package main

import (
	"fmt"
	"math"
)

// squares writes the loop that sums (x - z)² over the features, for the samples z of a
// panel from address at on, as many as sums has lanes. It rounds each square before
// adding it, as plain Go does, and moves x past the sample.
func squares(at, x, features general, sums []vector, loop string) {
	left, value, difference := register(), vectors(1)[0], vectors(4)
	defer release(append(difference, value)...)
	for _, sum := range sums {
		zero(sum)
	}
	emit("MOVD %v, %v", features, left)
	label(loop)
	emit("VLD1R.P 8(%v), [%s]", x, value.as("D2"))
	for c := 0; c < len(sums); c += len(difference) {
		loads(at, 16*c, difference)
		for _, d := range difference {
			double.sub(d, value, d)
		}
		for _, d := range difference {
			double.mul(d, d, d)
		}
		for i, d := range difference {
			double.add(d, sums[c+i], sums[c+i])
		}
	}
	emit("ADD $%d, %v", panelBytes, at)
	next(left, loop)
}

// distances writes the function that computes the squared distances of one sample from
// those of a panel.
func distances() {
	begin("distancesNEON(dst, panel, x *float64, features int)")
	dst, panel, x, features := load("dst"), load("panel"), load("x"), load("features")
	sums := vectors(panelBytes / 16)
	squares(panel, x, features, sums, "feature")
	stores(dst, 0, sums)
	emit("RET")
}

// nearest writes the function that finds the nearest centre of each sample of a panel,
// the first in a tie. The registers hold what it needs for half of a panel.
func nearest() {
	begin("nearestNEON(index *int64, least, panel, centres *float64, features, count int)")
	index, least, panel, centres := load("index"), load("least"), load("panel"), load("centres")
	features, count := load("features"), load("count")
	infinite, number, from, at := register(), register(), register(), register()
	best, found, sums := vectors(panelBytes/32), vectors(panelBytes/32), vectors(panelBytes/32)
	emit("MOVD $%#x, %v", math.Float64bits(math.Inf(1)), infinite)
	for half := range 2 {
		centre := fmt.Sprintf("centre%d", half)
		for i := range best {
			emit("VDUP %v, %s", infinite, best[i].as("D2"))
			zero(found[i])
		}
		emit("MOVD $0, %v", number)
		emit("MOVD %v, %v", centres, from)
		label(centre)
		emit("ADD $%d, %v, %v", half*panelBytes/2, panel, at)
		squares(at, from, features, sums, fmt.Sprintf("feature%d", half))
		v := vectors(2)
		mask, this := v[0], v[1]
		emit("VDUP %v, %s", number, this.as("D2"))
		for i, sum := range sums {
			double.greater(sum, best[i], mask)
			choose(mask, sum, best[i])
			choose(mask, this, found[i])
		}
		release(v...)
		emit("ADD $1, %v", number)
		emit("CMP %v, %v", count, number)
		emit("BLT %s", centre)
		storesNext(least, best)
		storesNext(index, found)
	}
	emit("RET")
}
