package logistic

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/internal/work"
)

// counting are sums that count their passes over the samples.
type counting struct {
	sums
	passes *int
}

func (c counting) value(ctx work.Ender, theta, grad []float64) float64 {
	*c.passes++
	return c.sums.value(ctx, theta, grad)
}

func (c counting) both(ctx work.Ender, theta, grad []float64) (float64, *mat.SymDense) {
	*c.passes++
	return c.sums.both(ctx, theta, grad)
}

func (c counting) hessian(ctx work.Ender, theta []float64) *mat.SymDense {
	*c.passes++
	return c.sums.hessian(ctx, theta)
}

func (c counting) with(l loss) sums { return counting{c.sums.with(l), c.passes} }

// In large problems of two classes Newton's method passes over the samples once at the start and
// once in each iteration: the gradient proves that it is at the minimum, which is that of the plain
// sums, after as many iterations.
func TestQuickNewton(t *testing.T) {
	X, y := samples.Clouds(2000, 5, 2, 3)
	y = signsOf(y)
	v := make([]float64, len(y))
	for i := range y {
		if v[i] = 1 + float64(i%3); i%9 == 0 {
			y[i] = -y[i]
		}
	}
	for _, l := range []Regression{{L1: 5}, {L1: 60}, {L2: 1}, {L1: 5, L2: 1}} {
		l.Solver = Newton
		for _, v := range [][]float64{nil, v} {
			want, cause := testkit.Try(newProblem(context.Background(), l, X, labels{y, v, 1})).Or(t).run(nil, nil)
			var run *state
			var err error
			passes := 0
			t.Run("large", func(t *testing.T) {
				testkit.Set(t, &manyRows, 1)
				testkit.Set(t, &outerFrom, 1)
				p := testkit.Try(newProblem(context.Background(), l, X, labels{y, v, 1})).Or(t)
				p.sums = counting{p.sums, &passes}
				run, err = p.run(nil, nil)
			})
			if cause != nil || err != nil || !run.converged || math.Abs(run.objective/want.objective-1) > 1e-13 {
				t.Errorf("%+v: objective %v, want %v; %v, %v", l, run.objective, want.objective, err, cause)
			}
			if passes != run.iterations+1 {
				t.Errorf("%+v: %d passes in %d iterations", l, passes, run.iterations)
			}
		}
	}
}
