package leastsquares

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

func TestLeastSquaresConformance(t *testing.T) { onBothPaths(t, conformance) }

func conformance(t *testing.T, except ...string) {
	for _, l := range []Regression{{}, {Solver: ByNormalEquations}, {Lambda: 1e-3}, {Lambda: 1e-3, Solver: ByNormalEquations}} {
		if err := mlkittest.TestRegression(l.Fit, except...); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		if err := mlkittest.TestOrder(l.Fit, 1e-9); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		c := Classifier{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver}
		if err := mlkittest.TestClassifier(c.Fit, except...); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		if err := mlkittest.TestOrder(c.Fit, 1e-9); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		if err := mlkittest.TestManyClasses(c.Fit, except...); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// Theodoridis, the ten points: XᵀX and Xᵀy are those on the slide. The solution printed
// there, (-3.13, 0.24, 1.34), does not solve them: with it Xᵀ(y - Xw) is (0.19, 0.2, 0.5)
// to the second digit, by hand from the numbers on the slide. (-3.218, 0.241, 1.431) was
// computed in fractions.
func TestTheodoridisTen(t *testing.T) {
	d := datasets.TheodoridisTen()
	XtX, Xty, err := NormalEquations(d.X, signs(d.Y), mlkit.FreeBias)
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewSymDense(3, []float64{2.8, 2.24, 4.8, 2.24, 2.41, 4.7, 4.8, 4.7, 10})
	if !mat.EqualApprox(XtX, want, 1e-14) {
		t.Errorf("XᵀX = %v, want %v", mat.Formatted(XtX), mat.Formatted(want))
	}
	if !mat.EqualApprox(Xty, mat.NewVecDense(3, []float64{-1.6, 0.1, 0}), 1e-14) {
		t.Errorf("Xᵀy = %v, want (-1.6, 0.1, 0)", mat.Formatted(Xty))
	}
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		m := fitted(t, Classifier{Solver: method}.Fit, d.X, d.Y)
		h := plane(t, m)
		for j, w := range []float64{-3.218, 0.241, 1.431} {
			if got := append(slices.Clone(h.W), h.B)[j]; math.Abs(got-w) > 5e-4 {
				t.Errorf("%v: w = %v, %v, want (-3.218, 0.241, 1.431)", method, h.W, h.B)
				break
			}
		}
		if m.Rank != 3 {
			t.Errorf("%v: rank %d, want 3", method, m.Rank)
		}
	}
	var residual mat.VecDense
	residual.MulVec(XtX, mat.NewVecDense(3, []float64{-3.13, 0.24, 1.34}))
	residual.SubVec(Xty, &residual)
	if r := mat.Norm(&residual, 2); r < 0.1 {
		t.Errorf("the printed solution leaves a residual of %v only", r)
	}
}

func signs(y []int) []float64 {
	s := make([]float64, len(y))
	for i, label := range y {
		s[i] = float64(label)
	}
	return s
}

// From NumPy 1.24: numpy.linalg.pinv of X with a first column of ones, times ±1, for
// versicolor and virginica. The MSE of the targets 0 and 1 of each class is a quarter of that.
func TestLeastSquaresIris(t *testing.T) {
	d := datasets.Must(datasets.Iris().Binary(1, 2))
	for _, l := range []Classifier{{}, {Solver: ByNormalEquations}} {
		m := fitted(t, l.Fit, d.X, d.Y)
		h := plane(t, m)
		got := append([]float64{h.B}, h.W...)
		want := []float64{-1.837277728, -0.392119199, -0.615100696, 0.768528757, 1.365689303}
		if !floats.EqualApprox(got, want, 5e-10) {
			t.Errorf("%+v: b, w = %v, want %v", l, got, want)
		}
		samples.Near(t, fmt.Sprintf("%+v: 4 MSE", l), []float64{4 * m.MSE[0], 4 * m.MSE[1]}, []float64{0.2161102970436741, 0.2161102970436741}, 1e-12)
		if wrong := samples.Errors(m, d.X, d.Y); wrong != 3 {
			t.Errorf("%+v: %d mistakes, want 3", l, wrong)
		}
	}
}

// From NumPy 1.24 as above, with a target for each of the three classes; 84.67 % are
// right. Versicolor lies between the others and is masked.
func TestLeastSquaresIrisClasses(t *testing.T) {
	d := datasets.Iris()
	for _, l := range []Classifier{{}, {Solver: ByNormalEquations}} {
		m := fitted(t, l.Fit, d.X, d.Y)
		for k, want := range [][]float64{
			{0.118222889, 0.066029769, 0.242847872, -0.224657116, -0.057472729},
			{1.577058974, -0.020153685, -0.445616258, 0.220669205, -0.494306596},
			{-0.695281863, -0.045876085, 0.202768386, 0.003987911, 0.551779325},
		} {
			if got := append([]float64{m.B[k]}, m.W[k]...); !floats.EqualApprox(got, want, 1e-9) {
				t.Errorf("%+v: class %d: %v, want %v", l, k, got, want)
			}
		}
		if wrong := samples.Errors(m, d.X, d.Y); wrong != 23 {
			t.Errorf("%+v: %d mistakes, want 23 of 150", l, wrong)
		}
		for i := range d.Y { // the estimates of the posteriors sum to 1
			if s := floats.Sum(m.Discriminants(nil, d.X.RawRowView(i))); math.Abs(s-1) > 1e-12 {
				t.Fatalf("row %d: Σ g = %v, want 1", i, s)
			}
		}
	}
}

// Hastie, Tibshirani and Friedman, figure 4.14: least squares misclassifies a sample of
// separable classes. By hand, for 0, 1 in -1 and 2, 3, 30 in +1: x̄ = 36/5, ȳ = 1/5,
// Sxx = 654.8, Sxy = 26.8, so w = 67/1637, b = -155/1637, and 2 is below the zero at
// 155/67 = 2.31.
func TestSeparableButMissed(t *testing.T) {
	X, y := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 30}), []int{-1, -1, +1, +1, +1}
	m := fitted(t, Classifier{}.Fit, X, y)
	if h := plane(t, m); math.Abs(h.W[0]-67./1637) > 1e-15 || math.Abs(h.B+155./1637) > 1e-15 {
		t.Errorf("w = %v, b = %v, want 67/1637, -155/1637", h.W[0], h.B)
	}
	if got := m.Predictions(nil, X); !slices.Equal(got, []int{-1, -1, -1, +1, +1}) {
		t.Errorf("labels %v, want the sample at 2 on the wrong side", got)
	}
	if p, err := (perceptron.Perceptron{}).Fit(X, y); err != nil || samples.Errors(p, X, y) != 0 {
		t.Errorf("the perceptron makes %d mistakes, %v", samples.Errors(p, X, y), err)
	}
}

// By hand: x = 0, 1, 2, y = 1, 2, 4, so Sxx = 2, Sxy = 3; with λ = 1 w = 3/(2 + 1),
// b = 7/3 - 1; residuals -1/3, -1/3, 2/3. Through the origin w = 10/(5 + λ).
func TestRidge(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{1, 2, 4}
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		for _, c := range []struct {
			l         Regression
			w, b, mse float64
		}{
			{Regression{Solver: method}, 1.5, 5. / 6, (1./36 + 1./9 + 1./36) / 3},
			{Regression{Solver: method, Lambda: 1}, 1, 4. / 3, 2. / 9},
			{Regression{Solver: method, Lambda: 5, Bias: mlkit.NoBias}, 1, 0, 2},
			{Regression{Solver: method, Bias: mlkit.NoBias}, 2, 0, 1. / 3},
		} {
			m := fitted(t, c.l.Fit, X, y)
			if math.Abs(m.W[0]-c.w) > 1e-14 || math.Abs(m.B-c.b) > 1e-14 || math.Abs(m.MSE-c.mse) > 1e-14 {
				t.Errorf("%+v: w = %v, b = %v, MSE %v, want %v, %v, %v", c.l, m.W[0], m.B, m.MSE, c.w, c.b, c.mse)
			}
		}
	}
}

