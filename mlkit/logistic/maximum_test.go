package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// touching returns samples of 0s and 1s. Hyperplanes separate all except the first, which
// lies on the border of two classes and is given twice, once with either label. So a
// direction exists along which the likelihood grows for ever, but no hyperplanes have all
// samples on their own sides. The labels are 0 to K-1.
func touching(rnd *rand.Rand, n, d, K int) (*mat.Dense, []int) {
	W, X, y := mat.NewDense(K, d, nil), mat.NewDense(n+1, d, nil), make([]int, n+1)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rnd.IntN(2)))
		}
	}
	X.Set(0, 0, 1)
	X.SetRow(n, X.RawRowView(0))
	for k := range K {
		for j := range d {
			W.Set(k, j, rnd.NormFloat64())
		}
	}
	score := func(k, i int) float64 { return floats.Dot(W.RawRowView(k), X.RawRowView(i)) }
	// The first column makes classes 0 and 1 equal, and above the others, at the first sample.
	for k := range K {
		W.Set(k, 0, W.At(k, 0)-score(k, 0)-float64(min(k, 1))+1)
	}
	W.Set(0, 0, W.At(0, 0)-score(0, 0))
	W.Set(1, 0, W.At(1, 0)-score(1, 0))
	for k := 2; k < K; k++ {
		W.Set(k, 0, W.At(k, 0)-score(k, 0)-0.5)
	}
	for i := 1; i < n; i++ {
		for k := range K {
			if score(k, i) > score(y[i], i) {
				y[i] = k
			}
		}
	}
	y[n] = 1
	for k := range K {
		if !slices.Contains(y, k) {
			return touching(rnd, n, d, K)
		}
	}
	return X, y
}

// signsOf returns -1 for the label 0 and +1 for those above.
func signsOf(y []int) []int {
	signs := make([]int, len(y))
	for i, k := range y {
		signs[i] = 2*min(k, 1) - 1
	}
	return signs
}

// rescaled multiplies each column by a power of ten from 1e-6 to 1e6.
func rescaled(rnd *rand.Rand, X *mat.Dense) {
	n, d := X.Dims()
	for j := range d {
		s := math.Pow(10, float64(rnd.IntN(13)-6))
		for i := range n {
			X.Set(i, j, s*X.At(i, j))
		}
	}
}

// manyOrTwo fits the softmax to two classes or many. Without weights they are nil.
func manyOrTwo(l Regression, X *mat.Dense, y []int, weights []float64) (*Model, error) {
	if slices.Max(y) == 1 {
		return softmaxOfTwo(l, X, y, weights)
	}
	return l.FitWith(mlkit.Options{Weights: weights}, X, y)
}

// If only samples on the border of two classes keep them from being separable, the gradient
// becomes small on the way to infinity. Every solver must see that there is no maximum, and
// prove it.
func TestQuasiSeparable(t *testing.T) {
	testkit.NoRace(t)
	rnd := rand.New(rand.NewPCG(71, 72))
	for _, c := range []struct{ n, d, K int }{{100, 20, 3}, {100, 40, 2}, {80, 15, 5}, {60, 8, 3}, {300, 20, 2}} {
		for draw := range testkit.Size(t, 3, 12) {
			X, y := touching(rnd, c.n, c.d, c.K)
			var weights []float64
			if draw%3 == 1 {
				rescaled(rnd, X)
			}
			if draw%3 == 2 {
				for range y {
					weights = append(weights, math.Exp(3*rnd.NormFloat64()))
				}
			}
			for _, s := range []Solver{ByShape, LBFGS, Newton} {
				m, err := manyOrTwo(Regression{Solver: s}, X, y, weights)
				var e *SeparableError
				if !errors.As(err, &e) || e.Complete || m.Converged {
					t.Errorf("%+v, draw %d, %v: %v, want a SeparableError with samples on the border", c, draw, s, err)
					continue
				}
				checkDirection(t, e, X, y)
				if c.K > 2 {
					continue
				}
				two, err := Regression{Solver: s}.FitWith(mlkit.Options{Weights: weights}, X, signsOf(y))
				if !errors.As(err, &e) || e.Complete || two.Converged {
					t.Errorf("%+v, draw %d, %v, two classes: %v, want a SeparableError with samples on the border", c, draw, s, err)
					continue
				}
				checkDirection(t, e, X, signsOf(y))
			}
		}
	}
}

