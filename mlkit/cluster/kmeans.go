package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// KMeans divides samples into K clusters to minimise the sum of the squared distances to
// the nearest centre,
//
//	J = Σᵢ minₖ ‖xᵢ - mₖ‖².
//
// It uses Lloyd's algorithm: assign each sample to its nearest centre, move each centre
// to the mean of its samples, and repeat until no sample changes clusters. J never
// increases. The result is a local minimum, the best of several runs.
//
// The labels do not depend on the origin of the columns or on a common unit: they stay
// the same if a number is added to each column or all columns are multiplied by the same
// number.
//
// Ties between centres go to the lower number. A cluster that loses all its samples takes
// over the sample farthest from its own centre, among those in clusters with more than
// one sample; ties go to the first row. This decreases J.
//
// An iteration takes O(nKd) time. A fit takes O(nd + Kd) memory, since it copies X into
// the layout in which many distances are computed at once. Each distance Σ (xⱼ-mⱼ)² is
// still summed in the order of j, so labels, centres and J equal those of plain loops bit
// for bit.
type KMeans struct {
	// K is the number of clusters, 1 to n; 0 means 2.
	K int

	// Start holds the K×d centres to start from. Nil means greedy k-means++, as in
	// scikit-learn: the first centre is a random sample. For each further centre 2 + ⌊ln K⌋
	// samples are drawn with probabilities proportional to their squared distances from
	// the nearest centre so far. The one that leaves the smallest J is taken.
	Start *mat.Dense

	// Restarts is the number of runs, each from other centres. Fit keeps the run with the
	// smallest J, the first one on ties. 0 means 10, or 1 if Start is set; more than 1 is
	// then an error.
	Restarts int

	// MaxIter limits the iterations of a run; 0 means 300. If samples still change
	// clusters at the end of the best run, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// Tol ≥ 0 is a tolerance: a run also converges if an iteration decreases J by at most
	// Tol·J. 0 means that a run converges when no sample changes clusters.
	Tol float64

	// Seed seeds the random numbers of k-means++.
	Seed uint64

	// Trace, if not nil, is called in every iteration, after the samples have been
	// assigned to centres. Returning false ends the whole fit.
	Trace func(KMeansStep) bool
}

// KMeansStep is one iteration: the centres and the samples assigned to them.
type KMeansStep struct {
	Restart   int         // 0 for the first
	Iteration int         // 0 for the first: the starting centres
	Centers   [][]float64 // K centres
	Labels    []int       // n numbers: the nearest centre of each row of X
	Inertia   float64     // J
	Changed   int         // number of rows with a new label; n in the first iteration
	Refilled  []int       // clusters that were empty and took over a distant sample
}

// KMeansModel is the result of KMeans.
type KMeansModel struct {
	Centers    [][]float64 `json:"centers"`    // K centres of length d
	Labels     []int       `json:"labels"`     // n numbers: the cluster of each row of X; nil if the fit ended before its first iteration
	Sizes      []int       `json:"sizes"`      // K numbers: the rows in each cluster; nil if Labels is
	Inertia    float64     `json:"inertia"`    // J, in squared units of X; 0 if it underflows
	Iterations int         `json:"iterations"` // of the best run
	Restart    int         `json:"run"`        // the best run, 0 for the first
	Converged  bool        `json:"converged"`  // whether no sample changed clusters any more, or Tol was met
}

var _ mlkit.Predictor = (*KMeansModel)(nil)

// Fit divides the rows of X (n×d) into K clusters.
//
// It returns an error if X or a field of k is invalid, if X has fewer than K distinct
// rows, or if squared distances could overflow. A *mlkit.NotConvergedError has the best
// model so far; its Residual is the number of labels that the last iteration of that
// model changed.
func (k KMeans) Fit(X *mat.Dense) (*KMeansModel, error) {
	return k.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context. It takes no weights. It reports each iteration, with the number of
// labels that it changed; MaxIter iterations of a run count as done once the next begins.
func (k KMeans) FitWith(o mlkit.Options, X *mat.Dense) (*KMeansModel, error) {
	ctx, err := o.Unweighted("cluster: KMeans")
	if err != nil {
		return nil, err
	}
	k = k.withDefaults()
	if err := k.check(X); err != nil {
		return nil, err
	}
	if unit := kmeansUnit(X); unit != 1 {
		return k.fitScaled(ctx, o, X, unit)
	}
	return k.fit(ctx, o, X)
}

// fit is FitWith for samples whose squared distances do not underflow.
func (k KMeans) fit(ctx context.Context, o mlkit.Options, X *mat.Dense) (*KMeansModel, error) {
	report := work.Restarted(o, "cluster: k-means", k.Restarts, k.MaxIter)
	p := newPanels(X)
	t := work.NewTeam(p.parts().Count())
	defer t.Close()
	var best *kmeansRun
	for i := range k.Restarts {
		r := newKMeansRun(k, X, p, t, i)
		r.report = report
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

// withDefaults returns k with zero fields replaced by their defaults.
func (k KMeans) withDefaults() KMeans {
	k.K = cmp.Or(k.K, 2)
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

// kmeansRange returns an error if the sum of n squared distances could overflow.
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

// Distances sets dst[k] to the squared distance of the sample x from centre k and returns
// dst, a new slice if dst is nil. It panics unless x has length d and dst length K.
func (m *KMeansModel) Distances(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(m.Centers))
	}
	if len(dst) != len(m.Centers) {
		panic(fmt.Sprintf("cluster: len(dst) = %d, want %d, one number for each centre", len(dst), len(m.Centers)))
	}
	if len(x) != len(m.Centers[0]) {
		panic(fmt.Sprintf("cluster: len(x) = %d, want %d", len(x), len(m.Centers[0])))
	}
	for k, c := range m.Centers {
		dst[k] = squaredDistance(x, c)
	}
	return dst
}

// Predict returns the number of the centre nearest to the sample x. It panics unless x
// has length d.
func (m *KMeansModel) Predict(x []float64) int {
	if len(x) != len(m.Centers[0]) {
		panic(fmt.Sprintf("cluster: len(x) = %d, want %d", len(x), len(m.Centers[0])))
	}
	k, _ := nearestCenter(x, m.Centers)
	return k
}

// Predictions sets dst[i] to the number of the centre nearest to row i of X (n×d) and
// returns dst, a new slice if dst is nil. It panics unless X has d columns and dst length
// n.
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
