package kernelised

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

// drawMatrix draws n×d numbers from -3 to 3; whole numbers produce ties and duplicates.
func drawMatrix(t *rapid.T, n, d int, whole bool) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			if whole {
				X.Set(i, j, float64(rapid.IntRange(-3, 3).Draw(t, "x")))
			} else {
				X.Set(i, j, rapid.Float64Range(-3, 3).Draw(t, "x"))
			}
		}
	}
	return X
}

// near reports whether got and want differ by at most tol·max(1, scale).
func near(got, want, tol, scale float64) bool { return math.Abs(got-want) <= tol*max(1, scale) }

// The kernel perceptron makes the same mistakes as the perceptron on φ(x) and as the dual
// form. Whole numbers are not rounded, so the results agree exactly.
func TestPerceptronProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 8).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "d")
		X := drawMatrix(t, n, d, true)
		y := make([]int, n)
		for i := range y {
			y[i] = 2*rapid.IntRange(0, 1).Draw(t, "y") - 1
		}
		y[0], y[1] = -1, 1
		k := kernel.Polynomial{Degree: rapid.IntRange(1, 3).Draw(t, "degree"), Coef0: float64(rapid.IntRange(0, 1).Draw(t, "c"))}
		φ := testkit.Try(kernel.Monomials{Kernel: k, Ordered: true}.For(d)).Or(t)
		var explicit, implicit []int
		_, explicitErr := perceptron.Perceptron{MaxIter: 30, Bias: mlkit.FreeBias, Trace: func(s perceptron.Step) bool {
			if s.Mistake {
				explicit = append(explicit, s.Step)
			}
			return true
		}}.Fit(φ.Transform(nil, X), y)
		_, implicitErr := Perceptron{Kernel: k, MaxIter: 30, Trace: func(s PerceptronStep) bool {
			if s.Mistake {
				implicit = append(implicit, s.Step)
			}
			return true
		}}.Fit(X, y)
		both := min(len(explicit), len(implicit)) // either may detect a cycle earlier than the other
		if (explicitErr == nil) != (implicitErr == nil) || !slices.Equal(explicit[:both], implicit[:both]) ||
			explicitErr == nil && len(explicit) != len(implicit) {
			t.Fatalf("mistakes in the steps %v (%v), want %v (%v)", implicit, implicitErr, explicit, explicitErr)
		}
	})
}

// With the linear kernel, kernel ridge regression is ridge regression.
func TestRidgeProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 9).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		X := drawMatrix(t, n, d, rapid.Bool().Draw(t, "whole"))
		y := drawMatrix(t, 1, n, false).RawRowView(0)
		λ := rapid.SampledFrom([]float64{0.01, 1, 100}).Draw(t, "lambda")
		x := drawMatrix(t, 1, d, false).RawRowView(0)
		for _, intercept := range []bool{false, true} {
			l := leastsquares.Regression{Lambda: λ, Bias: mlkit.NoBias}
			if intercept {
				l.Bias = mlkit.FreeBias
			}
			want := testkit.Try(l.Fit(X, y)).Or(t)
			got := testkit.Try(Ridge{Lambda: λ, Bias: biasOf(intercept)}.Fit(X, y)).Or(t)
			// a solves (K + λI)a = y, so a rounding unit u changes it by at most
			// 4n(3n+1)uκ, relatively (Nicholas Higham, "Accuracy and Stability of
			// Numerical Algorithms", 2002, theorem 10.4), with κ ≤ (tr K + λ)/λ. In the
			// score and in b the terms aᵢk(xᵢ, ·) cancel; none exceeds |aᵢ|‖xᵢ‖ times the
			// norm of the longest vector.
			κ, longest, terms := 1.0, floats.Norm(x, 2), 0.0
			for i := range n {
				κ += floats.Dot(X.RawRowView(i), X.RawRowView(i)) / λ
				longest = max(longest, floats.Norm(X.RawRowView(i), 2))
			}
			for i, a := range got.Coef {
				terms += math.Abs(a) * floats.Norm(X.RawRowView(i), 2) * longest
			}
			g, w := got.Score(x), want.Score(x)
			if math.Abs(g-w) > 1e-9*max(1, math.Abs(w))+float64(4*n*(3*n+1))*0x1p-53*κ*terms {
				t.Fatalf("λ = %v, intercept %v: score %v, want %v", λ, intercept, g, w)
			}
		}
	})
}

