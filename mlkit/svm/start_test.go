package svm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// A warm start from the solution converges at once. One from infeasible multipliers leads to the
// same solution as a cold start. TestPath starts at the solution for another C.
func TestLinearStart(t *testing.T) {
	testkit.NoRace(t)
	X, y := irises(t, 1, 2)
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
			c := DualDescent{C: 0.1, Loss: loss, Bias: bias, Tol: 1e-7, MaxIter: 100000}
			cold := testkit.Try(c.Fit(X, y)).Or(t)
			c.Start = cold
			again, err := c.Fit(X, y)
			if err != nil || again.Iterations != 0 {
				t.Errorf("%v, bias %d: %d passes from the solution, %v", loss, bias, again.Iterations, err)
			}
			c.Start = &LinearModel{Hyperplane: mlkit.Hyperplane{W: make([]float64, 4), B: 3}, Alpha: slices.Repeat([]float64{5}, 100)}
			far := testkit.Try(c.Fit(X, y)).Or(t)
			near(t, "primal", far.Primal, cold.Primal, 1e-6)
		}
	}
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
		n := Newton{C: 10, Bias: bias}
		cold := testkit.Try(n.Fit(X, y)).Or(t)
		n.Start = cold
		again, err := n.Fit(X, y)
		if err != nil || again.Iterations != 0 || !slices.Equal(again.W, cold.W) || again.B != cold.B {
			t.Errorf("Newton, bias %d: %d steps from the solution, %v", bias, again.Iterations, err)
		}
	}
}

func TestLinearStartRefused(t *testing.T) {
	X, y := irises(t, 1, 2)
	model := func(d, n int, w, b, alpha float64) *LinearModel {
		return &LinearModel{Hyperplane: mlkit.Hyperplane{W: slices.Repeat([]float64{w}, d), B: b}, Alpha: slices.Repeat([]float64{alpha}, n)}
	}
	for _, c := range []struct {
		start *LinearModel
		say   string
		alone bool // only the multipliers are wrong
	}{
		{model(3, 100, 0, 0, 0), "Start.W has 3 elements, want 4, one for each column of X", false},
		{model(4, 100, math.NaN(), 0, 0), "Start.W[0] = NaN, want a finite number", false},
		{model(4, 100, 0, math.Inf(1), 0), "Start.B = +Inf, want a finite number", false},
		{model(4, 99, 0, 0, 0), "Start.Alpha has 99 multipliers, want 100, one for each row of X", true},
		{model(4, 100, 0, 0, -1), "Start.Alpha[0] = -1, want a finite number of at least 0", true},
	} {
		if _, err := (DualDescent{Start: c.start}).Fit(X, y); err == nil || err.Error() != "svm: DualDescent."+c.say {
			t.Errorf("got %v, want %q", err, c.say)
		}
		if _, err := (Newton{Start: c.start}).Fit(X, y); (err == nil) != c.alone || err != nil && !strings.HasSuffix(err.Error(), c.say) {
			t.Errorf("Newton: got %v, want %q", err, c.say)
		}
	}
}
