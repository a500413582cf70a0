package perceptron

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Voted is the perceptron in which every intermediate hyperplane votes.
// Hyperplane k has cₖ votes, the number of samples it survived (Yoav Freund and Robert
// Schapire, "Large margin classification using the perceptron algorithm", Machine
// Learning 37, 1999, figure 1):
//
//	if y(wₖ·x + bₖ) ≤ 0:  wₖ₊₁ = wₖ + yx,  bₖ₊₁ = bₖ + yc²,  cₖ₊₁ = 1
//	otherwise:            cₖ ← cₖ + 1
//
// Its passes are those of Perceptron with ρ = 1 from w = 0. Their number is fixed, so
// classes that are not separable are no error.
type Voted struct {
	// Bias says how b is learnt. The zero value, mlkit.FreeBias, learns it as the weight
	// of a constant feature 1.
	Bias mlkit.Bias

	// Epochs is the number of passes over the samples, T in the paper; 0 means 10.
	// After a pass without a mistake, further passes only add votes to the last
	// hyperplane.
	Epochs int

	// Shuffle visits the samples in a new random order in each pass, determined by
	// Seed. False means row order.
	Shuffle bool
	Seed    uint64

	// Trace, if not nil, is called after every step. Returning false ends the fit.
	Trace func(Step) bool
}

// Averaged averages the hyperplanes of Voted, weighted by their
// votes, into a single one (Freund and Schapire, section 5, "average"):
//
//	w = Σ cₖwₖ / Σ cₖ,  b = Σ cₖbₖ / Σ cₖ
//
// It needs the memory of two hyperplanes.
type Averaged Voted

// VotedModel is the result of a Voted.
type VotedModel struct {
	Hyperplanes []mlkit.Hyperplane `json:"hyperplanes"` // (wₖ, bₖ), one per mistake
	Votes       []int              `json:"votes"`       // cₖ ≥ 1
	Mistakes    int                `json:"mistakes"`    // in all passes
	Epochs      int                `json:"epochs"`      // passes begun
}

// AveragedModel is the result of an Averaged.
type AveragedModel struct {
	mlkit.Hyperplane                  // the average
	Last             mlkit.Hyperplane `json:"last"`     // the perceptron's last hyperplane
	Mistakes         int              `json:"mistakes"` // in all passes
	Epochs           int              `json:"epochs"`   // passes begun
}

var (
	_ mlkit.ClassifierModel = (*VotedModel)(nil)
	_ mlkit.ClassifierModel = (*AveragedModel)(nil)
)

// votedEpochs is the limit on the passes of a Voted, and its default.
var votedEpochs = limit{"Epochs", 10}

// Fit makes Epochs passes over the rows of X (n×d) with labels y[i], each -1 or +1, and
// stores every hyperplane with its votes, in O(d) memory per mistake. It returns an
// error if X, y or p is invalid, or if the numbers overflow.
func (p Voted) Fit(X *mat.Dense, y []int) (*VotedModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Voted) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*VotedModel, error) {
	ctx, err := o.Unweighted("perceptron: Voted")
	if err != nil {
		return nil, err
	}
	m := new(VotedModel)
	r, ended, err := p.run(ctx, o, "Voted", X, y, func(h mlkit.Hyperplane, votes int) {
		m.Hyperplanes = append(m.Hyperplanes, h.Clone())
		m.Votes = append(m.Votes, votes)
	})
	if err != nil {
		return nil, err
	}
	size := math.Sqrt(radius2(X))
	for _, h := range m.Hyperplanes {
		// |w·x + b| ≤ ‖w‖‖x‖ + |b|, so few hyperplanes need a closer look.
		if check.Finite(h.Norm()*size + math.Abs(h.B)) {
			continue
		}
		if err := r.scoresOverflow(h, r.model.Epochs-1); err != nil {
			return nil, err
		}
	}
	m.Mistakes, m.Epochs = r.model.Mistakes, r.model.Epochs
	return m, r.interrupted(ctx, ended, m)
}

