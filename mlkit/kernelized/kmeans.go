package kernelized

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// KMeans is k-means in the space of φ (Mark Girolami, "Mercer kernel-based clustering in
// feature space", 2002; CMU lists it among "kernelizable algorithms"). It divides the
// samples into K clusters to minimise
//
//	J = Σᵢ minₖ ‖φ(xᵢ) - mₖ‖²
//
// where the centre mₖ is the mean of the images of cluster Cₖ. The centres are never
// computed, since inner products suffice for the distance from one:
//
//	‖φ(x) - mₖ‖² = k(x, x) - 2 Σⱼ k(x, xⱼ)/|Cₖ| + Σᵢⱼ k(xᵢ, xⱼ)/|Cₖ|²,  i, j in Cₖ
//
// The result is a local minimum, the best of several runs. Ties between centres go to the
// lower number. A cluster that loses all its samples takes over the sample farthest from
// its own centre, among those in clusters with more than one sample; ties go to the first
// row. With Linear this is k-means.
//
// With Linear, shifting all samples makes no difference; see PCA.
//
// An iteration takes O(n²) time, a fit O(n²) memory.
type KMeans struct {
	// K is the number of clusters, 1 to n; 0 means 2.
	K int

	// Kernel is k; nil means Linear{}.
	Kernel kernel.Kernel

	// Start holds n cluster numbers from 0 to K-1 to start from; no cluster may be empty.
	// Nil means k-means++ (David Arthur and Sergei Vassilvitskii, 2007) in the space of
	// φ: the first centre is a random sample, and each further centre is a sample drawn
	// with probability proportional to its squared distance from the nearest centre so
	// far.
	Start []int

	// Restarts is the number of runs. Fit keeps the run with the smallest J, the first
	// one on ties. 0 means 10, or 1 if Start is set; more than 1 is then an error.
	Restarts int

	// MaxIter limits the iterations of a run; 0 means 300. If samples still change
	// clusters at the end of the best run, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// Seed seeds the random numbers of k-means++.
	Seed uint64

	// Trace, if not nil, is called in every iteration, after the samples have been
	// assigned to clusters. Returning false ends the whole fit.
	Trace func(KMeansStep) bool
}

// KMeansStep is one iteration of KMeans.
type KMeansStep struct {
	Restart   int     // 0 for the first
	Iteration int     // 1 for the first
	Labels    []int   // n numbers: the cluster with the nearest centre of the previous iteration
	Changed   int     // number of rows with a new label
	Inertia   float64 // J with these labels
}

// KMeansModel is the result of KMeans.
type KMeansModel struct {
	Kernel     kernel.Any `json:"kernel"`
	X          Matrix     `json:"x"`          // the samples minus Shift, one per row; empty if Labels is nil
	Shift      []float64  `json:"shift"`      // d numbers, subtracted from each sample first; nil means none
	Labels     []int      `json:"labels"`     // n numbers: the cluster of each row of X
	Sizes      []int      `json:"sizes"`      // K numbers: the rows in each cluster
	Norms      []float64  `json:"norms"`      // K numbers: ‖mₖ‖²
	Inertia    float64    `json:"inertia"`    // J
	Iterations int        `json:"iterations"` // of the best run
	Restart    int        `json:"run"`        // the best run, 0 for the first
	Converged  bool       `json:"converged"`  // whether the last iteration changed no label
}

var _ mlkit.Predictor = (*KMeansModel)(nil)

