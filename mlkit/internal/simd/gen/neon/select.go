package main

import (
	"fmt"
	"math"
)

// units is the number of vectors of float64 that the loops below process at a time.
// Each has its own results, so that its comparisons don't wait for another's. The
// results of the lanes go to lanes: two arrays of 16 float64 and one of 16 int64.
const units = 4

// loop writes a loop over count, a multiple of 2·units, with that many numbers an
// iteration.
func loop(do func()) {
	count := load("count")
	label("loop")
	do()
	emit("SUBS $%d, %v, %[2]v", 2*units, count)
	emit("BNE loop")
}

// filled returns n registers loaded with a constant.
func filled(n int, table general, name string, v float64) []vector {
	some := vectors(n)
	for i := 0; i < n; i += 2 {
		loads(table, double.constant(name, v), some[i:i+2])
	}
	return some
}

// An index counts the iterations of a loop in steps of 2·units.
type index struct {
	table       general
	current, by vector
}

// indices writes the code that starts an index.
func indices(table general) index {
	by := read(table, tabled("indexStep", 2*units))
	return index{table, zeros(1)[0], by}
}

func (x index) next() { double.addBits(x.by, x.current, x.current) }

// lanes adds the places of the lanes in an iteration to the index found in each.
func (x index) lanes(found []vector) {
	place := vectors(2)
	defer release(place...)
	for u := 0; u < len(found); u += 2 {
		at := uint64(2 * u)
		loads(x.table, tabled(fmt.Sprintf("lanes%d", at), at, at+1, at+2, at+3), place)
		for i, v := range place {
			double.addBits(v, found[u+i], found[u+i])
		}
	}
}

// results stores the results to lanes and returns from the function.
func results(of ...[]vector) {
	lanes := load("lanes")
	for i, result := range of {
		stores(lanes, i*16*8, result)
	}
	emit("RET")
}

// update writes the function that adds aKᵢ + bKⱼ to g and finds the largest g + up and
// the smallest g + low.
func update() {
	begin("updateNEON(gradient *float64, up, low, ki, kj *float32, count int, a, b float64, lanes *float64)")
	g, up, low, ki, kj := load("gradient"), load("up"), load("low"), load("ki"), load("kj")
	a, b, table := double.parameter("a"), double.parameter("b"), constantTable()
	x := indices(table)
	most, least, found := filled(units, table, "minusInf", math.Inf(-1)), filled(units, table, "inf", math.Inf(1)), zeros(units)
	v, w, mask := vectors(units), vectors(units), vectors(1)[0]
	loop(func() {
		loads(g, 0, v)
		widened(ki, w)
		for u := range units {
			double.fma(w[u], a, v[u])
		}
		widened(kj, w)
		for u := range units {
			double.fma(w[u], b, v[u])
		}
		storesNext(g, v)
		widened(up, w)
		for u := range units {
			double.add(v[u], w[u], w[u])
			double.greater(most[u], w[u], mask)
			choose(mask, w[u], most[u])
			choose(mask, x.current, found[u])
		}
		widened(low, w)
		for u := range units {
			double.add(v[u], w[u], w[u])
			double.minNumber(w[u], least[u], least[u])
		}
		x.next()
	})
	x.lanes(found)
	results(most, least, found)
}

// partner writes the function that finds the largest b²/a with b = own - g - low and a
// = diagonal + ownDiagonal - 2K. It compares fractions without dividing: p/q > r/s if
// ps > rq.
func partner() {
	begin("partnerNEON(gradient *float64, low, diagonal, k *float32, count int, own, ownDiagonal float64, lanes *float64)")
	g, low, diagonal, k := load("gradient"), load("low"), load("diagonal"), load("k")
	own, ownDiagonal, table := double.parameter("own"), double.parameter("ownDiagonal"), constantTable()
	x := indices(table)
	two, tiny, nought := read(table, double.constant("two", 2)), read(table, double.constant("tiny", 1e-12)), zeros(1)[0]
	above, below, found := zeros(units), filled(units, table, "one", 1), zeros(units)
	a, b, w := vectors(units), vectors(units), vectors(2)
	ours, theirs := w[0], w[1]
	loop(func() {
		loadsNext(g, a)
		widened(low, b)
		for u := range units {
			double.add(a[u], b[u], b[u])
			double.sub(b[u], own, b[u])
			double.max(b[u], nought, b[u])
			double.mul(b[u], b[u], b[u])
		}
		widened(diagonal, a)
		for u := range units {
			double.add(ownDiagonal, a[u], a[u])
		}
		for u := 0; u < units; u += 2 {
			widened(k, w)
			for i, v := range w {
				double.fms(v, two, a[u+i])
			}
		}
		for u := range units {
			double.max(a[u], tiny, a[u])
			double.mul(b[u], below[u], ours)
			double.mul(a[u], above[u], theirs)
			double.greater(theirs, ours, ours)
			choose(ours, b[u], above[u])
			choose(ours, a[u], below[u])
			choose(ours, x.current, found[u])
		}
		x.next()
	})
	x.lanes(found)
	results(above, below, found)
}
