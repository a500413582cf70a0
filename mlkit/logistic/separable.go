package logistic

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// SeparableError reports a likelihood without a maximum: it keeps growing along the
// direction (W, B), since no sample is on the wrong side. For two classes W is one row w
// with yᵢ(w·xᵢ + b) ≥ 0 for all i, not all 0, where yᵢ is -1 for the smaller label and +1 for
// the other. For M > 2 classes W has one row per class, with
// (w_k - w_l)·xᵢ + b_k - b_l ≥ 0 for the class k of sample i and all l, not all 0.
type SeparableError struct {
	Complete bool                     // whether all these numbers are positive; if no (W, B) makes them so, two classes are "quasi-separated"
	W        [][]float64              // one row, or M
	B        []float64                // one number, or M
	Fit      *mlkit.NotConvergedError // how far the fit got, and its model
}

func (e *SeparableError) Error() string {
	return fmt.Sprintf("%s: separable: %s", e.Fit.Algorithm, e.Fit.Reason)
}

// Unwrap returns e.Fit: a maximum at infinity is one way of not converging.
func (e *SeparableError) Unwrap() error { return e.Fit }

// sides are the samples of a problem, and the classes that they belong to.
type sides struct {
	Z *mat.Dense // n×(d+1), the samples of the problem; nil if sums computes them, as it may with a penalty
	labels
}

// separation is the direction of a SeparableError as a θ.
type separation struct {
	theta    []float64
	complete bool
	several  bool // weights for each of more than two classes
}

func (s *separation) Error() string {
	why := "a hyperplane has some samples on it and all others on their own sides, and longer weights along its normal are always more likely"
	switch {
	case s.several && s.complete:
		why = "hyperplanes separate the classes from one another, and longer weights along their normals are always more likely"
	case s.several:
		why = "longer weights in one direction make some samples more likely and none less likely"
	case s.complete:
		why = "a hyperplane has all samples on their own sides, and longer weights along its normal are always more likely"
	}
	return "the likelihood has no maximum: " + why + "; use L2"
}

// proveSeparable returns a *separation if nothing is penalised and the run has found one.
// The step may be nil.
func (p *problem) proveSeparable(run *state, step []float64) error {
	if !p.likelihood() {
		return nil
	}
	var s *separation
	if err := work.Run(p.ctx, func() { s = p.separates(run, step) }); err != nil {
		run.converged = false
		return err
	}
	if s != nil {
		run.converged, s.several = false, len(s.theta) > len(p.l2)
		return s
	}
	return nil
}

// separates looks for a direction along which the likelihood keeps growing. It tries θ
// itself and the step, which turns to this direction as θ goes to infinity.
func (p *problem) separates(run *state, step []float64) *separation {
	// A sample on the wrong side costs at least its weight times log 2. So if the total is
	// below that, all samples are on their own sides. A total that goes to 0 falls below.
	if run.loss < p.least*math.Ln2 {
		if least, _, _ := p.preferences(run.theta); least > 0 {
			return &separation{theta: slices.Clone(run.theta), complete: true}
		}
	}
	const near, rounding = 1e-6, 1e-9
	if step == nil {
		return nil
	}
	least, most, _ := p.preferences(step)
	if !(least >= -near*most) || most <= rounding {
		return nil
	}
	direction := p.without(step, near*most)
	least, most, size := p.preferences(direction)
	if !(least >= -rounding*size) || most <= near*size {
		return nil
	}
	if least > near*most {
		return &separation{theta: direction, complete: true}
	}
	if inner := p.among(direction, near*most); inner != nil {
		return &separation{theta: inner, complete: true}
	}
	return &separation{theta: direction}
}