// (w, b) meets the conditions for a minimum of J, with both methods, in one block of rows
// and in several: Σ eᵢ = 0 and Σ eᵢxᵢ = λw.
func TestStationary(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{3, 10, 256, 257, 1000} {
		for _, d := range []int{1, 2, 9} {
			if n <= d {
				continue
			}
			X, y := mat.NewDense(n, d, nil), make([]float64, n)
			for i := range n {
				for j := range d {
					X.Set(i, j, 3+random.NormFloat64()*float64(j+1))
				}
				y[i] = random.NormFloat64() + X.At(i, 0)
			}
			for _, ridge := range []float64{0, 0.1, 50} {
				var first *Model
				for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
					m, err := Regression{Lambda: ridge, Solver: method}.Fit(X, y)
					if err != nil {
						t.Fatalf("%d×%d, λ = %v, %v: %v", n, d, ridge, method, err)
					}
					e := make([]float64, n)
					floats.SubTo(e, y, m.Scores(nil, X))
					if s := floats.Sum(e); math.Abs(s) > 1e-9*float64(n) {
						t.Errorf("%d×%d, λ = %v, %v: Σ e = %v", n, d, ridge, method, s)
					}
					for j := range d {
						if s := floats.Dot(e, mat.Col(nil, j, X)); math.Abs(s-ridge*m.W[j]) > 1e-8*float64(n) {
							t.Errorf("%d×%d, λ = %v, %v: Σ e x = %v, want %v", n, d, ridge, method, s, ridge*m.W[j])
						}
					}
					if math.Abs(floats.Dot(e, e)/float64(n)-m.MSE) > 1e-12*(1+m.MSE) {
						t.Errorf("MSE %v, want %v", m.MSE, floats.Dot(e, e)/float64(n))
					}
					if first == nil {
						first = m
					} else if !floats.EqualApprox(first.W, m.W, 1e-8) || math.Abs(first.B-m.B) > 1e-8 {
						t.Errorf("%d×%d, λ = %v: %v and %v by two methods", n, d, ridge, first, m)
					}
				}
			}
		}
	}
}

// With dependent columns, or more columns than rows, the solution is the shortest: X#y
// through the origin. With a bias, w is that of the centred columns and targets, as in
// scikit-learn, and b is the mean of what is left.
func TestShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct{ n, d, rank int }{{20, 5, 3}, {300, 6, 2}, {4, 9, 4}, {6, 6, 3}, {5, 8, 2}, {1, 4, 1}} {
		A, B := samples.Gaussian(random, c.n, c.rank), samples.Gaussian(random, c.rank, c.d)
		var X mat.Dense
		X.Mul(A, B)
		y := make([]float64, c.n)
		for i := range y {
			y[i] = random.NormFloat64()
		}
		for _, bias := range []mlkit.Bias{mlkit.NoBias, mlkit.FreeBias} {
			Z, targets := mat.DenseCopyOf(&X), mat.NewDense(c.n, 1, slices.Clone(y))
			wantRank := min(c.rank, c.n)
			if bias != mlkit.NoBias {
				centre(Z)
				centre(targets)
				wantRank = min(c.rank, c.n-1) + 1
			}
			inverse, _, err := PseudoInverse(Z)
			if err != nil {
				t.Fatal(err)
			}
			m := fitted(t, Regression{Bias: bias}.Fit, &X, y)
			if m.Rank != wantRank {
				t.Errorf("%+v, %v: rank %d, want %d", c, bias, m.Rank, wantRank)
			}
			var want mat.Dense
			want.Mul(inverse, targets)
			if !floats.EqualApprox(m.W, want.RawMatrix().Data, 1e-11) {
				t.Errorf("%+v, %v: w = %v, want %v", c, bias, m.W, want.RawMatrix().Data)
			}
			if left := stat.Mean(y, nil) - stat.Mean(m.Scores(nil, &X), nil); bias != mlkit.NoBias && math.Abs(left) > 1e-13 {
				t.Errorf("%+v, %v: the errors have the mean %v", c, bias, left)
			}
			if c.n <= c.rank && m.MSE > 1e-20 {
				t.Errorf("%+v, %v: MSE %v of as many unknowns as equations", c, bias, m.MSE)
			}
		}
	}
}

// centre subtracts the means from the columns of A.
func centre(A *mat.Dense) {
	_, d := A.Dims()
	for j := range d {
		column := mat.Col(nil, j, A)
		floats.AddConst(-stat.Mean(column, nil), column)
		A.SetCol(j, column)
	}
}

