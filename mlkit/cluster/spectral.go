package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Affinity says which samples are linked, and how strongly.
type Affinity int

const (
	// Gaussian links all samples, with w_ij = exp(-γ‖xᵢ - xⱼ‖²), and none with
	// itself. It takes n² numbers of memory. From 2000 samples on weights have a
	// relative error of (5 + 2γ‖xᵢ - xⱼ‖²)·2⁻⁵³, and those below exp(-708) are 0.
	Gaussian Affinity = iota
	// Neighbours links two samples if one of them is among the k nearest
	// neighbours of the other.
	Neighbours
	// MutualNeighbours links two samples if each is among the k nearest neighbours
	// of the other.
	MutualNeighbours
)

// Laplacian says which matrix of the graph the eigenvectors belong to. D is the
// diagonal matrix of the degrees dᵢ = Σⱼ w_ij.
type Laplacian int

const (
	// Symmetric is I - D^(-½)WD^(-½). The rows of its eigenvectors are scaled to
	// length 1 before k-means (Ng, Jordan and Weiss).
	Symmetric Laplacian = iota
	// RandomWalk is I - D⁻¹W: the eigenvectors are those of (D - W)u = λDu (Shi and
	// Malik).
	RandomWalk
	// Unnormalised is D - W.
	Unnormalised
)

// Spectral divides samples into K clusters of which each hangs together, whatever
// its shape. "You still use k-means but first evaluate a Gaussian between all pairs
// of points": the samples become a graph, sample i the i-th components of the
// eigenvectors of its Laplacian with the K smallest eigenvalues, and k-means
// divides these (Cornell, section 4.1; von Luxburg, section 4).
//
// The smallest eigenvalues of I - D^(-½)WD^(-½) are the largest of D^(-½)WD^(-½),
// the "leading" ones of Ng, Jordan and Weiss and of the lecture.
//
// A graph in c unconnected parts has the eigenvalue 0 exactly c times; these
// eigenvectors are known and not computed. If c = K the parts are the clusters. If
// c > K nothing in the graph says which parts belong together, and the fit ends
// with a *DisconnectedError.
//
// The origins of the columns make no difference, and with neighbours of weight 1 a common
// unit makes none; Gamma is in their units.
//
// Eigenvectors are found by Lanczos, a few products with W each: no n×n matrix is
// decomposed. Finding the neighbours takes O(n²d) time.
type Spectral struct {
	// K is the number of clusters, 1 to n. 0 chooses it by the eigengap, among 1 to
	// 10, or to Eigenvalues-1 if that is more; never less than the parts of the
	// graph.
	K int

	// Affinity makes the graph of the samples: Gaussian, if zero.
	Affinity Affinity

	// Gamma is γ > 0 in exp(-γ‖x - z‖²): 1/α in Cornell's letters, 1/(2σ²) in CMU's.
	// 0 means 1 with Gaussian; with the neighbours it makes all weights 1.
	Gamma float64

	// Nearest is the number k of neighbours; 0 means 10, or n-1 if that is less. A
	// sample is not its own neighbour (in scikit-learn it is).
	Nearest int

	// Laplacian is Symmetric, if zero.
	Laplacian Laplacian

	// Eigenvalues is how many eigenvalues the model gives at least, for a picture of
	// the eigengap; 0 means K. Those that are not needed may be hard to find.
	Eigenvalues int

	// Seed is what k-means and the search for eigenvectors draw from.
	Seed uint64

	// Trace, if not nil, is called in every iteration of k-means. Returning false
	// ends the fit.
	Trace func(KMeansStep) bool
}

// SpectralModel is what Spectral has found. It says nothing about other samples. If
// the fit ended early, what had not been found yet is nil, and K may be 0.
type SpectralModel struct {
	K           int         `json:"k"`           // number of clusters
	Labels      []int       `json:"labels"`      // n numbers: the cluster of each sample; sample 0 is in cluster 0, the first sample that isn't in cluster 1, and so on
	Eigenvalues []float64   `json:"eigenvalues"` // of the Laplacian, ascending, at least K
	Embedding   [][]float64 `json:"embedding"`   // n×K: what k-means was given; each eigenvector is a column, its component of largest size positive before rows were scaled
	Component   []int       `json:"component"`   // n numbers: the part of the graph that each sample is in, numbered from 0
}

// DisconnectedError is the error of a spectral clustering whose graph falls into
// more parts than clusters are wanted.
type DisconnectedError struct {
	K         int   // the clusters wanted
	Count     int   // the parts of the graph
	Component []int // n numbers: the part of each sample, numbered from 0
}

func (e *DisconnectedError) Error() string {
	return fmt.Sprintf("cluster: the graph falls into %d unconnected parts, more than the %d clusters wanted; link more (a larger Nearest, a smaller Gamma) or raise K", e.Count, e.K)
}

