package leastsquares

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// A sample of weight 3 counts as three, one of weight 0 is absent.
func TestWeights(t *testing.T) { onBothPaths(t, weightsConform) }

func weightsConform(t *testing.T, _ ...string) {
	for _, l := range []Regression{{}, {Solver: ByNormalEquations}, {Lambda: 0.5}, {Lambda: 0.5, Solver: ByNormalEquations}, {Bias: mlkit.NoBias}} {
		if err := mlkittest.TestWeights(l.FitWith, 1e-12); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		targets := func(o mlkit.Options, X *mat.Dense, y []float64) (*TargetsModel, error) {
			Y := mat.NewDense(len(y), 2, nil)
			for i, v := range y {
				Y.SetRow(i, []float64{v, 1 - 2*v})
			}
			return l.FitTargetsWith(o, X, Y)
		}
		if err := mlkittest.TestWeights(targets, 1e-12); err != nil {
			t.Errorf("%+v, targets: %v", l, err)
		}
		if err := errors.Join(mlkittest.TestAbsence(l.FitWith), mlkittest.TestAbsence(targets)); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		c := Classifier{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver}
		if err := errors.Join(mlkittest.TestWeights(c.FitWith, 1e-12), mlkittest.TestAbsence(c.FitWith)); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A sample of weight 0, 1, 2 or 3 counts as that many samples, in every shape, with dependent
// columns and with several targets: w, b, MSE and rank agree.
func TestWeightsRepeat(t *testing.T) { onBothPaths(t, weightsRepeat) }

func weightsRepeat(t *testing.T, _ ...string) {
	random := rand.New(rand.NewPCG(51, 52))
	for range 60 {
		n, d := 2+random.IntN(30), 1+random.IntN(30)
		X, Y := samples.Gaussian(random, n, d), samples.Gaussian(random, n, 2)
		if d > 2 && random.IntN(2) == 0 {
			for i := range n {
				X.Set(i, 1, 2*X.At(i, 0))
			}
		}
		weights := make([]float64, n)
		var rows []int
		for i := range n {
			repeats := random.IntN(4)
			if i == 0 {
				repeats = 2
			}
			weights[i] = float64(repeats)
			for range repeats {
				rows = append(rows, i)
			}
		}
		repeated := func(A *mat.Dense) *mat.Dense {
			_, c := A.Dims()
			B := mat.NewDense(len(rows), c, nil)
			for k, i := range rows {
				B.SetRow(k, A.RawRowView(i))
			}
			return B
		}
		l := Regression{Bias: []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias}[random.IntN(2)]}
		if random.IntN(2) == 0 {
			l.Lambda = 0.1
		}
		got := testkit.Try(l.FitTargetsWith(mlkit.Options{Weights: weights}, X, Y)).Or(t)
		want := fitted(t, l.FitTargets, repeated(X), repeated(Y))
		if got.Rank != want.Rank {
			t.Errorf("%d×%d, %+v: rank %d, want %d", n, d, l, got.Rank, want.Rank)
		}
		// Square random matrices have condition numbers of some hundreds, whose squares
		// times 2⁻⁵² are below this.
		const tol = 1e-8
		for k := range 2 {
			size := 1 + mat.Norm(mat.NewVecDense(d, want.W[k]), 2)
			samples.Near(t, "w", got.W[k], want.W[k], tol*size)
			samples.Near(t, "b, MSE", []float64{got.B[k], got.MSE[k]}, []float64{want.B[k], want.MSE[k]}, tol*size)
		}
	}
}

// By hand: the weighted means of x = 0, 1, 3 and y = 0, 2, 2 with weights 1, 2, 1 are 5/4 and
// 3/2, Σ s(x - x̄)² = 19/4 and Σ s(x - x̄)(y - ȳ) = 5/2, so w = 10/19 and b = 3/2 - 5/4·10/19 =
// 16/19. The errors are -16/19, 12/19 and -8/19, so MSE = (256 + 288 + 64)/19²/4 = 8/19.
func TestWeightsByHand(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{0, 1, 3}), []float64{0, 2, 2}
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		// The unit of the weights does not matter, out of float64's range for their sum too.
		for _, unit := range []float64{1, 3, 1e-300, 5e307} {
			m, err := Regression{Solver: method}.FitWith(mlkit.Options{Weights: []float64{unit, 2 * unit, unit}}, X, y)
			if err != nil {
				t.Fatal(err)
			}
			samples.Near(t, "model", []float64{m.W[0], m.B, m.MSE}, []float64{10. / 19, 16. / 19, 8. / 19}, 1e-15)
			// A ridge of λ = 5/4 units: w = 5/2 / (19/4 + 5/4).
			if m, err = (Regression{Solver: method, Lambda: 1.25 * unit}).FitWith(mlkit.Options{Weights: []float64{unit, 2 * unit, unit}}, X, y); err != nil {
				t.Fatal(err)
			}
			samples.Near(t, "ridge", m.W, []float64{5. / 12}, 1e-15)
		}
	}
}

// A sample that is far from the others counts by its weight alone. x̄ = 3/2 and ȳ = 3/2 to 17
// digits, Σ s(x - x̄)² = 5 + 1 and Σ s(x - x̄)(y - ȳ) = 5, so w = 5/6.
func TestWeightsFarOff(t *testing.T) { onBothPaths(t, weightsFarOff) }

func weightsFarOff(t *testing.T, _ ...string) {
	X := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 1e17})
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		m, err := Regression{Solver: method}.FitWith(mlkit.Options{Weights: []float64{1, 1, 1, 1, 1e-34}}, X, []float64{0, 1, 2, 3, 0})
		if err != nil {
			t.Fatal(err)
		}
		samples.Near(t, "w", m.W, []float64{5. / 6}, 1e-14)
	}
}

// Far from the origin the weighted means are only right to a rounding error. Centering again
// takes it out, so w is that of repeated samples to all digits, though 10¹⁰ leaves six digits
// of the samples themselves.
func TestWeightsFromAfar(t *testing.T) {
	onBothPaths(t, weightsFromAfar)
	t.Run("large, unrefined", func(t *testing.T) {
		testkit.Set(t, &largeProblem, 0)
		weightsFromAfar(t)
	})
}

func weightsFromAfar(t *testing.T, _ ...string) {
	random := rand.New(rand.NewPCG(53, 54))
	for _, size := range [][2]int{{5, 20}, {20, 2}} {
		n, d := size[0], size[1]
		X, y := samples.Gaussian(random, 2*n, d), make([]float64, 2*n)
		X.Apply(func(_, _ int, v float64) float64 { return 1e10 + v }, X)
		for i := range n {
			y[i] = random.NormFloat64()
		}
		weights := slices.Repeat([]float64{1}, n)
		for i := range n { // rows n to 2n-1 repeat the even rows
			copy(X.RawRowView(n+i), X.RawRowView(i/2*2))
			y[n+i] = y[i/2*2]
			weights[i/2*2]++
		}
		once := X.Slice(0, n, 0, d).(*mat.Dense)
		got := testkit.Try(Regression{}.FitWith(mlkit.Options{Weights: weights}, once, y[:n])).Or(t)
		want := fitted(t, Regression{}.Fit, X, y)
		samples.Near(t, "w", got.W, want.W, 1e-12*mat.Norm(mat.NewVecDense(d, want.W), 2))
	}
}

// ClassWeights multiply the weights of samples.
func TestClassWeights(t *testing.T) {
	X, y := samples.Iris(t)
	two := make([]int, len(y))
	weights, products, both := make([]float64, len(y)), make([]float64, len(y)), make([]float64, len(y))
	for i, label := range y {
		two[i] = 1 - 2*min(label, 1)
		weights[i] = float64(i % 3)
		products[i] = weights[i] * []float64{5, 1, 0.5}[label]
		both[i] = weights[i] * []float64{5, 0.5, 0.5}[label]
	}
	many := Classifier{Lambda: 0.1, ClassWeights: map[int]float64{0: 5, 2: 0.5, 7: -1}}
	got := testkit.Try(many.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	want, err := Classifier{Lambda: 0.1}.FitWith(mlkit.Options{Weights: products}, X, y)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("many classes: %+v, want %+v, %v", got, want, err)
	}
	one := testkit.Try(Classifier{ClassWeights: map[int]float64{1: 5, -1: 0.5}}.FitWith(mlkit.Options{Weights: weights}, X, two)).Or(t)
	if other, err := (Classifier{}).FitWith(mlkit.Options{Weights: both}, X, two); err != nil || !reflect.DeepEqual(one, other) {
		t.Errorf("two classes: %+v, want %+v, %v", one, other, err)
	}
}

func TestWeightsRefused(t *testing.T) {
	X, y, labels := mat.NewDense(3, 1, []float64{0, 1, 3}), []float64{0, 2, 2}, []int{1, -1, 1}
	for _, c := range []struct {
		err error
		say string
	}{
		{errorOf(Regression{}.FitWith(mlkit.Options{Weights: []float64{1e200, 1e-200, 1}}, X, y)), "leastsquares: Regression: weights[1] = 1e-200 is out of range beside weights of up to 1e+200"},
		{errorOf(Regression{Lambda: 1e200}.FitWith(mlkit.Options{Weights: []float64{1e-200, 1e-200, 1e-200}}, X, y)), "leastsquares: Regression.Lambda = 1e+200 is out of range beside weights of up to 1e-200"},
		{errorOf(Regression{Lambda: 1e-200}.FitWith(mlkit.Options{Weights: []float64{1e200, 1e200, 1e200}}, X, y)), "leastsquares: Regression.Lambda = 1e-200 is out of range beside weights of up to 1e+200"},
		{errorOf(Classifier{}.FitWith(mlkit.Options{Weights: []float64{1, 0, 1}}, X, labels)), "leastsquares: weights are above 0 only in rows with y = 1, want rows of at least two labels"},
		{errorOf(Classifier{ClassWeights: map[int]float64{-1: 0}}.Fit(X, labels)), "leastsquares: ClassWeights[-1] = 0, want a positive number"},
		{errorOf(Classifier{ClassWeights: map[int]float64{1: 1e300}}.FitWith(mlkit.Options{Weights: []float64{1e300, 1, 1}}, X, labels)), "leastsquares: weights[0]: the weight of the row times ClassWeights[1] is +Inf"},
		{errorOf(Regression{}.FitTargetsWith(mlkit.Options{Weights: []float64{1, 2}}, X, X)), "leastsquares: len(weights) = 2, want 3"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("err = %v, want %q", c.err, c.say)
		}
	}
}

func errorOf[M any](_ M, err error) error { return err }

// The model beside the error of a context is the weighted mean, and its numbers are those of
// the weighted errors.
func TestWeightsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X, y := mat.NewDense(4, 1, []float64{0, 1, 3, 4}), []float64{0, 2, 2, 100}
	m, err := Regression{}.FitWith(mlkit.Options{Context: ctx, Weights: []float64{2, 1, 1, 0}}, X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if m.W[0] != 0 || m.B != 1 || math.Abs(m.MSE-1) > 1e-15 || e.Residual != 1 {
		t.Errorf("%+v with residual %v, want the mean 1, an MSE of 1 and a residual of 1", m, e.Residual)
	}
}
