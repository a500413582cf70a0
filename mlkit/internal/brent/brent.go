// Package brent finds a cycle in the states of an iteration (Richard Brent, "An improved
// Monte Carlo factorization algorithm", BIT 20, 1980).
package brent

import "slices"

// Detector compares each state of an iteration with the mark: state 0, then 1, 2, 4, 8 and
// so on. A cycle of p states that the iteration enters at state t is found at state m + p,
// where m is the first mark that is at least t and p. A state is a vector and a number.
//
// The detector keeps one state. A comparison takes O(d) time.
type Detector struct {
	w    []float64
	b    float64
	step int // of the last state
	next int // the state to mark next
}

// New returns a Detector with a copy of state 0 as its mark.
func New(w []float64, b float64) *Detector {
	return &Detector{w: slices.Clone(w), b: b, next: 1}
}

// Next takes the next state. It reports whether that state equals the mark and, if not,
// whether it is the new mark, of which it keeps a copy.
func (d *Detector) Next(w []float64, b float64) (recurs, marked bool) {
	d.step++
	if b == d.b && slices.Equal(w, d.w) {
		return true, false
	}
	if d.step == d.next {
		copy(d.w, w)
		d.b = b
		d.next *= 2
		return false, true
	}
	return false, false
}
