// Package simd contains the inner loops of mlkit: in plain Go, and in assembly for AVX2
// with FMA and for AVX-512. It chooses the best that the processor has when the program
// starts. The environment variable MARGINALIA_SIMD overrides the choice: off, avx2 or
// avx512. If the processor lacks what is asked for, or the value is unknown, the
// package uses the best there is. (The variable is read before a test starts, so go
// test does not know of it: run with -count=1.)
//
// AVX2 and AVX-512 give the same bits in Tile, Gauss, Update, Axpy, Combine and
// Standardise. Dot, Products, SymmetricMul, Descend, Narrow and Hinge sum in an order
// that depends on the number of lanes, and Partner may break near ties differently.
// Plain Go rounds products before it adds them. Distances and Nearest give the same
// bits on amd64 at every level. The error bounds of a function hold at all three
// levels.
//
// The program in gen writes the assembly; go generate runs it. The files it writes
// begin with z.
package simd

//go:generate go -C gen run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd
