package main

import "math"

// units is the number of vectors of float64 that the loops over slices process at a time. The
// passes of SMO process the same numbers as half as many vectors of float32.
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

// An index counts the iterations of a loop in steps of 2·units.
type index struct {
	table       general
	current, by vector
}

// indices writes the code that starts an index.
func indices(table general) index {
	const pair = 2*units<<32 | 2*units
	return index{table, zeros(1)[0], read(table, tabled("indexStep", pair))}
}

func (x index) next() { single.addBits(x.by, x.current, x.current) }

// lanes adds the places of the lanes in an iteration to the index found in each.
func (x index) lanes(found []vector) {
	place := vectors(2)
	defer release(place...)
	loads(x.table, tabled("lanes", 1<<32, 3<<32|2, 5<<32|4, 7<<32|6), place)
	for i, v := range place {
		single.addBits(v, found[i], found[i])
	}
}

// joined converts the numbers of v to float32, in its first half.
func joined(v []vector) []vector {
	for i := range len(v) / 2 {
		shorten(v[2*i], v[i])
		shortenRest(v[2*i+1], v[i])
	}
	return v[:len(v)/2]
}

// results stores the results, numbers of the type e, to lanes and returns from the function.
func results(e element, of ...[]vector) {
	lanes := load("lanes")
	for i, result := range of {
		stores(lanes, i*16*e.bytes, result)
	}
	emit("RET")
}

// update writes the function that adds aKᵢ + bKⱼ to g and finds, in float32, the largest
// g - middle + up and the smallest g - middle + low. The results of the lanes go to lanes:
// two arrays of 16 float32 and one of 16 int32.
func update() {
	begin("updateNEON(gradient *float64, up, low, ki, kj *float32, count int, a, b, middle float64, lanes *float32)")
	g, up, low, ki, kj := load("gradient"), load("up"), load("low"), load("ki"), load("kj")
	a, b, middle, table := double.parameter("a"), double.parameter("b"), double.parameter("middle"), constantTable()
	x := indices(table)
	most, least, found := vectors(units/2), vectors(units/2), zeros(units/2)
	loads(table, single.constant("minusInf", math.Inf(-1)), most)
	loads(table, single.constant("inf", math.Inf(1)), least)
	v, w, limit, mask := vectors(units), vectors(units), vectors(units/2), vectors(1)[0]
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
		for u := range units {
			double.sub(middle, v[u], v[u])
		}
		distances := joined(v)
		loadsNext(up, limit)
		for i, distance := range distances {
			single.add(distance, limit[i], limit[i])
			single.greater(most[i], limit[i], mask)
			choose(mask, limit[i], most[i])
			choose(mask, x.current, found[i])
		}
		loadsNext(low, limit)
		for i, distance := range distances {
			single.add(distance, limit[i], limit[i])
			single.minNumber(limit[i], least[i], least[i])
		}
		x.next()
	})
	x.lanes(found)
	results(single, most, least, found)
}

// partner writes the function that finds, in float32, the largest b²/a with
// b = own - g - low and a = diagonal + ownDiagonal - 2K. Its results go to lanes as those
// of update, without the second array.
func partner() {
	begin("partnerNEON(gradient *float64, low, diagonal, k *float32, count int, own float64, ownDiagonal float32, lanes *float32)")
	g, low, diagonal, k := load("gradient"), load("low"), load("diagonal"), load("k")
	own, ownDiagonal, table := double.parameter("own"), single.parameter("ownDiagonal"), constantTable()
	x := indices(table)
	two, tiny, nought := read(table, single.constant("two", 2)), read(table, single.constant("tiny", 1e-12)), zeros(1)[0]
	most, found := zeros(units/2), zeros(units/2)
	v, a, w, mask := vectors(units), vectors(units/2), vectors(units/2), vectors(1)[0]
	loop(func() {
		loadsNext(g, v)
		for u := range units {
			double.sub(v[u], own, v[u])
		}
		b := joined(v)
		loadsNext(low, w)
		for i := range b {
			single.sub(w[i], b[i], b[i])
			single.max(b[i], nought, b[i])
			single.mul(b[i], b[i], b[i])
		}
		loadsNext(diagonal, a)
		loadsNext(k, w)
		for i := range b {
			single.add(ownDiagonal, a[i], a[i])
			single.fms(w[i], two, a[i])
			single.max(a[i], tiny, a[i])
			single.div(a[i], b[i], b[i])
			single.greater(most[i], b[i], mask)
			choose(mask, b[i], most[i])
			choose(mask, x.current, found[i])
		}
		x.next()
	})
	x.lanes(found)
	results(single, most, nil, found)
}
