package linear_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/linear"
	"marginalia/mlkit/svm"
)

// drawSamples draws least to 20 samples of 1 to 4 features on a grid, so that there
// are ties, duplicates and samples of both labels in one place. Both labels occur.
func drawSamples(t *rapid.T, least int) (*mat.Dense, []int) {
	n := rapid.IntRange(least, 20).Draw(t, "n")
	d := rapid.IntRange(1, 4).Draw(t, "d")
	X, y := drawMatrix(t, n, d), make([]int, n)
	for i := range y {
		y[i] = rapid.SampledFrom([]int{-1, +1}).Draw(t, "y")
	}
	y[0], y[1] = -1, +1
	return X, y
}

func drawMatrix(t *rapid.T, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rapid.IntRange(-12, 12).Draw(t, "4x"))/4)
		}
	}
	return X
}

func drawBias(t *rapid.T) linear.Bias {
	return rapid.SampledFrom([]linear.Bias{linear.ExtendedByOne, linear.ThroughOrigin, linear.ExtendedByRadius}).Draw(t, "bias")
}

// extended returns the samples with the constant of the bias as one more feature, in
// whose space Novikoff's theorem is about hyperplanes through the origin.
func extended(X *mat.Dense, bias linear.Bias) *mat.Dense {
	n, d := X.Dims()
	if bias == linear.ThroughOrigin {
		return X
	}
	c := 1.0
	if bias == linear.ExtendedByRadius {
		c = 0
		for i := range n {
			c = max(c, floats.Norm(X.RawRowView(i), 2))
		}
	}
	E := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(E.RawRowView(i), X.RawRowView(i))
		E.Set(i, d, c)
	}
	return E
}

// Novikoff's theorem with the largest margin there is, which the hard-margin SVM
// finds: on samples and their mirror images, (x, y) and (-x, -y), its b is 0. Whatever
// order and rate the perceptron takes, in the primal or the dual form, it makes no
// more mistakes than (R/γ)²; and the two forms make the same ones.
func TestMistakeBound(t *testing.T) {
	bounded, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		all++
		X, y := drawSamples(t, 2)
		bias := drawBias(t)
		E := extended(X, bias)
		n, d := E.Dims()
		mirrored, labels := mat.NewDense(2*n, d, nil), make([]int, 2*n)
		R := 0.0
		for i := range n {
			x := E.RawRowView(i)
			R = max(R, floats.Norm(x, 2))
			mirrored.SetRow(i, x)
			floats.ScaleTo(mirrored.RawRowView(n+i), -1, x)
			labels[i], labels[n+i] = y[i], -y[i]
		}
		widest, err := svm.Classifier{C: math.Inf(1), Tol: 1e-6}.Fit(mirrored, labels)
		if err != nil {
			return // no hyperplane through the origin of the extended space separates
		}
		bounded++
		gamma := 1 / math.Sqrt(2*widest.Primal) // of the primal ½‖w‖² and the margins 1
		bound := R * R / gamma / gamma * (1 + 1e-4)
		rate := rapid.Float64Range(0.1, 10).Draw(t, "rate")
		seed := rapid.Uint64().Draw(t, "seed")
		for _, p := range []linear.Perceptron{
			{Bias: bias, MaxEpochs: 1 << 20}, {Bias: bias, MaxEpochs: 1 << 20, Rate: rate},
			{Bias: bias, MaxEpochs: 1 << 20, Shuffle: true, Seed: seed},
		} {
			m, err := p.Fit(X, y)
			if err != nil {
				t.Fatal(err)
			}
			if float64(m.Mistakes) > bound {
				t.Errorf("%+v: %d mistakes, the bound is %v", p, m.Mistakes, bound)
			}
			q, err := linear.NewNovikoff(X, y, m.Hyperplane, bias)
			if err != nil {
				t.Fatal(err)
			}
			if q.Bound < bound/(1+2e-4) {
				t.Errorf("%+v: a bound %v below that of the largest margin, %v", p, q.Bound, bound)
			}
		}
		m, err := linear.Perceptron{Bias: bias, MaxEpochs: 1 << 20}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		dual, err := linear.DualPerceptron{Bias: bias, MaxEpochs: 1 << 20}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		h := dual.Hyperplane()
		if dual.Mistakes != m.Mistakes || !floats.EqualApprox(h.W, m.W, 1e-9) || math.Abs(h.B-m.B) > 1e-9 {
			t.Errorf("dual: %d mistakes, %+v; primal: %d, %+v", dual.Mistakes, h, m.Mistakes, m.Hyperplane)
		}
	})
	if bounded*20 < all {
		t.Errorf("%d of %d problems were separable, too few to see anything", bounded, all)
	}
}

