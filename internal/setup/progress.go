package setup

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A Progress is told the name of each slow step when it begins. What it
// returns is called when the step ends, with the step's error or nil. A step
// with nothing to do is not announced. A nil Progress is silent.
type Progress func(step string) (end func(error))

// Begin tells p of a step; see [Progress].
func (p Progress) Begin(step string) func(error) {
	if p == nil {
		return func(error) {}
	}
	return p(step)
}

// Lines is the Progress of a terminal or a log: a line when a step begins, and
// one with the seconds it took when it ends. Steps may overlap.
func Lines(w io.Writer) Progress {
	var mu sync.Mutex
	return func(step string) func(error) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "  … %s\n", step)
		start := time.Now()
		return func(err error) {
			mu.Lock()
			defer mu.Unlock()
			mark := "✓"
			if err != nil {
				mark = "✗"
			}
			fmt.Fprintf(w, "  %s %s (%.1f s)\n", mark, step, time.Since(start).Seconds())
		}
	}
}