// Fit divides the rows of X (n×d) into K clusters.
//
// It returns an error if X or a field of k is invalid, or if the rows of X have fewer
// than K distinct images, as far as rounding tells. A *mlkit.NotConvergedError has the best model so far; its
// Residual is the number of labels that the last iteration of that model changed.
func (k KMeans) Fit(X *mat.Dense) (*KMeansModel, error) {
	return k.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context, which may end it before the first iteration has; the model has no
// samples then. It takes no weights. It reports each iteration, with the number of labels that it
// changed; MaxIter iterations of a run count as done once the next begins.
func (k KMeans) FitWith(o mlkit.Options, X *mat.Dense) (*KMeansModel, error) {
	ctx, err := o.Unweighted("kernelized: KMeans")
	if err != nil {
		return nil, err
	}
	if err := k.check(X); err != nil {
		return nil, err
	}
	k = k.defaults()
	r, err := newKMeansRun(ctx, k, X)
	if err != nil {
		return nil, err
	}
	r.report = work.Restarted(o, "kernelized: KMeans", k.Restarts, k.MaxIter)
	return r.fit()
}

// defaults returns k with zero fields replaced by their defaults.
func (k KMeans) defaults() KMeans {
	k.Kernel = kernel.OrLinear(k.Kernel)
	k.K = cmp.Or(k.K, 2)
	if k.Restarts == 0 {
		k.Restarts = 10
		if k.Start != nil {
			k.Restarts = 1
		}
	}
	k.MaxIter = cmp.Or(k.MaxIter, 300)
	return k
}

func (k KMeans) check(X *mat.Dense) error {
	if err := checkBoth(kernel.OrLinear(k.Kernel), X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if k.K < 0 {
		return fmt.Errorf("kernelized: KMeans.K = %d, want a positive number, or 0 for 2", k.K)
	}
	clusters := k.defaults().K
	if clusters > n {
		return fmt.Errorf("kernelized: X has %d rows, want at least %d, one for each of the K clusters", n, clusters)
	}
	if k.Restarts < 0 {
		return fmt.Errorf("kernelized: KMeans.Restarts = %d, want a positive number, or 0 for 10", k.Restarts)
	}
	if k.MaxIter < 0 {
		return fmt.Errorf("kernelized: KMeans.MaxIter = %d, want a positive number, or 0 for 300", k.MaxIter)
	}
	if k.Start == nil {
		return nil
	}
	if k.Restarts > 1 {
		return fmt.Errorf("kernelized: KMeans.Restarts = %d, want 1 with Start", k.Restarts)
	}
	if len(k.Start) != n {
		return fmt.Errorf("kernelized: len(KMeans.Start) = %d, want %d, one cluster for each row of X", len(k.Start), n)
	}
	sizes := make([]int, clusters)
	for i, c := range k.Start {
		if c < 0 || c >= clusters {
			return fmt.Errorf("kernelized: KMeans.Start[%d] = %d, want 0 to %d", i, c, clusters-1)
		}
		sizes[c]++
	}
	for c, size := range sizes {
		if size == 0 {
			return fmt.Errorf("kernelized: KMeans.Start has no row in cluster %d, want at least one", c)
		}
	}
	return nil
}

// Distances sets dst[k] to the squared distance of φ(x) from centre k and returns dst, a
// new slice if dst is nil. It panics unless x has length d and dst length K.
func (m *KMeansModel) Distances(dst, x []float64) []float64 {
	if len(x) != m.X.Cols {
		panic(fmt.Sprintf("kernelized: Distances: len(x) = %d, want %d", len(x), m.X.Cols))
	}
	dst = rows.Destination("kernelized", "Distances", dst, len(m.Sizes))
	clear(dst)
	if len(m.Labels) == 0 {
		return dst
	}
	x = relativeTo(m.Shift, x)
	for i, v := range kernel.Row(nil, m.Kernel.Kernel, x, m.X.Dense()) {
		dst[m.Labels[i]] += v
	}
	self := m.Kernel.Eval(x, x)
	for c, size := range m.Sizes {
		dst[c] = distance(self, dst[c], m.Norms[c], size)
	}
	return dst
}

// distance returns k(x, x) - 2 Σⱼ k(x, xⱼ)/|C| + ‖m‖², or 0 if rounding makes that
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

// Predict returns the number of the centre nearest to φ(x). It panics unless x has length
// d.
func (m *KMeansModel) Predict(x []float64) int { return nearest(m.Distances(nil, x)) }

// Predictions sets dst[i] to the number of the centre nearest to row i of X (n×d) and
// returns dst, a new slice if dst is nil. It panics unless X has d columns and dst one
// element per row.
func (m *KMeansModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _, row := rows.Of(X)
	dst = sized(dst, n)
	for i := range dst {
		dst[i] = m.Predict(row(i))
	}
	return dst
}

// nearest returns the index of the smallest distance, the first one on ties.
func nearest(distances []float64) int {
	best := 0
	for c, d := range distances {
		if d < distances[best] {
			best = c
		}
	}
	return best
}