// A perceptron through the origin makes the same mistakes on samples of any scale:
// at any rate, and for samples that are all multiplied alike (CMU, "invariant to
// scaling"; by a power of two, so that rounding has no part in it).
func TestScaleInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t, 2)
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "log₂ scale"))
		scaled := mat.DenseCopyOf(X)
		scaled.Scale(scale, X)
		p := linear.Perceptron{Bias: linear.ThroughOrigin, MaxEpochs: 50}
		a, errA := p.Fit(X, y)
		b, errB := p.Fit(scaled, y)
		if a.Mistakes != b.Mistakes || (errA == nil) != (errB == nil) {
			t.Errorf("%d mistakes (%v), scaled by %v %d (%v)", a.Mistakes, errA, scale, b.Mistakes, errB)
		}
		floats.Scale(scale, a.W)
		if errA == nil && !floats.Equal(a.W, b.W) {
			t.Errorf("w = %v, scaled %v", a.W, b.W)
		}
	})
}

// LDA: the posterior is Bayes' rule for two Gaussians with the estimated means and
// covariance (EE-559), of which the sigmoid is what is left; and an affine map of the
// samples changes no posterior. QDA is Bayes' rule with a covariance for each class.
func TestBayesRule(t *testing.T) {
	done, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		all++
		X, y := drawSamples(t, 12)
		n, d := X.Dims()
		m, err := linear.LDA{}.Fit(X, y)
		q, errQ := linear.QDA{}.Fit(X, y)
		if err != nil || errQ != nil {
			return // a class that lies in a hyperplane, which both say
		}
		done++
		p, pq := m.Probs(nil, X), q.Probs(nil, X)
		for i := range n {
			x := X.RawRowView(i)
			want := bayes(x, m.Priors[:], m.Means[:], [][][]float64{m.Covariance, m.Covariance})
			if math.Abs(p[i]-want) > 1e-8 {
				t.Errorf("LDA: row %d: %v, Bayes %v", i, p[i], want)
			}
			g := q.Gaussians
			want = bayes(x, g.Priors, g.Means, g.Covariances)
			if math.Abs(pq[i]-want) > 1e-8 {
				t.Errorf("QDA: row %d: %v, Bayes %v", i, pq[i], want)
			}
		}
		A, shift := drawMatrix(t, d, d), drawMatrix(t, 1, d)
		for j := range d {
			A.Set(j, j, A.At(j, j)+20) // dominates its row: invertible, of condition below 10
		}
		mapped := new(mat.Dense)
		mapped.Mul(X, A)
		for i := range n {
			floats.Add(mapped.RawRowView(i), shift.RawRowView(0))
		}
		m, err = linear.LDA{}.Fit(mapped, y)
		if err != nil {
			t.Fatal(err)
		}
		if other := m.Probs(nil, mapped); !floats.EqualApprox(p, other, 1e-8) {
			t.Errorf("posteriors %v, after an affine map %v", p, other)
		}
	})
	if done*20 < all {
		t.Errorf("%d of %d problems had invertible covariances, too few to see anything", done, all)
	}
}

// bayes returns the posterior of the second class from the densities themselves.
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