// among returns a θ with all samples strictly on their own sides, or nil if it finds
// none. The given direction has none on the wrong side. Being just one step, it may leave
// samples on its hyperplane, with margins up to the given amount, that another hyperplane
// separates. Adding a little of that one to the direction then separates them all.
func (p *problem) among(direction []float64, amount float64) []float64 {
	n, _ := p.Z.Dims()
	f := make([]float64, p.K)
	var near []int
	for i := range n {
		scores(f, direction, p.Z.RawRowView(i))
		if p.margin(i, f) <= amount {
			near = append(near, i)
		}
	}
	if len(near) == n {
		return nil // with many classes, a sample may be indifferent to some
	}
	q := p.over(rows.Select(p.Z, near), p.labels.of(near))
	q.MaxIter, q.Tol, q.Trace, q.report = 100, 1e-8, nil, nil
	var inner *separation
	if _, cause := q.run(nil, nil); !errors.As(cause, &inner) || !inner.complete {
		return nil
	}
	_, _, size := p.preferences(inner.theta)
	theta := slices.Clone(direction)
	floats.AddScaled(theta, amount/(4*size), inner.theta)
	if least, _, _ := p.preferences(theta); !(least > 0) {
		return nil
	}
	return theta
}

// columnSeparates looks for a column, and a class all of whose samples are on one side of a
// threshold, with all others on the other side or both on it, as with an indicator that is 1
// for some samples of one class only. Then the weight of the class has no maximum. Nothing
// is rounded here.
func (p sides) columnSeparates() *separation {
	n, e := p.Z.Dims()
	K := p.K
	for k := range K {
		low, high := [2][]float64{}, [2][]float64{} // of the other samples and those of class k
		for side := range 2 {
			low[side], high[side] = slices.Repeat([]float64{math.Inf(1)}, e-1), slices.Repeat([]float64{math.Inf(-1)}, e-1)
		}
		for i := range n {
			side := 0
			if p.has(i, k) {
				side = 1
			}
			for j, z := range p.Z.RawRowView(i)[:e-1] {
				low[side][j], high[side][j] = math.Min(low[side][j], z), math.Max(high[side][j], z)
			}
		}
		for j := range e - 1 {
			theta := make([]float64, K*e)
			switch {
			case low[1][j] >= high[0][j] && high[1][j] > low[0][j]:
				theta[k*e+j], theta[k*e+e-1] = 1, -low[1][j]
			case high[1][j] <= low[0][j] && low[1][j] < high[0][j]:
				theta[k*e+j], theta[k*e+e-1] = -1, high[1][j]
			default:
				continue
			}
			return &separation{theta: theta, several: K > 1}
		}
	}
	return nil
}

// preferences returns the smallest and the largest margin by which θ prefers the class of
// a sample to another, and the largest absolute score.
func (p sides) preferences(theta []float64) (least, most, size float64) {
	f := make([]float64, p.K)
	n, _ := p.Z.Dims()
	least = math.Inf(1)
	for i := range n {
		scores(f, theta, p.Z.RawRowView(i))
		p.margins(i, func(c []float64) {
			m := floats.Dot(c, f)
			least, most = math.Min(least, m), math.Max(most, m)
		})
		size = math.Max(size, math.Abs(rows.Extreme(f)))
	}
	return least, most, size
}

// without projects θ onto the directions that are exactly indifferent wherever θ is
// indifferent to within the given amount.
func (p sides) without(theta []float64, amount float64) []float64 {
	n, e := p.Z.Dims()
	K := p.K
	f, row := make([]float64, K), make([]float64, K*e)
	G := mat.NewSymDense(K*e, nil)
	for i := range n {
		z := p.Z.RawRowView(i)
		scores(f, theta, z)
		p.margins(i, func(c []float64) {
			if math.Abs(floats.Dot(c, f)) > amount {
				return
			}
			for k, v := range c {
				floats.ScaleTo(row[k*e:(k+1)*e], v, z)
			}
			G.SymRankOne(G, 1, mat.NewVecDense(K*e, row))
		})
	}
	v := mat.NewVecDense(K*e, slices.Clone(theta))
	throughEigen(G, v, func(value, largest float64) float64 {
		if value > 1e-12*largest {
			return 0
		}
		return 1
	})
	return v.RawVector().Data
}
