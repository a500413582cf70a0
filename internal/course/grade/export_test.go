package grade

import "time"

// Bound has the processor compile a submission for so long, instead of what a Compiler allows by itself.
func (g *Grader) Bound(cpu time.Duration) {
	if g.compiler != nil {
		g.compiler.Close()
	}
	g.compiler = g.Assignment.Compiler()
	g.compiler.CPU = cpu
}

// Least has any test take so many seconds of the processor, instead of minSeconds; 0 is that again.
func (g *Grader) Least(seconds float64) { g.least = seconds }
