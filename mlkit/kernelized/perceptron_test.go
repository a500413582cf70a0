package kernelized

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

func TestPerceptronConformance(t *testing.T) { onBothPaths(t, perceptronConformance) }

func perceptronConformance(t *testing.T, except ...string) {
	for name, p := range map[string]Perceptron{
		"zero value": {},
		"no bias":    {Bias: mlkit.NoBias},
		"cubic":      {Kernel: kernel.Polynomial{Degree: 3, Coef0: 1}},
		"rbf":        {Kernel: kernel.RBF{}},
		"sum":        {Kernel: kernel.Sum{kernel.Linear{}, kernel.Scaled{Factor: 0.5, Kernel: kernel.Laplace{}}}},
	} {
		except := except
		if name != "sum" {
			except = without(t, except)
		}
		testkit.NoError(t, name, mlkittest.TestClassifier(p.Fit, except...))
	}
}

// In CMU's worked example the mistakes are on samples 0, 2 and 4, with α = 1 each,
// so Σ αᵢyᵢxᵢ = (3, 1).
func TestPerceptronCMU(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, 1, 1, -1, -1, 1}
	var scores []float64
	p := Perceptron{Bias: mlkit.NoBias, Trace: func(s PerceptronStep) bool {
		if s.Mistake {
			scores = append(scores, s.Score)
		}
		return true
	}}
	m := testkit.Try(p.Fit(X, y)).Or(t)
	want := &PerceptronModel{
		Expansion: Expansion{
			Kernel: kernel.Any{Kernel: kernel.Linear{}},
			X:      Matrix{Rows: 3, Cols: 2, Data: []float64{-1, 2, 1, 1, -1, -2}},
			Coef:   []float64{-1, 1, -1},
		},
		Rows: []int{0, 2, 4}, Alpha: []int{1, 1, 1},
		Mistakes: 3, Epochs: 2, Steps: 12, MistakesPerEpoch: []int{3, 0}, Converged: true,
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("model = %+v, want %+v", m, want)
	}
	// w·x = 0; (1,-2)·(1,1) = -1; (2,-1)·(-1,-2) = 0.
	if want := []float64{0, -1, 0}; !slices.Equal(scores, want) {
		t.Errorf("scores at mistakes = %v, want %v", scores, want)
	}
	if got := m.Score([]float64{1, 10}); got != 13 {
		t.Errorf("score = %v, want (3, 1)·(1, 10) = 13", got)
	}
}

// "Exact same behaviour as if mapped data in the φ-space and ran Perceptron there" (CMU):
// on integers both make the same mistakes, step by step.
func TestPerceptronIsExplicit(t *testing.T) {
	type mistake struct{ epoch, index int }
	separated := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		n, d := 4+r.IntN(12), 1+r.IntN(3)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, float64(r.IntN(9)-4))
			}
			y[i] = 2*r.IntN(2) - 1
		}
		y[0], y[1] = -1, 1
		k := kernel.Polynomial{Degree: 1 + r.IntN(3), Coef0: float64(r.IntN(2))}
		bias := biasOf(r.IntN(2) == 1)
		zeroIsPositive := r.IntN(2) == 0

		// Ordered monomials of integers are integers, so there is no rounding.
		φ := testkit.Try(kernel.Monomials{Kernel: k, Ordered: true}.For(d)).Or(t)
		var explicit, implicit []mistake
		l := perceptron.Perceptron{
			MaxIter: 50, ZeroIsPositive: zeroIsPositive, Bias: bias,
			Trace: func(s perceptron.Step) bool {
				if s.Mistake {
					explicit = append(explicit, mistake{s.Epoch, s.Index})
				}
				return true
			},
		}
		want, explicitErr := l.Fit(φ.Transform(nil, X), y)
		got, implicitErr := Perceptron{
			Kernel: k, Bias: bias, MaxIter: 50, ZeroIsPositive: zeroIsPositive,
			Trace: func(s PerceptronStep) bool {
				if s.Mistake {
					implicit = append(implicit, mistake{s.Epoch, s.Index})
				}
				return true
			},
		}.Fit(X, y)
		shorter := min(len(explicit), len(implicit)) // linear may detect a cycle earlier
		if (explicitErr == nil) != (implicitErr == nil) || !slices.Equal(explicit[:shorter], implicit[:shorter]) {
			t.Errorf("seed %d, %+v: errors %v and %v, mistakes %v, want %v", seed, k, implicitErr, explicitErr, implicit, explicit)
		}
		if explicitErr != nil {
			continue
		}
		separated++
		if got.Mistakes != want.Mistakes || got.Epochs != want.Epochs || got.Steps != want.Steps ||
			!slices.Equal(got.MistakesPerEpoch, want.MistakesPerEpoch) || got.B != want.B {
			t.Errorf("seed %d: model %+v, want %+v", seed, got, want)
		}
		for i := range n {
			if s, w := got.Score(X.RawRowView(i)), want.Score(φ.TransformSample(nil, X.RawRowView(i))); s != w {
				t.Errorf("seed %d: score of row %d = %v, want %v", seed, i, s, w)
			}
		}
	}
	if separated < 20 {
		t.Errorf("%d of 60 problems are separated, want 20 to say anything", separated)
	}
}

