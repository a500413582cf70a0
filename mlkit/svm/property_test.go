package svm

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/perceptron"
)

// drawSamples draws 2 to 20 samples with 1 to 4 features on a grid, which gives ties,
// duplicates and equal samples with different labels, and sometimes two collinear
// columns. Both labels occur.
func drawSamples(t *rapid.T) (*mat.Dense, []int) {
	n := rapid.IntRange(2, 20).Draw(t, "n")
	d := rapid.IntRange(1, 4).Draw(t, "d")
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	collinear := d > 1 && rapid.Bool().Draw(t, "collinear")
	for i := range n {
		y[i] = rapid.SampledFrom([]int{-1, +1}).Draw(t, "y")
		for j := range d {
			X.Set(i, j, float64(rapid.IntRange(-12, 12).Draw(t, "4x"))/4)
		}
		if collinear {
			X.Set(i, 1, 2*X.At(i, 0))
		}
	}
	y[0], y[1] = -1, +1
	return X, y
}

// mustConverge skips a draw whose fit has not converged, since the properties are those
// of a solution. A collinear cubic kernel of condition 1e16 may need more than the limit
// of 10⁷ iterations. rapid fails if there are many such draws.
func mustConverge(t *rapid.T, err error) {
	if nc := new(mlkit.NotConvergedError); errors.As(err, &nc) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func drawKernel(t *rapid.T) kernel.Kernel {
	return rapid.SampledFrom([]kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.7}, kernel.Polynomial{Degree: 3, Coef0: 1}, kernel.Laplace{}}).Draw(t, "kernel")
}

func drawC(t *rapid.T) float64 {
	return math.Exp(rapid.Float64Range(-6, 4).Draw(t, "log C"))
}

// The oracles of duality (Nello Cristianini and John Shawe-Taylor, "An Introduction to
// Support Vector Machines", sections 5.3 and 6.1.2): the dual bounds the primal and meets
// it, Σ αᵢyᵢ = 0, and each multiplier tells on which side of the margin its sample lies.
func TestDuality(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t)
		C, k := drawC(t), drawKernel(t)
		m, err := Classifier{C: C, Kernel: k, Tol: 1e-7}.Fit(X, y)
		mustConverge(t, err)
		price := C * float64(len(y))
		if m.Gap < 0 || math.Abs(m.Gap-(m.Primal-m.Dual)) > 1e-12*(1+price) || m.Gap > 1e-6*(1+price) {
			t.Errorf("primal %v, dual %v, gap %v", m.Primal, m.Dual, m.Gap)
		}
		sum, scale := 0.0, 0.0
		for i, a := range m.Alpha {
			sum += a * float64(y[i])
			scale += a
		}
		if math.Abs(sum) > 0x1p-52*C*float64(m.Iterations+len(y)) { // each iteration rounds two multipliers
			t.Errorf("Σ αᵢyᵢ = %v of Σ αᵢ = %v", sum, scale)
		}
		largest := 0.0
		for i := range y {
			largest = max(largest, k.Eval(X.RawRowView(i), X.RawRowView(i)))
		}
		rounding := 1e-13 * (1 + scale*largest) // rounding error of a score, a sum of αᵢk
		for i, f := range m.Scores(nil, X) {
			margin := float64(y[i]) * f
			switch a := m.Alpha[i]; {
			case a < 0 || a > C,
				a == 0 && margin < 1-1e-5,
				a == C && margin > 1+1e-5,
				a > 0 && a < C && math.Abs(margin-1) > 1e-5:
				t.Errorf("row %d has α = %v of %v and the margin %v", i, a, C, margin)
			}
			if slack := max(0, 1-margin); math.Abs(m.Slacks[i]-slack) > rounding {
				t.Errorf("row %d: slack %v, the score says %v", i, m.Slacks[i], slack)
			}
		}
		r := testkit.Try(KKT(m, X, y)).Or(t)
		if worst := r.Max(); worst.Value > 1e-5*(1+C) {
			t.Errorf("C = %v:\n%v", C, r)
		}
	})
}

