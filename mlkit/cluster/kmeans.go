package cluster

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// KMeans divides samples into K clusters, each around a centre, so that the sum of
// the squared distances to the nearest centre is small,
//
//	J = Σᵢ minₖ ‖xᵢ - mₖ‖².
//
// This is Lloyd's algorithm: give each sample to its nearest centre, move each
// centre to the mean of its samples, and so on until no sample changes its
// cluster. J never rises. What is found is a local minimum, so the best of several
// runs counts.
//
// Neither the origin nor a common unit of the columns matters: labels stay the same if all
// columns are multiplied by one number, or each has one added to it.
//
// Of two centres at the same distance the one with the lower number is nearer. A
// cluster that has lost all its samples takes over the one that is farthest from
// its own centre (of those in clusters with more than one sample; the first row if
// there are several), and so J falls.
//
// An iteration takes O(nKd) time; a fit O(nd + Kd) memory, as a copy of X is made in the
// order in which distances are computed together. Each is (Σ (xⱼ-mⱼ)²) summed up over j in
// order all the same: labels, centres and J are those of the plain loops, to the bit.
type KMeans struct {
	// K is the number of clusters, 1 to n; 0 means 2.
	K int

	// Start holds the K×d centres to start from. Nil means k-means++: the first
	// centre is a sample drawn at random, each further one a sample drawn with a
	// probability in proportion to its squared distance from the centres so far.
	Start *mat.Dense

	// Restarts is the number of runs, each from other centres; the run with the
	// smallest J counts, the first of those if there are several. 0 means 10, or
	// 1 with Start, and only that is allowed there.
	Restarts int

	// MaxIter limits the iterations of a run; 0 means 300. If samples still change
	// their cluster in the run that counts, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// Tol ≥ 0 ends a run, as converged, when J has fallen by no more than Tol·J in
	// an iteration. 0 means that a run ends when no sample changes.
	Tol float64

	// Seed is what k-means++ draws from.
	Seed uint64

	// Trace, if not nil, is called in every iteration, after the samples have been
	// given to the centres. Returning false ends the whole fit.
	Trace func(KMeansStep) bool
}

// KMeansStep is one iteration: the centres, and the samples given to them.
type KMeansStep struct {
	Run       int         // 0 for the first
	Iteration int         // 0 for the first: the starting centres
	Centres   [][]float64 // K centres
	Labels    []int       // n numbers: the nearest centre of each row of X
	Inertia   float64     // J
	Changed   int         // rows with another label than an iteration ago; n at first
	Refilled  []int       // clusters that were empty and have taken over a far sample
}

// KMeansModel is what KMeans has found.
type KMeansModel struct {
	Centres    [][]float64 `json:"centres"`    // K centres of length d
	Labels     []int       `json:"labels"`     // n numbers: the cluster of each row of X; nil if the fit ended before its first iteration
	Sizes      []int       `json:"sizes"`      // K numbers: the rows in each cluster; nil as Labels
	Inertia    float64     `json:"inertia"`    // J, in squared units of X; 0 where that is below the smallest float64
	Iterations int         `json:"iterations"` // of the run that counts
	Run        int         `json:"run"`        // the run that counts, 0 for the first
	Converged  bool        `json:"converged"`  // whether no sample changed any more, or Tol was met
}

var _ mlkit.Predictor = (*KMeansModel)(nil)

