package kernelized

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/axes"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// kmeansRun is the state of one fit.
type kmeansRun struct {
	KMeans
	ctx    context.Context
	X      *mat.Dense // minus shift
	shift  []float64
	gram   *mat.SymDense // nil if the context ended before it was complete
	random *rand.Rand
	sums   *mat.Dense // n×K: Σⱼ k(xᵢ, xⱼ) over the j of each cluster
	report func(run, iterations int, changed float64)
}

// clusters is the assignment of samples to clusters in one iteration of one run.
type clusters struct {
	run, iteration int
	labels         []int
	sizes          []int
	norms          []float64 // ‖mₖ‖²
	changed        int
	inertia        float64
}

// errStopped means that Trace returned false.
var errStopped = errors.New("kernelized: stopped")

func newKMeansRun(ctx context.Context, k KMeans, X *mat.Dense) (*kmeansRun, error) {
	r := &kmeansRun{KMeans: k, ctx: ctx, X: X, random: rand.New(rand.NewPCG(k.Seed, 0))}
	if err := r.kernels(); err != nil {
		if ctx.Err() != nil {
			return r, nil
		}
		return nil, err
	}
	if err := r.apart(); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	r.sums = mat.NewDense(n, k.K, nil)
	return r, nil
}

// apart returns an error if rounding hides the distances of the images. The sum of
// their squares is
//
//	Σ ‖φ(xᵢ) - φ̄‖² = Σ k(xᵢ, xᵢ) - Σᵢⱼ k(xᵢ, xⱼ)/n,
//
// a difference of sums that may both be far larger.
func (r *kmeansRun) apart() error {
	n := r.gram.SymmetricDim()
	largest, trace := 0.0, mat.Trace(r.gram)
	ones, sums := slices.Repeat([]float64{1}, n), make([]float64, n)
	eigen.Times(r.gram)(sums, ones)
	for i := range n {
		largest = max(largest, math.Abs(r.gram.At(i, i)))
	}
	noise := 100 * rows.Epsilon * float64(n) * largest
	if scatter := math.Abs(trace - floats.Sum(sums)/float64(n)); r.K > 1 && scatter <= noise {
		return errSame("KMeans", r.X)
	}
	return nil
}

// kernels shifts X towards the origin and computes its Gram matrix.
func (r *kmeansRun) kernels() (err error) {
	if r.shift, err = nearby(r.ctx, r.Kernel, r.X); err != nil {
		return err
	}
	moved, err := axes.Relative(r.ctx, r.X, r.shift)
	if err != nil {
		return err
	}
	r.X = moved
	r.gram, err = kernel.GramContext(r.ctx, r.Kernel, moved)
	return err
}

// fit does the runs and returns the model of the best one.
func (r *kmeansRun) fit() (*KMeansModel, error) {
	var best *clusters
	ended := r.ctx.Err()
	for run := 0; run < r.Restarts && ended == nil; run++ {
		labels := r.Start
		if labels == nil {
			var err error
			if labels, err = r.seed(); err != nil {
				return nil, err
			}
		}
		var c *clusters
		c, ended = r.run(run, labels)
		if c != nil && (best == nil || c.inertia < best.inertia) {
			best = c
		}
	}
	return r.finish(best, ended)
}

// seed draws centres by k-means++ and assigns each sample to the nearest. A sample that
// is a centre has distance 0 and is not drawn again, so no cluster is empty.
func (r *kmeansRun) seed() ([]int, error) {
	n := r.gram.SymmetricDim()
	labels, distances := make([]int, n), make([]float64, n)
	centre := r.random.IntN(n)
	for c := range r.K {
		total := 0.0
		for i := range n {
			// ‖φ(xᵢ) - φ(z)‖²
			d := max(0, r.gram.At(i, i)-2*r.gram.At(i, centre)+r.gram.At(centre, centre))
			if i == centre {
				d = 0
			}
			if c == 0 || d < distances[i] {
				distances[i], labels[i] = d, c
			}
			total += distances[i]
		}
		if c+1 == r.K {
			break
		}
		if !check.Finite(total) {
			return nil, errors.New("kernelized: KMeans: the sum of the squared distances overflows, want smaller numbers; scale X")
		}
		if total == 0 {
			return nil, fmt.Errorf("kernelized: X has only %d different images under the kernel, as far as rounding tells, want at least %d, one for each of the K clusters", c+1, r.K)
		}
		left := r.random.Float64() * total
		for i, d := range distances {
			if d > 0 {
				centre = i // if rounding leaves a remainder, the last with d > 0
				if left -= d; left < 0 {
					break
				}
			}
		}
	}
	return labels, nil
}