// Removing samples that are not support vectors changes nothing: the remaining
// multipliers still solve the problem, with the same value.
func TestOnlySupportVectorsCount(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t)
		c := Classifier{C: drawC(t), Kernel: drawKernel(t), Tol: 1e-7}
		m, err := c.Fit(X, y)
		mustConverge(t, err)
		weights := make([]float64, len(y))
		for _, i := range m.Support {
			weights[i] = 1
		}
		// Without support vectors only b is left.
		if len(m.Support) < 2 {
			return
		}
		less, err := c.FitWith(mlkit.Options{Weights: weights}, X, y)
		mustConverge(t, err)
		if scale := 1 + c.C*float64(len(y)); math.Abs(less.Dual-m.Dual) > 1e-6*scale {
			t.Errorf("the dual is %v with all samples and %v with the support vectors", m.Dual, less.Dual)
		}
	})
}

// DualDescent solves the same problem with the linear kernel, and SMO solves it from a
// warm start too.
func TestLinearMachinesAgree(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t)
		C := drawC(t)
		m := testkit.Try(Classifier{C: C, Tol: 1e-7}.Fit(X, y)).Or(t)
		dd := testkit.Try(DualDescent{C: C, Tol: 1e-6, MaxIter: 1e6}.Fit(X, y)).Or(t)
		scale := m.Primal + 1e-9*C*float64(len(y))
		if dd.Primal < m.Dual-1e-9*scale || m.Primal < dd.Dual-1e-6*scale || dd.Primal-m.Primal > 2e-6*scale+m.Gap {
			t.Errorf("dual descent: %v ≥ %v, SMO: %v ≥ %v", dd.Primal, dd.Dual, m.Primal, m.Dual)
		}
		// A warm start from the solution for C/3 reaches the same value.
		third := testkit.Try(Classifier{C: C / 3, Tol: 1e-7}.Fit(X, y)).Or(t)
		again := testkit.Try(Classifier{C: C, Tol: 1e-7, Start: third.Alpha}.Fit(X, y)).Or(t)
		if math.Abs(again.Dual-m.Dual) > 1e-6*(scale+C) {
			t.Errorf("dual %v from nothing, %v from the solution for C/3", m.Dual, again.Dual)
		}
	})
}

// Reordering the samples, or scaling the kernel by s and C by 1/s, does not change the problem.
func TestSymmetries(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t)
		n, d := X.Dims()
		c := Classifier{C: drawC(t), Kernel: drawKernel(t), Tol: 1e-7}
		m, err := c.Fit(X, y)
		mustConverge(t, err)
		scale := 1 + c.C*float64(n)
		same := func(what string, dual float64) {
			t.Helper()
			if math.Abs(dual-m.Dual) > 1e-6*scale {
				t.Errorf("%s: dual %v, was %v", what, dual, m.Dual)
			}
		}
		order := rapid.Permutation(index(n)).Draw(t, "order")
		P, py := mat.NewDense(n, d, nil), make([]int, n)
		for i, from := range order {
			P.SetRow(i, X.RawRowView(from))
			py[i] = y[from]
		}
		other, err := c.Fit(P, py)
		mustConverge(t, err)
		same("another order", other.Dual)

		// s·k with C/s: w is shorter by a factor √s, so ½‖w‖² becomes ½‖w‖²/s.
		s := math.Exp(rapid.Float64Range(-2, 2).Draw(t, "log s"))
		scaled := c
		scaled.C /= s
		scaled.Kernel = kernel.Scaled{Factor: s, Kernel: c.Kernel}
		other, err = scaled.Fit(X, y)
		mustConverge(t, err)
		same("s·k with C/s", s*other.Dual)
	})
}

func index(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// A hard margin exists exactly if the perceptron converges. It ends with a hyperplane
// without errors, or with a proof that there is none (Gordan).
func TestHardMarginIsPerceptrons(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := drawSamples(t)
		m, err := Classifier{C: math.Inf(1), Tol: 1e-6}.Fit(X, y)
		none := errors.As(err, new(*mlkit.NotSeparableError))
		if !none {
			mustConverge(t, err)
		}
		_, err = perceptron.Perceptron{MaxIter: 100000}.Fit(X, y)
		switch {
		case errors.As(err, new(*mlkit.NotSeparableError)):
			if !none {
				t.Error("a hard margin, and a proof that none separates")
			}
		case err != nil:
			t.Skip(err)
		case none:
			t.Error("no hard margin, and a perceptron without a mistake")
		}
		if none {
			return
		}
		for i, f := range m.Scores(nil, X) {
			if float64(y[i])*f < 1-1e-5 {
				t.Errorf("row %d has the margin %v", i, float64(y[i])*f)
			}
		}
	})
}