// Fit finds K clusters of the rows of X (n×d).
//
// Its errors name what is wrong with X or with the hyperparameters: also if X has
// fewer than K different rows, or numbers so large that squared distances
// overflow. A *mlkit.NotConvergedError carries the best model so far and counts in
// Residual the rows whose label changed in its last iteration.
func (k KMeans) Fit(X *mat.Dense) (*KMeansModel, error) {
	return k.FitContext(context.Background(), X)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (k KMeans) FitContext(ctx context.Context, X *mat.Dense) (*KMeansModel, error) {
	k = k.withDefaults()
	if err := k.check(X); err != nil {
		return nil, err
	}
	if unit := kmeansUnit(X); unit != 1 {
		return k.fitScaled(ctx, X, unit)
	}
	return k.fit(ctx, X)
}

// fit is FitContext for samples whose squared distances don't vanish.
func (k KMeans) fit(ctx context.Context, X *mat.Dense) (*KMeansModel, error) {
	p := newPanels(X)
	var best *kmeansRun
	for i := range k.Restarts {
		r := newKMeansRun(k, X, p, i)
		if err := r.run(ctx); err != nil {
			return nil, err
		}
		if best == nil || r.labels != nil && r.inertia < best.inertia {
			best = r
		}
		if r.stopped || ctx.Err() != nil {
			return best.finish(r.stopped, ctx.Err())
		}
	}
	return best.finish(false, nil)
}

// withDefaults returns k with what its zero fields mean.
func (k KMeans) withDefaults() KMeans {
	if k.K == 0 {
		k.K = 2
	}
	if k.MaxIter == 0 {
		k.MaxIter = 300
	}
	if k.Restarts == 0 {
		k.Restarts = 10
		if k.Start != nil {
			k.Restarts = 1
		}
	}
	return k
}

func (k KMeans) check(X *mat.Dense) error {
	if err := check.Samples("cluster", X); err != nil {
		return err
	}
	n, d := X.Dims()
	if k.K < 1 || k.K > n {
		return fmt.Errorf("cluster: KMeans.K = %d, want 1 to %d, the rows of X", k.K, n)
	}
	if k.MaxIter < 0 {
		return fmt.Errorf("cluster: KMeans.MaxIter = %d, want a positive number, or 0 for 300", k.MaxIter)
	}
	if k.Restarts < 0 || k.Start != nil && k.Restarts > 1 {
		return fmt.Errorf("cluster: KMeans.Restarts = %d, want a positive number, or 0 for 10, and no more than 1 with Start", k.Restarts)
	}
	if !(k.Tol >= 0 && k.Tol <= math.MaxFloat64) {
		return fmt.Errorf("cluster: KMeans.Tol = %v, want a number ≥ 0", k.Tol)
	}
	if err := kmeansRange("X", X, n); err != nil {
		return err
	}
	if k.Start == nil {
		return nil
	}
	if r, c := k.Start.Dims(); r != k.K || c != d {
		return fmt.Errorf("cluster: KMeans.Start is %d×%d, want %d×%d, a centre a row", r, c, k.K, d)
	}
	for i := range k.K {
		for j, v := range k.Start.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("cluster: KMeans.Start[%d][%d] = %v, want a finite number", i, j, v)
			}
		}
	}
	return kmeansRange("KMeans.Start", k.Start, n)
}

// kmeansRange refuses numbers whose n-fold squared distances may overflow.
func kmeansRange(name string, X *mat.Dense, n int) error {
	r, d := X.Dims()
	limit := math.Sqrt(math.MaxFloat64/float64(n)/float64(d)) / 4
	for i := range r {
		for j, v := range X.RawRowView(i) {
			if math.Abs(v) > limit {
				return fmt.Errorf("cluster: %s[%d][%d] = %v, want at most %.3g in size, so that squared distances do not overflow; scale the columns", name, i, j, v, limit)
			}
		}
	}
	return nil
}

// Distances sets dst[k] to the squared distance of one sample x of length d from
// centre k and returns dst. If dst is nil a slice of length K is allocated.
func (m *KMeansModel) Distances(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(m.Centres))
	}
	if len(dst) != len(m.Centres) {
		panic(fmt.Sprintf("cluster: len(dst) = %d, want %d, one number for each centre", len(dst), len(m.Centres)))
	}
	if len(x) != len(m.Centres[0]) {
		panic(fmt.Sprintf("cluster: len(x) = %d, want %d", len(x), len(m.Centres[0])))
	}
	for k, c := range m.Centres {
		dst[k] = squaredDistance(x, c)
	}
	return dst
}

// Predict returns the number of the centre that is nearest to one sample x of
// length d.
func (m *KMeansModel) Predict(x []float64) int {
	if len(x) != len(m.Centres[0]) {
		panic(fmt.Sprintf("cluster: len(x) = %d, want %d", len(x), len(m.Centres[0])))
	}
	k, _ := nearestCentre(x, m.Centres)
	return k
}

// Predictions sets dst[i] to the number of the centre that is nearest to row i of X
// (n×d) and returns dst. If dst is nil a slice of length n is allocated.
func (m *KMeansModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _, row := rows.Of(X)
	if dst == nil {
		dst = make([]int, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("cluster: len(dst) = %d, want %d, one label for each row of X", len(dst), n))
	}
	for i := range dst {
		dst[i] = m.Predict(row(i))
	}
	return dst
}