// A whole weight repeats a sample; 0 removes it.
func TestRidgeWeightsProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "n")
		X, y := drawMatrix(t, n, 2, true), drawMatrix(t, 1, n, false).RawRowView(0)
		r := Ridge{Kernel: kernel.RBF{}, Lambda: 0.1, Bias: biasOf(rapid.Bool().Draw(t, "bias"))}
		weights := make([]float64, n)
		weights[0] = 1
		var rows []int
		var targets []float64
		for i := range n {
			if i > 0 {
				weights[i] = float64(rapid.IntRange(0, 3).Draw(t, "weight"))
			}
			for range int(weights[i]) {
				rows, targets = append(rows, i), append(targets, y[i])
			}
		}
		got := testkit.Try(r.FitWeighted(X, y, weights)).Or(t)
		want := testkit.Try(r.Fit(copyRows(X, rows).Dense(), targets)).Or(t)
		for i := range n {
			if g, w := got.Score(X.RawRowView(i)), want.Score(X.RawRowView(i)); !near(g, w, 1e-10, math.Abs(w)) {
				t.Fatalf("weights %v: score of row %d = %v, want %v", weights, i, g, w)
			}
		}
	})
}

func TestRidgeWeights(t *testing.T) { onBothPaths(t, ridgeWeights) }

func ridgeWeights(t *testing.T, _ ...string) {
	for _, r := range []Ridge{{Bias: mlkit.NoBias}, {Kernel: kernel.RBF{}, Lambda: 0.3}} {
		if err := mlkittest.TestWeights(func(X *mat.Dense, y, weights []float64) (*RidgeModel, error) {
			return r.FitWeighted(X, y, weights)
		}, 1e-10); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	X := mat.NewDense(2, 1, []float64{1, 2})
	if _, err := (Ridge{Bias: mlkit.NoBias}).FitWeighted(X, []float64{1, 2}, []float64{1e308, 1e308}); err == nil {
		t.Error("no error on weights whose sum overflows")
	}
	// For one sample x = 1, (1 + λ/s)α = y gives α = sy/(s + λ), even for the smallest
	// weight.
	one := X.Slice(0, 1, 0, 1).(*mat.Dense)
	for _, s := range []float64{5e-324, 0.25, 1e300} {
		m := testkit.Try(Ridge{Bias: mlkit.NoBias}.FitWeighted(one, []float64{3}, []float64{s})).Or(t)
		if want := 3 * (s / (s + 1)); math.Abs(m.Coef[0]-want) > 1e-14*want {
			t.Errorf("s = %v: α = %v, want %v", s, m.Coef[0], want)
		}
	}
}

// With the linear kernel, kernel PCA is PCA up to signs: it has the same variances, and
// the images of samples in the space of all components have the same distances.
func TestPCAProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(3, 9).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		X := drawMatrix(t, n, d, rapid.Bool().Draw(t, "whole"))
		m, err := PCA{Components: d}.Fit(X)
		if err != nil {
			return // all rows are equal
		}
		var pc stat.PC
		if !pc.PrincipalComponents(X, nil) {
			t.Fatal("no principal components")
		}
		vars := pc.VarsTo(nil)
		floats.Scale(float64(n-1), vars)
		for i, v := range vars[:min(d, len(vars))] {
			got := 0.0
			if i < m.Dim() {
				got = m.Eigenvalues[i]
			}
			if !near(got, v, 1e-11, vars[0]) {
				t.Fatalf("eigenvalues %v, want %v", m.Eigenvalues, vars)
			}
		}
		var V, P mat.Dense
		pc.VectorsTo(&V)
		P.Mul(X, &V)
		Z := m.Transform(nil, X)
		for c := range m.Dim() {
			if single := (c == 0 || m.Eigenvalues[c-1]-m.Eigenvalues[c] > 1e-3*vars[0]) && (c+1 >= len(vars) || vars[c]-vars[c+1] > 1e-3*vars[0]); !single || m.Eigenvalues[c] < 1e-3*vars[0] {
				continue // a multiple eigenvalue has no unique eigenvector
			}
			got, want := mat.Col(nil, c, Z), mat.Col(nil, c, &P)
			floats.AddConst(-stat.Mean(want, nil), want)
			if floats.Dot(got, want) < 0 {
				floats.Scale(-1, want)
			}
			if !floats.EqualApprox(got, want, 1e-8) {
				t.Fatalf("component %d = %v, want ±%v", c, got, want)
			}
		}
	})
}

