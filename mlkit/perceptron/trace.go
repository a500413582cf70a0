package perceptron

import "marginalia/mlkit"

// Step is one step of the perceptron: one visit to one sample.
type Step struct {
	Step     int              // 1 for the first, from w(0) to w(1)
	Epoch    int              // the pass, 0 for the first
	Index    int              // the row of X
	X        []float64        // that row, a view of X; must not be modified
	Y        int              // its label
	Score    float64          // w·x + b before the step
	Mistake  bool             // whether the step updated the hyperplane
	Mistakes int              // mistakes so far, including this step
	Before   mlkit.Hyperplane // must not be modified; shared by the steps between two mistakes
	After    mlkit.Hyperplane // same as Before if Mistake is false
}

// Epoch is one pass of the perceptron over the samples.
type Epoch struct {
	Epoch      int              // 0 for the first
	Mistakes   int              // mistakes in this pass
	Total      int              // mistakes so far
	Steps      int              // steps so far
	Hyperplane mlkit.Hyperplane // at the end of the pass
}

// traced returns a watch that shows every step to trace.
func (r *run) traced(trace func(Step) bool) watch {
	before := r.h.Clone()
	return func(i int, score float64, mistake bool) ending {
		m, after := &r.model, before
		if mistake {
			after = r.h.Clone()
		}
		goOn := trace(Step{
			Step: m.Steps, Epoch: m.Epochs - 1, Index: i, X: r.X.RawRowView(i), Y: r.y[i], Score: score,
			Mistake: mistake, Mistakes: m.Mistakes, Before: before, After: after,
		})
		before = after
		if !goOn {
			return stopped
		}
		return unended
	}
}

// traceEpoch shows the pass that has ended to TraceEpoch, and reports whether to go on.
func (r *run) traceEpoch() bool {
	m := &r.model
	return r.TraceEpoch == nil || r.TraceEpoch(Epoch{
		Epoch: m.Epochs - 1, Mistakes: m.MistakesPerEpoch[m.Epochs-1], Total: m.Mistakes, Steps: m.Steps, Hyperplane: r.h.Clone(),
	})
}
