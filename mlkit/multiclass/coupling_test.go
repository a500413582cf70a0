package multiclass_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/multiclass"
)

// coin is a machine with the same probability of +1 for all samples.
type coin float64

func (c coin) Prob([]float64) float64  { return float64(c) }
func (c coin) Score([]float64) float64 { return float64(c) - 0.5 }
func (c coin) Predict([]float64) int {
	if c >= 0.5 {
		return +1
	}
	return -1
}

func (c coin) Probs(dst []float64, X mat.Matrix) []float64  { return c.fill(dst, X, c.Prob(nil)) }
func (c coin) Scores(dst []float64, X mat.Matrix) []float64 { return c.fill(dst, X, c.Score(nil)) }
func (c coin) Predictions(dst []int, X mat.Matrix) []int {
	for range c.fill(nil, X, 0) {
		dst = append(dst, c.Predict(nil))
	}
	return dst
}

func (c coin) fill(dst []float64, X mat.Matrix, v float64) []float64 {
	if n, _ := X.Dims(); dst == nil {
		dst = make([]float64, n)
	}
	for i := range dst {
		dst[i] = v
	}
	return dst
}

// coupled returns the model of k classes, labelled 10, 11, …, with r_ij for each pair i < j.
func coupled(k int, r []float64) *multiclass.ProbableOneVsOneModel[coin] {
	m := new(multiclass.ProbableOneVsOneModel[coin])
	for i := range k {
		m.Classes = append(m.Classes, 10+i)
		for j := i + 1; j < k; j++ {
			m.Pairs = append(m.Pairs, [2]int{10 + i, 10 + j})
			m.Machines = append(m.Machines, coin(r[len(m.Machines)]))
		}
	}
	return m
}

// direct solves Qp + be = 0, Σ p = 1 (Wu, Lin, Weng, 2004, equation 21) by elimination with
// numbers of 1500 bits, for r_ij of each pair i < j.
func direct(k int, r []float64) []float64 {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(1500).SetFloat64(v) }
	zero := number(0)
	A := make([][]*big.Float, k+1)
	for i := range A {
		for range k + 2 {
			A[i] = append(A[i], number(0))
		}
	}
	for i := range k {
		A[i][k], A[k][i] = number(1), number(1)
	}
	A[k][k+1] = number(1)
	at := 0
	for i := range k {
		for j := i + 1; j < k; j++ {
			rij, rji := number(r[at]), number(1-r[at])
			at++
			product := number(0).Mul(rij, rji)
			A[i][j].Neg(product)
			A[j][i].Neg(product)
			A[i][i].Add(A[i][i], rji.Mul(rji, rji))
			A[j][j].Add(A[j][j], rij.Mul(rij, rij))
		}
	}
	for t := range k + 1 {
		for s := t + 1; s <= k; s++ {
			if number(0).Abs(A[s][t]).Cmp(number(0).Abs(A[t][t])) > 0 {
				A[s], A[t] = A[t], A[s]
			}
		}
		for s := range k + 1 {
			if s == t || A[s][t].Cmp(zero) == 0 {
				continue
			}
			factor := number(0).Quo(A[s][t], A[t][t])
			for l := t; l <= k+1; l++ {
				A[s][l].Sub(A[s][l], number(0).Mul(factor, A[t][l]))
			}
		}
	}
	p := make([]float64, k)
	for i := range p {
		p[i], _ = number(0).Quo(A[i][k+1], A[i][i]).Float64()
	}
	return p
}

// iterated is algorithm 2 of Wu, Lin and Weng, which LIBSVM uses, until p stays.
func iterated(k int, r []float64) []float64 {
	Q, p, at := mat.NewDense(k, k, nil), make([]float64, k), 0
	for i := range k {
		p[i] = 1 / float64(k)
		for j := i + 1; j < k; j++ {
			rij, rji := r[at], 1-r[at]
			at++
			Q.Set(i, j, -rij*rji)
			Q.Set(j, i, -rij*rji)
			Q.Set(i, i, Q.At(i, i)+rji*rji)
			Q.Set(j, j, Q.At(j, j)+rij*rij)
		}
	}
	for range 100_000 {
		was := slices.Clone(p)
		for t := range k {
			Qp := mat.NewVecDense(k, nil)
			Qp.MulVec(Q, mat.NewVecDense(k, p))
			p[t] += (mat.Dot(Qp, mat.NewVecDense(k, p)) - Qp.AtVec(t)) / Q.At(t, t)
			floats.Scale(1/floats.Sum(p), p)
		}
		if floats.Distance(was, p, math.Inf(1)) < 1e-16 {
			break
		}
	}
	return p
}

