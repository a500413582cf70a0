// Package misused has functions that break the promises of TestMisuse and others that
// keep them. It is only parsed, never compiled; the test supplies closures for its
// functions.
package misused

// Good returns an error.
func Good(n int) (int, error)

// Documented panics if n is negative.
func Documented(n int) int

// Silent doubles n.
func Silent(n int) int

// A Pair of numbers. The methods of half a pair panic.
type Pair[T any] struct{}

// First returns the first.
func (p *Pair[T]) First() T

// Mapper maps numbers.
type Mapper interface {
	// Map panics if n is negative.
	Map(n int) int
}

// Double is a Mapper.
type Double struct{}

// Map doubles n.
func (Double) Map(n int) int

// MarshalJSON encodes.
func (Double) MarshalJSON() ([]byte, error)

func hidden()

type secret struct{}

func (secret) Exported()
