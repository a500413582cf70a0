// Neon writes the assembly of package simd for arm64. Run it with go generate in the
// folder of simd.
//
// Its files have the names of those in the parent folder, which write the same kernels
// for amd64 with avo. avo knows no other processor, and NEON shares little with AVX: it
// has no masks and no operands in memory, but twice as many registers as AVX2, loads
// that move the pointer, and products with one lane of a vector.
package main

import (
	"flag"
	"log"
	"os"
)

func main() {
	out := flag.String("out", "", "file for the assembly")
	stubs := flag.String("stubs", "", "file for the declarations")
	flag.Parse()

	prefetch()
	for _, e := range []element{single, double} {
		tile(e, 1)
		tile(e, 6)
		outer(e)
		gauss(e)
		products(e)
		combine(e)
		descend(e)
		standardise(e)
	}
	update()
	partner()
	axpy()
	narrow()
	hinge()
	distances()
	nearest()
	symmetric()
	rotate()

	for path, text := range map[string]string{*out: assembly(), *stubs: declarations()} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
