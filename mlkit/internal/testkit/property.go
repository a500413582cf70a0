package testkit

import (
	"flag"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Check is rapid.Check from a fixed seed: whether a change passes must not depend on the
// luck of its run. It draws the first five values, and a hundred in the tier long (a fifth of
// those under -short, by rapid's rule). To look for what they don't find, name others:
//
//	go test ./mlkit/feature -run Property -rapid.seed=$RANDOM -rapid.checks=10000
func Check(t *testing.T, holds func(*rapid.T)) {
	t.Helper()
	settle.Do(func() {
		set(t, "rapid.seed", "1") // without it, a random one
		if !IsLong(t) {
			checks := "5"
			if testing.Short() {
				checks = "25" // rapid itself draws a fifth of them then
			}
			set(t, "rapid.checks", checks)
		}
	})
	rapid.Check(t, holds)
}

var settle sync.Once

// set gives a flag of rapid's a value, unless the command line has given it one.
func set(t *testing.T, name, value string) {
	t.Helper()
	if f := flag.Lookup(name); f.Value.String() == f.DefValue {
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
	}
}