// Fit divides the rows of X (n×d).
//
// A *mlkit.NotConvergedError comes with the model so far; its Iterations and
// Residual are those of the search for eigenvectors or of k-means. Other errors name
// what is wrong with X or s.
func (s Spectral) Fit(X *mat.Dense) (*SpectralModel, error) {
	return s.FitContext(context.Background(), X)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (s Spectral) FitContext(ctx context.Context, X *mat.Dense) (*SpectralModel, error) {
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
	var err error
	switch gamma := s.Gamma; {
	case s.Affinity != Gaussian:
		k := s.Nearest
		if k == 0 {
			k = min(10, n-1)
		}
		w, err = neighbourGraph(ctx, X, k, s.Affinity == MutualNeighbours, gamma)
	default:
		if gamma == 0 {
			gamma = 1
		}
		w, err = gaussianWeights(ctx, X, gamma)
	}
	if err != nil {
		m := &SpectralModel{K: s.K}
		return m, unfinishedSpectral(m, 0, 0, "the context ended the fit before its graph was made", err)
	}
	return s.fit(ctx, w)
}

// FitAffinity divides n samples of which only the affinities are known, an n×n
// symmetric matrix of weights w_ij ≥ 0, such as a Gram matrix; its diagonal is used
// as it is. Affinity, Gamma and Nearest have no meaning here.
func (s Spectral) FitAffinity(ctx context.Context, W mat.Matrix) (*SpectralModel, error) {
	w, err := givenWeights(W)
	if err != nil {
		return nil, err
	}
	if err := s.check(w.n); err != nil {
		return nil, err
	}
	return s.fit(ctx, w)
}

// FitGraph is FitAffinity for a sparse graph, in memory of the order of its links.
func (s Spectral) FitGraph(ctx context.Context, g *Graph) (*SpectralModel, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := s.check(g.size()); err != nil {
		return nil, err
	}
	return s.fit(ctx, g)
}

func (s Spectral) check(n int) error {
	switch {
	case s.K < 0 || s.K > n:
		return fmt.Errorf("cluster: Spectral.K = %d, want 1 to %d, the samples, or 0 for the eigengap's", s.K, n)
	case s.Affinity < Gaussian || s.Affinity > MutualNeighbours:
		return fmt.Errorf("cluster: Spectral.Affinity = %d, want Gaussian, Neighbours or MutualNeighbours", s.Affinity)
	case !(s.Gamma >= 0 && s.Gamma <= math.MaxFloat64):
		return fmt.Errorf("cluster: Spectral.Gamma = %v, want a positive number, or 0", s.Gamma)
	case s.Nearest < 0 || s.Nearest > 0 && s.Nearest >= n:
		return fmt.Errorf("cluster: Spectral.Nearest = %d, want 1 to %d, the other samples, or 0 for 10", s.Nearest, n-1)
	case s.Laplacian < Symmetric || s.Laplacian > Unnormalised:
		return fmt.Errorf("cluster: Spectral.Laplacian = %d, want Symmetric, RandomWalk or Unnormalised", s.Laplacian)
	case s.Eigenvalues < 0 || s.Eigenvalues > n:
		return fmt.Errorf("cluster: Spectral.Eigenvalues = %d, want 1 to %d, the samples, or 0 for K", s.Eigenvalues, n)
	}
	return nil
}

func (s Spectral) fit(ctx context.Context, w weights) (*SpectralModel, error) {
	n := w.size()
	component, count := components(w)
	if s.K > 0 && count > s.K {
		return nil, &DisconnectedError{K: s.K, Count: count, Component: component}
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
	values, vectors, err := l.smallest(ctx, want, component, count, s.Seed)
	var unfinished *mlkit.NotConvergedError
	if err != nil && !errors.As(err, &unfinished) {
		return nil, err
	}
	m := &SpectralModel{K: s.K, Eigenvalues: values, Component: component}
	if m.K == 0 {
		m.K = max(count, Eigengap(values))
	}
	if len(vectors) < m.K {
		return m, unfinishedSpectral(m, unfinished.Iterations, unfinished.Residual, unfinished.Reason, unfinished.Err)
	}
	m.Embedding = embed(vectors[:m.K], s.Laplacian == Symmetric)
	divided, err := s.divide(ctx, m)
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

// unfinishedSpectral makes the error of a fit that ended early.
func unfinishedSpectral(m *SpectralModel, iterations int, residual float64, reason string, ended error) error {
	return &mlkit.NotConvergedError{
		Algorithm: "cluster: spectral clustering", Iterations: iterations, Residual: residual, Reason: reason, Model: m, Err: ended,
	}
}

// divide runs k-means on the embedding.
func (s Spectral) divide(ctx context.Context, m *SpectralModel) (*KMeansModel, error) {
	E := mat.NewDense(len(m.Embedding), m.K, nil)
	for i, e := range m.Embedding {
		E.SetRow(i, e)
	}
	return KMeans{K: m.K, Seed: s.Seed, Trace: s.Trace}.FitContext(ctx, E)
}

// embed makes a row of each sample from the columns, of length 1 if unit is true.
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

// inOrder renumbers the clusters by their first samples.
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

// Eigengap returns the number of clusters that the eigenvalues of a Laplacian, in
// ascending order, suggest: the k with the largest λₖ₊₁ - λₖ, counted from λ₁, the
// smallest such k if there are several (von Luxburg, section 8.3). It is 1 for fewer
// than two eigenvalues.
func Eigengap(values []float64) int {
	best, gap := 1, math.Inf(-1)
	for k := 1; k < len(values); k++ {
		if d := values[k] - values[k-1]; d > gap {
			best, gap = k, d
		}
	}
	return best
}
