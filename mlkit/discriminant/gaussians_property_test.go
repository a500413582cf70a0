package discriminant_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/leastsquares"
)

// For LDA, the posterior is Bayes' rule for two Gaussians with the estimated means and
// covariance, which simplifies to the sigmoid (EE-559), and an affine map of the
// samples changes no posterior. For QDA, it is Bayes' rule with one covariance per
// class.
func TestBayesRule(t *testing.T) {
	done, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		X, y := testkit.Samples(t, 12)
		n, d := X.Dims()
		m, err := discriminant.LDA{}.Fit(X, y)
		q, errQ := discriminant.QDA{}.Fit(X, y)
		if err != nil || errQ != nil {
			return // a class lies in a hyperplane, and both fits say so
		}
		for j, row := range m.Covariance {
			if row[j] == 0 {
				return // a constant column: Σ has no inverse, and A would mix it with others
			}
		}
		done++
		shrunk := testkit.Try(discriminant.LDA{Shrinkage: 0.1, Divisor: discriminant.MaximumLikelihood}.Fit(X, y)).Or(t)
		p, pq := m.Probs(nil, X), q.Probs(nil, X)
		for i := range n {
			x := X.RawRowView(i)
			for _, l := range []*discriminant.LDAModel{m, shrunk} {
				want := bayes(x, l.Priors, l.Means, [][][]float64{l.Covariance, l.Covariance})
				if math.Abs(l.Prob(x)-want) > 1e-9 {
					t.Errorf("LDA, λ = %v: row %d: %v, Bayes %v", l.Shrinkage, i, l.Prob(x), want)
				}
			}
			want := bayes(x, q.Priors, q.Means, q.Covariances)
			if math.Abs(pq[i]-want) > 1e-8 {
				t.Errorf("QDA: row %d: %v, Bayes %v", i, pq[i], want)
			}
		}
		A, shift := testkit.Matrix(t, d, d), testkit.Matrix(t, 1, d)
		for j := range d {
			A.Set(j, j, A.At(j, j)+20) // diagonally dominant: invertible, with condition below 10
		}
		mapped := new(mat.Dense)
		mapped.Mul(X, A)
		for i := range n {
			floats.Add(mapped.RawRowView(i), shift.RawRowView(0))
		}
		m = testkit.Try(discriminant.LDA{}.Fit(mapped, y)).Or(t)
		if other := m.Probs(nil, mapped); !floats.EqualApprox(p, other, 1e-8) {
			t.Errorf("posteriors %v, after an affine map %v", p, other)
		}
	})
	if done*20 < all {
		t.Errorf("%d of %d problems had invertible covariances, too few to see anything", done, all)
	}
}

// bayes returns the posterior of the second class, computed from the densities.
func bayes(x, priors []float64, means [][]float64, covariances [][][]float64) float64 {
	d := len(x)
	var logs [2]float64
	for k := range logs {
		S := mat.NewSymDense(d, nil)
		for i, row := range covariances[k] {
			for j := i; j < d; j++ {
				S.SetSym(i, j, row[j])
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(S) {
			return math.NaN()
		}
		delta := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, means[k]))
		var v mat.VecDense
		if err := chol.SolveVecTo(&v, delta); err != nil && !errors.As(err, new(mat.Condition)) {
			return math.NaN()
		}
		logs[k] = math.Log(priors[k]) - chol.LogDet()/2 - mat.Dot(delta, &v)/2
	}
	return 1 / (1 + math.Exp(logs[0]-logs[1]))
}

// If the second class is a shifted copy of the first, both have the same sample
// covariance, and QDA agrees with LDA for any priors ("the homoscedasticity makes the
// second-order terms vanish", EE-559).
func TestEqualCovariances(t *testing.T) {
	done, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		n, d := rapid.IntRange(3, 10).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		first, shift := testkit.Matrix(t, n, d), testkit.Matrix(t, 1, d).RawRowView(0)
		X, y := mat.NewDense(2*n, d, nil), make([]int, 2*n)
		for i := range n {
			X.SetRow(i, first.RawRowView(i))
			floats.AddTo(X.RawRowView(n+i), first.RawRowView(i), shift)
			y[i], y[n+i] = -1, +1
		}
		prior := rapid.Float64Range(0.01, 0.99).Draw(t, "prior")
		priors := []float64{1 - prior, prior}
		l, err := discriminant.LDA{Priors: priors}.Fit(X, y)
		q, errQ := discriminant.QDA{Priors: priors}.Fit(X, y)
		if err != nil || errQ != nil {
			if (err == nil) != (errQ == nil) {
				t.Errorf("LDA: %v; QDA: %v", err, errQ)
			}
			return // samples in a hyperplane
		}
		done++
		p, other := l.Probs(nil, X), q.Probs(nil, X)
		if !floats.EqualApprox(p, other, 1e-8) {
			t.Errorf("LDA %v, QDA %v", p, other)
		}
	})
	if done*20 < all {
		t.Errorf("%d of %d problems had invertible covariances, too few to see anything", done, all)
	}
}

// For any two classes, the least squares classifier has the direction of LDA. For
// classes of equal size it also has the same hyperplane (Hastie, Tibshirani, Friedman,
// "The Elements of Statistical Learning", section 4.3 and exercise 4.2).
func TestLeastSquaresDirection(t *testing.T) {
	done, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		X, y := testkit.Samples(t, 8)
		balanced := rapid.Bool().Draw(t, "balanced")
		if balanced {
			for i := range y {
				y[i] = 1 - 2*(i%2)
			}
			if n, d := X.Dims(); n%2 == 1 {
				X, y = X.Slice(0, n-1, 0, d).(*mat.Dense), y[:n-1]
			}
		}
		lda, err := discriminant.LDA{}.Fit(X, y)
		if err != nil {
			return // a combination of columns does not vary within the classes
		}
		l := lda.Between(1, 0)
		m := testkit.Try(leastsquares.Classifier{}.Fit(X, y)).Or(t).Between(1, 0)
		if l.Norm() < 1e-9 {
			if m.Norm() > 1e-9 {
				t.Errorf("the means are equal, and least squares has w = %v", m.W)
			}
			return
		}
		done++
		factor := m.Norm() / l.Norm()
		for j, w := range l.W {
			if math.Abs(m.W[j]-factor*w) > 1e-8*m.Norm() {
				t.Errorf("w = %v, LDA's is %v", m.W, l.W)
				break
			}
		}
		if balanced && math.Abs(m.B-factor*l.B) > 1e-8*(1+m.Norm()) {
			t.Errorf("b = %v, LDA's is %v, %v times as long", m.B, l.B, 1/factor)
		}
	})
	if done*20 < all {
		t.Errorf("%d of %d problems had a direction, too few to see anything", done, all)
	}
}
