package simd

import "os"

// level is an instruction set. Each architecture has its own levels above scalar, and
// the map names of all.
type level int

const scalar level = 0 // plain Go

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