// run alternates Lloyd's two steps until no label changes. It returns the clusters of the
// last complete iteration, nil if there is none.
func (r *kmeansRun) run(run int, start []int) (*clusters, error) {
	now, err := r.clusters(start)
	if err != nil {
		return nil, err
	}
	var last *clusters
	for iteration := 1; iteration <= r.MaxIter; iteration++ {
		labels := r.assign(now)
		next, err := r.clusters(labels)
		if err != nil {
			return last, err
		}
		next.run, next.iteration = run, iteration
		for i, c := range labels {
			if c != now.labels[i] {
				next.changed++
			}
		}
		now, last = next, next
		r.report(run, iteration, float64(next.changed))
		if r.Trace != nil && !r.Trace(KMeansStep{
			Restart: run, Iteration: iteration, Labels: slices.Clone(labels), Changed: next.changed, Inertia: next.inertia,
		}) {
			return last, errStopped
		}
		if next.changed == 0 {
			break
		}
	}
	return last, nil
}

// clusters returns the clusters with the given labels and sets r.sums. The only error is
// the context's.
func (r *kmeansRun) clusters(labels []int) (*clusters, error) {
	c := &clusters{labels: slices.Clone(labels), sizes: make([]int, r.K), norms: make([]float64, r.K)}
	r.sums.Zero()
	raw := r.gram.RawSymmetric()
	for i, a := range labels {
		if i%16 == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		c.sizes[a]++
		sums := r.sums.RawRowView(i)
		sums[a] += raw.Data[i*raw.Stride+i]
		for j := i + 1; j < raw.N; j++ {
			v := raw.Data[i*raw.Stride+j]
			sums[labels[j]] += v
			r.sums.RawRowView(j)[a] += v
		}
	}
	for i, a := range labels {
		size := float64(c.sizes[a])
		c.norms[a] += r.sums.At(i, a) / size / size
	}
	for i, a := range labels {
		c.inertia += r.distance(c, i, a)
	}
	return c, nil
}

// distance returns ‖φ(xᵢ) - mₖ‖². r.sums must be those of c.
func (r *kmeansRun) distance(c *clusters, i, k int) float64 {
	return distance(r.gram.At(i, i), r.sums.At(i, k), c.norms[k], c.sizes[k])
}

// assign assigns each sample to the nearest centre of c. A cluster that loses all its
// samples gets the one farthest from its centre.
func (r *kmeansRun) assign(c *clusters) []int {
	labels, own, sizes := make([]int, len(c.labels)), make([]float64, len(c.labels)), make([]int, r.K)
	distances := make([]float64, r.K)
	for i := range labels {
		for k := range distances {
			distances[k] = r.distance(c, i, k)
		}
		labels[i] = nearest(distances)
		own[i] = distances[labels[i]]
		sizes[labels[i]]++
	}
	for k := range sizes {
		if sizes[k] > 0 {
			continue
		}
		farthest := -1
		for i, d := range own {
			if sizes[labels[i]] > 1 && (farthest < 0 || d > own[farthest]) {
				farthest = i
			}
		}
		sizes[labels[farthest]]--
		labels[farthest], own[farthest] = k, 0
		sizes[k]++
	}
	return labels
}

// finish returns the model of the best clusters, empty if best is nil, and the error for
// the way the fit ended.
func (r *kmeansRun) finish(best *clusters, ended error) (*KMeansModel, error) {
	n, d := r.X.Dims()
	m := &KMeansModel{Kernel: kernel.Any{Kernel: r.Kernel}, X: Matrix{Cols: d}, Sizes: make([]int, r.K), Norms: make([]float64, r.K)}
	changed := n
	if best != nil {
		m.X, m.Shift = copyOf(r.X), r.shift
		m.Labels, m.Sizes, m.Norms = best.labels, best.sizes, best.norms
		m.Inertia, m.Iterations, m.Restart = best.inertia, best.iteration, best.run
		changed = best.changed
		m.Converged = changed == 0
	}
	if ended == errStopped || ended == nil && m.Converged {
		return m, nil
	}
	e := &mlkit.NotConvergedError{
		Algorithm: "kernelized: KMeans", Iterations: m.Iterations, Residual: float64(changed), Model: m, Err: ended,
		Reason: fmt.Sprintf("%d of %d samples changed their cluster in iteration %d; raise MaxIter", changed, n, m.Iterations),
	}
	if ended != nil {
		e.Reason = fmt.Sprintf("%v after iteration %d of run %d", ended, m.Iterations, m.Restart)
	}
	return m, e
}
