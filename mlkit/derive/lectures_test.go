package derive

import (
	"math"
	"slices"
	"strings"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"

	"gonum.org/v1/gonum/mat"
)

// The examples that Markdown shows have the values computed beforehand.
func TestExamples(t *testing.T) {
	// By hand: Σ⁻¹ = (1 -1; -1 2), w = (2, -2), b = a = -log 3, so the posterior at
	// (1, 0) is σ(2 - log 3) = e²/(e² + 3).
	for i := range 9 {
		shows(t, LDAToLogistic(), i+1, math.Exp(2)/(math.Exp(2)+3))
	}
	// By hand, with Σ₀ = 4Σ₁: at (1, 0) the two forms are (x-m₁)Σ₁⁻¹(x-m₁)ᵀ = 1
	// and (x-m₀)Σ₀⁻¹(x-m₀)ᵀ = 5/4, and ½log(|Σ₀|/|Σ₁|) = ½log 16, so the log-odds
	// are -½ + ⅝ + log 4 - log 3.
	for i := 4; i <= 7; i++ {
		shows(t, UnequalCovariances(), i, 1./8+math.Log(4./3))
	}
	// Theodoridis: XᵀX and Xᵀy match the slide, but the solution does not. The correct
	// one is from numpy.
	q := exampleLeastSquares()
	if got, want := elements(q.gram()), []float64{2.8, 2.24, 4.8, 2.24, 2.41, 4.7, 4.8, 4.7, 10}; !near(got, want, 1e-12) {
		t.Errorf("XᵀX = %v, want the slide's %v", got, want)
	}
	for i := 4; i <= 6; i++ {
		shows(t, NormalEquations(), i, -1.6, 0.1, 0)
	}
	for i := 7; i <= 9; i++ {
		showsWithin(t, 5e-4, NormalEquations(), i, -3.218, 0.241, 1.431)
	}
	// By hand: â = (1, 0), two slacks of 1 at γ = 1, Σ α̂ = 3.
	shows(t, PrimalToDual(), 23, 1)
	shows(t, PrimalToDual(), 27, 2.5)
	shows(t, PrimalToDual(), 28, 2.5)
	// By hand: 1½ + ½ + ½ over three of four points, gradient (2, -1, -1); the step to
	// (-1, 1, ½) corrects all four.
	shows(t, PerceptronAsGradient(), 1, 2.5)
	shows(t, PerceptronAsGradient(), 5, 2, -1, -1)
	shows(t, PerceptronAsGradient(), 9, -1, 1, 0.5)
	// Theodoridis, example 3.2: corrections at steps 1 and 3, w(1) = (-1, 0, 1),
	// w(3) = (-1, 1, 0); with w* = w(3)/√2: w(1)·w* = 1/√2, w(3)·w* = √2.
	shows(t, NovikoffOnARun(), 1, 1/math.Sqrt2, math.Sqrt2)
	shows(t, NovikoffOnARun(), 6, 2, 2)
	shows(t, NovikoffOnARun(), 15, 2)
	shows(t, NovikoffOnARun(), 16, 4)
	// By hand: 3 log 2 - log(1+e⁻²) - log(1+e⁻¹) - log(1+e^½) - ½.
	shows(t, PosteriorToLogisticLoss(), 11,
		3*math.Ln2-math.Log(1+math.Exp(-2))-math.Log(1+math.Exp(-1))-math.Log(1+math.Exp(0.5))-0.5)
}

func shows[Q any](t *testing.T, d Derivation[Q], number int, want ...float64) {
	t.Helper()
	showsWithin(t, 1e-9, d, number, want...)
}

func showsWithin[Q any](t *testing.T, tolerance float64, d Derivation[Q], number int, want ...float64) {
	t.Helper()
	if got := d.Steps[number-1].Value(d.Example()); !near(got, want, tolerance) {
		t.Errorf("%s: step %d is %v, want %v", d.Title, number, got, want)
	}
}

func near(u, v []float64, tolerance float64) bool {
	return slices.EqualFunc(u, v, func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
}

// The draws satisfy their conditions and cover all cases.
func TestDrawSoftMargin(t *testing.T) {
	var free, bound, outside, wrong int
	for i := range 200 {
		q := drawSoftMargin(source(2, i))
		for _, alpha := range [][]float64{q.AlphaHat, q.Dual} {
			var balance float64
			for i, a := range alpha {
				if !(a >= 0 && a <= q.Gamma) {
					t.Fatalf("point %d: α = %v, γ = %v", i, a, q.Gamma)
				}
				balance += a * float64(q.Y[i])
			}
			if math.Abs(balance) > 1e-12 {
				t.Fatalf("point %d: Σ αy = %v", i, balance)
			}
		}
		for i, a := range q.AlphaHat {
			m := q.functional(i, q.AHat, q.BHat)
			switch {
			case a == 0 && m > 1:
				outside++
			case a == q.Gamma && m < 1:
				bound++
				if m < 0 {
					wrong++
				}
			case a > 0 && a < q.Gamma && math.Abs(m-1) < 1e-9:
				free++
			default:
				t.Fatalf("α̂ = %v with margin %v, γ = %v", a, m, q.Gamma)
			}
		}
	}
	if min(free, bound, outside, wrong) < 100 {
		t.Errorf("%d free, %d bound, %d outside, %d misclassified samples, want many of each", free, bound, outside, wrong)
	}
}

// With two of the example's multipliers reduced, the first two samples have slacks but
// multipliers below γ. The problem is not solved, and the second complementary slackness
// condition fails.
func TestNotTheSolution(t *testing.T) {
	q := exampleSoftMargin()
	r := testkit.Try(NewSoftMargin(q.X, q.Y, q.Gamma, []float64{0.4, 0.4, 0, 1, 1}, 0)).Or(t)
	if _, err := PrimalToDual().CheckAt(q); err != nil {
		t.Error(err)
	}
	if _, err := PrimalToDual().CheckAt(r); err == nil || err.(*StepError).Number != 22 {
		t.Errorf("got %v, want step 22 to fail", err)
	}
	const want = "**Step 22 does not hold for these numbers.**"
	if got := PrimalToDual().MarkdownAt(r); !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

// At the minimum the gradients are 0, up to rounding error relative to their terms, and
// the steps still hold.
func TestAtTheMinimum(t *testing.T) {
	q := exampleLeastSquares()
	q.W = q.solve()
	if _, err := NormalEquations().CheckAt(q); err != nil {
		t.Error(err)
	}
	s := exampleSoftMargin()
	s.A, s.B, s.Z, s.Alpha, s.Tau = s.AHat, s.BHat, s.ZHat, s.AlphaHat, s.TauHat
	s.X.Set(0, 0, 1+1e-15)
	if _, err := PrimalToDual().CheckAt(s); err != nil {
		t.Error(err)
	}
}

// If no sample is misclassified, J and its gradient are 0, and w does not move.
func TestNoneWrong(t *testing.T) {
	q := examplePerceptronCost()
	q.W = []float64{-1, 1, 0.5}
	if _, err := PerceptronAsGradient().CheckAt(q); err != nil {
		t.Error(err)
	}
}

// Novikoff's inequalities hold in runs with each of the lectures' biases, in random
// order, and cut short.
func TestPerceptronRuns(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{2, 1, 3, 4, 4, 1, 1, -1, -1, 0.5, 0, -2})
	y := []int{+1, +1, +1, -1, -1, -1}
	m := testkit.Try(perceptron.Perceptron{}.Fit(X, y)).Or(t)
	traced := 0
	for _, p := range []perceptron.Perceptron{
		{}, {Bias: mlkit.RadiusBias}, {Rate: 1, Shuffle: true, Seed: 4}, {MaxIter: 1},
		{Trace: func(perceptron.Step) bool { traced++; return true }},
	} {
		r, err := NewPerceptronRun(p, X, y, m.Hyperplane)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		if _, err := NovikoffOnARun().CheckAt(r); err != nil {
			t.Errorf("%v: %v", p.Bias, err)
		}
		for k, m := range r.Mistakes {
			if want := plus(m.Before, float64(m.Y), m.X); len(m.X) != 3 || !near(m.After, want, 1e-12) {
				t.Errorf("%v: mistake %d: after is %v, want %v", p.Bias, k, m.After, want)
			}
		}
	}
	if traced != m.Steps {
		t.Errorf("the caller's Trace saw %d steps, want %d", traced, m.Steps)
	}
	r, err := NewPerceptronRun(perceptron.Perceptron{}, X, y, m.Hyperplane)
	if err != nil || len(r.Mistakes) != m.Mistakes {
		t.Errorf("%d mistakes, %v, want %d", len(r.Mistakes), err, m.Mistakes)
	}
	if len(r.Mistakes) > shown && !strings.Contains(r.given(), "…") {
		t.Errorf("%d samples are written out", len(r.Mistakes))
	}
}

func TestBadQuantities(t *testing.T) {
	one := mat.NewSymDense(1, []float64{1})
	gaussians := func(x []float64, m0, m1 []float64, s0, s1 *mat.SymDense, p float64) error {
		_, err := NewGaussians(x, [2][]float64{m0, m1}, [2]*mat.SymDense{s0, s1}, p)
		return err
	}
	X := mat.NewDense(2, 1, []float64{1, -1})
	softMargin := func(X *mat.Dense, y []int, gamma float64, alpha []float64) error {
		_, err := NewSoftMargin(X, y, gamma, alpha, 0)
		return err
	}
	run := func(p perceptron.Perceptron, y []int, w float64) error {
		_, err := NewPerceptronRun(p, X, y, mlkit.Hyperplane{W: []float64{w}})
		return err
	}
	v := []float64{1}
	y := []int{+1, -1}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"prior", gaussians(v, v, v, one, one, 1), "derive: p1 = 1, want a probability between 0 and 1"},
		{"mean", gaussians(v, v, nil, one, one, 0.5), "derive: x has 1 elements and m[1] has 0, want equally many, at least one"},
		{"nothing", gaussians(nil, nil, nil, one, one, 0.5), "derive: x has 0 elements and m[0] has 0, want equally many, at least one"},
		{"no covariance", gaussians(v, v, v, nil, one, 0.5), "derive: s[0] is not a 1×1 matrix, want one row for each element of x"},
		{"size", gaussians(v, v, v, one, mat.NewSymDense(2, nil), 0.5), "derive: s[1] is not a 1×1 matrix, want one row for each element of x"},
		{"indefinite", gaussians(v, v, v, one, mat.NewSymDense(1, []float64{-1}), 0.5), "derive: s[1] is not positive definite, want a covariance matrix"},
		{"singular", gaussians([]float64{1, 1}, []float64{1, 1}, []float64{1, 1}, mat.NewSymDense(2, []float64{1, 0, 0, 1e-20}), nil, 0.5),
			"derive: s[0] can't be inverted: matrix singular or near-singular with condition number 1.0000e+20"},
		{"no samples", softMargin(nil, y, 1, nil), "derive: X is nil, want an n×d matrix, one sample a row"},
		{"label", softMargin(X, []int{1, 0}, 1, nil), "derive: y[1] = 0, want -1 or +1; mlkit.Signs converts the labels 0 and 1"},
		{"gamma", softMargin(X, y, 0, nil), "derive: gamma = 0, want a positive number"},
		{"alpha", softMargin(X, y, 1, v), "derive: len(alpha) = 1, want 2, one multiplier for each row of X"},
		{"rate", run(perceptron.Perceptron{Rate: 2}, y, 1), "derive: the perceptron has a Start or a Rate, want neither: Novikoff's theorem starts from 0 in steps of yx"},
		{"start", run(perceptron.Perceptron{Start: &mlkit.Hyperplane{W: v}}, y, 1), "derive: the perceptron has a Start or a Rate, want neither: Novikoff's theorem starts from 0 in steps of yx"},
		{"separates", run(perceptron.Perceptron{}, y, -1), "perceptron: h does not separate X: y[0](w·x + b) = -1 in row 0, want a positive number"},
		{"fit", run(perceptron.Perceptron{MaxIter: -1}, y, 1), "perceptron: Perceptron.MaxIter = -1, want a positive number, or 0 for 1000"},
		{"no mistake", run(perceptron.Perceptron{Bias: mlkit.NoBias, ZeroIsPositive: true, Trace: func(perceptron.Step) bool { return false }}, y, 1),
			"derive: the perceptron made no mistake, want a run with at least one"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
	}
}

// For quantities that do not match, CheckAt returns an error; no step panics.
func TestValid(t *testing.T) {
	at := func(_ Report, err error) error { return err }
	X := mat.NewDense(2, 1, []float64{1, -1})
	wide := mat.NewDense(1, 2, []float64{1, -1})
	y, signs, v := []float64{1, -1}, []int{+1, -1}, []float64{1}
	soft := exampleSoftMargin()
	soft.Tau = v
	onMargin := exampleSoftMargin()
	onMargin.A = []float64{1, 0}
	noSamples, badLabel := exampleSoftMargin(), exampleSoftMargin()
	noSamples.X = nil
	badLabel.Y = signs
	run := examplePerceptronRun()
	run.AHat = v
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"Gaussians", at(LDAToLogistic().CheckAt(Gaussians{X: v})), "derive: the Gaussians are not from NewGaussians, want them made by it: it inverts the covariances"},
		{"no X", at(NormalEquations().CheckAt(LeastSquares{})), "derive: X is nil, want an n×d matrix, one sample a row"},
		{"wide", at(NormalEquations().CheckAt(LeastSquares{X: wide, Y: v, W: y})), "derive: X is 1×2, want at least as many rows as columns"},
		{"targets", at(NormalEquations().CheckAt(LeastSquares{X: X, Y: v, W: v})), "derive: len(Y) = 1, want 2, one number for each row of X"},
		{"weights", at(NormalEquations().CheckAt(LeastSquares{X: X, Y: y, W: y})), "derive: len(W) = 2, want 1, one weight for each column of X"},
		{"multipliers", at(PrimalToDual().CheckAt(soft)), "derive: len(Tau) = 1, want 5, one number for each row of X"},
		{"no samples", at(HingeFromSlacks().CheckAt(noSamples)), "derive: X is nil, want an n×d matrix, one sample a row"},
		{"labels", at(PrimalToDual().CheckAt(badLabel)), "derive: len(y) = 2, want 5, one label for each row of X"},
		{"on the margin", at(HingeFromSlacks().CheckAt(onMargin)), "derive: a row of X is on the margin of A and B, y(x·a + b) = 1, where the hinge loss has no derivative; change A or B a little"},
		{"cost", at(PerceptronAsGradient().CheckAt(PerceptronCost{})), "derive: X is nil, want an n×d matrix, one sample a row"},
		{"cost labels", at(PerceptronAsGradient().CheckAt(PerceptronCost{X: X})), "derive: len(y) = 0, want 2, one label for each row of X"},
		{"cost weights", at(PerceptronAsGradient().CheckAt(PerceptronCost{X: X, Y: signs})), "derive: len(W) = 0, want 1, one weight for each column of X"},
		{"on the hyperplane", at(PerceptronAsGradient().CheckAt(PerceptronCost{X: X, Y: signs, W: []float64{0}, Rho: 1})), "derive: a row of X is on the hyperplane of W, where J has no derivative; change W a little"},
		{"no run", at(NovikoffOnARun().CheckAt(PerceptronRun{})), "derive: the run has no mistakes, want at least one"},
		{"run", at(NovikoffOnARun().CheckAt(run)), "derive: mistake 0 has X, Before, After of lengths 3, 3, 3, want 1, the length of AHat"},
		{"posterior", at(PosteriorToLogisticLoss().CheckAt(LogPosterior{})), "derive: X is nil, want an n×d matrix, one sample a row"},
		{"posterior labels", at(PosteriorToLogisticLoss().CheckAt(LogPosterior{X: X, Y: []int{2, 1}})), "derive: y[0] = 2, want -1 or +1; mlkit.Signs converts the labels 1 and 2"},
		{"deviation", at(PosteriorToLogisticLoss().CheckAt(LogPosterior{X: X, Y: signs})), "derive: S = 0, want a positive standard deviation"},
		{"posterior weights", at(PosteriorToLogisticLoss().CheckAt(LogPosterior{X: X, Y: signs, S: 1})), "derive: len(W) = 0, want 1, one weight for each column of X"},
		{"other weights", at(PosteriorToLogisticLoss().CheckAt(LogPosterior{X: X, Y: signs, S: 1, W: v})), "derive: len(W1) = 0, want 1, one weight for each column of X"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
	}
	if got := LDAToLogistic().MarkdownAt(Gaussians{}); !strings.Contains(got, "NewGaussians") {
		t.Errorf("MarkdownAt is %q", got)
	}
}

// A matrix without full rank has no unique solution to compare with.
func TestRankDeficient(t *testing.T) {
	q := LeastSquares{X: mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1}), Y: []float64{1, 2, 3}, W: []float64{0, 0}}
	if _, err := NormalEquations().CheckAt(q); err == nil || err.(*StepError).Number != 5 {
		t.Errorf("got %v, want step 5 to fail", err)
	}
}

// Large quantities are summarised, not written out.
func TestLargeIsNotWrittenOut(t *testing.T) {
	q := LogPosterior{X: mat.NewDense(50, 1, normal(source(1, 1), 50)), Y: labels(source(1, 2), 50), S: 1, W: []float64{1}, W1: []float64{2}}
	text := PosteriorToLogisticLoss().MarkdownAt(q)
	if !strings.Contains(text, `\text{(a matrix of }50\times1\text{)}`) || !strings.Contains(text, `y=(1,\ -1,`) {
		t.Errorf("got %s", text[:500])
	}
	if !strings.Contains(text, "Every step holds for these numbers.") {
		t.Errorf("no verdict in %s", text)
	}
	if got := tuple([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}); got != `(1,\ 2,\ 3,\ 4,\ 5,\ \dots,\ 13)` {
		t.Errorf("got %s", got)
	}
}