// One sample makes separable classes overlap: it is minus a combination, with positive
// factors, of the others, each extended by 1 and times its sign. So by Stiemke's theorem the
// likelihood has a maximum, however far out.
func TestBarelyOverlapping(t *testing.T) {
	rnd := rand.New(rand.NewPCG(73, 74))
	for _, c := range []struct{ n, d int }{{20, 3}, {60, 10}, {150, 30}, {12, 8}, {400, 5}} {
		for draw := range testkit.Size(t, 4, 20) {
			X, y := mat.NewDense(c.n+1, c.d, nil), make([]int, c.n+1)
			last, sign := make([]float64, c.d), 0.0
			for i := range c.n {
				x := X.RawRowView(i)
				for j := range x {
					x[j] = rnd.NormFloat64()
				}
				y[i] = 1
				if x[0]+x[1] < 0.3*rnd.Float64() {
					y[i] = -1
				}
				factor := 0.5 + rnd.Float64()
				sign -= factor * float64(y[i])
				floats.AddScaled(last, -factor*float64(y[i]), x)
			}
			y[c.n] = int(math.Copysign(1, sign))
			floats.Scale(1/sign, last)
			X.SetRow(c.n, last)
			if draw%2 == 1 {
				rescaled(rnd, X)
			}
			for _, s := range []Solver{ByShape, LBFGS, Newton} {
				m, err := Regression{Solver: s}.Fit(X, y)
				if err != nil || !m.Converged {
					t.Errorf("%+v, draw %d, %v: %v, want a maximum", c, draw, s, err)
				}
				if _, err := softmaxOfTwo(Regression{Solver: s}, X, y, nil); err != nil {
					t.Errorf("%+v, draw %d, %v, softmax: %v, want a maximum", c, draw, s, err)
				}
			}
		}
	}
}

// nearlyCollinear returns columns that measure three quantities with the given noise, and
// labels 0 to K-1 that depend on the quantities.
func nearlyCollinear(rnd *rand.Rand, n, d, K int, noise float64) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		u := [3]float64{rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64()}
		for j := range d {
			X.Set(i, j, u[j%3]+noise*rnd.NormFloat64())
		}
		best := math.Inf(-1)
		for k := range K {
			// The largest of scores with Gumbel noise has the probabilities of the softmax.
			if s := u[k%3]*float64(1+k/3) - math.Log(-math.Log(rnd.Float64())); s > best {
				best, y[i] = s, k
			}
		}
	}
	return X, y
}

// A fit without an error is as near to the minimum as Tol says, though the gradient is small
// in a valley far above it. The reference is Newton's method with Tol = 1e-9: its objective,
// that of some θ, is never below the minimum.
func TestNearTheMinimum(t *testing.T) {
	testkit.NoRace(t)
	rnd := rand.New(rand.NewPCG(75, 76))
	noises := []float64{1e-1, 1e-3, 1e-5, 1e-7}
	if testkit.IsLong(t) {
		noises = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10}
	}
	for k, noise := range noises {
		for _, c := range []struct{ n, d, K int }{{300, 30, 2}, {150, 12, 3}} {
			X, y := nearlyCollinear(rnd, c.n, c.d, c.K, noise)
			for _, l1 := range []float64{0.1, 1} {
				if noise < 1e-3 {
					continue // takes seconds
				}
				m, err := manyOrTwo(Regression{L1: l1, Solver: CoordinateDescent}, X, y, nil)
				want, _ := manyOrTwo(Regression{L1: l1, Solver: Newton}, X, y, nil)
				checkNear(t, fmt.Sprintf("%+v, noise %v, L1 %v", c, noise, l1), m.Objective, want.Objective, err)
			}
			if k%2 == 1 {
				rescaled(rnd, X)
			}
			for _, l2 := range []float64{0, 1e-6, 1e-3, 1, 1e3} {
				name := fmt.Sprintf("%+v, noise %v, L2 %v", c, noise, l2)
				want, reference := manyOrTwo(Regression{L2: l2, Solver: Newton, Tol: 1e-9}, X, y, nil)
				m, err := manyOrTwo(Regression{L2: l2, Solver: LBFGS}, X, y, nil)
				checkNear(t, name, m.Objective, want.Objective, err)
				if err == nil && !m.Converged {
					t.Errorf("%s: not converged, without an error", name)
				}
				// Without L2 an orthogonal basis of the columns removes the difficulty.
				if l2 == 0 && (err != nil || reference != nil) {
					t.Errorf("%s: %v, %v", name, err, reference)
				}
				if c.K > 2 {
					continue
				}
				two, err := Regression{L2: l2, Solver: LBFGS}.Fit(X, signsOf(y))
				one, _ := Regression{L2: l2, Solver: Newton, Tol: 1e-9}.Fit(X, signsOf(y))
				checkNear(t, name+", two classes", two.Objective, one.Objective, err)
			}
		}
	}
}

// checkNear fails if a fit without an error is more than 1e-6 of it above another objective,
// with some rounding error.
func checkNear(t *testing.T, name string, objective, other float64, err error) {
	t.Helper()
	if err == nil && objective-other > 1e-6*max(1, objective)+1e-12*other {
		t.Errorf("%s: objective %v, with another fit %v", name, objective, other)
	}
}

// The gap bounds the distance to the minimum from above wherever the step comes from, with
// weights and penalties of all kinds. For a Newton step near the minimum it is half the square of
// the decrement, up to third order.
func TestGapBounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(77, 78))
	finite := 0
	for draw := range testkit.Size(t, 200, 1000) {
		n, d, K := 20+rnd.IntN(40), 1+rnd.IntN(4), 2+rnd.IntN(3)
		X, y := samples.Clouds(n, d, K, uint64(draw))
		weights := make([]float64, n)
		for i := range y {
			weights[i] = math.Exp(rnd.NormFloat64())
			if rnd.IntN(4) == 0 {
				y[i] = rnd.IntN(K)
			}
		}
		l := Regression{L1: []float64{0, 0, 0.1, 3}[rnd.IntN(4)], L2: []float64{0, 1e-3, 1, 30}[rnd.IntN(4)], Solver: Newton}
		of := labels{y, weights, K}
		if K == 2 {
			of = labels{signsOf(y), weights, 1}
		}
		p := testkit.Try(newProblem(context.Background(), l, X, of)).Or(t)
		run, cause := p.run(nil, nil)
		if cause != nil {
			continue // separable
		}
		theta, step := slices.Clone(run.theta), make([]float64, len(run.theta))
		for a := range theta {
			theta[a] += 0.1 * rnd.NormFloat64()
			step[a] = run.theta[a] - theta[a] + 0.01*rnd.NormFloat64()*float64(draw%2)
		}
		_, objective := p.value(theta, nil)
		gap, err := p.gap(theta, objective, p.prove(theta, step))
		if err != nil || !(gap >= objective-run.objective-1e-12*objective) {
			t.Errorf("draw %d, %+v: gap %v, but the objective is %v above the minimum, %v", draw, l, gap, objective-run.objective, err)
		}
		if !p.likelihood() && gap < objective {
			finite++
		}
		if l.L1 > 0 {
			continue
		}
		grad := make([]float64, len(theta))
		for a := range theta {
			theta[a] = run.theta[a] + 1e-4*rnd.NormFloat64()
		}
		p.value(theta, grad)
		H := p.hessian(theta)
		step, _ = solve(H, grad, true)
		s := mat.NewVecDense(len(step), step)
		half := mat.Inner(s, H, s) / 2
		if gap, _ := p.gap(theta, math.Inf(1), p.prove(theta, step)); math.Abs(gap-half) > 0.01*half {
			t.Errorf("draw %d, %+v: gap %v, want %v, half the square of the decrement", draw, l, gap, half)
		}
	}
	if finite < 20 {
		t.Errorf("only %d bounds say something", finite)
	}
}

// The bound by the gradient alone holds too, with L2, L1 or both, by the inequality of Cauchy and
// Schwarz or by a pass over a float32 copy, and the latter is less. At the minimum it is enough.
// Where L2 is nearly all of the Hessian, the bound is at most twice the distance, to second order:
// t·Ht in place of its half, and the rest exactly.
func TestGapOfGradient(t *testing.T) {
	rnd := rand.New(rand.NewPCG(79, 80))
	finite := 0
	for draw := range testkit.Size(t, 200, 1000) {
		n, d, K := 20+rnd.IntN(40), 1+rnd.IntN(4), 2+rnd.IntN(3)
		X, y := samples.Clouds(n, d, K, uint64(draw))
		weights := make([]float64, n)
		for i := range y {
			weights[i] = math.Exp(rnd.NormFloat64())
		}
		l := Regression{L2: []float64{1e-3, 1, 30, 1e6}[rnd.IntN(4)], Solver: Newton}
		if draw%3 > 0 {
			l.L1 = 3 * rnd.Float64()
		}
		if draw%3 > 1 {
			l.L2 = 0
		}
		of := labels{y, weights, K}
		if K == 2 {
			of = labels{signsOf(y), weights, 1}
		}
		p := testkit.Try(newProblem(context.Background(), l, X, of)).Or(t)
		run, cause := p.run(nil, nil)
		if cause != nil {
			t.Fatalf("draw %d, %+v: %v", draw, l, cause)
		}
		at := &state{theta: slices.Clone(run.theta), grad: make([]float64, len(run.theta))}
		for a := range at.theta {
			at.theta[a] += math.Pow(10, -float64(draw%4)) * rnd.NormFloat64()
		}
		at.loss, at.objective = p.value(at.theta, at.grad)
		at.scores = p.scoresAt(at.theta)
		e := d + 1
		copied := make([]float32, n*e)
		for k := range copied {
			copied[k] = float32(p.Z.At(k/e, k%e))
		}
		p.rough = blocks[float32]{plain{nil, p.loss}, p.loss, n, e, e, inOrder(copied, e)}
		distance := at.objective - run.objective
		quick, pass := p.gapOfGradient(at, math.MaxFloat64), p.gapOfGradient(at, 0)
		if !(quick >= pass && pass >= distance-1e-12*at.objective) {
			t.Errorf("draw %d, %+v: bounds %v and %v, but the objective is %v above the minimum", draw, l, quick, pass, distance)
		}
		if pass < math.Inf(1) {
			finite++
		}
		run.grad, run.scores = make([]float64, len(run.theta)), p.scoresAt(run.theta)
		p.value(run.theta, run.grad)
		if gap := p.gapOfGradient(run, 0); !(gap <= p.enough(run)) {
			t.Errorf("draw %d, %+v: at the minimum the bound is %v, want at most %v", draw, l, gap, p.enough(run))
		}
		if l.L1 == 0 && l.L2 == 1e6 && draw%4 == 3 && !(pass <= 2.01*distance) {
			t.Errorf("draw %d: the bound is %v, want at most twice %v", draw, pass, distance)
		}
	}
	if finite < 100 {
		t.Errorf("only %d bounds say something", finite)
	}
}

// counted is a context that ends when it is looked at for the given time.
type counted struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func endsAfter(looks int) *counted {
	ctx, cancel := context.WithCancel(context.Background())
	c := &counted{Context: ctx, cancel: cancel}
	c.left.Store(int64(looks))
	return c
}

func (c *counted) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// A context that ends at any stage, the proof included, gives its own error. There is no
// other way to a nil error than the whole fit.
func TestContextAtEachStage(t *testing.T) {
	testkit.NoEmulation(t)
	rnd := rand.New(rand.NewPCG(79, 80))
	quasi, three := touching(rnd, 60, 12, 3)
	near, two := nearlyCollinear(rnd, 100, 12, 2, 1e-4)
	for _, c := range []struct {
		name string
		l    Regression
		X    *mat.Dense
		y    []int
	}{
		{"quasi-separable", Regression{Solver: LBFGS}, quasi, three}, {"quasi-separable", Regression{Solver: Newton}, quasi, three},
		{"nearly collinear", Regression{Solver: LBFGS}, near, two}, {"nearly collinear, L2", Regression{Solver: LBFGS, L2: 1e-6}, near, two},
		{"L2", Regression{Solver: LBFGS, L2: 1}, near, two}, {"L1", Regression{Solver: CoordinateDescent, L1: 0.1}, near, two},
	} {
		whole, wholeErr := c.l.Fit(c.X, c.y)
		for looks := 1; ; looks++ {
			ctx := endsAfter(looks)
			m, err := c.l.FitWith(mlkit.Options{Context: ctx}, c.X, c.y)
			ended := ctx.left.Load() <= 0
			ctx.cancel()
			if !ended {
				if looks < 20 {
					t.Errorf("%s, %v: only %d looks at the context", c.name, c.l.Solver, looks)
				}
				break
			}
			var e *mlkit.NotConvergedError
			switch {
			case errors.Is(err, context.Canceled) && errors.As(err, &e) && !m.Converged:
			case fmt.Sprint(err) == fmt.Sprint(wholeErr) && m.Objective == whole.Objective && m.Iterations == whole.Iterations:
			default:
				t.Errorf("%s, %v: the context ends at look %d: %v, converged %v", c.name, c.l.Solver, looks, err, m.Converged)
			}
			looks += looks / 20
		}
	}
}

// With more than 1000 weights conjugate gradients prove that labels by chance have a maximum,
// and an indicator that is 1 for some samples of one class only shows that there is none.
func TestMaximumOfMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(81, 82))
	n, d := 2500, newtonUpTo/3+10
	X, y := samples.Gaussian(rnd, n, d), make([]int, n)
	for i := range y {
		y[i] = rnd.IntN(3)
	}
	if m, err := (Regression{}).Fit(X, y); err != nil || !m.Converged {
		t.Errorf("%v, want a maximum", err)
	}
	for i := range n {
		X.Set(i, 7, 0)
		if i < 3 {
			X.Set(i, 7, 1)
			y[i] = 1
		}
	}
	_, err := Regression{}.Fit(X, y)
	var e *SeparableError
	if !errors.As(err, &e) || e.Complete {
		t.Fatalf("an indicator: %v, want a SeparableError with samples on the border", err)
	}
	checkDirection(t, e, X, y)
}
