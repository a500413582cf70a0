package perceptron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

func TestNotSeparable(t *testing.T) {
	X, y := samples.XOR()
	m, err := Perceptron{}.Fit(X, y)
	var e *mlkit.NotSeparableError
	if !errors.As(err, &e) {
		t.Fatalf("err = %v, want a NotSeparableError", err)
	}
	var nc *mlkit.NotConvergedError
	if !errors.As(err, &nc) || nc.Model != any(m) || m == nil || m.Converged {
		t.Errorf("the error %#v does not carry the model %p", nc, m)
	}
	if m.Epochs > 10 {
		t.Errorf("took %d epochs to see that exclusive or goes round in a cycle", m.Epochs)
	}
}

func TestOpposedRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		bias  mlkit.Bias
		X     *mat.Dense
		y     []int
		alpha []float64
		want  string
	}{
		{"twice", mlkit.FreeBias, mat.NewDense(4, 1, []float64{.1, .7, .3, .7}), []int{-1, +1, -1, -1}, []float64{0, 1, 0, 1},
			"perceptron: Perceptron: not separable: rows 1 and 3 of X are the same point with labels +1 and -1"},
		{"zero", mlkit.NoBias, mat.NewDense(3, 1, []float64{.1, 0, -.3}), []int{+1, -1, -1}, []float64{0, 1, 0},
			"perceptron: Perceptron: not separable: row 1 of X is 0, which no hyperplane through the origin has on a side"},
	} {
		_, err := Perceptron{Bias: c.bias, MaxIter: 20}.Fit(c.X, c.y)
		var e *mlkit.NotSeparableError
		if !errors.As(err, &e) || err.Error() != c.want || !slices.Equal(e.Alpha, c.alpha) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Separable by (-1, 1), but w - x = w in 53 bits. The cycle proves nothing, and Fit
// must not claim that it does.
func TestRounding(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	_, err := Perceptron{Bias: mlkit.NoBias, Start: &mlkit.Hyperplane{W: []float64{1e30, 0}}}.Fit(X, []int{-1, +1})
	var e *mlkit.NotSeparableError
	var nc *mlkit.NotConvergedError
	if errors.As(err, &e) || !errors.As(err, &nc) || !strings.Contains(err.Error(), "rounding") {
		t.Errorf("err = %v, want a NotConvergedError that speaks of rounding", err)
	}
}

// In another order the same hyperplane may lead elsewhere, so a shuffled fit goes on when the
// weights recur without a proof.
func TestRoundingShuffled(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	p := Perceptron{Bias: mlkit.NoBias, Shuffle: true, MaxIter: 7, Start: &mlkit.Hyperplane{W: []float64{1e30, 0}}}
	_, err := p.Fit(X, []int{-1, +1})
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || e.Iterations != 7 || !strings.Contains(e.Reason, "raise MaxIter") {
		t.Errorf("err = %v, want all 7 passes", err)
	}
}

// One outlier among 100 samples: the last hyperplane often fits the outlier, the
// pocket's fits the rest.
func TestBestModel(t *testing.T) {
	X, y := separable(rand.New(rand.NewPCG(7, 8)), 100, 2, 0.1)
	y[99] = -y[99]
	m, err := Perceptron{Bias: mlkit.NoBias, MaxIter: 50}.Fit(X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || e.Residual != 1 {
		t.Errorf("%v, want the 1 error that can't be avoided", err)
	}
	if m.Predict(X.RawRowView(99)) == y[99] {
		t.Error("the best model has the outlier right")
	}
}

// A fit looks at its context every 1024 steps, so it does not finish a long pass.
func TestContextWithinPass(t *testing.T) {
	X, y := overlapping(5000, 2)
	ctx, cancel := context.WithCancel(context.Background())
	m, err := Perceptron{Trace: func(s Step) bool {
		if s.Step == 1030 {
			cancel()
		}
		return true
	}}.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || m.Steps != 2048 || m.Epochs != 1 {
		t.Errorf("%+v, %v, want context.Canceled after 2048 steps", m, err)
	}
}

func TestRefused(t *testing.T) {
	X, y := samples.CMU()
	big := mat.NewDense(2, 1, []float64{1e200, -1e200})
	huge := mat.NewDense(2, 1, []float64{1.5e308, -1.5e308})
	for _, c := range []struct {
		err  error
		want string
	}{
		{refused(t, Perceptron{Rate: -1}.Fit, X, y), "perceptron: Perceptron.Rate = -1, want a positive number, or 0 for 1"},
		{refused(t, Perceptron{Rate: math.NaN()}.Fit, X, y), "perceptron: Perceptron.Rate = NaN, want a positive number, or 0 for 1"},
		{refused(t, Perceptron{Rate: math.Inf(1)}.Fit, X, y), "perceptron: Perceptron.Rate = +Inf, want a positive number, or 0 for 1"},
		{refused(t, Perceptron{MaxIter: -2}.Fit, X, y), "perceptron: Perceptron.MaxIter = -2, want a positive number, or 0 for 1000"},
		{refused(t, Perceptron{Bias: mlkit.PenalizedBias}.Fit, X, y), "perceptron: Perceptron.Bias = PenalizedBias, want FreeBias, NoBias or RadiusBias"},
		{refused(t, Perceptron{Start: &mlkit.Hyperplane{W: []float64{1}}}.Fit, X, y), "perceptron: Perceptron.Start has 1 weights, want 2, one for each column of X"},
		{refused(t, Perceptron{Start: &mlkit.Hyperplane{W: []float64{1, math.NaN()}}}.Fit, X, y), "perceptron: Perceptron.Start.W[1] = NaN, want a finite number"},
		{refused(t, Perceptron{Start: &mlkit.Hyperplane{W: []float64{1, 2}, B: math.Inf(1)}}.Fit, X, y), "perceptron: Perceptron.Start.B = +Inf, want a finite number"},
		{refused(t, Perceptron{Bias: mlkit.NoBias, Start: &mlkit.Hyperplane{W: []float64{1, 2}, B: 1}}.Fit, X, y), "perceptron: Perceptron.Start.B = 1, want 0 with NoBias"},
		// The first step goes to 1e308·(1, -2), where the second number is -Inf.
		{refused(t, Perceptron{Rate: 1e308}.Fit, X, y), "perceptron: Perceptron: the score of row 1 is NaN in pass 0, want a finite number; scale X to smaller numbers"},
		{refused(t, Batch{Rate: -1}.Fit, X, y), "perceptron: Batch.Rate = -1, want a positive number, or 0 for 1"},
		{refused(t, Batch{Bias: 7}.Fit, X, y), "perceptron: Batch.Bias = Bias(7), want FreeBias, NoBias or RadiusBias"},
		{refused(t, Batch{MaxIter: -1}.Fit, X, y), "perceptron: Batch.MaxIter = -1, want a positive number, or 0 for 1000"},
		{refused(t, Batch{Start: &mlkit.Hyperplane{}}.Fit, X, y), "perceptron: Batch.Start has 0 weights, want 2, one for each column of X"},
		{refused(t, Batch{Schedule: func(t int) float64 { return float64(2 - t) }, Start: &mlkit.Hyperplane{W: []float64{-9, 9}}}.Fit, X, y),
			"perceptron: Batch.Schedule makes the rate 0 in step 2, want a positive number"},
		{refused(t, Batch{Bias: mlkit.NoBias}.Fit, big, []int{1, -1}),
			"perceptron: Batch: the score of row 0 is +Inf in pass 1, want a finite number; scale X to smaller numbers"},
		{refused(t, Batch{Bias: mlkit.NoBias, MaxIter: 1}.Fit, huge, []int{1, -1}),
			"perceptron: Batch: the weights overflow after 2 mistakes; scale X to smaller numbers"},
		{refused(t, Voted{Epochs: -1}.Fit, X, y), "perceptron: Voted.Epochs = -1, want a positive number, or 0 for 10"},
		{refused(t, Voted{Bias: mlkit.NoBias, Epochs: 1}.Fit, mat.NewDense(3, 1, []float64{1e308, 1e308, 1}), []int{1, -1, 1}),
			"perceptron: Voted: the score of row 1 is +Inf in pass 0, want a finite number; scale X to smaller numbers"},
		{refused(t, Dual{MaxIter: -1}.Fit, X, y), "perceptron: Dual.MaxIter = -1, want a positive number, or 0 for 1000"},
		{refused(t, Dual{Bias: mlkit.NoBias}.Fit, mat.NewDense(2, 1, []float64{1e200, -1e200}), []int{1, 1}),
			"perceptron: Dual: the score of row 1 is -Inf in pass 0, want a finite number; scale X to smaller numbers"},
		{refused(t, Averaged{Bias: 9}.Fit, X, y), "perceptron: Averaged.Bias = Bias(9), want FreeBias, NoBias or RadiusBias"},
		{refused(t, Pocket{Epochs: -3}.Fit, X, y), "perceptron: Pocket.Epochs = -3, want a positive number, or 0 for 100"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("err = %v, want %s", c.err, c.want)
		}
	}
	refused(t, Pocket{}.Fit, big, []int{1, -1}) // an overflow
	// Through a zero column the scores stay finite while the sum of the weights overflows.
	refused(t, Averaged{Bias: mlkit.NoBias}.Fit, mat.NewDense(2, 1, []float64{1e308, -1e308}), []int{1, -1})
}

// refused returns the error of a fit that must return no model.
func refused[M any](t *testing.T, fit func(*mat.Dense, []int) (*M, error), X *mat.Dense, y []int) error {
	t.Helper()
	m, err := fit(X, y)
	if m != nil || err == nil {
		t.Errorf("the model %+v and the error %v, want an error alone", m, err)
	}
	return err
}

// A sample of the wrong length makes a dual model panic with the name of the method.
func TestDualMisfit(t *testing.T) {
	X, y := samples.CMU()
	m := fitted(t, Dual{}.Fit, X, y)
	defer func() {
		if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "perceptron: Score: ") {
			t.Errorf("panic %q", s)
		}
	}()
	m.Score([]float64{1})
}

// For any samples, Fit does not panic, and without an error every sample is on its own
// side.
func FuzzPerceptron(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(2), uint8(0))
	f.Add([]byte{255, 0, 254, 9, 128, 127}, uint8(1), uint8(5))
	f.Add([]byte{}, uint8(3), uint8(255))
	values := []float64{0, 1, -1, 0.1, -0.3, 3, 1e-320, 1e300, -1e308, 1e155, math.NaN(), math.Inf(1)}
	f.Fuzz(func(t *testing.T, data []byte, dim, how uint8) {
		d := int(dim%4) + 1
		n := len(data) / (d + 1)
		var X *mat.Dense
		y := make([]int, n)
		if n > 0 {
			X = mat.NewDense(n, d, nil)
		}
		for i := range n {
			row := data[i*(d+1):]
			for j := range d {
				X.Set(i, j, values[int(row[j])%len(values)])
			}
			y[i] = 2*int(row[d]%2) - 1
		}
		p := Perceptron{
			Bias: []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias, mlkit.RadiusBias}[how%3], MaxIter: 20, StopEarly: how&8 != 0,
			ZeroIsPositive: how&16 != 0, Shuffle: how&32 != 0, Seed: uint64(how),
		}
		m, err := p.Fit(X, y)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "perceptron: ") {
				t.Errorf("err = %v", err)
			}
			return
		}
		for i := range y {
			if p.mistake(m.Score(X.RawRowView(i)), y[i]) || !m.Converged {
				t.Errorf("row %d with label %d scores %v without an error", i, y[i], m.Score(X.RawRowView(i)))
			}
		}
		if q, err := NewNovikoff(X, y, m.Hyperplane, p.Bias); err == nil && float64(m.Mistakes) > q.Bound*(1+1e-9) {
			t.Errorf("%d mistakes, more than the bound %v", m.Mistakes, q.Bound)
		}
	})
}