// With the linear kernel and the same start, kernel k-means is k-means.
func TestKMeansProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, K := rapid.IntRange(4, 12).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "K")
		X := drawMatrix(t, n, 2, false)
		start, centres, sizes := make([]int, n), mat.NewDense(K, 2, nil), make([]float64, K)
		for i := range n {
			start[i] = i % K
			floats.Add(centres.RawRowView(i%K), X.RawRowView(i))
			sizes[i%K]++
		}
		for c, size := range sizes {
			floats.Scale(1/size, centres.RawRowView(c))
		}
		var steps []cluster.KMeansStep
		want, err := cluster.KMeans{K: K, Start: centres, Trace: func(s cluster.KMeansStep) bool {
			steps = append(steps, s)
			return true
		}}.Fit(X)
		if err != nil {
			t.Skip("fewer different rows than clusters")
		}
		same, tie := true, false
		got, err := KMeans{K: K, Start: start, Trace: func(s KMeansStep) bool {
			if at := s.Iteration - 1; same && at < len(steps) {
				same = slices.Equal(s.Labels, steps[at].Labels)
				tie = !same && roundingDecides(X, s.Labels, steps[at])
			}
			return true
		}}.Fit(X)
		if err != nil {
			t.Fatal(err)
		}
		// Once rounding has decided a tie, the runs may end in different clusterings, as
		// good or not.
		if !slices.Equal(got.Labels, want.Labels) && !near(got.Inertia, want.Inertia, 1e-9, want.Inertia) && !tie {
			t.Fatalf("labels %v with J = %v, want %v with %v", got.Labels, got.Inertia, want.Labels, want.Inertia)
		}
	})
}

// roundingDecides reports whether rounding may decide the labels of a step; with kernels
// it is the rounding of ‖x‖² - 2x·m + ‖m‖². This happens if a sample is equally far from
// two centres, or if two samples that could fill an empty cluster are equally far from
// theirs.
func roundingDecides(X *mat.Dense, labels []int, step cluster.KMeansStep) bool {
	const rounding = 1e-12 // for squares up to 72, in float64
	square := func(i, k int) float64 {
		d := floats.Distance(X.RawRowView(i), step.Centres[k], 2)
		return d * d
	}
	var filling []float64 // distances of samples whose label changed when a cluster was filled
	for i, l := range labels {
		if l == step.Labels[i] {
			continue
		}
		if math.Abs(square(i, l)-square(i, step.Labels[i])) < rounding {
			return true
		}
		least := math.Inf(1)
		for k := range step.Centres {
			if !slices.Contains(step.Refilled, k) {
				least = min(least, square(i, k))
			}
		}
		for _, other := range filling {
			if step.Refilled != nil && math.Abs(least-other) < rounding {
				return true
			}
		}
		filling = append(filling, least)
	}
	return false
}
