package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// Affinity determines which samples are linked, and how strongly.
type Affinity int

const (
	// Gaussian links every pair of distinct samples with w_ij = exp(-γ‖xᵢ - xⱼ‖²). It
	// stores n² numbers. With 2000 samples or more, weights have a relative error of up
	// to (5 + 2γ‖xᵢ - xⱼ‖²)·2⁻⁵³, and those below exp(-708) are 0.
	Gaussian Affinity = iota
	// Neighbors links two samples if either is among the k nearest neighbours of the
	// other.
	Neighbors
	// MutualNeighbors links two samples if each is among the k nearest neighbours of the
	// other.
	MutualNeighbors
)

// Laplacian selects the matrix whose eigenvectors are used. W is the matrix of weights, D
// the diagonal matrix of the degrees dᵢ = Σⱼ w_ij.
type Laplacian int

const (
	// Symmetric is I - D^(-½)WD^(-½). Rows of the eigenvector matrix are scaled to length
	// 1 before k-means (Ng, Jordan and Weiss).
	Symmetric Laplacian = iota
	// RandomWalk is I - D⁻¹W. Its eigenvectors are those of (D - W)u = λDu (Shi and
	// Malik).
	RandomWalk
	// Unnormalized is D - W.
	Unnormalized
)

// Spectral is spectral clustering: it divides samples into K connected clusters of any
// shape. "You still use k-means but first evaluate a Gaussian between all pairs of
// points": the samples become the nodes of a graph. Sample i is then represented by the
// i-th components of the eigenvectors with the K smallest eigenvalues of the graph's
// Laplacian, and k-means divides these (Cornell, section 4.1; von Luxburg, section 4).
//
// The smallest eigenvalues of I - D^(-½)WD^(-½) correspond to the largest of
// D^(-½)WD^(-½), the "leading" ones of Ng, Jordan and Weiss and of the lecture.
//
// A graph with c connected components has the eigenvalue 0 exactly c times, with known
// eigenvectors, which are not computed. If c = K, the components are the clusters. If
// c > K, nothing in the graph tells which components belong together, and Fit returns a
// *DisconnectedError.
//
// The origins of the columns make no difference. Nor does their common unit if the links
// of neighbours have weight 1; Gamma is in terms of that unit.
//
// Lanczos's method finds the eigenvectors with a few products with W each; no n×n matrix
// is decomposed. Finding the neighbours takes O(n²d) time.
type Spectral struct {
	// K is the number of clusters, 1 to n. 0 chooses K at the eigengap, from 1 to 10, or
	// to Eigenvalues-1 if that is more. It never chooses fewer clusters than the graph
	// has components.
	K int

	// Affinity makes the graph of the samples; the zero value is Gaussian.
	Affinity Affinity

	// Weighted gives the links of Neighbors and MutualNeighbors the weights of Gaussian.
	// False means weight 1.
	Weighted bool

	// Gamma is γ > 0 in exp(-γ‖x - z‖²), Cornell's 1/α and CMU's 1/(2σ²). 0 means 1/2,
	// which is σ = 1, as in kernel.RBF. It must be 0 if all links have weight 1.
	Gamma float64

	// Nearest is the number k of neighbours; 0 means 10, or n-1 if that is less. A sample
	// is not its own neighbour, unlike in scikit-learn.
	Nearest int

	// Laplacian selects the matrix; the zero value is Symmetric.
	Laplacian Laplacian

	// Eigenvalues is the least number of eigenvalues in the model, for example to plot
	// the eigengap; 0 means K. Eigenvalues beyond K may be hard to find.
	Eigenvalues int

	// Seed seeds the random numbers of k-means and of the eigenvector search.
	Seed uint64

	// Trace, if not nil, is called in every iteration of k-means. Returning false ends
	// the fit.
	Trace func(KMeansStep) bool
}

// SpectralModel is the result of Spectral. It cannot predict other samples. If the fit
// ended early, fields not yet known are nil, and K may be 0.
type SpectralModel struct {
	K               int         `json:"k"`           // number of clusters
	Labels          []int       `json:"labels"`      // n numbers: the cluster of each sample; clusters are numbered in the order of their first samples
	Eigenvalues     []float64   `json:"eigenvalues"` // of the Laplacian, ascending, at least K
	Embedding       [][]float64 `json:"embedding"`   // n×K, the input of k-means: one column per eigenvector, with its component of largest magnitude positive before rows were scaled
	ComponentLabels []int       `json:"component"`   // n numbers: the component of the graph that each sample is in, numbered from 0
}

// DisconnectedError is the error of a spectral clustering if the graph has more connected
// components than clusters are wanted.
type DisconnectedError struct {
	K               int   // the number of clusters wanted
	Count           int   // the number of connected components
	ComponentLabels []int // n numbers: the component of each sample, numbered from 0
}

func (e *DisconnectedError) Error() string {
	return fmt.Sprintf("cluster: the graph falls into %d unconnected parts, more than the %d clusters wanted; link more (a larger Nearest, a smaller Gamma) or raise K", e.Count, e.K)
}

