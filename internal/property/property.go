// Package property checks properties over drawn values, the same ones in every run.
package property

import (
	"flag"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Check is rapid.Check from a fixed seed: whether a change passes must not depend on the
// luck of its run. To look for what the fixed values don't find, name other ones:
//
//	go test ./mlkit/feature -run Property -rapid.seed=$RANDOM -rapid.checks=10000
func Check(t *testing.T, holds func(*rapid.T)) {
	t.Helper()
	fixSeed()
	rapid.Check(t, holds)
}

var fixSeed = sync.OnceFunc(func() {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" { // rapid's word for a random one
		if err := seed.Value.Set("1"); err != nil {
			panic(err)
		}
	}
})
