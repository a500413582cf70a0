package perceptron

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Pocket is the pocket algorithm with ratchet (Stephen Gallant, "Perceptron-based
// learning algorithms", IEEE Transactions on Neural Networks 1, 1990), for classes that
// no hyperplane separates. A perceptron with ρ = 1 from w = 0 visits samples drawn at
// random, with replacement. Its hyperplane replaces the one in the pocket if it
// classifies more consecutive draws correctly than that one did, and makes fewer
// mistakes on the whole training set (the ratchet). As the number of draws grows, the
// probability that the pocket holds a hyperplane with the fewest possible mistakes
// tends to 1.
//
// A draw takes O(d) time. The ratchet takes O(nd), at most once per hyperplane.
type Pocket struct {
	// Bias says how b is learnt. The zero value, mlkit.FreeBias, learns it as the weight
	// of a constant feature 1.
	Bias mlkit.Bias

	// Epochs limits the draws to Epochs·n; 0 means 100. The fit ends earlier if the
	// hyperplane in the pocket makes no mistakes.
	Epochs int

	// NoRatchet puts a hyperplane into the pocket for the length of its run alone, as
	// in Gallant's first form of the algorithm. Such a fit always makes all draws.
	NoRatchet bool

	// Seed determines the draws.
	Seed uint64

	// Trace, if not nil, is called after every draw. Returning false ends the fit.
	Trace func(PocketStep) bool
}

// PocketStep is one draw of the pocket algorithm.
type PocketStep struct {
	Step       int              // 1 for the first
	Index      int              // the row of X drawn
	Mistake    bool             // whether the perceptron misclassified it
	Run        int              // consecutive draws that the current hyperplane classified correctly
	Hyperplane mlkit.Hyperplane // the perceptron's, after the draw; must not be modified
	Pocket     mlkit.Hyperplane // the one in the pocket; must not be modified
	PocketRun  int              // the run of the one in the pocket
	Replaced   bool             // whether this draw replaced it
}

// PocketModel is the result of Pocket: the hyperplane in the pocket.
type PocketModel struct {
	mlkit.Hyperplane
	Errors   int `json:"errors"`   // rows of X on the wrong side of it, or on it
	Run      int `json:"run"`      // consecutive draws that it classified correctly
	Mistakes int `json:"mistakes"` // updates of the perceptron in all
	Steps    int `json:"steps"`    // draws
}

var _ mlkit.ClassifierModel = (*PocketModel)(nil)

// pocketEpochs is the limit on the passes of a Pocket, each of n draws, and its default.
var pocketEpochs = limit{"Epochs", 100}

// Fit learns a hyperplane with few of the rows of X (n×d) on the wrong side. The labels
// y[i] are -1 or +1. Rows on the wrong side are not an error. Fit returns an error if
// X, y or p is invalid, or if the numbers overflow.
func (p Pocket) Fit(X *mat.Dense, y []int) (*PocketModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Pocket) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*PocketModel, error) {
	ctx, err := o.Unweighted("perceptron: Pocket")
	if err != nil {
		return nil, err
	}
	online, err := newRun(o, "Pocket", Perceptron{Bias: p.Bias, MaxIter: p.Epochs}, pocketEpochs, X, y)
	if err != nil {
		return nil, err
	}
	r := newPocketRun(p, online)
	ended, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	if !check.Finite(r.pocket.B) || !check.AllFinite(r.pocket.W) {
		return nil, r.weightsOverflow()
	}
	if err := r.scoresOverflow(r.pocket, (r.model.Steps-1)/len(y)); err != nil {
		return nil, err
	}
	m := &PocketModel{
		Hyperplane: r.pocket,
		Errors:     r.errors(r.pocket.Scores(nil, X)),
		Run:        r.most,
		Mistakes:   r.model.Mistakes,
		Steps:      r.model.Steps,
	}
	if ended == cancelled {
		r.h = r.pocket // the residual is the mistakes of r.h
		r.model.Epochs = m.Steps / len(y)
	}
	return m, r.interrupted(ctx, ended, m)
}

// pocketRun is a run of the perceptron that a pocket watches.
type pocketRun struct {
	*run
	algorithm Pocket
	pocket    mlkit.Hyperplane
	most      int              // correct draws of the pocket in a row
	least     int              // mistakes of the pocket on all samples; counted by the ratchet only
	tried     bool             // whether the mistakes of the current hyperplane were counted
	scores    []float64        // scratch
	fewer     bool             // whether they were fewer than the pocket's; stays true once it is in the pocket
	shown     mlkit.Hyperplane // copies for the trace
	inPocket  mlkit.Hyperplane
}

func newPocketRun(p Pocket, online *run) *pocketRun {
	n := len(online.y)
	r := &pocketRun{
		run: online, algorithm: p, pocket: online.h.Clone(), shown: online.h.Clone(), inPocket: online.h.Clone(),
		least: n, // w = 0 misclassifies every sample
	}
	random, draws := rand.New(rand.NewPCG(p.Seed, 0)), make([]int, n)
	r.order = func() []int {
		for k := range draws {
			draws[k] = random.IntN(n)
		}
		return draws
	}
	r.watches = []watch{r.drawn}
	return r
}

// drawn watches the draws: it puts the hyperplane into the pocket, calls the trace and ends
// the fit when nothing is wrong.
func (r *pocketRun) drawn(i int, _ float64, mistake bool) ending {
	if mistake {
		r.tried = false
	}
	replaced := !mistake && r.better()
	if replaced {
		r.most = r.survived()
		copy(r.pocket.W, r.h.W)
		r.pocket.B = r.h.B
	}
	if r.algorithm.Trace != nil && !r.show(i, mistake, replaced) {
		return stopped
	}
	if r.least == 0 { // never with NoRatchet
		return clean
	}
	return unended
}

// better reports whether the current hyperplane should go into the pocket, or is there
// already and now has a longer run.
func (r *pocketRun) better() bool {
	if r.survived() <= r.most {
		return false
	}
	if !r.algorithm.NoRatchet && !r.tried {
		r.scores = r.h.Scores(r.scores, r.X)
		wrong := r.errors(r.scores)
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
		Step: r.model.Steps, Index: i, Mistake: mistake, Run: r.survived(), Hyperplane: r.shown,
		Pocket: r.inPocket, PocketRun: r.most, Replaced: replaced,
	})
}
