// Gen writes the assembly of package simd, using avo. It is a module of its own so that
// users of mlkit don't need avo. Run it with go generate in the parent folder.
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("!noasm")
	cpu()
	prefetch()
	for _, s := range []set{{"AVX2", 32}, {"AVX512", 64}} {
		for _, e := range []element{single, double} {
			tile(s, e, 1)
			tile(s, e, 6)
			outer(s, e)
			gauss(s, e)
			products(s, e)
			combine(s, e)
			descend(s, e)
			standardise(s, e)
		}
		update(s)
		partner(s)
		axpy(s)
		narrow(s)
		hinge(s)
		distances(s)
		nearest(s)
		symmetric(s)
		rotate(s)
	}
	fill()
	Generate()
}
