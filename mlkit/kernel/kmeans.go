package kernel

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// KMeans is k-means in the space of φ (Mark Girolami, "Mercer kernel-based clustering
// in feature space", 2002; CMU names it among "kernelizable algorithms"): it divides
// samples into K clusters so that
//
//	J = Σᵢ minₖ ‖φ(xᵢ) - mₖ‖²
//
// is small, where the centre mₖ is the mean of the images of cluster Cₖ. The centres
// are never computed, since a distance from one needs inner products alone:
//
//	‖φ(x) - mₖ‖² = k(x, x) - 2 Σⱼ k(x, xⱼ)/|Cₖ| + Σᵢⱼ k(xᵢ, xⱼ)/|Cₖ|²,  i, j in Cₖ
//
// What is found is a local minimum, so the best of several runs counts. Of two
// centres at the same distance the one with the lower number is nearer. A cluster
// that has lost all its samples takes over the one that is farthest from its own
// centre (of those in clusters with more than one sample; the first row if there are
// several). With Linear it is k-means.
//
// As for PCA, it makes no difference with Linear how far the samples are from the origin.
//
// An iteration takes O(n²) time, a fit O(n²) memory.
type KMeans struct {
	// K is the number of clusters, 1 to n; 0 means 2.
	K int

	// Kernel is k; nil means Linear{}.
	Kernel Kernel

	// Start holds n numbers from 0 to K-1, the clusters to start from, none of them
	// empty. Nil means k-means++ (David Arthur and Sergei Vassilvitskii, 2007) in the
	// space of φ: the first centre is a sample drawn at random, each further one a
	// sample drawn with a probability in proportion to its squared distance from
	// the centres so far.
	Start []int

	// Restarts is the number of runs; the run with the smallest J counts, the first
	// of those if there are several. 0 means 10, or 1 with Start, and only that is
	// allowed there.
	Restarts int

	// MaxIter limits the iterations of a run; 0 means 300. If samples still change
	// their cluster in the run that counts, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// Seed is what k-means++ draws from.
	Seed uint64

	// Trace, if not nil, is called in every iteration, after the samples have been
	// given to the clusters. Returning false ends the whole fit.
	Trace func(KMeansStep) bool
}

// KMeansStep is one iteration of KMeans.
type KMeansStep struct {
	Run       int     // 0 for the first
	Iteration int     // 1 for the first
	Labels    []int   // n numbers: the cluster whose centre, in the iteration before, was nearest
	Changed   int     // rows with another label than before
	Inertia   float64 // J with these labels
}

// KMeansModel is what KMeans has found.
type KMeansModel struct {
	Kernel     Any       `json:"kernel"`
	X          Matrix    `json:"x"`          // the samples less Shift, one a row; none if Labels is nil
	Shift      []float64 `json:"shift"`      // d numbers that are subtracted from each sample first; nil for none
	Labels     []int     `json:"labels"`     // n numbers: the cluster of each row of X
	Sizes      []int     `json:"sizes"`      // K numbers: the rows in each cluster
	Norms      []float64 `json:"norms"`      // K numbers: ‖mₖ‖²
	Inertia    float64   `json:"inertia"`    // J
	Iterations int       `json:"iterations"` // of the run that counts
	Run        int       `json:"run"`        // the run that counts, 0 for the first
	Converged  bool      `json:"converged"`  // whether no sample changed its cluster any more
}

var _ mlkit.Predictor = (*KMeansModel)(nil)