// Fit divides the rows of X (n×d) into clusters.
//
// It returns an error if X or a field of s is invalid, and a *DisconnectedError if K > 0
// and the graph has more than K components. A *mlkit.NotConvergedError has the model so
// far; its Iterations and Residual are those of the eigenvector search or of k-means.
func (s Spectral) Fit(X *mat.Dense) (*SpectralModel, error) {
	return s.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context. It takes no weights. It reports each product with W in the search
// for eigenvectors, 20,000 at most, and then the iterations of k-means, as KMeans does.
func (s Spectral) FitWith(o mlkit.Options, X *mat.Dense) (*SpectralModel, error) {
	ctx, err := o.Unweighted("cluster: Spectral")
	if err != nil {
		return nil, err
	}
	if err := check.Samples("cluster", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := s.check(n); err != nil {
		return nil, err
	}
	if err := kmeansRange("X", X, n); err != nil {
		return nil, err
	}
	var w weights
	gamma := cmp.Or(s.Gamma, 0.5)
	if s.Affinity == Gaussian {
		w, err = gaussianWeights(ctx, X, gamma)
	} else {
		if !s.Weighted {
			gamma = 0 // exp(0) = 1
		}
		w, err = neighbourGraph(ctx, X, cmp.Or(s.Nearest, min(10, n-1)), s.Affinity == MutualNeighbors, gamma)
	}
	if err != nil {
		m := &SpectralModel{K: s.K}
		return m, unfinishedSpectral(m, 0, 0, "the context ended the fit before its graph was made", err)
	}
	return s.fit(ctx, o, w)
}

// FitAffinity divides n samples given only their affinities W, an n×n symmetric matrix of
// weights w_ij ≥ 0, such as a Gram matrix. The diagonal counts. Affinity, Weighted,
// Gamma and Nearest are ignored, though they must be valid.
func (s Spectral) FitAffinity(W mat.Matrix) (*SpectralModel, error) {
	return s.FitAffinityWith(mlkit.Options{}, W)
}

// FitAffinityWith is FitAffinity with a context. It reports as FitWith does.
func (s Spectral) FitAffinityWith(o mlkit.Options, W mat.Matrix) (*SpectralModel, error) {
	ctx, err := o.Unweighted("cluster: Spectral")
	if err != nil {
		return nil, err
	}
	w, err := givenWeights(W)
	if err != nil {
		return nil, err
	}
	if err := s.check(w.n); err != nil {
		return nil, err
	}
	return s.fit(ctx, o, w)
}

// FitGraph is FitAffinity for a sparse graph. Its memory is proportional to the number of
// links.
func (s Spectral) FitGraph(g *Graph) (*SpectralModel, error) {
	return s.FitGraphWith(mlkit.Options{}, g)
}

// FitGraphWith is FitGraph with a context. It reports as FitWith does.
func (s Spectral) FitGraphWith(o mlkit.Options, g *Graph) (*SpectralModel, error) {
	ctx, err := o.Unweighted("cluster: Spectral")
	if err != nil {
		return nil, err
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := s.check(g.size()); err != nil {
		return nil, err
	}
	return s.fit(ctx, o, g)
}

func (s Spectral) check(n int) error {
	switch {
	case s.K < 0 || s.K > n:
		return fmt.Errorf("cluster: Spectral.K = %d, want 1 to %d, the samples, or 0 for the eigengap's", s.K, n)
	case s.Affinity < Gaussian || s.Affinity > MutualNeighbors:
		return fmt.Errorf("cluster: Spectral.Affinity = %d, want Gaussian, Neighbors or MutualNeighbors", s.Affinity)
	case !(s.Gamma >= 0 && s.Gamma <= math.MaxFloat64):
		return fmt.Errorf("cluster: Spectral.Gamma = %v, want a positive number, or 0 for 1/2", s.Gamma)
	case s.Gamma > 0 && s.Affinity != Gaussian && !s.Weighted:
		return fmt.Errorf("cluster: Spectral.Gamma = %v, want 0 for links of weight 1, or Weighted", s.Gamma)
	case s.Nearest < 0 || s.Nearest > 0 && s.Nearest >= n:
		return fmt.Errorf("cluster: Spectral.Nearest = %d, want 1 to %d, the other samples, or 0 for 10", s.Nearest, n-1)
	case s.Laplacian < Symmetric || s.Laplacian > Unnormalized:
		return fmt.Errorf("cluster: Spectral.Laplacian = %d, want Symmetric, RandomWalk or Unnormalized", s.Laplacian)
	case s.Eigenvalues < 0 || s.Eigenvalues > n:
		return fmt.Errorf("cluster: Spectral.Eigenvalues = %d, want 1 to %d, the samples, or 0 for K", s.Eigenvalues, n)
	}
	return nil
}

func (s Spectral) fit(ctx context.Context, o mlkit.Options, w weights) (*SpectralModel, error) {
	n := w.size()
	component, count := components(w)
	if s.K > 0 && count > s.K {
		return nil, &DisconnectedError{K: s.K, Count: count, ComponentLabels: component}
	}
	l := newLaplacian(s.Laplacian, w)
	for i, d := range l.degrees {
		if math.IsInf(d, 0) {
			return nil, fmt.Errorf("cluster: the weights of sample %d have a sum that overflows; scale them", i)
		}
	}
	want := max(s.K, s.Eigenvalues)
	if s.K == 0 {
		want = max(want, min(n, max(10, count)+1))
	}
	means := KMeans{K: s.K, Seed: s.Seed, Trace: s.Trace}.withDefaults()
	report := work.Reporter(o, "cluster: spectral clustering", maxProducts+means.Restarts*means.MaxIter)
	values, vectors, err := l.smallest(ctx, report, want, component, count, s.Seed)
	var unfinished *mlkit.NotConvergedError
	if err != nil && !errors.As(err, &unfinished) {
		return nil, err
	}
	if unfinished != nil && unfinished.Err == nil {
		unfinished.Reason = unfound(unfinished.Iterations, values, count)
	}
	m := &SpectralModel{K: s.K, Eigenvalues: values, ComponentLabels: component}
	if m.K == 0 {
		m.K = max(count, Eigengap(values))
	}
	if len(vectors) < m.K {
		return m, unfinishedSpectral(m, unfinished.Iterations, unfinished.Residual, unfinished.Reason, unfinished.Err)
	}
	m.Embedding = embed(vectors[:m.K], s.Laplacian == Symmetric)
	means.K = m.K
	o.Report = func(p mlkit.Progress) { report(maxProducts+p.Done, p.Residual) }
	divided, err := means.FitWith(o, m.points())
	if err != nil && !errors.As(err, &unfinished) {
		return nil, fmt.Errorf("cluster: k-means on the eigenvectors: %w", err)
	}
	if divided.Labels != nil {
		m.Labels = inOrder(divided.Labels)
	}
	if unfinished != nil {
		return m, unfinishedSpectral(m, unfinished.Iterations, unfinished.Residual, unfinished.Reason, unfinished.Err)
	}
	return m, nil
}

// unfound tells why the search for eigenvectors has used up its products with W, and what to do.
// values are the eigenvalues of the Laplacian that it has found. As many as the graph has parts
// are 0; the graph nearly falls into further parts if others are next to 0.
func unfound(products int, values []float64, parts int) string {
	reason := fmt.Sprintf("%d products with W do not tell the eigenvectors apart", products)
	if len(values) > parts && values[parts] < 1e-9 {
		return reason + fmt.Sprintf(": eigenvalue %d of the Laplacian is %.2g, so the graph all but falls into more parts; link more (a smaller Gamma, a larger Nearest) or raise K", parts, values[parts])
	}
	return reason + "; choose another Gamma or Nearest, or lower Eigenvalues"
}

// unfinishedSpectral returns the error of a fit that ended early.
func unfinishedSpectral(m *SpectralModel, iterations int, residual float64, reason string, ended error) error {
	return &mlkit.NotConvergedError{
		Algorithm: "cluster: spectral clustering", Iterations: iterations, Residual: residual, Reason: reason, Model: m, Err: ended,
	}
}

// points returns the embedding as a matrix.
func (m *SpectralModel) points() *mat.Dense {
	E := mat.NewDense(len(m.Embedding), m.K, nil)
	for i, e := range m.Embedding {
		E.SetRow(i, e)
	}
	return E
}

// embed returns one row per sample from the columns, scaled to length 1 if unit is true.
func embed(vectors [][]float64, unit bool) [][]float64 {
	rows := make([][]float64, len(vectors[0]))
	for i := range rows {
		row := make([]float64, len(vectors))
		for k, v := range vectors {
			row[k] = v[i]
		}
		if norm := floats.Norm(row, 2); unit && norm > 0 {
			floats.Scale(1/norm, row)
		}
		rows[i] = row
	}
	return rows
}

// inOrder renumbers the clusters in the order of their first samples.
func inOrder(labels []int) []int {
	number := make([]int, len(labels))
	next, ordered := 1, make([]int, len(labels))
	for i, l := range labels {
		if number[l] == 0 {
			number[l] = next
			next++
		}
		ordered[i] = number[l] - 1
	}
	return ordered
}

// Eigengap returns the number of clusters suggested by the eigenvalues of a Laplacian in
// ascending order: the k with the largest gap λₖ₊₁ - λₖ, counted from λ₁, the smallest k
// on ties (von Luxburg, section 8.3). It returns 1 for fewer than two eigenvalues.
func Eigengap(values []float64) int {
	best, gap := 1, math.Inf(-1)
	for k := 1; k < len(values); k++ {
		if d := values[k] - values[k-1]; d > gap {
			best, gap = k, d
		}
	}
	return best
}