// At the solution the gradient is 0, Xᵀ(Xw + b - y) + λw = 0, and of all w with this
// it is the shortest, as it lies in the row space (Theodoridis; Roger Penrose, "A
// generalized inverse for matrices", 1955). For λ → 0 the ridge goes to it.
func TestLeastSquaresNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		d := rapid.IntRange(1, 8).Draw(t, "d")
		X := drawMatrix(t, n, d)
		y := drawMatrix(t, 1, n).RawRowView(0)
		bias := drawBias(t)
		if bias == linear.ExtendedByRadius && mat.Norm(X, 2) == 0 {
			return
		}
		E := extended(X, bias)
		_, p := E.Dims()
		constant := 1.0
		if bias != linear.ThroughOrigin {
			constant = E.At(0, d)
		}
		fit := func(ridge float64) *mat.VecDense {
			m, err := linear.LeastSquares{Bias: bias, Ridge: ridge}.Fit(X, y)
			if err != nil {
				t.Fatal(err)
			}
			w := mat.NewVecDense(p, nil)
			copy(w.RawVector().Data, m.W)
			if p > d {
				w.SetVec(d, m.B/constant)
			}
			return w
		}
		gradient := func(w *mat.VecDense) *mat.VecDense {
			var r, g mat.VecDense
			r.MulVec(E, w)
			r.SubVec(&r, mat.NewVecDense(n, y))
			g.MulVec(E.T(), &r)
			return &g
		}
		w := fit(0)
		if g := gradient(w); mat.Norm(g, math.Inf(1)) > 1e-9 {
			t.Errorf("the gradient is %v", mat.Formatted(g.T()))
		}
		inverse, _, err := linear.PseudoInverse(E)
		if err != nil {
			t.Fatal(err)
		}
		var rows, projected mat.VecDense // X#Xw is w's part in the row space
		rows.MulVec(E, w)
		projected.MulVec(inverse, &rows)
		if !mat.EqualApprox(&projected, w, 1e-9) {
			t.Errorf("w = %v has a part outside the row space, in it is %v", mat.Formatted(w.T()), mat.Formatted(projected.T()))
		}
		const lambda = 0.5
		ridge := fit(lambda)
		g := gradient(ridge)
		for j := range d {
			if v := g.AtVec(j) + lambda*ridge.AtVec(j); math.Abs(v) > 1e-9 {
				t.Errorf("the gradient of the ridge in w_%d is %v", j, v)
			}
		}
		if p > d && math.Abs(g.AtVec(d)) > 1e-9 {
			t.Errorf("the gradient of the ridge in b is %v", g.AtVec(d))
		}
		// A ridge shortens the part of w along a singular value σ by λ/(σ² + λ) of it.
		const small = 1e-10
		far := 1e-9 + small*math.Pow(mat.Norm(inverse, 2), 2)*mat.Norm(w, 2)
		if r := fit(small); bias == linear.ThroughOrigin && !mat.EqualApprox(r, w, far) {
			t.Errorf("the ridge of %v has %v, least squares %v", small, mat.Formatted(r.T()), mat.Formatted(w.T()))
		}
	})
}

// Penrose's four conditions, which only the pseudoinverse has.
func TestPenrose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		X := drawMatrix(t, rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(1, 8).Draw(t, "d"))
		P, rank, err := linear.PseudoInverse(X)
		if err != nil {
			t.Fatal(err)
		}
		var XP, PX, XPX, PXP mat.Dense
		XP.Mul(X, P)
		PX.Mul(P, X)
		XPX.Mul(&XP, X)
		PXP.Mul(&PX, P)
		scale := 1 + mat.Norm(P, 2)
		if !mat.EqualApprox(&XPX, X, 1e-10*scale) || !mat.EqualApprox(&PXP, P, 1e-10*scale*scale) ||
			!mat.EqualApprox(&XP, XP.T(), 1e-10*scale) || !mat.EqualApprox(&PX, PX.T(), 1e-10*scale) {
			t.Errorf("no pseudoinverse of\n%v:\n%v", mat.Formatted(X), mat.Formatted(P))
		}
		if trace := mat.Trace(&PX); math.Abs(trace-float64(rank)) > 1e-9*scale { // of a projection on the row space
			t.Errorf("rank %d, the trace of the projection is %v", rank, trace)
		}
	})
}