// Fit finds K clusters of the rows of X (n×d).
//
// Its errors name what is wrong with X or k; also if X has fewer than K different
// images. A *mlkit.NotConvergedError carries the best model so far and counts in
// Residual the rows whose label changed in its last iteration.
func (k KMeans) Fit(X *mat.Dense) (*KMeansModel, error) {
	return k.FitContext(context.Background(), X)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the context's
// error, soon after ctx is done. Where that is before the end of the first iteration,
// the model has no samples.
func (k KMeans) FitContext(ctx context.Context, X *mat.Dense) (*KMeansModel, error) {
	if err := k.check(X); err != nil {
		return nil, err
	}
	k = k.defaults()
	r, err := newKMeansRun(ctx, k, X)
	if err != nil {
		return nil, err
	}
	return r.fit()
}

// defaults returns k with the meaning of each zero.
func (k KMeans) defaults() KMeans {
	k.Kernel = OrLinear(k.Kernel)
	if k.K == 0 {
		k.K = 2
	}
	if k.Restarts == 0 {
		k.Restarts = 10
		if k.Start != nil {
			k.Restarts = 1
		}
	}
	if k.MaxIter == 0 {
		k.MaxIter = 300
	}
	return k
}

func (k KMeans) check(X *mat.Dense) error {
	if err := checkBoth(OrLinear(k.Kernel), X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if k.K < 0 {
		return fmt.Errorf("kernel: KMeans.K = %d, want a positive number, or 0 for 2", k.K)
	}
	clusters := k.defaults().K
	if clusters > n {
		return fmt.Errorf("kernel: X has %d rows, want at least %d, one for each of the K clusters", n, clusters)
	}
	if k.Restarts < 0 {
		return fmt.Errorf("kernel: KMeans.Restarts = %d, want a positive number, or 0 for 10", k.Restarts)
	}
	if k.MaxIter < 0 {
		return fmt.Errorf("kernel: KMeans.MaxIter = %d, want a positive number, or 0 for 300", k.MaxIter)
	}
	if k.Start == nil {
		return nil
	}
	if k.Restarts > 1 {
		return fmt.Errorf("kernel: KMeans.Restarts = %d, want 1 with Start", k.Restarts)
	}
	if len(k.Start) != n {
		return fmt.Errorf("kernel: len(KMeans.Start) = %d, want %d, one cluster for each row of X", len(k.Start), n)
	}
	sizes := make([]int, clusters)
	for i, c := range k.Start {
		if c < 0 || c >= clusters {
			return fmt.Errorf("kernel: KMeans.Start[%d] = %d, want 0 to %d", i, c, clusters-1)
		}
		sizes[c]++
	}
	for c, size := range sizes {
		if size == 0 {
			return fmt.Errorf("kernel: KMeans.Start has no row in cluster %d, want at least one", c)
		}
	}
	return nil
}

// Distances sets dst[k] to the squared distance of φ(x) from centre k and returns
// dst, a new slice if dst is nil. It panics unless x is as long as a row of X, and dst
// has length K.
func (m *KMeansModel) Distances(dst, x []float64) []float64 {
	dst = mapped(dst, x, len(m.Sizes), m.X.Cols)
	clear(dst)
	if len(m.Labels) == 0 {
		return dst
	}
	x = relativeTo(m.Shift, x)
	for i, v := range Row(nil, m.Kernel.Kernel, x, m.X.Dense()) {
		dst[m.Labels[i]] += v
	}
	self := m.Kernel.Eval(x, x)
	for c, size := range m.Sizes {
		dst[c] = distance(self, dst[c], m.Norms[c], size)
	}
	return dst
}

// distance returns k(x, x) - 2 Σⱼ k(x, xⱼ)/|C| + ‖m‖², and 0 where rounding makes that
// negative.
func distance(self, sum, norm float64, size int) float64 {
	if size == 0 {
		return self
	}
	if d := self - 2*sum/float64(size) + norm; !(d < 0) {
		return d
	}
	return 0
}

// Predict returns the number of the centre that is nearest to φ(x). It panics where
// Distances does.
func (m *KMeansModel) Predict(x []float64) int { return nearest(m.Distances(nil, x)) }

// Predictions sets dst[i] to the number of the centre that is nearest to row i of X
// (n×d) and returns dst, a new slice if dst is nil. It panics unless X has the right
// number of columns, and dst one element a row.
func (m *KMeansModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _, row := rows.Of(X)
	dst = sized(dst, n)
	for i := range dst {
		dst[i] = m.Predict(row(i))
	}
	return dst
}

// nearest returns the index of the smallest distance, the first of equals.
func nearest(distances []float64) int {
	best := 0
	for c, d := range distances {
		if d < distances[best] {
			best = c
		}
	}
	return best
}
