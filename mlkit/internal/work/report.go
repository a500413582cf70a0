package work

import (
	"math"
	"sync"

	"marginalia/mlkit"
)

// Reporter returns a function that passes on to o.Report how far an algorithm is, such as
// "perceptron: Perceptron": after done passes, say, of the given number at most. It does nothing
// if done is not more than before, or if o.Report is nil.
func Reporter(o mlkit.Options, algorithm string, of int) func(done int, residual float64) {
	if o.Report == nil {
		return func(int, float64) {}
	}
	before := 0
	return func(done int, residual float64) {
		if done <= before {
			return
		}
		before = done
		o.Report(mlkit.Progress{Algorithm: algorithm, Done: done, Of: of, Residual: residual})
	}
}

// Restarted is a Reporter for runs of at most limit iterations each. Those that a run does not need
// count as done once the next run begins.
func Restarted(o mlkit.Options, algorithm string, runs, limit int) func(run, iterations int, residual float64) {
	limit = min(limit, math.MaxInt/runs)
	report := Reporter(o, algorithm, runs*limit)
	return func(run, iterations int, residual float64) { report(run*limit+iterations, residual) }
}

// Counted returns a function that counts its calls, which any goroutine may make, and reports
// each as one more of n models that are done.
func Counted(o mlkit.Options, algorithm string, n int) func() {
	var counting sync.Mutex
	done, report := 0, Reporter(o, algorithm, n)
	return func() {
		counting.Lock()
		defer counting.Unlock()
		done++
		report(done, math.NaN())
	}
}
