package simd

import "os"

// level is a set of instructions.
type level int

const (
	scalar level = iota // plain Go
	avx2                // AVX2 with FMA: vectors of 32 bytes
	avx512              // AVX-512 F, BW, DQ and VL: vectors of 64 bytes
)

var names = map[string]level{"off": scalar, "avx2": avx2, "avx512": avx512}

// use is the level that all functions of this package work at.
var use = choose(os.Getenv("MARGINALIA_SIMD"), best())

// choose returns the level that the variable MARGINALIA_SIMD asks for, on a machine
// that has have: the best one it has if it asks for a better one, or for none that
// there is.
func choose(asked string, have level) level {
	l, ok := names[asked]
	if !ok {
		return have
	}
	return min(l, have)
}

// Name returns what MARGINALIA_SIMD would be set to for the instructions in use.
func Name() string {
	for name, l := range names {
		if l == use {
			return name
		}
	}
	return ""
}
