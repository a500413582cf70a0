package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// kmeansRun is one run of Lloyd's algorithm.
type kmeansRun struct {
	k         KMeans
	X         *mat.Dense
	panels    panels  // of X
	bounds    *bounds // nil unless bounded
	team      *work.Team
	n         int
	number    int // the number of this run
	report    func(run, iterations int, changed float64)
	centres   [][]float64
	labels    []int       // nil until the first iteration is complete
	spare     []int       // buffer for the next labels
	sizes     []int       // of the clusters given by labels
	sums      [][]float64 // of the samples of each part in each cluster, concatenated; then of all in the first
	distances []float64
	inertia   float64
	changed   int
	iteration int
	stopped   bool // by Trace
	converged bool
}

func newKMeansRun(k KMeans, X *mat.Dense, p panels, t *work.Team, number int) *kmeansRun {
	n, d := X.Dims()
	r := &kmeansRun{k: k, X: X, panels: p, team: t, n: n, number: number, distances: make([]float64, n), sums: make([][]float64, p.parts().Count())}
	for part := range r.sums {
		r.sums[part] = make([]float64, k.K*d)
	}
	if bounded {
		r.bounds = newBounds(X, k.K)
	}
	from := X
	if k.Start != nil {
		from = k.Start
	}
	r.centres = make([][]float64, k.K)
	for i := range r.centres {
		r.centres[i] = append(make([]float64, 0, d), from.RawRowView(i)...)
	}
	return r
}

func (r *kmeansRun) run(ctx context.Context) error {
	if r.k.Start == nil {
		if err := r.plusPlus(ctx); err != nil {
			return err
		}
	}
	for r.iteration = 0; r.iteration < r.k.MaxIter && ctx.Err() == nil; r.iteration++ {
		settled := r.centres
		if r.iteration > 0 {
			r.centres = r.means()
		}
		before := r.inertia
		labels, ok := r.assign(ctx)
		if !ok {
			r.centres = settled
			return nil
		}
		refilled, err := r.refill(labels)
		if err != nil {
			return err
		}
		r.take(labels)
		r.report(r.number, r.iteration+1, float64(r.changed))
		r.stopped = !r.trace(refilled)
		done := r.changed == 0 && len(refilled) == 0
		if r.k.Tol > 0 && r.iteration > 0 {
			done = done || before-r.inertia <= r.k.Tol*r.inertia
		}
		if done || r.stopped {
			r.iteration++
			r.converged = done
			return nil
		}
	}
	return nil
}

// assign finds the nearest centre of each sample and sets r.sums to the sums of the new
// clusters. It returns ok = false if ctx was done first.
func (r *kmeansRun) assign(ctx context.Context) (labels []int, ok bool) {
	if r.spare == nil {
		r.spare = make([]int, r.n)
	}
	labels, r.spare = r.spare, nil
	find := r.panels.nearest(labels, r.distances, r.centres)
	if r.bounds != nil {
		r.bounds.move(r.centres)
		find = func(_ []float64, from, to, _ int) { r.bounds.nearest(labels, r.distances, from, to) }
	}
	return labels, r.sum(ctx, labels, find)
}

// sum sets r.sums[0] to the sums of the clusters, after first, if not nil, has labelled the
// samples of a panel. These are in the cache then: as a panel, or as the rows that bounds
// have read. It returns false if ctx was done first.
func (r *kmeansRun) sum(ctx context.Context, labels []int, first func(panel []float64, from, to, part int)) bool {
	for _, sums := range r.sums {
		clear(sums)
	}
	ok := r.panels.each(ctx, r.team, len(r.centres), func(panel []float64, from, to, part int) {
		if first != nil {
			first(panel, from, to, part)
		}
		if r.bounds == nil {
			add(r.sums[part], panel, labels[from:to], r.panels.d)
		} else {
			r.addRows(r.sums[part], labels, from, to)
		}
	})
	for _, sums := range r.sums[1:] {
		floats.Add(r.sums[0], sums)
	}
	return ok
}

// add adds the first d features of the first len(labels) samples of a panel to the sums of
// their clusters.
func add(sums, panel []float64, labels []int, d int) {
	for i, l := range labels {
		sum := sums[l*d:][:d]
		for k := range sum {
			sum[k] += panel[i]
			i += width
		}
	}
}

// addRows is add for the samples from inclusive, to exclusive.
func (r *kmeansRun) addRows(sums []float64, labels []int, from, to int) {
	for i := from; i < to; i++ {
		x := r.X.RawRowView(i)
		sum := sums[labels[i]*len(x):][:len(x)]
		for k, v := range x {
			sum[k] += v
		}
	}
}

