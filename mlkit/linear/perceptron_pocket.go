package linear

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Pocket is the pocket algorithm with ratchet (Stephen Gallant, "Perceptron-based
// learning algorithms", IEEE Transactions on Neural Networks 1, 1990), for classes
// that no hyperplane separates. A perceptron with ρ = 1 from w = 0 looks at samples
// drawn at random, with replacement. Whenever its hyperplane has been right for
// more draws in a row than the one in the pocket had been, and makes fewer mistakes
// on all samples too (the ratchet), it goes into the pocket. With enough draws the
// pocket holds, with probability as near to 1 as one likes, a hyperplane with the
// fewest mistakes there are.
//
// A draw takes O(d) time, and the ratchet O(nd) at most once for each hyperplane.
type Pocket struct {
	// Bias says how b is learnt. The zero value, ExtendedByOne, learns it as the
	// weight of a constant feature 1.
	Bias Bias

	// Epochs limits the draws to Epochs·n; 0 means 100. The fit ends before it if
	// the hyperplane in the pocket makes no mistake.
	Epochs int

	// NoRatchet puts a hyperplane into the pocket for the length of its run
	// alone, as in Gallant's first form of the algorithm. Such a fit does not end
	// before Epochs.
	NoRatchet bool

	// Seed is what the draws follow from.
	Seed uint64

	// Trace, if not nil, is called with every draw. Returning false ends the fit.
	Trace func(PocketStep) bool
}

// PocketStep is one draw of the pocket algorithm.
type PocketStep struct {
	Step       int        // 1 for the first
	Index      int        // the row of X that was drawn
	Mistake    bool       // whether the perceptron was wrong about it
	Run        int        // draws in a row that the present hyperplane was right about
	Hyperplane Hyperplane // the perceptron's after the draw; not to be changed
	Pocket     Hyperplane // the one in the pocket; not to be changed
	PocketRun  int        // its run
	Replaced   bool       // whether it was put there by this draw
}

// PocketModel is what Pocket has learnt: the hyperplane in the pocket.
type PocketModel struct {
	Hyperplane
	Errors   int `json:"errors"`   // rows of X on the wrong side of it, or on it
	Run      int `json:"run"`      // draws in a row that it was right about
	Mistakes int `json:"mistakes"` // corrections of the perceptron in all
	Steps    int `json:"steps"`    // draws
}

var _ mlkit.Classifier = (*PocketModel)(nil)

// pocketEpochs is what Pocket.Epochs = 0 means.
const pocketEpochs = 100

// Fit learns a hyperplane that has few of the rows of X (n×d) with labels y[i], each
// -1 or +1, on the wrong side. That some are is no error. The error names what is
// wrong with X, y or p.
func (p Pocket) Fit(X *mat.Dense, y []int) (*PocketModel, error) {
	return p.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (p Pocket) FitContext(ctx context.Context, X *mat.Dense, y []int) (*PocketModel, error) {
	online := Perceptron{Bias: p.Bias, MaxEpochs: p.Epochs}
	if err := online.checkAs("Pocket", "Epochs", pocketEpochs, X, y); err != nil {
		return nil, err
	}
	if online.MaxEpochs == 0 {
		online.MaxEpochs = pocketEpochs
	}
	r := pocketRun{perceptronRun: newPerceptronRun(online, X, y), algorithm: p}
	r.name = "Pocket"
	ended, err := r.run(ctx)
	if err != nil {
		return nil, err
	}
	if !finiteHyperplane(r.pocket) {
		return nil, r.weightsOverflow()
	}
	if err := r.scoresOverflow(r.pocket, (r.model.Steps-1)/len(y)); err != nil {
		return nil, err
	}
	m := &PocketModel{
		Hyperplane: r.pocket,
		Errors:     r.errors(r.pocket),
		Run:        r.most,
		Mistakes:   r.model.Mistakes,
		Steps:      r.model.Steps,
	}
	if ended == cancelled {
		r.h = r.pocket // whose mistakes are the residual
		r.model.Epochs = m.Steps / len(y)
	}
	return m, r.interrupted(ctx, ended, m)
}

// pocketRun is the state of one fit. stood and most are the runs of the present
// hyperplane and of the one in the pocket.
type pocketRun struct {
	*perceptronRun
	algorithm Pocket
	least     int        // mistakes of the pocket on all samples
	tried     bool       // whether those of the present hyperplane were counted
	fewer     bool       // and are fewer than those of the pocket, or its own
	shown     Hyperplane // copies for the trace
	inPocket  Hyperplane
}

func (r *pocketRun) run(ctx context.Context) (ending, error) {
	random := rand.New(rand.NewPCG(r.algorithm.Seed, 0))
	n := len(r.y)
	r.least = n // w = 0 is right about nothing
	r.shown, r.inPocket = r.h.Clone(), r.pocket.Clone()
	for range r.MaxEpochs {
		for k := range n {
			if k%1024 == 0 && ctx.Err() != nil {
				return cancelled, nil
			}
			i := random.IntN(n)
			mistake, err := r.draw(i)
			if err != nil {
				return 0, err
			}
			replaced := !mistake && r.better()
			if replaced {
				r.most = r.stood
				copy(r.pocket.W, r.h.W)
				r.pocket.B = r.h.B
			}
			if r.algorithm.Trace != nil && !r.show(i, mistake, replaced) {
				return stopped, nil
			}
			if r.least == 0 { // which the ratchet alone counts
				return clean, nil
			}
		}
	}
	return outOfEpochs, nil
}

// draw is the perceptron's step with sample i.
func (r *pocketRun) draw(i int) (mistake bool, err error) {
	x, y := r.X.RawRowView(i), float64(r.y[i])
	r.model.Steps++
	s := floats.Dot(r.h.W, x) + r.h.B
	if !finite(s) {
		return false, r.overflow(i, s, (r.model.Steps-1)/len(r.y))
	}
	if y*s > 0 {
		r.stood++
		return false, nil
	}
	// w ← w + yx,  b ← b + yc²
	floats.AddScaled(r.h.W, y, x)
	r.h.B += y * r.c2
	r.model.Mistakes++
	r.stood, r.tried = 0, false
	return true, nil
}

// better reports whether the present hyperplane has to go into the pocket, or is
// there already and has a longer run now.
func (r *pocketRun) better() bool {
	if r.stood <= r.most {
		return false
	}
	if !r.algorithm.NoRatchet && !r.tried {
		wrong := r.errors(r.h)
		r.tried, r.fewer = true, wrong < r.least
		if r.fewer {
			r.least = wrong
		}
	}
	return r.algorithm.NoRatchet || r.fewer
}

// show calls the trace.
func (r *pocketRun) show(i int, mistake, replaced bool) bool {
	if mistake {
		r.shown = r.h.Clone()
	}
	if replaced {
		r.inPocket = r.shown
	}
	return r.algorithm.Trace(PocketStep{
		Step: r.model.Steps, Index: i, Mistake: mistake, Run: r.stood, Hyperplane: r.shown,
		Pocket: r.inPocket, PocketRun: r.most, Replaced: replaced,
	})
}
