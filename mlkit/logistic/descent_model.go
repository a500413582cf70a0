package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
)

// workingProblem is the problem in the weights of the working set; all other weights are
// 0. Its θ holds w of the first class, then w of the next.
type workingProblem struct {
	*problem
	n, w, K int
	two     rooted // the loss in large problems of two classes, otherwise nil
	columns []int
	C       [][]float64 // column c of them, n numbers

	scores, slopes []float64 // K×n: the samples' scores, and the derivatives of the loss with respect to them
	prob           []float64 // K×n: the softmax of the scores, if K > 1
	root           []float64 // K×n: the square roots of the second derivatives with respect to the scores

	at, theta, grad []float64 // K×w: θ + step, θ, and the derivatives at θ
	moved           []float64 // K×n: what the step adds to the scores
	effort          int       // the limit of sweeps in a step

	// For the current class: the columns times root, their squared lengths plus L2, and,
	// over root, the derivatives of the quadratic model with respect to the scores less
	// slopes.
	weighted, curvature, model []float64
}

// newWorkingProblem returns the problem of the given columns at θ. It takes memory from the one before,
// if there is one, and ends it.
func newWorkingProblem(p *problem, columns []int, C [][]float64, theta []float64, before *workingProblem) *workingProblem {
	n, e := p.n, len(p.l2)
	w, K := len(columns), p.K
	q := &workingProblem{
		problem: p, n: n, w: w, K: K, columns: columns, C: C,
		scores: make([]float64, K*n), slopes: make([]float64, K*n), root: make([]float64, K*n), moved: make([]float64, K*n),
		at: make([]float64, K*w), theta: make([]float64, K*w), grad: make([]float64, K*w),
		curvature: make([]float64, w), model: make([]float64, n),
	}
	if before != nil && cap(before.weighted) >= w*n {
		q.weighted = before.weighted[:w*n]
	} else {
		q.weighted = make([]float64, w*n, w*n+w*n/4)
	}
	if many(p.X) {
		q.two, _ = p.loss.(rooted)
	}
	if K > 1 {
		q.prob = make([]float64, K*n)
	}
	for k := range K {
		for c, j := range columns {
			t := theta[k*e+j]
			q.theta[k*w+c] = t
			if t != 0 {
				simd.Axpy(q.scores[k*n:][:n], t, C[c])
			}
		}
	}
	return q
}

// store writes the weights to the θ of all columns.
func (q *workingProblem) store(theta []float64) {
	e := len(q.l2)
	for k := range q.K {
		for c, j := range q.columns {
			theta[k*e+j] = q.theta[k*q.w+c]
		}
	}
}

// absolute returns the L1 penalty of θ.
func (q *workingProblem) absolute(theta []float64) (sum float64) {
	for a, t := range theta {
		sum += q.l1[q.columns[a%q.w]] * math.Abs(t)
	}
	return sum
}

// objective returns the loss and the objective at a θ with the given scores.
func (q *workingProblem) objective(scores, theta []float64) (loss, objective float64) {
	if q.two != nil {
		loss = q.byBlocks(scores, func(int, *blockScores) {})
	} else {
		f := make([]float64, q.K)
		for i := range q.n {
			for k := range f {
				f[k] = scores[k*q.n+i]
			}
			loss += q.loss.at(i, f, false)
		}
	}
	objective = loss + q.absolute(theta)
	for a, t := range theta {
		objective += q.l2[q.columns[a%q.w]] * t * t / 2
	}
	return loss, objective
}

// differentiate sets the derivatives at θ and returns the largest amount by which one
// exceeds the penalty.
func (q *workingProblem) differentiate() (worst float64) {
	if q.two != nil {
		q.byBlocks(q.scores, func(from int, s *blockScores) {
			copy(q.slopes[from:], s.f[:s.rows])
			q.two.roots(from, s)
			copy(q.root[from:], s.f[:s.rows])
		})
	} else {
		q.bySamples()
	}
	for k := range q.K {
		g := q.grad[k*q.w:][:q.w]
		for c, j := range q.columns {
			simd.Products(g[c:c+1], q.C[c], q.n, q.slopes[k*q.n:][:q.n])
			t := q.theta[k*q.w+c]
			g[c] += q.l2[j] * t
			worst = math.Max(worst, q.excess(j, t, g[c]))
		}
	}
	return worst
}

// byBlocks returns the loss of two classes at the given scores, by vector instructions. It calls do
// with the slopes of one block after the other.
func (q *workingProblem) byBlocks(scores []float64, do func(from int, s *blockScores)) (loss float64) {
	s := newBlockScores(1)
	for from := 0; from < q.n; from += block {
		s.rows = copy(s.f, scores[from:])
		loss += q.loss.block(from, s)
		do(from, s)
	}
	return loss
}

// bySamples sets slopes, root and prob.
func (q *workingProblem) bySamples() {
	f, h := make([]float64, q.K), make([]float64, q.K*q.K)
	for i := range q.n {
		for k := range f {
			f[k] = q.scores[k*q.n+i]
		}
		q.loss.curvature(i, f, h)
		for k := range f {
			q.root[k*q.n+i] = math.Sqrt(h[k*q.K+k])
		}
		if q.K > 1 {
			copy(h, f)
			rows.Softmax(h[:q.K])
			for k := range f {
				q.prob[k*q.n+i] = h[k]
			}
		}
		q.loss.at(i, f, true)
		for k, r := range f {
			q.slopes[k*q.n+i] = r
		}
	}
}

// weigh computes weighted, curvature and model for class k.
func (q *workingProblem) weigh(k int) {
	root := q.root[k*q.n:][:q.n]
	for c, j := range q.columns {
		to := q.weighted[c*q.n:][:q.n]
		floats.MulTo(to, q.C[c], root)
		q.curvature[c] = floats.Dot(to, to) + q.l2[j]
	}
	clear(q.model)
	if q.K == 1 {
		return // the step begins at θ, and there is no other class
	}
	for l := range q.K {
		p := q.prob[l*q.n:][:q.n]
		for i, u := range q.moved[l*q.n:][:q.n] {
			q.model[i] -= p[i] * u
		}
	}
	p, own := q.prob[k*q.n:][:q.n], q.moved[k*q.n:][:q.n]
	for i, r := range root {
		if r > 0 {
			q.model[i] = q.weight(i) * p[i] * (own[i] + q.model[i]) / r
		} else {
			q.model[i] = 0
		}
	}
}

// ofSamples returns numbers of K×n as n×K.
func (q *workingProblem) ofSamples(v []float64) []float64 {
	of := make([]float64, len(v))
	for k := range q.K {
		for i, t := range v[k*q.n:][:q.n] {
			of[i*q.K+k] = t
		}
	}
	return of
}
