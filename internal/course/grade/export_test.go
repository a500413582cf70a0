package grade

import "time"

// Bound has the processor compile a submission for so long, instead of what a Compiler allows by itself.
func (g *Grader) Bound(cpu time.Duration) {
	if g.compiler == nil {
		g.compiler = g.Assignment.Compiler()
	}
	g.compiler.CPU = cpu
}

// Least sets the seconds of the processor that any test may take; 0 means minSeconds.
func (g *Grader) Least(seconds float64) { g.least = seconds }
