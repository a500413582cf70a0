package perceptron

import "marginalia/mlkit"

// An observer watches a run and changes nothing in it. Nothing else happens to a hyperplane
// than mistakes, so that is all an observer is told.
type observer interface {
	// mistake says that row i is a mistake of h, which classified the given number of
	// samples correctly before. h is about to be updated: copy what is to be kept.
	mistake(i int, h mlkit.Hyperplane, survived int)
}

// A watch is an observer of every step, called after it: a visit to row i, whose score before
// the step was the given one. It may end the run, unless it returns unended.
type watch func(i int, score float64, mistake bool) ending

// An ending is the reason why a run ended.
type ending int

const (
	unended   ending = iota // none so far; of a run that is over: MaxIter passes were made
	clean                   // every sample was classified correctly
	inCycle                 // the hyperplane at the end of a pass occurred before
	stopped                 // a trace returned false
	cancelled               // the context is done
)

// longest is an observer that keeps the hyperplane that survived the most samples, the first
// of them in a tie. It is the pocket algorithm without ratchet (see Pocket), on the samples
// in the order of the run.
type longest struct {
	h    mlkit.Hyperplane
	most int // samples that it survived
}

// newLongest returns a longest for a run that begins at start.
func newLongest(start mlkit.Hyperplane) *longest { return &longest{h: start.Clone()} }

func (l *longest) mistake(_ int, h mlkit.Hyperplane, survived int) {
	if survived > l.most {
		l.most = survived
		copy(l.h.W, h.W)
		l.h.B = h.B
	}
}
