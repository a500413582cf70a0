package perceptron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// CMU's three mistakes are samples 0, 2 and 4, once each: "w is a weighted sum of
// incorrectly classified examples", (-1)(-1,2) + (1,1) + (-1)(-1,-2) = (3, 1).
func TestDualCMU(t *testing.T) {
	X, y := samples.CMU()
	m, err := Dual{Bias: mlkit.NoBias}.Fit(X, y)
	want := &DualModel{
		Alpha: []int{1, 0, 1, 0, 1, 0}, Support: []int{0, 2, 4},
		Vectors: [][]float64{{-1, 2}, {1, 1}, {-1, -2}}, Labels: []int{-1, 1, -1},
		D: 2, Mistakes: 3, Epochs: 2, MistakesPerEpoch: []int{3, 0}, Converged: true,
	}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Fatalf("model = %+v, %v, want %+v", m, err, want)
	}
	if h := m.Hyperplane(); !slices.Equal(h.W, []float64{3, 1}) || h.B != 0 {
		t.Errorf("primal %+v, want (3, 1), 0", h)
	}
	// w·x = 2·3 + 5·1 = 11, and in the dual (-1)(8) + 7 + (-1)(-12) = 11.
	if s := m.Score([]float64{2, 5}); s != 11 {
		t.Errorf("score %v, want 11", s)
	}
}

// Yuille, section 14, on the two points of TestExtendedByRadius: K² = 25, each sample
// is a mistake once, b = 25 and then 0.
func TestDualYuille(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{3, 4, -3, 0})
	var alpha [][]int
	var b []float64
	m, err := Dual{Bias: mlkit.RadiusBias, Trace: func(s DualStep) bool {
		alpha, b = append(alpha, s.Alpha), append(b, s.B)
		return true
	}}.Fit(X, []int{+1, -1})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(alpha, [][]int{{1, 0}, {1, 1}, {1, 1}, {1, 1}}) || !slices.Equal(b, []float64{25, 0, 0, 0}) {
		t.Errorf("α = %v, b = %v, want 1 for the first, then for both, and 25, 0", alpha, b)
	}
	if h := m.Hyperplane(); !slices.Equal(h.W, []float64{6, 4}) {
		t.Errorf("w = %v, want (6, 4)", h.W)
	}
}

// The predictions, the mistakes and their order are those of the primal form.
func TestDualIsPrimal(t *testing.T) {
	type problem struct {
		name string
		X    *mat.Dense
		y    []int
	}
	var problems []problem
	add := func(name string, X *mat.Dense, y []int) { problems = append(problems, problem{name, X, y}) }
	X, y := samples.CMU()
	add("CMU", X, y)
	X, y = samples.Theodoridis()
	add("Theodoridis", X, y)
	X, y = samples.SetosaVersicolor(t)
	add("Iris", X, y)
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		X, y = separable(random, 20+random.IntN(60), 1+random.IntN(6), 0.05)
		add("random", X, y)
	}
	for _, q := range problems {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias, mlkit.RadiusBias} {
			var rows []int
			primal, err := Perceptron{Bias: bias, Trace: func(s Step) bool {
				if s.Mistake {
					rows = append(rows, s.Index)
				}
				return true
			}}.Fit(q.X, q.y)
			if err != nil {
				t.Fatalf("%s, %v: %v", q.name, bias, err)
			}
			k := 0
			dual, err := Dual{Bias: bias, Trace: func(s DualStep) bool {
				if s.Mistake {
					if k >= len(rows) || rows[k] != s.Index {
						t.Fatalf("%s, %v: mistake %d is row %d, want %v", q.name, bias, k, s.Index, rows)
					}
					k++
				}
				return true
			}}.Fit(q.X, q.y)
			if err != nil {
				t.Fatalf("%s, %v: %v", q.name, bias, err)
			}
			if !slices.Equal(dual.MistakesPerEpoch, primal.MistakesPerEpoch) {
				t.Errorf("%s, %v: mistakes %v, want %v", q.name, bias, dual.MistakesPerEpoch, primal.MistakesPerEpoch)
			}
			h, scale := dual.Hyperplane(), 1+primal.Norm()
			for j, w := range primal.W {
				if math.Abs(h.W[j]-w) > 1e-12*scale {
					t.Errorf("%s, %v: w = %v, want %v", q.name, bias, h.W, primal.W)
				}
			}
			if math.Abs(h.B-primal.B) > 1e-12*scale {
				t.Errorf("%s, %v: b = %v, want %v", q.name, bias, h.B, primal.B)
			}
			if !slices.Equal(dual.Predictions(nil, q.X), primal.Predictions(nil, q.X)) {
				t.Errorf("%s, %v: other labels than the primal", q.name, bias)
			}
		}
	}
}

func TestDualNotSeparable(t *testing.T) {
	X, y := samples.XOR()
	m, err := Dual{}.Fit(X, y)
	var not *mlkit.NotSeparableError
	if !errors.As(err, &not) || !slices.Equal(not.Alpha, []float64{1, 1, 1, 1}) || not.Fit.Model != m {
		t.Errorf("%+v, %v, want a proof", m, err)
	}
	X, y = samples.Overlapping(rand.New(rand.NewPCG(7, 8)), 60)
	m, err = Dual{MaxIter: 3}.Fit(X, y)
	var left *mlkit.NotConvergedError
	if !errors.As(err, &left) || left.Model != m || left.Iterations != 3 || m.Converged || left.Algorithm != "perceptron: Dual" {
		t.Fatalf("%+v, %v, want 3 passes", m, err)
	}
	if float64(samples.Errors(m, X, y)) != left.Residual {
		t.Errorf("residual %v of %d mistakes", left.Residual, samples.Errors(m, X, y))
	}
}

func TestDualStops(t *testing.T) {
	X, y := samples.CMU()
	m, err := Dual{Bias: mlkit.NoBias, Trace: func(s DualStep) bool { return s.Mistakes < 2 }}.Fit(X, y)
	if err != nil || !slices.Equal(m.Alpha, []int{1, 0, 1, 0, 0, 0}) || m.Converged {
		t.Errorf("stopped by Trace: %+v, %v", m, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err = Dual{}.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || m == nil || m.Score([]float64{1, 2}) != 0 {
		t.Errorf("cancelled: %+v, %v", m, err)
	}
	// Cancel while the scores of many samples are being updated.
	big := mat.NewDense(3000, 1, nil)
	labels := make([]int, 3000)
	for i := range labels {
		labels[i] = 1 - 2*(i%2)
		big.Set(i, 0, float64(labels[i]))
	}
	late := &samples.LateContext{Context: context.Background(), Calls: 1}
	m, err = Dual{}.FitWith(mlkit.Options{Context: late}, big, labels)
	if !errors.Is(err, context.Canceled) || m.Mistakes != 0 {
		t.Errorf("cancelled late: %d mistakes, %v", m.Mistakes, err)
	}
}