// refill gives each empty cluster the sample farthest from its own centre.
func (r *kmeansRun) refill(labels []int) (refilled []int, err error) {
	sizes := count(labels, len(r.centres))
	r.sizes = sizes
	for k, size := range sizes {
		if size > 0 {
			continue
		}
		far := -1
		for i, l := range labels {
			if sizes[l] > 1 && r.distances[i] > 0 && (far < 0 || r.distances[i] > r.distances[far]) {
				far = i
			}
		}
		if far < 0 {
			occupied := 0
			for _, s := range sizes {
				occupied += min(s, 1)
			}
			return nil, fewRows(occupied, r.k.K)
		}
		sizes[labels[far]]--
		sizes[k]++
		labels[far], r.distances[far] = k, 0
		copy(r.centres[k], r.X.RawRowView(far))
		refilled = append(refilled, k)
	}
	if refilled != nil {
		r.sum(context.Background(), labels, nil)
	}
	return refilled, nil
}

// take replaces the run's labels.
func (r *kmeansRun) take(labels []int) {
	p := r.panels.parts()
	changed, inertia := make([]int, p.Count()), make([]float64, p.Count())
	r.team.Do(p.Count(), func(_, part int) {
		from, to := p.Range(part)
		for i := from; i < to; i++ {
			if r.labels == nil || labels[i] != r.labels[i] {
				changed[part]++
			}
		}
		inertia[part] = floats.Sum(r.distances[from:to])
	})
	r.changed, r.inertia = 0, floats.Sum(inertia)
	for _, c := range changed {
		r.changed += c
	}
	r.labels, r.spare = labels, r.labels
}

// means returns the new centres: mₖ = Σᵢ xᵢ / nₖ over the samples i of cluster k.
func (r *kmeansRun) means() [][]float64 {
	_, d := r.X.Dims()
	means := make([][]float64, len(r.centres))
	for k := range means {
		means[k] = slices.Clone(r.sums[0][k*d : (k+1)*d])
		for j := range means[k] {
			means[k][j] /= float64(r.sizes[k])
		}
	}
	return means
}

func (r *kmeansRun) trace(refilled []int) bool {
	if r.k.Trace == nil {
		return true
	}
	centres := make([][]float64, len(r.centres))
	for k, c := range r.centres {
		centres[k] = slices.Clone(c)
	}
	return r.k.Trace(KMeansStep{
		Restart: r.number, Iteration: r.iteration, Centers: centres, Labels: slices.Clone(r.labels),
		Inertia: r.inertia, Changed: r.changed, Refilled: refilled,
	})
}

// finish returns the model, and an error if samples still changed clusters.
func (r *kmeansRun) finish(stopped bool, ended error) (*KMeansModel, error) {
	m := &KMeansModel{Centers: r.centres, Iterations: r.iteration, Restart: r.number, Converged: r.converged}
	if r.labels != nil {
		m.Labels, m.Inertia = r.labels, r.inertia
		m.Sizes = count(m.Labels, len(m.Centers))
	}
	if stopped || r.converged && ended == nil {
		return m, nil
	}
	reason := fmt.Sprintf("%d of %d samples still change their cluster after %d iterations; allow more (MaxIter), or a Tol", r.changed, r.n, r.iteration)
	if ended != nil {
		reason = "the context ended the fit: " + ended.Error()
	}
	return m, &mlkit.NotConvergedError{
		Algorithm: "cluster: k-means", Iterations: r.iteration, Residual: float64(r.changed),
		Reason: reason, Model: m, Err: ended,
	}
}

// count returns the number of times each of the labels 0 to k-1 occurs.
func count(labels []int, k int) []int {
	sizes := make([]int, k)
	for _, l := range labels {
		sizes[l]++
	}
	return sizes
}

// nearestCenter returns the nearest centre, the first one on ties, and its squared
// distance. If squares overflow or underflow, it compares the distances themselves.
func nearestCenter(x []float64, centres [][]float64) (nearest int, least float64) {
	least = squaredDistance(x, centres[0])
	for k, c := range centres[1:] {
		if d := squaredDistance(x, c); d < least {
			nearest, least = k+1, d
		}
	}
	if least >= tiny && least <= math.MaxFloat64 || math.IsNaN(least) {
		return nearest, least
	}
	nearest = 0
	for k, c := range centres {
		if floats.Distance(x, c, 2) < floats.Distance(x, centres[nearest], 2) {
			nearest = k
		}
	}
	return nearest, least
}

// tiny is the sum of squares above which underflow loses less than rounding does.
const tiny = 0x1p-900

// squaredDistance returns ‖x - c‖².
func squaredDistance(x, c []float64) float64 {
	sum := 0.0
	for j, v := range x {
		d := v - c[j]
		sum += float64(d * d) // rounded before the addition, as simd.Distances does
	}
	return sum
}