// The hyperplane, mistakes and passes of the perceptron on setosa (-1) and versicolor
// (+1), with the bias as the weight of a constant 1: scikit-learn 1.2.1 and numpy give
// w = (-1.3, -4.1, 5.2, 2.2), b = -1 after 5 mistakes in 4 passes.
func TestPerceptronIris(t *testing.T) {
	X := mat.DenseCopyOf(datasets.Iris().X.Slice(0, 100, 0, 4))
	y := slices.Concat(slices.Repeat([]int{-1}, 50), slices.Repeat([]int{1}, 50))
	m := testkit.Try(Perceptron{}.Fit(X, y)).Or(t)
	w := make([]float64, 4)
	for i, a := range m.Coef {
		floats.AddScaled(w, a, m.X.Row(i))
	}
	if !floats.EqualApprox(w, []float64{-1.3, -4.1, 5.2, 2.2}, 1e-12) || m.B != -1 || m.Mistakes != 5 || m.Epochs != 4 {
		t.Errorf("w = %v, b = %v, %d mistakes, %d passes", w, m.B, m.Mistakes, m.Epochs)
	}
}

// No line separates XOR, but the product of the coordinates does.
func TestPerceptronXor(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	y := []int{1, -1, -1, 1}
	m := testkit.Try(Perceptron{Kernel: kernel.Polynomial{}}.Fit(X, y)).Or(t)
	if got := m.Predictions(nil, X); !slices.Equal(got, y) {
		t.Errorf("labels = %v, want %v", got, y)
	}
	line, err := Perceptron{}.Fit(X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !strings.Contains(e.Reason, "goes on for ever") || e.Model != line || line.Converged {
		t.Errorf("err = %v, want that it goes round in a cycle", err)
	}
}

// A separate program found that the scores repeat every six passes from the third pass
// on. The marks are at passes 1, 2, 4 and 8, so pass 14 detects the cycle.
func TestPerceptronCircle(t *testing.T) {
	X := mat.NewDense(5, 1, []float64{2, -1, -3, 3, -4})
	_, err := Perceptron{}.Fit(X, []int{1, 1, -1, 1, 1})
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !strings.Contains(e.Reason, "goes on for ever") || e.Iterations != 14 {
		t.Errorf("err = %v, want a cycle that is noticed in pass 14", err)
	}
}

// Two equal rows have different labels.
func TestPerceptronTwins(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 3, 2, 3})
	_, err := Perceptron{Kernel: kernel.RBF{}, MaxIter: 20}.Fit(X, []int{1, 1, -1, -1})
	var e *mlkit.NotSeparableError
	if !errors.As(err, &e) || !slices.Equal(e.Alpha, []float64{0, 1, 0, 1}) || !strings.Contains(err.Error(), "X[1] and X[3]") {
		t.Errorf("err = %v, want a *NotSeparableError about rows 1 and 3", err)
	}
}