// Penrose's four conditions (1955), for every shape and rank, and X# = (XᵀX)⁻¹Xᵀ if the
// columns are independent (Theodoridis), which is X⁻¹ if X is square.
func TestPseudoInverse(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for n := 1; n <= 5; n++ {
		for d := 1; d <= 5; d++ {
			for rank := 0; rank <= min(n, d); rank++ {
				X := mat.NewDense(n, d, nil)
				if rank > 0 {
					X.Mul(samples.Gaussian(random, n, rank), samples.Gaussian(random, rank, d))
				}
				P, got, err := PseudoInverse(X)
				if err != nil || got != rank {
					t.Fatalf("%d×%d: rank %d, %v, want %d", n, d, got, err, rank)
				}
				var XP, PX, XPX, PXP mat.Dense
				XP.Mul(X, P)
				PX.Mul(P, X)
				XPX.Mul(&XP, X)
				PXP.Mul(&PX, P)
				tol := 1e-10 * (1 + mat.Norm(P, 2)*mat.Norm(X, 2)) * (1 + mat.Norm(P, 2) + mat.Norm(X, 2))
				if !mat.EqualApprox(&XPX, X, tol) || !mat.EqualApprox(&PXP, P, tol) || !mat.EqualApprox(&XP, XP.T(), tol) || !mat.EqualApprox(&PX, PX.T(), tol) {
					t.Errorf("%d×%d of rank %d: not a pseudoinverse", n, d, rank)
				}
				if rank == d {
					var XtX, want mat.Dense
					XtX.Mul(X.T(), X)
					if err := want.Solve(&XtX, X.T()); err == nil && !mat.EqualApprox(P, &want, 1e4*tol) {
						t.Errorf("%d×%d: X# = %v, want (XᵀX)⁻¹Xᵀ = %v", n, d, mat.Formatted(P), mat.Formatted(&want))
					}
				}
			}
		}
	}
	if _, _, err := PseudoInverse(nil); err == nil || err.Error() != "leastsquares: X is nil, want an n×d matrix, one sample a row" {
		t.Errorf("err = %v", err)
	}
	if _, _, err := PseudoInverse(mat.NewDense(1, 1, []float64{5e-324})); err == nil || !strings.HasPrefix(err.Error(), "leastsquares: PseudoInverse: ") {
		t.Errorf("err = %v, want out of range", err)
	}
}

// Squaring loses half the digits: with ε about 10⁻⁸, XᵀX is singular in 53 bits but X is
// not (Peter Läuchli's matrix, 1961). By hand: X = [1 1; ε 0; 0 ε], y = X(1, 2).
func TestLauchli(t *testing.T) {
	const e = 0x1p-27
	X, y := mat.NewDense(3, 2, []float64{1, 1, e, 0, 0, e}), []float64{3, e, 2 * e}
	l := Regression{Bias: mlkit.NoBias}
	m, err := l.Fit(X, y)
	if err != nil || m.Rank != 2 || !floats.EqualApprox(m.W, []float64{1, 2}, 1e-7) {
		t.Errorf("%+v, %v, want w = (1, 2)", m, err)
	}
	l.Solver = ByNormalEquations
	if _, err := l.Fit(X, y); err == nil || !strings.HasPrefix(err.Error(), "leastsquares: Regression: XᵀX is singular, or nearly so") {
		t.Errorf("err = %v, want a singular XᵀX", err)
	}
	// With a tolerance above 2⁻²⁷ the difference counts as noise, and the shortest w is
	// (1.5, 1.5).
	if m, err := (Regression{Bias: mlkit.NoBias, RankTol: 1e-6}).Fit(X, y); err != nil || m.Rank != 1 || !floats.EqualApprox(m.W, []float64{1.5, 1.5}, 1e-7) {
		t.Errorf("%+v, %v, want (1.5, 1.5) of rank 1", m, err)
	}
	// The units of the columns don't matter.
	X = mat.NewDense(3, 2, []float64{1, 1e-9, 2, 3e-9, 4, 1e-9})
	if m, err := (Regression{Solver: ByNormalEquations, Bias: mlkit.NoBias}).Fit(X, []float64{2, 5, 5}); err != nil || math.Abs(m.W[0]-1) > 1e-12 || math.Abs(m.W[1]/1e9-1) > 1e-12 {
		t.Errorf("%+v, %v, want w = (1, 1e9)", m, err)
	}
}

