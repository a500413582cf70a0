package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/svm/internal/linear"
)

// onBothPaths runs a test as it is for few samples, and as for many: with vector
// instructions, shrinking, and rows and Hessians in float32.
func onBothPaths(t *testing.T, test func(t *testing.T)) {
	t.Run("plain", test)
	t.Run("fast", func(t *testing.T) {
		testkit.Set(t, &linear.ManyRows, 1)
		testkit.Set(t, &gram.OuterFrom, 1)
		test(t)
	})
}

func TestLinearContract(t *testing.T) {
	onBothPaths(t, func(t *testing.T) {
		for name, fit := range map[string]func(X *mat.Dense, y []int) (*LinearModel, error){
			"dual descent":         DualDescent{Tol: 1e-12}.Fit,
			"dual descent squared": DualDescent{Tol: 1e-12, Loss: SquaredHinge, Bias: mlkit.PenalizedBias}.Fit,
			"dual descent no bias": DualDescent{Tol: 1e-12, Bias: mlkit.NoBias}.Fit,
			"newton":               Newton{}.Fit,
			"newton penalised":     Newton{Bias: mlkit.PenalizedBias}.Fit,
			"newton no bias":       Newton{Bias: mlkit.NoBias}.Fit,
			"subgradient descent":  SubgradientDescent{}.Fit,
			"pegasos":              Pegasos{}.Fit,
			"pegasos no bias":      Pegasos{Bias: mlkit.NoBias, BatchSize: 5, Project: true}.Fit,
		} {
			var except []string
			if linear.ManyRows == 1 {
				except = []string{"corrupt"} // the models are encoded alike
			}
			testkit.NoError(t, name, mlkittest.TestClassifier(fit, except...))
		}
	})
}

// Weighting a sample must equal repeating it, and the order of the samples must not matter,
// in everything that is unique: the scores, up to the tolerance. λ‖w‖² + mean hinge is
// strongly convex, so descent is within √(gap/λ) of the optimal w: 0.01 here, and 0.03 for
// Pegasos, times ‖x‖ of at most 4.
func TestLinearPromises(t *testing.T) {
	type promise struct {
		fit func(o mlkit.Options, X *mat.Dense, y []int) (*LinearModel, error)
		tol float64
	}
	promises := map[string]promise{
		"dual descent": {DualDescent{C: 1, Tol: 1e-12, Bias: mlkit.PenalizedBias}.FitWith, 1e-5},
		"squared":      {DualDescent{C: 1, Loss: SquaredHinge, Tol: 1e-12, Bias: mlkit.PenalizedBias}.FitWith, 1e-5},
		"Newton":       {Newton{C: 1}.FitWith, 1e-6},
	}
	if testkit.IsLong(t) { // they take many steps
		promises["subgradient descent"] = promise{SubgradientDescent{Lambda: 1, Tol: 1e-4, MaxIter: 1 << 20}.FitWith, 0.05}
		promises["Pegasos"] = promise{Pegasos{Lambda: 1, Tol: 1e-3, MaxIter: 1 << 17, Bias: mlkit.NoBias}.FitWith, 0.13}
	}
	onBothPaths(t, func(t *testing.T) {
		for name, p := range promises {
			fit := p.fit
			testkit.NoError(t, name, mlkittest.TestWeights(fit, p.tol))
			unweighted := func(X *mat.Dense, y []int) (*LinearModel, error) { return fit(mlkit.Options{}, X, y) }
			testkit.NoError(t, name, mlkittest.TestOrder(unweighted, p.tol))
		}
	})
}

// With squared slacks, Newton in the primal and coordinate descent in the dual find the same
// minimum.
func TestNewtonIsDualDescent(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
		want := testkit.Try(DualDescent{Loss: SquaredHinge, Bias: bias, Tol: 1e-9, MaxIter: 100000}.Fit(X, y)).Or(t)
		got := testkit.Try(Newton{Bias: bias}.Fit(X, y)).Or(t)
		near(t, "primal", got.Primal, want.Primal, 1e-8*want.Primal)
		nearAll(t, "w", got.W, want.W, 1e-3)
		if bias == mlkit.NoBias && got.B != 0 {
			t.Errorf("b = %v, want 0", got.B)
		}
		if math.Abs(got.Gap) > 1e-9*got.Primal {
			t.Errorf("gap %v", got.Gap)
		}
	}
}

// The numbers are those of scikit-learn 1.9.1, LinearSVC(C=1, loss="squared_hinge",
// dual=False, tol=1e-12): LIBLINEAR's primal Newton method with a penalised bias.
func TestNewtonIsLIBLINEAR(t *testing.T) {
	X, y := irises(t, 1, 2)
	m := testkit.Try(Newton{Bias: mlkit.PenalizedBias, Tol: 1e-14}.Fit(X, y)).Or(t)
	nearAll(t, "w", m.W, []float64{-0.85059120597025, -0.98655486756132, 1.38103733383885, 1.86512017064944}, 2e-7)
	near(t, "b", m.B, -1.71079267038352, 2e-7)
}

// As TestNewtonIsLIBLINEAR, with loss="hinge", dual=True, max_iter=10⁷: dual coordinate
// descent.
func TestDualDescentIsLIBLINEAR(t *testing.T) {
	testkit.NoRace(t)
	X, y := irises(t, 1, 2)
	m := testkit.Try(DualDescent{Bias: mlkit.PenalizedBias, Tol: 1e-7, MaxIter: 1e6}.Fit(X, y)).Or(t)
	nearAll(t, "w", m.W, []float64{-1.11801242236196, -1.26708074534241, 1.71428571428307, 2.43478260870094}, 3e-3)
	near(t, "b", m.B, -1.72795031054154, 3e-3)
}

// If all samples have slack before and after the step, the objective is one quadratic,
// and a single Newton step finds its minimum.
func TestNewtonIsOneStep(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
		m, err := Newton{C: 1e-6, Bias: bias}.Fit(X, y)
		if err != nil || m.Iterations != 1 {
			t.Errorf("bias %d: %d steps, %v", bias, m.Iterations, err)
		}
		for i, s := range m.Scores(nil, X) {
			if float64(y[i])*s >= 1 {
				t.Errorf("bias %d: row %d has no slack", bias, i)
			}
		}
	}
}