func TestPerceptronEnds(t *testing.T) {
	X, y := irregular(200)
	hard := Perceptron{Kernel: kernel.Linear{}, MaxIter: 3}
	m, err := hard.Fit(X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !strings.Contains(e.Reason, "raise MaxIter") || e.Iterations != 3 {
		t.Fatalf("err = %v, want that 3 passes are over", err)
	}
	wrong := 0
	for i, p := range m.Predictions(nil, X) {
		if p != y[i] {
			wrong++
		}
	}
	if float64(wrong) != e.Residual {
		t.Errorf("residual = %v, want the %d errors of the model", e.Residual, wrong)
	}
	// The best model is at least as good as the one at the end of the last pass.
	last := make([]int, len(y))
	hard.Trace = func(s PerceptronStep) bool { last = s.Alpha; return true }
	if _, err := hard.Fit(X, y); err == nil {
		t.Fatal("no error")
	}
	lastWrong := 0
	for i, label := range y {
		s := 0.0
		for j, a := range last {
			s += float64(a*y[j]) * mat.Dot(X.RowView(i), X.RowView(j))
		}
		if s*float64(label) <= 0 {
			lastWrong++
		}
	}
	if wrong > lastWrong {
		t.Errorf("the model has %d errors, the last α %d", wrong, lastWrong)
	}

	many, labels := irregular(4000)
	if err := mlkittest.TestContext(func(ctx context.Context) (*PerceptronModel, error) {
		return Perceptron{MaxIter: 1 << 30}.FitWith(mlkit.Options{Context: ctx}, many, labels)
	}); err != nil {
		t.Error(err)
	}
	if err := mlkittest.TestNotConverged(func() (*PerceptronModel, error) { return Perceptron{MaxIter: 2}.Fit(X, y) }); err != nil {
		t.Error(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	hard.Trace = func(s PerceptronStep) bool {
		if s.Mistakes == 5 {
			cancel()
		}
		return true
	}
	m, err = hard.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || m.Mistakes != 5 {
		t.Errorf("cancelled: err = %v", err)
	}
	cancel()
	if _, err := (Perceptron{}).FitWith(mlkit.Options{Context: ctx}, X, y); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: err = %v", err)
	}
	hard.Trace = func(s PerceptronStep) bool { return s.Step < 4 }
	if m, err = hard.Fit(X, y); err != nil || m.Steps != 4 {
		t.Errorf("stopped by the trace: %v, %+v", err, m)
	}
	hard.Trace = func(s PerceptronStep) bool { return false }
	empty, err := Perceptron{ZeroIsPositive: true, Trace: hard.Trace}.Fit(mat.NewDense(2, 1, []float64{1, -1}), []int{1, -1})
	if err != nil || empty.Score([]float64{3}) != 0 || empty.Mistakes != 0 {
		t.Errorf("stopped before any mistake: %v, %+v", err, empty)
	}
}

func TestPerceptronErrors(t *testing.T) {
	X, y := irregular(6)
	huge := mat.NewDense(2, 1, []float64{1e308, -1e-10})
	for _, c := range []struct {
		p   Perceptron
		X   *mat.Dense
		say string
	}{
		{Perceptron{Bias: mlkit.RadiusBias}, X, "Perceptron.Bias = RadiusBias, want FreeBias or NoBias"},
		{Perceptron{MaxIter: -1}, X, "Perceptron.MaxIter = -1"},
		{Perceptron{Kernel: kernel.RBF{Gamma: -1}}, X, "RBF.Gamma = -1"},
		{Perceptron{Kernel: kernel.Chi2{}}, X, "want no negative number"},
		{Perceptron{}, huge, "the score of row 0 is +Inf after a mistake on row 0 in pass 0"},
	} {
		labels := y
		if n, _ := c.X.Dims(); n == 2 {
			labels = []int{1, -1}
		}
		if _, err := c.p.Fit(c.X, labels); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%+v: err = %v, want %q", c.p, err, c.say)
		}
	}
	m := testkit.Try(Perceptron{Kernel: kernel.RBF{Gamma: 50}}.Fit(X, y)).Or(t)
	for name, f := range map[string]func(){
		"x too long":    func() { m.Score(make([]float64, 3)) },
		"dst too short": func() { m.Scores(make([]float64, 1), X) },
		"labels":        func() { m.Predictions(make([]int, 1), X) },
	} {
		testkit.Panics(t, name, f)
	}
}

// irregular returns n points in the plane around 0, with labels that no line explains.
func irregular(n int) (*mat.Dense, []int) {
	X := samples.Uniform(11, n, 2)
	y := make([]int, n)
	for i := range n {
		X.Set(i, 0, X.At(i, 0)-1)
		X.Set(i, 1, X.At(i, 1)-1)
		y[i] = 1
		if X.At(i, 0)*X.At(i, 1) > 0 {
			y[i] = -1
		}
	}
	return X, y
}