// M targets are M problems of Fit. Two classes with targets 0 and 1 are one problem with
// targets -1 and +1, whose errors are twice as large if there is a bias.
func TestTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	X, Y := samples.Gaussian(random, 40, 3), samples.Gaussian(random, 40, 4)
	for _, l := range []Regression{{}, {Lambda: 2}, {Solver: ByNormalEquations}} {
		m := fitted(t, l.FitTargets, X, Y)
		predictions := m.Outputs(nil, X)
		for k := range 4 {
			one := fitted(t, l.Fit, X, mat.Col(nil, k, Y))
			if !floats.EqualApprox(one.W, m.W[k], 1e-12) || math.Abs(one.B-m.B[k]) > 1e-12 || math.Abs(one.MSE-m.MSE[k]) > 1e-12 || one.Rank != m.Rank {
				t.Errorf("%+v: target %d: %v, %v, want %+v", l, k, m.W[k], m.B[k], one)
			}
			if got := predictions.At(7, k); math.Abs(got-one.Score(X.RawRowView(7))) > 1e-12 {
				t.Errorf("%+v: target %d is predicted as %v, want %v", l, k, got, one.Score(X.RawRowView(7)))
			}
		}
	}
	A, y := samples.Overlapping(random, 50)
	for _, l := range []Regression{{}, {Lambda: 2}, {Bias: mlkit.NoBias}, {Solver: ByNormalEquations}} {
		want := fitted(t, l.Fit, A, signs(y))
		m := fitted(t, Classifier{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver}.Fit, A, y)
		if h := plane(t, m); !floats.EqualApprox(h.W, want.W, 1e-13) || math.Abs(h.B-want.B) > 1e-13 || m.Rank != want.Rank {
			t.Errorf("%+v: g₊ - g₋ = %+v of rank %d, want %+v", l, h, m.Rank, want)
		}
		samples.Near(t, fmt.Sprintf("%+v: scores", l), m.Scores(nil, A), want.Scores(nil, A), 1e-13)
		if l.Bias == mlkit.FreeBias {
			samples.Near(t, fmt.Sprintf("%+v: 4 MSE", l), []float64{4 * m.MSE[0], 4 * m.MSE[1]}, []float64{want.MSE, want.MSE}, 1e-13)
		}
	}
}

// Whatever two labels there are, the model is that of -1 and +1 with other Classes, and the
// larger label is on the positive side.
func TestLabelsOfTwoClasses(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(20, 21)), 50)
	want := fitted(t, Classifier{Lambda: 0.1}.Fit, X, y)
	if !slices.Equal(want.Classes, []int{-1, 1}) {
		t.Errorf("Classes = %v, want [-1 1]", want.Classes)
	}
	signs := want.Predictions(nil, X)
	for _, labels := range [][]int{{0, 1}, {3, 7}, {-9, -2}} {
		renamed := make([]int, len(y))
		for i, sign := range y {
			renamed[i] = labels[(sign+1)/2]
		}
		m := fitted(t, Classifier{Lambda: 0.1}.Fit, X, renamed)
		for i, label := range m.Predictions(nil, X) {
			if x := X.RawRowView(i); label != labels[(signs[i]+1)/2] || label != m.Predict(x) || (m.Score(x) >= 0) != (label == labels[1]) {
				t.Errorf("row %d is labelled %d, want that of %v for %d, and its score is %v", i, label, labels, signs[i], m.Score(x))
			}
		}
		if !slices.Equal(m.Classes, labels) {
			t.Errorf("Classes = %v, want %v", m.Classes, labels)
		}
		if m.Classes = want.Classes; !reflect.DeepEqual(m, want) {
			t.Errorf("labels %v: %+v, want %+v", labels, m, want)
		}
	}
}

// Three classes have neither a score nor one hyperplane.
func TestOfTwoClassesOnly(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, Classifier{}.Fit, X, y)
	testkit.Panics(t, "Score", func() { m.Score(X.RawRowView(0)) }, "Score is for two classes, and the model has 3", "Discriminants")
	testkit.Panics(t, "Scores", func() { m.Scores(nil, X) }, "Scores is for two classes, and the model has 3", "Discriminants")
	if h, ok := m.Hyperplane(); ok {
		t.Errorf("the hyperplane between three classes is %+v, want none", h)
	}
}

// plane returns the hyperplane of a model of two classes.
func plane(t testing.TB, m *ClassifierModel) mlkit.Hyperplane {
	t.Helper()
	h, ok := m.Hyperplane()
	if !ok {
		t.Fatalf("no hyperplane between the classes %v, want two", m.Classes)
	}
	return h
}

// fitted returns what fit learns from X and y, and ends the test if that is an error.
func fitted[M, Y any](t testing.TB, fit func(*mat.Dense, Y) (M, error), X *mat.Dense, y Y) M {
	t.Helper()
	m := testkit.Try(fit(X, y)).Or(t)
	return m
}