// With two classes the softmax is the sigmoid, with half the penalty, since it is on
// both weight vectors, w/2 and -w/2; both solvers find the one optimum of the MAP;
// the sum of residuals is 0 for the bias is not penalised.
func TestLogisticForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t, 2)
		n, d := X.Dims()
		lambda := math.Exp(rapid.Float64Range(-4, 3).Draw(t, "log λ"))
		fit := func(l linear.Logistic) *linear.LogisticModel {
			m, err := l.Fit(X, y)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := fit(linear.Logistic{L2: lambda})
		p := m.Probs(nil, X)
		g := make([]float64, d+1)
		for j := range d {
			g[j] = lambda * m.W[j]
		}
		for i := range n {
			r := p[i] - float64(y[i]+1)/2
			floats.AddScaled(g[:d], r, X.RawRowView(i))
			g[d] += r
		}
		if floats.Norm(g, math.Inf(1)) > 1e-6 {
			t.Errorf("the gradient at the optimum is %v", g)
		}
		other := fit(linear.Logistic{L2: lambda, Solver: linear.LBFGS, Tol: 1e-7})
		if q := other.Probs(nil, X); !floats.EqualApprox(p, q, 1e-4) {
			t.Errorf("Newton %v, L-BFGS %v", p, q)
		}
		soft, err := linear.Logistic{L2: 2 * lambda}.FitClasses(X, y)
		if err != nil {
			t.Fatal(err)
		}
		P := soft.ProbsOf(nil, X)
		for i := range n {
			if math.Abs(P.At(i, 1)-p[i]) > 1e-6 {
				t.Errorf("row %d: the softmax has %v, the sigmoid %v", i, P.At(i, 1), p[i])
			}
		}
	})
}

// The likelihood has a maximum if and only if no hyperplane separates, with samples
// on it or not (Albert and Anderson, 1984). That the perceptron through w and b
// separates is a proof of one, a positive combination Σ αᵢyᵢ(xᵢ, 1) = 0 of all
// samples one of the other.
func TestLogisticSeparableProperty(t *testing.T) {
	separable, overlapping := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t, 2)
		m, err := linear.Logistic{}.Fit(X, y)
		var s *linear.SeparableError
		_, perceptron := linear.Perceptron{MaxEpochs: 10000}.Fit(X, y)
		switch {
		case errors.As(err, &s):
			separable++
			direction := linear.Hyperplane{W: s.W[0], B: s.B[0]}
			largest := 0.0
			for i, f := range direction.Scores(nil, X) {
				margin := float64(y[i]) * f
				largest = max(largest, margin)
				if margin < -1e-9*(1+direction.Norm()) {
					t.Errorf("the direction has row %d on its wrong side, by %v", i, margin)
				}
			}
			if largest <= 0 {
				t.Errorf("the direction %+v separates nothing", direction)
			}
		case err != nil:
			t.Fatal(err)
		default:
			overlapping++
			if perceptron == nil {
				t.Errorf("a hyperplane separates, but the likelihood has the maximum %+v", m)
			}
		}
		if perceptron == nil && s != nil && !s.Complete {
			t.Error("a hyperplane separates with no sample on it, but the error says that there is none")
		}
	})
	if all := separable + overlapping; separable*20 < all || overlapping*20 < all {
		t.Errorf("%d separable problems and %d others, too few to see anything", separable, overlapping)
	}
}

// wrong counts the samples on the wrong side of h, or on it.
func wrong(h linear.Hyperplane, X *mat.Dense, y []int) (count int) {
	for i, f := range h.Scores(nil, X) {
		if float64(y[i])*f <= 0 {
			count++
		}
	}
	return count
}

// Each hyperplane that goes into the pocket makes fewer mistakes than the one before
// it: the ratchet. The model counts those of the last.
func TestPocketProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t, 2)
		before, pocket := len(y)+1, linear.Hyperplane{}
		m, err := linear.Pocket{Epochs: 20, Seed: rapid.Uint64().Draw(t, "seed"), Trace: func(s linear.PocketStep) bool {
			// It is put there again when its run has become longer.
			same := s.Pocket.B == pocket.B && floats.Equal(s.Pocket.W, pocket.W)
			if now := wrong(s.Pocket, X, y); s.Replaced && !same {
				if now >= before {
					t.Errorf("draw %d: the pocket goes from %d errors to %d", s.Step, before, now)
				}
				before, pocket = now, linear.Hyperplane{W: slices.Clone(s.Pocket.W), B: s.Pocket.B}
			}
			return true
		}}.Fit(X, y)
		if n := (*mlkit.NotConvergedError)(nil); err != nil && !errors.As(err, &n) {
			t.Fatal(err)
		}
		if w := wrong(m.Hyperplane, X, y); w != m.Errors {
			t.Errorf("%d errors counted, there are %d", m.Errors, w)
		}
	})
}