// The numbers are those of numpy 2.4.6, with r = [[0, .9, .4, .7], [.1, 0, .35, .8],
// [.6, .65, 0, .6], [.3, .2, .4, 0]]: Q = -r*r.T; Q[np.diag_indices(4)] = (r**2).sum(0);
// np.linalg.solve(np.block([[Q, np.ones((4, 1))], [np.ones((1, 4)), 0]]), [0, 0, 0, 0, 1]).
func TestCoupling(t *testing.T) {
	m := coupled(4, []float64{0.9, 0.4, 0.7, 0.35, 0.8, 0.6})
	samples.Near(t, "p", m.Posterior(nil, nil), []float64{0.3438867208672086, 0.13011327913279133, 0.3851105691056911, 0.14088943089430894}, 1e-14)
	if label := m.Predict(nil); label != 12 {
		t.Errorf("label %d, want 12", label)
	}
}

// All probabilities are right in relation to their size, not to 1: log-loss needs the small
// ones. The r_ij are random, all near 0 or 1, or exactly that. LIBSVM's iteration has the same
// limit.
func TestCouplingDirectly(t *testing.T) {
	testkit.NoRace(t)
	random := rand.New(rand.NewPCG(81, 82))
	same := func(k int, r []float64) {
		t.Helper()
		got, want := coupled(k, r).Posterior(nil, nil), direct(k, r)
		for i := range want {
			if !(got[i] >= 0 && math.Abs(got[i]-want[i]) <= 1e-13*math.Abs(want[i])+1e-300) {
				t.Fatalf("%d classes, r = %v: p = %v, want %v", k, r, got, want)
			}
		}
	}
	for _, draw := range []func() float64{
		random.Float64,
		func() float64 {
			v := math.Pow(10, -16*random.Float64())
			if random.IntN(2) == 0 {
				return 1 - v
			}
			return v
		},
		func() float64 { return float64(random.IntN(3)) / 2 },
		func() float64 { return float64(random.IntN(2)) * 1e-160 },
	} {
		for _, k := range []int{2, 3, 4, 7, 10, 30} {
			for range max(3, 60/k) {
				r := make([]float64, k*(k-1)/2)
				for i := range r {
					r[i] = draw()
				}
				same(k, r)
			}
		}
	}
	// Rounding of the last pivot would be 10⁻⁵ of the third.
	same(3, []float64{0.6, 1 - 1e-12, 1 - 3e-13})
	for _, k := range []int{2, 5, 10} {
		r := make([]float64, k*(k-1)/2)
		for i := range r {
			r[i] = 0.1 + 0.8*random.Float64()
		}
		samples.Near(t, fmt.Sprintf("p of %d classes", k), coupled(k, r).Posterior(nil, nil), iterated(k, r), 1e-12)
	}
}

// By hand: r_ij that fit together give back their p, a class that beats all others has the
// probability 1, and where each of three beats the next, all are as likely.
func TestCouplingByHand(t *testing.T) {
	for _, p := range [][]float64{{0.25, 0.75}, {0.5, 0.25, 0.125, 0.125}, {1e-12, 0.5, 1e-6, 0.5 - 1e-6 - 1e-12}, {1, 1e-100, 1e-200, 0}} {
		var r []float64
		for i := range p {
			for _, pj := range p[i+1:] {
				r = append(r, p[i]/(p[i]+pj))
			}
		}
		samples.Near(t, "p", coupled(len(p), r).Posterior(nil, nil), p, 1e-15)
	}
	for _, c := range []struct{ r, want []float64 }{
		{[]float64{1, 1, 0}, []float64{1, 0, 0}},
		{[]float64{0, 1, 1}, []float64{0, 1, 0}},
		{[]float64{0, 0, 1, 0, 1, 1}, []float64{0, 0, 1, 0}},
		{[]float64{1, 0, 1}, []float64{1. / 3, 1. / 3, 1. / 3}},
	} {
		samples.Near(t, "p", coupled(len(c.want), c.r).Posterior(nil, nil), c.want, 1e-15)
	}
}

func TestNormalized(t *testing.T) {
	for _, c := range []struct{ r, want []float64 }{
		{[]float64{0.5, 0.25, 0.5}, []float64{0.4, 0.2, 0.4}},
		{[]float64{0, 0, 0, 0}, []float64{0.25, 0.25, 0.25, 0.25}},
		{[]float64{0, 5e-324, 0}, []float64{0, 1, 0}},
		{[]float64{1, 1, 0}, []float64{0.5, 0.5, 0}},
	} {
		m := new(multiclass.ProbableOneVsRestModel[coin])
		for k, r := range c.r {
			m.Classes, m.Machines = append(m.Classes, k), append(m.Machines, coin(r))
		}
		samples.Near(t, "p", m.Posterior(nil, nil), c.want, 1e-16)
		if want := slices.Index(c.want, slices.Max(c.want)); m.Predict(nil) != want {
			t.Errorf("%v: label %d, want %d", c.want, m.Predict(nil), want)
		}
	}
}
