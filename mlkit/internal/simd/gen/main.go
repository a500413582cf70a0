// Gen writes the assembly of package simd, by way of avo. It is a module of its own,
// so that who uses mlkit needs no avo. Run it by go generate in the folder above.
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	cpu()
	prefetch()
	for _, s := range []set{{"AVX2", 32}, {"AVX512", 64}} {
		for _, e := range []element{single, double} {
			tile(s, e, 1)
			tile(s, e, 6)
			gauss(s, e)
			products(s, e)
			combine(s, e)
			descend(s, e)
			standardise(s, e)
		}
		update(s)
		partner(s)
		axpy(s)
		dot(s)
		narrow(s)
		hinge(s)
		distances(s)
		nearest(s)
		symmetric(s)
	}
	fill()
	Generate()
}
