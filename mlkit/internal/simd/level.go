package simd

import "os"

// level is an instruction set.
type level int

const (
	scalar level = iota // plain Go
	avx2                // AVX2 with FMA: vectors of 32 bytes
	avx512              // AVX-512 F, BW, DQ and VL: vectors of 64 bytes
)

var names = map[string]level{"off": scalar, "avx2": avx2, "avx512": avx512}

// use is the level of all functions in this package.
var use = choose(os.Getenv("MARGINALIA_SIMD"), best())

// choose returns the level for the value asked of MARGINALIA_SIMD on a machine with
// level have: have itself if asked is a higher level or unknown.
func choose(asked string, have level) level {
	l, ok := names[asked]
	if !ok {
		return have
	}
	return min(l, have)
}

// Name returns the value of MARGINALIA_SIMD that selects the instructions in use.
func Name() string {
	for name, l := range names {
		if l == use {
			return name
		}
	}
	return ""
}
