// Package simd has the inner loops of mlkit: scalar Go, and beside it assembly for
// AVX2 with FMA and for AVX-512, chosen by the processor when the program starts. The
// variable MARGINALIA_SIMD forces one: off, avx2 or avx512.
//
// The assembly is written by the program in gen, from which go generate makes the files
// that begin with z.
package simd

//go:generate go -C gen run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd
