package perceptron

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func TestConformance(t *testing.T) {
	voted := []Voted{{}, {Epochs: 1, Bias: mlkit.RadiusBias}, {Shuffle: true, Seed: 2}}
	for name, err := range map[string]error{
		"zero value":      mlkittest.TestClassifier(Perceptron{}.Fit),
		"radius":          mlkittest.TestClassifier(Perceptron{Bias: mlkit.RadiusBias, Rate: 0.25}.Fit),
		"shuffled, early": mlkittest.TestClassifier(Perceptron{Shuffle: true, Seed: 3, StopEarly: true}.Fit),
		// Through the origin, x may carry the signs, so one class is a valid problem.
		"through the origin": mlkittest.TestClassifier(Perceptron{Bias: mlkit.NoBias}.Fit, "one-class"),
		// A score of 0 is treated differently for the two labels.
		"zero is positive":          mlkittest.TestClassifier(Perceptron{ZeroIsPositive: true}.Fit, "opposite"),
		"batch":                     mlkittest.TestClassifier(Batch{}.Fit),
		"batch, radius":             mlkittest.TestClassifier(Batch{Bias: mlkit.RadiusBias, Rate: 0.25}.Fit),
		"batch, harmonic":           mlkittest.TestClassifier(Batch{Schedule: Harmonic, Rate: 3}.Fit),
		"batch, through the origin": mlkittest.TestClassifier(Batch{Bias: mlkit.NoBias}.Fit, "one-class"),
		"dual":                      mlkittest.TestClassifier(Dual{}.Fit),
		"dual, radius":              mlkittest.TestClassifier(Dual{Bias: mlkit.RadiusBias}.Fit),
		"dual, through the origin":  mlkittest.TestClassifier(Dual{Bias: mlkit.NoBias}.Fit, "one-class"),
		"pocket":                    mlkittest.TestClassifier(Pocket{}.Fit),
		"pocket, no ratchet":        mlkittest.TestClassifier(Pocket{NoRatchet: true}.Fit),
		"pocket, radius":            mlkittest.TestClassifier(Pocket{Bias: mlkit.RadiusBias, Seed: 3}.Fit),
		"voted":                     mlkittest.TestClassifier(voted[0].Fit),
		"voted, radius":             mlkittest.TestClassifier(voted[1].Fit),
		"voted, shuffled":           mlkittest.TestClassifier(voted[2].Fit),
		"averaged":                  mlkittest.TestClassifier(Averaged(voted[0]).Fit),
		"averaged, radius":          mlkittest.TestClassifier(Averaged(voted[1]).Fit),
		"averaged, shuffled":        mlkittest.TestClassifier(Averaged(voted[2]).Fit),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The sequence of weights is on the slide: (0,0), (1,-2), (2,-1), (3,1).
func TestCMU(t *testing.T) {
	X, y := samples.CMU()
	for _, zeroIsPositive := range []bool{false, true} { // no sample distinguishes the two rules
		ws := [][]float64{{0, 0}}
		p := Perceptron{Bias: mlkit.NoBias, ZeroIsPositive: zeroIsPositive, Trace: func(s Step) bool {
			if !slices.Equal(s.Before.W, ws[len(ws)-1]) {
				t.Errorf("step %d: before = %v, want the last %v", s.Step, s.Before.W, ws[len(ws)-1])
			}
			if s.Mistake {
				ws = append(ws, s.After.W)
			}
			return true
		}}
		m := fitted(t, p.Fit, X, y)
		if want := [][]float64{{0, 0}, {1, -2}, {2, -1}, {3, 1}}; !reflect.DeepEqual(ws, want) {
			t.Errorf("weights = %v, want %v", ws, want)
		}
		want := &Model{
			Hyperplane: mlkit.Hyperplane{W: []float64{3, 1}}, Mistakes: 3, Epochs: 2, Steps: 12,
			MistakesPerEpoch: []int{3, 0}, Converged: true,
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("model = %+v, want %+v", m, want)
		}
	}
}

// The seven steps, with the book's values of w(t)ᵀx.
func TestTheodoridis(t *testing.T) {
	X, y := samples.Theodoridis()
	type step struct {
		score   float64
		mistake bool
		w       []float64
		b       float64
	}
	var got []step
	p := Perceptron{StopEarly: true, Trace: func(s Step) bool {
		got = append(got, step{s.Score, s.Mistake, s.After.W, s.After.B})
		return true
	}}
	m := fitted(t, p.Fit, X, y)
	want := []step{
		{0, true, []float64{-1, 0}, 1},
		{1, false, []float64{-1, 0}, 1},
		{1, true, []float64{-1, 1}, 0},
		{-1, false, []float64{-1, 1}, 0},
		{1, false, []float64{-1, 1}, 0},
		{1, false, []float64{-1, 1}, 0},
		{-1, false, []float64{-1, 1}, 0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("steps = %v, want %v", got, want)
	}
	if m.Steps != 7 || m.Mistakes != 2 || !m.Converged || !slices.Equal(m.MistakesPerEpoch, []int{2, 0}) {
		t.Errorf("model = %+v", m)
	}
	late := fitted(t, Perceptron{}.Fit, X, y)
	if late.Steps != 8 || !reflect.DeepEqual(late.Hyperplane, m.Hyperplane) {
		t.Errorf("without StopEarly: %+v, want the same hyperplane after 8 steps", late)
	}
}

// By hand: with "positive iff w·x ≥ 0" the first two points are right at w = 0, and the
// third is the first mistake, so w = (0, 1), b = -1. The first point is then the second
// mistake.
func TestZeroIsPositive(t *testing.T) {
	X, y := samples.Theodoridis()
	var rows []int
	m, err := Perceptron{ZeroIsPositive: true, Trace: func(s Step) bool {
		if s.Mistake {
			rows = append(rows, s.Index)
		}
		return true
	}}.Fit(X, y)
	if err != nil || !slices.Equal(rows, []int{2, 0}) || !slices.Equal(m.W, []float64{-1, 1}) || m.B != 0 || m.Epochs != 3 {
		t.Errorf("mistakes at rows %v, %+v, %v, want rows 2 and 0, w = (-1, 1), b = 0, 3 epochs", rows, m, err)
	}
}

// Computed once in exact fractions by a loop in Python, in row order, from 0, with the
// bias as the weight of a first feature 1.
func TestIris(t *testing.T) {
	X, y := samples.SetosaVersicolor(t)
	m := fitted(t, Perceptron{}.Fit, X, y)
	want := []float64{-1.3, -4.1, 5.2, 2.2}
	for j, w := range m.W {
		if math.Abs(w-want[j]) > 1e-12 {
			t.Errorf("w = %v, want %v", m.W, want)
			break
		}
	}
	if m.B != -1 || m.Mistakes != 5 || m.Epochs != 4 {
		t.Errorf("b = %v with %d mistakes in %d epochs, want -1, 5, 4", m.B, m.Mistakes, m.Epochs)
	}
	q := testkit.Try(NewNovikoff(X, y, m.Hyperplane, mlkit.FreeBias)).Or(t)
	if math.Abs(q.R-9.1913002) > 5e-8 { // from the same program
		t.Errorf("R = %v, want 9.1913002", q.R)
	}
	if q.Bound < 5 {
		t.Errorf("bound %v on 5 mistakes", q.Bound)
	}
}

// Yuille, section 1: a negative sample x is a positive sample -x.
func TestSignsFlipped(t *testing.T) {
	X, y := samples.CMU()
	want := fitted(t, Perceptron{Bias: mlkit.NoBias}.Fit, X, y)
	for i, label := range y {
		x := X.RawRowView(i)
		x[0], x[1], y[i] = float64(label)*x[0], float64(label)*x[1], +1
	}
	got := fitted(t, Perceptron{Bias: mlkit.NoBias}.Fit, X, y)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("flipped: %+v, want %+v", got, want)
	}
}

// Yuille, section 14: b ← b + yK². By hand, for x = (3, 4) positive and (-3, 0)
// negative: K² = 25. After one step w = (3, 4), b = 25. The second sample scores
// -9 + 25 > 0, a mistake: w = (6, 4), b = 0, which separates.
func TestExtendedByRadius(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{3, 4, -3, 0})
	var b []float64
	m, err := Perceptron{Bias: mlkit.RadiusBias, Trace: func(s Step) bool {
		b = append(b, s.After.B)
		return true
	}}.Fit(X, []int{+1, -1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b, []float64{25, 0, 0, 0}) || !slices.Equal(m.W, []float64{6, 4}) {
		t.Errorf("b = %v, w = %v, want [25 0 0 0], [6 4]", b, m.W)
	}
}

// separable returns n samples of both classes in the unit ball of dimension d. A
// hyperplane through the origin separates them with a margin of at least gap.
func separable(random *rand.Rand, n, d int, gap float64) (*mat.Dense, []int) {
	w := make([]float64, d)
	for j := range w {
		w[j] = random.NormFloat64()
	}
	h := mlkit.Hyperplane{W: w}
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := 0; i < n; {
		x := X.RawRowView(i)
		for j := range x {
			x[j] = (2*random.Float64() - 1) / math.Sqrt(float64(d))
		}
		y[i] = h.Predict(x)
		if math.Abs(h.Distance(x)) >= gap && (i > 1 || y[i] == 2*i-1) {
			i++
		}
	}
	return X, y
}

func TestTraceStops(t *testing.T) {
	X, y := samples.CMU()
	m, err := Perceptron{Bias: mlkit.NoBias, Trace: func(s Step) bool { return s.Step < 3 }}.Fit(X, y)
	if err != nil || m.Steps != 3 || m.Mistakes != 2 || m.Converged || !slices.Equal(m.W, []float64{2, -1}) {
		t.Errorf("stopped by Trace: %+v, %v, want 3 steps to (2,-1)", m, err)
	}
	var seen []Epoch
	m, err = Perceptron{Bias: mlkit.NoBias, TraceEpoch: func(e Epoch) bool {
		seen = append(seen, e)
		return false
	}}.Fit(X, y)
	if err != nil || m.Epochs != 1 || m.Converged {
		t.Errorf("stopped by TraceEpoch: %+v, %v, want one epoch", m, err)
	}
	want := []Epoch{{Epoch: 0, Mistakes: 3, Total: 3, Steps: 6, Hyperplane: mlkit.Hyperplane{W: []float64{3, 1}}}}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("epochs = %+v, want %+v", seen, want)
	}
	// Collected steps must not change as the fit continues.
	var steps []Step
	_ = fitted(t, Perceptron{Trace: func(s Step) bool { steps = append(steps, s); return true }}.Fit, X, y)
	for _, s := range steps {
		if s.Score != s.Before.Score(s.X) {
			t.Errorf("step %d: Score = %v, but Before gives %v", s.Step, s.Score, s.Before.Score(s.X))
		}
	}
}

// The hyperplane after the last pass counts as a solution if it separates.
func TestOnePassIsEnough(t *testing.T) {
	X, y := samples.CMU()
	m, err := Perceptron{Bias: mlkit.NoBias, MaxIter: 1}.Fit(X, y)
	if err != nil || !m.Converged || m.Epochs != 1 || m.Steps != 6 {
		t.Errorf("model = %+v, %v, want convergence in one pass", m, err)
	}
}

func TestStart(t *testing.T) {
	X, y := samples.Theodoridis()
	start := mlkit.Hyperplane{W: []float64{-2, 3}, B: 0.5} // separates: scores 2.5, 3.5, -2.5, -1.5
	m, err := Perceptron{Start: &start}.Fit(X, y)
	if err != nil || m.Mistakes != 0 || m.Epochs != 1 || !reflect.DeepEqual(m.Hyperplane, start) {
		t.Errorf("model = %+v, %v, want the start", m, err)
	}
	start.W[0] = 3
	if m.W[0] != -2 {
		t.Error("the model shares W with the start")
	}
}

func TestShuffle(t *testing.T) {
	X, y := separable(rand.New(rand.NewPCG(5, 6)), 80, 4, 0.02)
	order := func(seed uint64) (rows []int) {
		m, err := Perceptron{Shuffle: true, Seed: seed, Trace: func(s Step) bool {
			rows = append(rows, s.Index)
			return true
		}}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		for pass := range slices.Chunk(rows, len(y)) {
			sorted := slices.Sorted(slices.Values(pass))
			for i, v := range sorted {
				if i != v {
					t.Fatalf("seed %d: a pass of %d epochs looks at %v", seed, m.Epochs, sorted)
				}
			}
		}
		return rows
	}
	a := order(1)
	if !slices.Equal(a, order(1)) {
		t.Error("the same seed gave another order")
	}
	if slices.Equal(a[:80], order(2)[:80]) || slices.Equal(a[:80], a[80:160]) {
		t.Error("two seeds or two passes gave the same order")
	}
	fewer := 0
	for seed := range uint64(10) {
		early := fitted(t, Perceptron{Shuffle: true, Seed: seed, StopEarly: true}.Fit, X, y)
		full := fitted(t, Perceptron{Shuffle: true, Seed: seed}.Fit, X, y)
		if early.Steps > full.Steps || !reflect.DeepEqual(early.Hyperplane, full.Hyperplane) {
			t.Errorf("seed %d: StopEarly took %d steps to %v, the whole %d to %v", seed, early.Steps, early.Hyperplane, full.Steps, full.Hyperplane)
		}
		if early.Steps < full.Steps {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("StopEarly never stopped early")
	}
}

// fitted returns what fit learns from X and y, and ends the test if that is an error.
func fitted[M, Y any](t testing.TB, fit func(*mat.Dense, Y) (M, error), X *mat.Dense, y Y) M {
	t.Helper()
	m := testkit.Try(fit(X, y)).Or(t)
	return m
}
