// Package simd has the inner loops of mlkit: scalar Go, and beside it assembly for
// AVX2 with FMA and for AVX-512, chosen by the processor when the program starts. The
// variable MARGINALIA_SIMD forces one: off, avx2 or avx512. Where the processor has less
// than is asked for, it gets the best it has, and so it does if the variable is something
// else. (It is read before a test starts, so go test does not know of it: give -count=1.)
//
// AVX2 and AVX-512 give the same bits in Tile, Gauss, Update, Axpy, Combine and Standardise. Dot,
// Products, Descend, Narrow and Hinge add up in the order of lanes, and Partner may decide
// near ties otherwise; and scalar Go rounds products before it adds them. What is said of
// a function's errors holds for all three.
//
// The assembly is written by the program in gen, from which go generate makes the files
// that begin with z.
package simd

//go:generate go -C gen run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd
