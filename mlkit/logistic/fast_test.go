package logistic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/mlkittest"
)

// The sums by blocks equal those by samples up to their rounding error: the loss, its gradient
// and for two classes its Hessian, for scores from nearly 0 to so large that the loss is nearly 0, and for
// scores beyond the range of exp.
func TestBlocks(t *testing.T) {
	testkit.Set(t, &outerFrom, 1)
	testkit.Set(t, &work.PartLimit, 1) // 200 samples are two parts
	random := rand.New(rand.NewPCG(21, 22))
	for _, n := range []int{1, 15, 16, 63, 64, 65, 200} {
		for _, M := range []int{1, 2, 3, 10, 33} {
			for _, size := range []float64{0.01, 1, 30, 1000} {
				X, y := samples.Clouds(n, 5, max(2, M), 3)
				var v weights // in every other case
				if random.IntN(2) == 0 {
					v = make([]float64, n)
					for i := range v {
						v[i] = math.Exp(random.NormFloat64())
					}
				}
				if M == 1 {
					y = signsOf(y)
				}
				of := Regression{}.loss(labels{y, v, M})
				ctx := context.Background()
				theta := make([]float64, M*5)
				for a := range theta {
					theta[a] = size * random.NormFloat64()
				}
				want, got := make([]float64, M*5), make([]float64, M*5)
				few, many := plain{X, of}.value(ctx, theta, want), blocksOf(X, of).value(ctx, theta, got)
				// Scores are off by some rounding errors of the largest of them. So is
				// the loss, and, as a relative error, so are the probabilities.
				tolerance := 1e-13 * (1 + size)
				total, _ := v.amounts(n)
				if !(math.Abs(many-few) <= tolerance*(few+total*math.Min(1, few))+1e-300) { // exp returns at least e⁻⁷⁰⁸
					t.Errorf("n = %d, M = %d, scores of %v: loss %v, want %v", n, M, size, many, few)
				}
				if !floats.EqualApprox(got, want, tolerance*total) {
					t.Errorf("n = %d, M = %d, scores of %v: gradient %v, want %v", n, M, size, got, want)
				}
				if H := (plain{X, of}).hessian(ctx, theta); M == 1 {
					first := make([]float64, 5)
					loss, got := blocksOf(X, of).both(ctx, theta, first)
					if loss != many || !mat.EqualApprox(got, H, tolerance*total) {
						t.Errorf("n = %d, scores of %v: loss %v and Hessian %v, want %v and %v", n, size, loss, mat.Formatted(got), many, mat.Formatted(H))
					}
					if !floats.EqualApprox(first, want, tolerance*total) {
						t.Errorf("n = %d, scores of %v: gradient %v beside the Hessian, want %v", n, size, first, want)
					}
				}
				if alone := blocksOf(X, of).value(ctx, theta, nil); alone != many {
					t.Errorf("n = %d, M = %d: loss %v without a gradient, %v with it", n, M, alone, many)
				}
			}
		}
	}
}

// By hand: with scores ±40 the loss of a sample is log(1 + e⁻⁴⁰). In float64, 1 + e⁻⁴⁰ is
// 1, so it has to be computed without that sum.
func TestBlocksKeepDigits(t *testing.T) {
	const n = 100
	X, y := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range y {
		y[i] = i % 2
		X.Set(i, 0, float64(2*y[i]-1)*20)
	}
	signs := make([]int, n)
	for i := range y {
		signs[i] = 2*y[i] - 1
	}
	want := n * math.Exp(-40)
	ctx := context.Background()
	if got := blocksOf(X, (Regression{}).loss(labels{signs, nil, 1})).value(ctx, []float64{2}, nil); !(math.Abs(got/want-1) < 1e-12) {
		t.Errorf("two classes: %v, want %v", got, want)
	}
	if got := blocksOf(X, (Regression{}).loss(labels{y, nil, 2})).value(ctx, []float64{-1, 1}, nil); !(math.Abs(got/want-1) < 1e-12) {
		t.Errorf("softmax: %v, want %v", got, want)
	}
}

// A fit that starts on a subsample ends where one that starts at 0 does, in fewer iterations.
// If the subsample has one class alone, its minimum is a worse start than 0 and is not taken.
func TestStartOnSubsample(t *testing.T) {
	const n = 300 * subsampleStride
	for _, alike := range []bool{false, true} {
		X, y := samples.Overlapping(rand.New(rand.NewPCG(23, 24)), n)
		for i := 0; alike && i < n; i += subsampleStride {
			y[i] = +1
		}
		l := Regression{L1: 3, L2: 1, Solver: Newton}
		want := fitted(t, l.Fit, X, y)
		t.Run("", func(t *testing.T) {
			testkit.Set(t, &manyRows, 1)
			testkit.Set(t, &outerFrom, 300)
			got := fitted(t, l.Fit, X, y)
			if g, h := hyperplane(t, got), hyperplane(t, want); !floats.EqualApprox(g.W, h.W, 1e-9) || math.Abs(g.B-h.B) > 1e-9 {
				t.Errorf("one class %v: %v, want %v", alike, g, h)
			}
			if saved := want.Iterations - got.Iterations; alike && saved != 0 || !alike && saved <= 0 {
				t.Errorf("one class %v: %d iterations, and %d from 0", alike, got.Iterations, want.Iterations)
			}
		})
	}
}

// fewer has a fit take 1,000 rows, several blocks, for many, unless the tier long is asked
// for.
func fewer(t *testing.T) { testkit.Set(t, &manyRows, testkit.Size(t, 1000, manyRows)) }

// Fits of many rows have the same bits with any number of processors.
func TestManyRowsBits(t *testing.T) {
	testkit.Set(t, &manyRows, 500)
	testkit.Set(t, &outerFrom, 500)
	testkit.Set(t, &work.PartLimit, 1)
	X, y := samples.Clouds(700, 4, 3, 12)
	two := make([]int, len(y))
	for i, k := range y {
		two[i] = 1 - 2*min(k, 1)
	}
	for _, solver := range []Solver{Newton, LBFGS, CoordinateDescent} {
		l := Regression{L2: 1, Solver: solver}
		if solver == CoordinateDescent {
			l = Regression{L1: 1, Solver: solver}
		}
		if err := mlkittest.TestBits(X, func() (*Model, error) { return l.Fit(X, two) }); err != nil {
			t.Errorf("solver %v: %v", solver, err)
		}
		if err := mlkittest.TestBits(X, func() (*Model, error) { return l.Fit(X, y) }); err != nil {
			t.Errorf("solver %v, classes: %v", solver, err)
		}
	}
}

// L-BFGS that starts with the float32 samples ends at the minimum of the float64 samples.
// MaxIter limits both parts together. A trace changes nothing, and gets the
// objectives of the float64 samples all the way.
func TestLogisticRough(t *testing.T) {
	testkit.Set(t, &roughly, true)
	fewer(t)
	X, y := samples.Clouds(manyRows+21, 6, 2, 9)
	y = signsOf(y)
	for _, tol := range []float64{1e-4, 1e-6} {
		l := Regression{L2: 2, Solver: LBFGS, Tol: tol}
		of := labels{y, nil, 1}
		p, err := newProblem(context.Background(), l, X, of)
		if err != nil || p.exact == nil || p.Z != nil {
			t.Fatalf("%v, with a float32 copy: %v, and others: %v; want the former", err, p.exact != nil, p.Z != nil)
		}
		m := fitted(t, l.Fit, X, y)
		h := hyperplane(t, m)
		// The copy changes the gradient by little compared with the smallest Tol, here at
		// the model's w and a bias of 0.
		at, rough, exact := make([]float64, 7), make([]float64, 7), make([]float64, 7)
		for j, w := range h.W {
			at[j] = w * p.scale[j]
		}
		p.value(at, rough)
		p.sums = p.exact
		p.value(at, exact)
		if off := floats.Distance(rough, exact, math.Inf(1)) / float64(manyRows); !(off > 0 && off < 1e-7) {
			t.Errorf("the gradient over n of the copy is off by %v", off)
		}
		q, err := newProblem(context.Background(), Regression{L2: 2, Solver: LBFGS, Tol: 1e-7}, X, of)
		if err != nil || q.exact != nil {
			t.Fatalf("%v, with a float32 copy: %v, want none", err, q.exact != nil)
		}
		theta, grad := make([]float64, 7), make([]float64, 7)
		for j, w := range h.W {
			theta[j] = w * q.scale[j]
		}
		theta[6] = h.B + floats.Dot(h.W, q.mean)
		loss, objective := q.value(theta, grad)
		// θ was rounded to W and back. A change of its 7 elements, which are below 10, by
		// 10⁻¹⁵ changes the gradient over n by less than 7/4 of that: the columns have
		// variance 1, and the second derivative of the loss is at most ¼.
		if got := floats.Norm(grad, math.Inf(1)) / float64(manyRows); !(got <= tol+1e-14) {
			t.Errorf("Tol = %v: the gradient over n is %v", tol, got)
		}
		if math.Abs(m.Objective/objective-1) > 1e-14 || math.Abs(m.LogLikelihood/loss+1) > 1e-14 {
			t.Errorf("Tol = %v: objective %v and likelihood %v, want %v and %v", tol, m.Objective, m.LogLikelihood, objective, -loss)
		}
		l.Trace = func(s Step) bool {
			at := make([]float64, 7)
			for j, w := range s.W[0] {
				at[j] = w * q.scale[j]
			}
			at[6] = s.B[0] + floats.Dot(s.W[0], q.mean)
			if _, want := q.value(at, nil); math.Abs(s.Objective/want-1) > 1e-13 {
				t.Errorf("Tol = %v: step %d has the objective %v, want %v", tol, s.Iteration, s.Objective, want)
			}
			return true
		}
		traced, err := l.Fit(X, y)
		if err != nil || !reflect.DeepEqual(traced, m) {
			t.Errorf("Tol = %v: %+v, and %+v with a trace: %v", tol, m, traced, err)
		}
		l.Trace = func(s Step) bool { return s.Iteration < 2 }
		stopped, err := l.Fit(X, y)
		if err != nil || stopped.Iterations != 2 || stopped.Converged || math.Abs(stopped.Objective/-stopped.LogLikelihood-1) > 0.1 {
			t.Errorf("Tol = %v, stopped: %+v, %v, want the model after 2 iterations", tol, stopped, err)
		}
		for _, limit := range []int{1, m.Iterations - 1} {
			few, err := Regression{L2: 2, Solver: LBFGS, Tol: tol, MaxIter: limit}.Fit(X, y)
			var e *mlkit.NotConvergedError
			if !errors.As(err, &e) || e.Iterations != limit || few.Iterations != limit || few.Converged || !(e.Residual > tol) {
				t.Errorf("Tol = %v: %+v, %v, want no more than %d iterations", tol, few, err, limit)
			}
		}
	}
}

// Even if float32 were much coarser, the fit would end at the minimum of the float64
// samples.
func TestLogisticVeryRough(t *testing.T) {
	testkit.Set(t, &roughly, true)
	fewer(t)
	X, y := samples.Clouds(manyRows, 6, 2, 9)
	l := Regression{L2: 2, Solver: LBFGS, Tol: 1e-6}
	want := testkit.Try(softmaxOfTwo(l, X, y, nil)).Or(t)
	p := testkit.Try(newProblem(context.Background(), l, X, labels{y, nil, 2})).Or(t)
	for z := p.sums.(blocks[float32]).reader()(0, manyRows); len(z) > 0; z = z[1:] {
		z[0] = float32(math.Round(float64(z[0])*4) / 4)
	}
	far := &state{theta: make([]float64, 2*len(p.l2))}
	if err := p.minimise(far); err != nil || !(math.Abs(far.objective/want.Objective-1) > 1e-5) {
		t.Errorf("%v: the objective of what is rounded is %v, as near to %v as if it were not", err, far.objective, want.Objective)
	}
	run, err := p.run(nil, nil)
	if err != nil || !run.converged || !(math.Abs(run.objective/want.Objective-1) < 1e-9) || run.iterations <= far.iterations {
		t.Errorf("%v: objective %v after %d iterations, %d of them on rough samples; want %v", err, run.objective, run.iterations, far.iterations, want.Objective)
	}
	l.Tol = 1e-7
	if p, err := newProblem(context.Background(), l, X, labels{y, nil, 2}); err != nil || p.exact != nil {
		t.Errorf("Tol = %v: %v, with a float32 copy: %v; want none", l.Tol, err, p.exact != nil)
	}
}

