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
