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
	}}.FitContext(ctx, X, y)
	if !errors.Is(err, context.Canceled) || m.Steps != 2048 || m.Epochs != 1 {
		t.Errorf("%+v, %v, want context.Canceled after 2048 steps", m, err)
	}
}

func TestRefused(t *testing.T) {
	X, y := samples.CMU()
	for _, c := range []struct {
		p    Perceptron
		want string
	}{
		{Perceptron{Rate: -1}, "perceptron: Perceptron.Rate = -1, want a positive number, or 0 for 1"},
		{Perceptron{Rate: math.NaN()}, "perceptron: Perceptron.Rate = NaN, want a positive number, or 0 for 1"},
		{Perceptron{Rate: math.Inf(1)}, "perceptron: Perceptron.Rate = +Inf, want a positive number, or 0 for 1"},
		{Perceptron{MaxIter: -2}, "perceptron: Perceptron.MaxIter = -2, want a positive number, or 0 for 1000"},
		{Perceptron{Bias: mlkit.PenalisedBias}, "perceptron: Perceptron.Bias = PenalisedBias, want FreeBias, NoBias or RadiusBias"},
		{Perceptron{Start: &mlkit.Hyperplane{W: []float64{1}}}, "perceptron: Perceptron.Start has 1 weights, want 2, one for each column of X"},
		{Perceptron{Start: &mlkit.Hyperplane{W: []float64{1, math.NaN()}}}, "perceptron: Perceptron.Start.W[1] = NaN, want a finite number"},
		{Perceptron{Start: &mlkit.Hyperplane{W: []float64{1, 2}, B: math.Inf(1)}}, "perceptron: Perceptron.Start.B = +Inf, want a finite number"},
		{Perceptron{Bias: mlkit.NoBias, Start: &mlkit.Hyperplane{W: []float64{1, 2}, B: 1}}, "perceptron: Perceptron.Start.B = 1, want 0 with NoBias"},
		// The first step goes to 1e308·(1, -2), where the second number is -Inf.
		{Perceptron{Rate: 1e308}, "perceptron: Perceptron: the score of row 1 is NaN in pass 0, want a finite number; scale X to smaller numbers"},
	} {
		m, err := c.p.Fit(X, y)
		if m != nil || err == nil {
			t.Errorf("no error, want %s", c.want)
		} else if err.Error() != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
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