// A constant column, with deviation 0, and one whose elements differ only by rounding
// error get no weight beyond rounding error, as with few rows.
func TestLogisticManyRowsConstant(t *testing.T) {
	fewer(t)
	X, y := samples.Clouds(manyRows, 3, 2, 4)
	for i := range y {
		y[i] = 2*y[i] - 1
		X.Set(i, 0, 0.1)
		X.Set(i, 1, math.Nextafter(7, float64(7+y[i])))
	}
	m, err := Regression{L2: 1}.Fit(X, y)
	if w := hyperplane(t, m).W; err != nil || math.Abs(w[0])+math.Abs(w[1]) > 1e-9 || w[2] == 0 {
		t.Errorf("%v, %v", m, err)
	}
}

// What the comment of Regression says of the fast sums: the same fit with the plain ones has
// the log-likelihood to 10⁻¹² of it, and to 10⁻¹¹ if it began with float32. Of 60,000 samples
// the differences were 1e-14.
func TestFastRounds(t *testing.T) {
	X, classes := samples.Clouds(testkit.Size(t, 2000, 60000), 6, 3, 3)
	for i := range classes {
		if i%7 == 0 {
			classes[i] = (classes[i] + 1) % 3
		}
	}
	for _, c := range []struct {
		l   Regression
		tol float64
	}{
		{Regression{L2: 1, Solver: Newton}, 1e-12}, {Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}, 1e-12}, {Regression{L1: 5, Solver: CoordinateDescent}, 1e-12}, {Regression{L2: 1, Solver: LBFGS}, 1e-11},
	} {
		var models []*Model // plain and fast
		onBothPaths(t, func(t *testing.T) {
			m := fitted(t, c.l.Fit, X, classes)
			models = append(models, m)
		})
		if off := math.Abs(models[0].LogLikelihood/models[1].LogLikelihood - 1); !(off <= c.tol) || len(models) != 2 {
			t.Errorf("%v, Tol %v: log-likelihoods %v and %v", c.l.Solver, c.l.Tol, models[0].LogLikelihood, models[1].LogLikelihood)
		} else {
			t.Logf("%v, Tol %v: apart by %.1e", c.l.Solver, c.l.Tol, off)
		}
		if c.l.L1 == 0 && reflect.DeepEqual(models[0].W, models[1].W) {
			t.Errorf("%v, Tol %v: the same bits, so both are plain", c.l.Solver, c.l.Tol)
		}
	}
}

// The cases logistic and softmax of the comparison with other programs.
func BenchmarkLogistic(b *testing.B) {
	X, y := samples.Clouds(100000, 50, 2, 3)
	y = signsOf(y)
	b.Run("two classes", func(b *testing.B) {
		for b.Loop() {
			m := testkit.Try(Regression{L2: 1, Solver: LBFGS, Tol: 1e-4}.Fit(X, y)).Or(b)
			b.ReportMetric(float64(m.Iterations), "iterations")
		}
	})
	Z, classes := samples.Clouds(20000, 64, 10, 4)
	b.Run("ten classes", func(b *testing.B) {
		for b.Loop() {
			m := testkit.Try(Regression{L2: 1, Solver: LBFGS, Tol: 2e-5}.Fit(Z, classes)).Or(b)
			b.ReportMetric(float64(m.Iterations), "iterations")
		}
	})
}
