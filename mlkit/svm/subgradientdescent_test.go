package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// With n = 4 and λ = ⅛, C = 1/(2·⅛·4) = 1.
func TestForms(t *testing.T) {
	if C := COfLambda(0.125, 4); C != 1 {
		t.Errorf("C = %v, want 1", C)
	}
	if λ := LambdaOfC(COfLambda(0.3, 17), 17); math.Abs(λ-0.3) > 1e-16 {
		t.Errorf("λ = %v, want 0.3", λ)
	}
	// (w, b) = (2, -1) at 0, 1, 0.25 and 2 gives the scores -1, 1, -0.5, 3. With the
	// third labelled + the losses are 0, 0, 1.5, 0, so the objectives are ½·4 + 1·1.5 and
	// ⅛·4 + 1.5/4.
	X, y := mat.NewDense(4, 1, []float64{0, 1, 0.25, 2}), []int{-1, 1, 1, 1}
	h := mlkit.Hyperplane{W: []float64{2}, B: -1}
	losses, err := HingeLosses(h, X, y)
	if err != nil || !slices.Equal(losses, []float64{0, 0, 1.5, 0}) {
		t.Errorf("losses %v, %v", losses, err)
	}
	slack, err := SlackObjective(h, 1, X, y)
	if err != nil || slack != 3.5 {
		t.Errorf("½‖w‖² + γ Σ z = %v, %v, want 3.5", slack, err)
	}
	mean, err := MeanHingeObjective(h, 0.125, X, y)
	if err != nil || mean != 0.875 {
		t.Errorf("λ‖w‖² + mean = %v, %v, want 0.875", mean, err)
	}
	if mean != 2*0.125*slack {
		t.Errorf("%v is not 2λ·%v", mean, slack)
	}
	for _, err := range []error{
		second(HingeLosses(mlkit.Hyperplane{W: []float64{1, 2}}, X, y)),
		second(SlackObjective(h, 1, X, y[1:])), second(MeanHingeObjective(h, 1, nil, y)),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}

// Descent with λ finds the machine with C = 1/(2λn).
func TestHingeIsClassifier(t *testing.T) {
	X, y := irises(t, 1, 2)
	X = standardised(X)
	const λ = 0.02
	want := testkit.Try(Classifier{C: COfLambda(λ, 100), Tol: 1e-8}.Fit(X, y)).Or(t)
	plane, _ := want.Hyperplane()
	least := testkit.Try(MeanHingeObjective(plane, λ, X, y)).Or(t)
	near(t, "2λ·primal", 2*λ*want.Primal, least, 1e-7)
	for name, fit := range map[string]func() (*LinearModel, error){
		"descent": func() (*LinearModel, error) { return SubgradientDescent{Lambda: λ, MaxIter: 20000}.Fit(X, y) },
		"own rate": func() (*LinearModel, error) {
			return SubgradientDescent{Lambda: λ, Tol: 0.1, MaxIter: 50000, Schedule: func(t int) float64 { return 1 / math.Sqrt(float64(t)) }}.Fit(X, y)
		},
		"pegasos": func() (*LinearModel, error) { return Pegasos{Lambda: λ, MaxIter: 2000}.Fit(X, y) },
		"batches": func() (*LinearModel, error) {
			return Pegasos{Lambda: λ, BatchSize: 10, Project: true, MaxIter: 2000}.Fit(X, y)
		},
	} {
		m, err := fit()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Primal < want.Dual || m.Dual > want.Primal || m.Primal > 1.06*want.Primal {
			t.Errorf("%s: primal %v and dual %v, but the optimum is %v", name, m.Primal, m.Dual, want.Dual)
		}
		// The multipliers are feasible, and their objective is Dual.
		balance := 0.0
		for i, a := range m.Alpha {
			if a < 0 || a > COfLambda(λ, 100)*(1+1e-12) {
				t.Errorf("%s: α = %v", name, a)
			}
			balance += a * float64(y[i])
		}
		near(t, name+": Σ αy", balance, 0, 1e-9)
	}
}

// standardised returns a copy of X whose columns have mean 0 and standard deviation 1.
func standardised(X *mat.Dense) *mat.Dense {
	Z := mat.DenseCopyOf(X)
	_, d := X.Dims()
	for j := range d {
		column := mat.Col(nil, j, X)
		mean, deviation := stat.MeanStdDev(column, nil)
		floats.AddConst(-mean, column)
		floats.Scale(1/deviation, column)
		Z.SetCol(j, column)
	}
	return Z
}

// A fit that is cut has its gap, relative to the primal value, as the residual.
func TestPegasosResidual(t *testing.T) {
	X, y := irises(t, 1, 2)
	var e *mlkit.NotConvergedError
	p := Pegasos{Lambda: 0.02, Tol: 1e-9, MaxIter: 300, ClassWeights: map[int]float64{1: 5}}
	c, err := p.Fit(X, y)
	if !errors.As(err, &e) || c == nil {
		t.Fatal(err)
	}
	if e.Model != any(c) || e.Iterations != 300 || e.Residual != c.Gap/c.Primal {
		t.Errorf("%+v", e)
	}
}

func TestLinearRefuses(t *testing.T) {
	X, y := irises(t, 1, 2)
	huge := mat.NewDense(2, 1, []float64{-1e200, 1e200})
	signs := []int{-1, 1}
	testkit.Refusals{
		{second(SubgradientDescent{Lambda: -1}.Fit(X, y)), "svm: SubgradientDescent.Lambda = -1…"},
		{second(SubgradientDescent{Tol: -1}.Fit(X, y)), "svm: SubgradientDescent.Tol = -1…"},
		{second(SubgradientDescent{Lambda: 5e-324}.Fit(X, y)), "svm: SubgradientDescent.Lambda = 5e-324 is too small…"},
		{second(SubgradientDescent{Schedule: func(int) float64 { return 0 }}.Fit(X, y)), "svm: SubgradientDescent.Schedule(1) = 0…"},
		{second(SubgradientDescent{Schedule: func(int) float64 { return 1e300 }}.Fit(X, y)), "svm: SubgradientDescent: the sums overflow…"},
		{second(SubgradientDescent{ClassWeights: map[int]float64{-1: -1}}.Fit(X, y)), "svm: ClassWeights[-1] = -1…"},
		{second(SubgradientDescent{}.Fit(huge, signs)), "svm: k(X[0], X[0]) = +Inf…"},
		{second(Pegasos{Lambda: math.NaN()}.Fit(X, y)), "svm: Pegasos.Lambda = NaN…"},
		{second(Pegasos{BatchSize: -1}.Fit(X, y)), "svm: Pegasos.BatchSize = -1…"},
		{second(Pegasos{Bias: mlkit.PenalizedBias}.Fit(X, y)), "svm: Pegasos.Bias = PenalizedBias…"},
		{second(Pegasos{MaxIter: -1}.Fit(X, y)), "svm: Pegasos.MaxIter = -1, want a positive number, or 0 for the default"},
		{second(DualDescent{C: math.Inf(1)}.Fit(X, y)), "svm: DualDescent.C = +Inf…"},
		{second(DualDescent{Loss: 2}.Fit(X, y)), "svm: DualDescent.Loss = 2…"},
		{second(DualDescent{Bias: mlkit.RadiusBias}.Fit(X, y)), "svm: DualDescent.Bias = RadiusBias, want FreeBias, PenalizedBias or NoBias"},
		{second(DualDescent{}.Fit(huge, signs)), "svm: k(X[0], X[0]) = +Inf…"},
		{second(DualDescent{}.FitWith(mlkit.Options{Weights: []float64{1}}, X, y)), "svm: len(weights) = 1…"},
		{second(Newton{C: -1}.Fit(X, y)), "svm: Newton.C = -1…"},
		{second(Newton{}.FitWith(mlkit.Options{Weights: []float64{1}}, X, y)), "svm: len(weights) = 1…"},
	}.Check(t)
}

// The context, the limit and the trace end every linear algorithm.
func TestLinearEnds(t *testing.T) {
	X, y := irises(t, 1, 2)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	type fit func(ctx context.Context, limit int, trace func(LinearStep) bool) (*LinearModel, error)
	for name, fit := range map[string]fit{
		"dual descent": func(ctx context.Context, limit int, trace func(LinearStep) bool) (*LinearModel, error) {
			return DualDescent{MaxIter: limit, Trace: trace}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"newton": func(ctx context.Context, limit int, trace func(LinearStep) bool) (*LinearModel, error) {
			return Newton{MaxIter: limit, Trace: trace}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"hinge descent": func(ctx context.Context, limit int, trace func(LinearStep) bool) (*LinearModel, error) {
			return SubgradientDescent{MaxIter: limit, Trace: trace}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"pegasos": func(ctx context.Context, limit int, trace func(LinearStep) bool) (*LinearModel, error) {
			return Pegasos{MaxIter: limit, Trace: trace}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
	} {
		var e *mlkit.NotConvergedError
		m, err := fit(done, 0, nil)
		if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || m == nil || e.Model != any(m) {
			t.Errorf("%s, cancelled: %v, %v", name, m, err)
		}
		m, err = fit(t.Context(), 3, nil)
		if !errors.As(err, &e) || m == nil || m.Converged || m.Iterations != 3 || e.Iterations != 3 || !(e.Residual > 0) {
			t.Errorf("%s, limited: %+v, %v", name, m, err)
		}
		m, err = fit(t.Context(), 0, func(s LinearStep) bool { return s.Iteration < 2 })
		if err != nil || m.Iterations != 2 {
			t.Errorf("%s, stopped: %+v, %v", name, m, err)
		}
	}
}
