package main

import "fmt"

// put stores float64 numbers, converted to the type of, and moves to on. It overwrites
// half of v for float32.
func put(of element, v []vector, to general) {
	if of.bytes == 8 {
		storesNext(to, v)
		return
	}
	for i := 0; i < len(v); i += 4 {
		for j := i; j < i+4; j += 2 {
			shorten(v[j], v[j])
			shortenRest(v[j+1], v[j])
		}
		storesNext(to, []vector{v[i], v[i+2]})
	}
}

// narrow writes the function that stores x as float32 and returns the sum of its
// squares.
func narrow() {
	begin("narrowNEON(dst *float32, x *float64, count int) float64")
	dst, x, v, sums := load("dst"), load("x"), vectors(units), zeros(units)
	loop(func() {
		loadsNext(x, v)
		for u := range units {
			double.fma(v[u], v[u], sums[u])
		}
		put(single, v, dst)
	})
	double.add(sums[1], sums[0], sums[0])
	double.add(sums[3], sums[2], sums[2])
	double.add(sums[2], sums[0], sums[0])
	across(sums[0], sums[0])
	emit("FMOVD %v, %s", sums[0], places["ret"])
	emit("RET")
}

// standardise writes the function that stores (x - mean)·perScale.
func standardise(of element) {
	begin(fmt.Sprintf("standardise%sNEON(dst *%s, x, mean, perScale *float64, count int)", of.bits, of.name))
	dst, x, mean, perScale := load("dst"), load("x"), load("mean"), load("perScale")
	v, w := vectors(units), vectors(units)
	loop(func() {
		loadsNext(x, v)
		loadsNext(mean, w)
		for u := range units {
			double.sub(w[u], v[u], v[u])
		}
		loadsNext(perScale, w)
		for u := range units {
			double.mul(w[u], v[u], v[u])
		}
		put(of, v, dst)
	})
	emit("RET")
}
