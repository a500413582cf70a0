package eigen_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// whole returns the matrix of an operator.
func whole(n int, mul func(dst, x []float64)) *mat.SymDense {
	A := mat.NewSymDense(n, nil)
	dst, x := make([]float64, n), make([]float64, n)
	for j := range n {
		x[j] = 1
		mul(dst, x)
		x[j] = 0
		for i := range j + 1 {
			A.SetSym(i, j, dst[i])
		}
	}
	return A
}

// Full finds the eigenvalues known in closed form, with every multiplicity, of graphs
// and of diagonal and 2×2 matrices.
func TestFullClosedForms(t *testing.T) {
	for _, c := range []struct {
		name string
		A    *mat.SymDense
		want func(i int) float64
	}{
		{"path", whole(100, path), func(i int) float64 { return 2 - 2*math.Cos(math.Pi*float64(99-i)/100) }},
		{"cycle", whole(9, cycle), func(i int) float64 { return 2 - 2*math.Cos(2*math.Pi*float64(4-i/2)/9) }},
		{"hypercube", whole(16, hypercube), func(i int) float64 { return []float64{4, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, -2, -2, -2, -2, -4}[i] }},
		{"zero", mat.NewSymDense(5, nil), func(int) float64 { return 0 }},
		{"diagonal", mat.NewSymDense(3, []float64{-1, 0, 0, 0, 7, 0, 0, 0, 3}), func(i int) float64 { return []float64{7, 3, -1}[i] }},
		{"one number", mat.NewSymDense(1, []float64{-2}), func(int) float64 { return -2 }},
		{"huge", mat.NewSymDense(2, []float64{0, 1e308, 1e308, 0}), func(i int) float64 { return []float64{1e308, -1e308}[i] }},
		{"tiny", mat.NewSymDense(2, []float64{0, 5e-324, 5e-324, 0}), func(i int) float64 { return []float64{5e-324, -5e-324}[i] }},
	} {
		values, vectors, err := eigen.Full(context.Background(), c.A)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		scale := math.Abs(c.want(0))
		for i, v := range values {
			if want := c.want(i); math.Abs(v-want) > 1e-13*scale {
				t.Errorf("%s: value %d = %v, want %v", c.name, i, v, want)
			}
		}
		checkFull(t, c.A, values, vectors)
	}
	if values, vectors, err := eigen.Full(context.Background(), new(mat.SymDense)); len(values)+len(vectors) != 0 || err != nil {
		t.Errorf("of an empty matrix: %v, %v, %v", values, vectors, err)
	}
}

// checkFull checks that VΛVᵀ = A, that VVᵀ = I, and that the values descend.
func checkFull(t interface {
	Helper()
	Fatalf(string, ...any)
}, A *mat.SymDense, values []float64, vectors [][]float64) {
	t.Helper()
	n := A.SymmetricDim()
	largest := 0.0
	for i := range n {
		for j := range n {
			largest = max(largest, math.Abs(A.At(i, j)))
		}
	}
	for i := range n {
		if i > 0 && values[i] > values[i-1] {
			t.Fatalf("the values are not descending: %v", values)
		}
		for j := range n {
			unit, sum := 0.0, 0.0
			if i == j {
				unit = 1
			}
			for k, λ := range values {
				sum += λ * vectors[k][i] * vectors[k][j]
			}
			if dot := floats.Dot(vectors[i], vectors[j]); math.Abs(dot-unit) > 1e-13*float64(n) {
				t.Fatalf("v%d·v%d = %v, want %v", i, j, dot, unit)
			}
			if want := A.At(i, j); math.Abs(sum/largest-want/largest) > 1e-13*float64(n) && largest > 0x1p-1000 {
				t.Fatalf("(VΛVᵀ) at %d, %d = %v, want %v", i, j, sum, want)
			}
		}
	}
}

// The eigenpairs rebuild symmetric matrices of all scales, with zeros, equal numbers
// and low ranks.
func TestFullProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		scale := math.Pow(10, float64(rapid.IntRange(-200, 200).Draw(t, "exponent")))
		whole := rapid.Bool().Draw(t, "whole numbers")
		A := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				v := rapid.Float64Range(-1, 1).Draw(t, "a")
				if whole {
					v = math.Round(2 * v)
				}
				A.SetSym(i, j, scale*v)
			}
		}
		values, vectors, err := eigen.Full(context.Background(), A)
		if err != nil {
			t.Fatal(err)
		}
		checkFull(t, A, values, vectors)
	})
}

func TestFullRefuses(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(-1)} {
		if _, _, err := eigen.Full(context.Background(), mat.NewSymDense(2, []float64{1, v, v, 1})); err == nil {
			t.Errorf("no error on an element %v", v)
		}
	}
}

// Every part of a decomposition checks the context, and the decomposition stops
// wherever it is done. There is one check per row in the copy, the scaling, the
// reduction and the accumulation of Q, and one per sweep.
func TestFullEnds(t *testing.T) {
	const n = 100
	A := whole(n, path)
	ctx := &samples.LateContext{Context: t.Context(), Calls: math.MaxInt}
	if _, _, err := eigen.Full(ctx, A); err != nil {
		t.Fatal(err)
	}
	asked := math.MaxInt - ctx.Calls
	// With Wilkinson's shift, a path takes less than one sweep per eigenvalue.
	if asked <= 4*n || asked > 5*n {
		t.Errorf("asked %d times, want more than %d and at most %d", asked, 4*n, 5*n)
	}
	for left := 1; left <= asked; left += testkit.Size(t, 7, 1) {
		if _, _, err := eigen.Full(&samples.LateContext{Context: t.Context(), Calls: left - 1}, A); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at the question %d of %d: %v", left, asked, err)
		}
	}
}

func TestZeros(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	for _, n := range []int{0, 3, 1 << 20} {
		if zeros, err := eigen.Zeros(ctx, n); len(zeros) != n || err != nil {
			t.Errorf("%d numbers, %v, want %d", len(zeros), err, n)
		}
	}
	cancel()
	for _, n := range []int{3, 1 << 20} {
		if _, err := eigen.Zeros(ctx, n); !errors.Is(err, context.Canceled) {
			t.Errorf("%d numbers: %v, want context.Canceled", n, err)
		}
	}
}

// A search that the context ends at any check returns a *mlkit.NotConvergedError
// without pairs.
func TestSearchEnds(t *testing.T) {
	const n, k = 60, 2
	ctx := &samples.LateContext{Context: t.Context(), Calls: math.MaxInt}
	testkit.Try((eigen.Solver{}).Smallest(ctx, n, k, path)).Or(t)
	asked := math.MaxInt - ctx.Calls
	step := testkit.Size(t, 97, 7)
	for left := 1; left <= asked; left += step {
		p, err := eigen.Solver{}.Smallest(&samples.LateContext{Context: t.Context(), Calls: left - 1}, n, k, path)
		if left == asked && err == nil {
			break // the last check came after the work was done
		}
		var nc *mlkit.NotConvergedError
		if !errors.As(err, &nc) || !errors.Is(err, context.Canceled) || len(p.Values) != 0 || nc.Model != any(p) {
			t.Fatalf("ended at the question %d of %d: %v", left, asked, err)
		}
	}
}