// Fit makes Epochs passes over the rows of X (n×d) with labels y[i], each -1 or +1, and
// averages the hyperplanes. It returns an error if X, y or p is invalid, or if the
// numbers overflow.
func (p Averaged) Fit(X *mat.Dense, y []int) (*AveragedModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Averaged) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*AveragedModel, error) {
	ctx, err := o.Unweighted("perceptron: Averaged")
	if err != nil {
		return nil, err
	}
	m := new(AveragedModel)
	var a average
	r, ended, err := Voted(p).run(ctx, o, "Averaged", X, y, a.add)
	if err != nil {
		return nil, err
	}
	m.Hyperplane, m.Last = a.mean(len(r.h.W)), r.h
	if !check.Finite(m.Hyperplane.B) || !check.AllFinite(m.Hyperplane.W) {
		return nil, r.weightsOverflow()
	}
	if err := r.scoresOverflow(m.Hyperplane, r.model.Epochs-1); err != nil {
		return nil, err
	}
	m.Mistakes, m.Epochs = r.model.Mistakes, r.model.Epochs
	return m, r.interrupted(ctx, ended, m)
}

// run makes the passes and calls vote once for each hyperplane, when its number of votes
// is final. h must be copied to be kept.
func (p Voted) run(ctx context.Context, o mlkit.Options, name string, X *mat.Dense, y []int, vote func(h mlkit.Hyperplane, votes int)) (*run, ending, error) {
	online := Perceptron{Bias: p.Bias, MaxIter: p.Epochs, Shuffle: p.Shuffle, Seed: p.Seed}
	r, err := newRun(o, name, online, votedEpochs, X, y)
	if err != nil {
		return nil, 0, err
	}
	v := &voter{vote: vote}
	r.observers = []observer{v}
	if p.Trace != nil {
		r.watches = []watch{r.traced(p.Trace)}
	}
	ended, err := r.all(ctx)
	if err != nil {
		return nil, 0, err
	}
	if !check.Finite(r.h.B) || !check.AllFinite(r.h.W) {
		return nil, 0, r.weightsOverflow()
	}
	v.count(r.h, r.survived())
	return r, ended, nil
}

// voter is an observer that calls vote with each hyperplane and its votes: the sample from
// which it was made, and those that it survived.
type voter struct {
	vote  func(h mlkit.Hyperplane, votes int)
	begun bool
}

func (v *voter) mistake(_ int, h mlkit.Hyperplane, survived int) { v.count(h, survived) }

func (v *voter) count(h mlkit.Hyperplane, survived int) {
	if v.begun { // w = 0 is the first mistake and has no votes
		v.vote(h, 1+survived)
	}
	v.begun = true
}

// average is a sum of hyperplanes weighted by their votes.
type average struct {
	sum   mlkit.Hyperplane
	votes int
}

func (a *average) add(h mlkit.Hyperplane, votes int) {
	if a.sum.W == nil {
		a.sum.W = make([]float64, len(h.W))
	}
	floats.AddScaled(a.sum.W, float64(votes), h.W)
	a.sum.B += float64(votes) * h.B
	a.votes += votes
}

// mean returns the average, or 0 of dimension d if nothing was added.
func (a *average) mean(d int) mlkit.Hyperplane {
	h := mlkit.Hyperplane{W: make([]float64, d)}
	if a.votes > 0 {
		for j, sum := range a.sum.W {
			h.W[j] = sum / float64(a.votes)
		}
		h.B = a.sum.B / float64(a.votes)
	}
	return h
}

// Average returns the hyperplane that Averaged learns.
func (m *VotedModel) Average() mlkit.Hyperplane {
	var a average
	for k, h := range m.Hyperplanes {
		a.add(h, m.Votes[k])
	}
	return a.mean(len(a.sum.W))
}

// Score returns the votes for +1 minus those for -1, Σ cₖ sign(wₖ·x + bₖ). A hyperplane
// through x abstains. Score panics if len(x) differs from the length of the training
// samples.
func (m *VotedModel) Score(x []float64) float64 {
	votes := 0
	for k, h := range m.Hyperplanes {
		switch s := h.Score(x); {
		case s > 0:
			votes += m.Votes[k]
		case s < 0:
			votes -= m.Votes[k]
		case s != s:
			return s
		}
	}
	return float64(votes)
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if
// dst is nil. It panics if d differs from the length of the training samples or
// len(dst) != n.
func (m *VotedModel) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _, row := rows.Of(X)
	dst = rows.Destination("perceptron", "Scores", dst, n)
	for i := range dst {
		dst[i] = m.Score(row(i))
	}
	return dst
}

// Predict returns the label with the most votes, +1 in a tie.
func (m *VotedModel) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics under the same conditions as Scores.
func (m *VotedModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _, row := rows.Of(X)
	dst = rows.Destination("perceptron", "Predictions", dst, n)
	for i := range dst {
		dst[i] = m.Predict(row(i))
	}
	return dst
}
