package svm

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

func TestKKT(t *testing.T) {
	X, y := irises(t, 1, 2)
	for name, c := range map[string]Classifier{
		"linear": {Tol: 1e-9}, "rbf": {C: 5, Kernel: kernel.RBF{}, Tol: 1e-9}, "hard": {C: math.Inf(1), Kernel: kernel.RBF{Gamma: 50}, Tol: 1e-9},
		"weighted": {Tol: 1e-9, ClassWeights: map[int]float64{1: 3}},
	} {
		m := testkit.Try(c.Fit(X, y)).Or(t, name)
		r, err := KKT(m, X, y)
		if err != nil {
			t.Fatal(name, err)
		}
		if worst := r.Max(); !(worst.Value < 1e-7) {
			t.Errorf("%s: %+v\n%v", name, worst, r)
		}
	}
}

// Each residual detects a violation of its condition.
func TestKKTNotices(t *testing.T) {
	X, y := irises(t, 1, 2)
	fit := func() *Model {
		m := testkit.Try(Classifier{Tol: 1e-10}.Fit(X, y)).Or(t)
		return m
	}
	free, bound := fit().Free[0], fit().AtBound[0]
	for _, c := range []struct {
		name  string
		spoil func(m *Model)
		row   int
		value float64
	}{
		{"stationarity in w", func(m *Model) { m.W[2] += 0.1 }, -2, 0},
		{"stationarity in b", func(m *Model) { m.Alpha[free] += 0.25 }, -1, 0.25},
		{"multipliers", func(m *Model) { m.Alpha[3] = -0.5 }, 3, 0.5},
		{"stationarity in ξ", func(m *Model) { m.Tau[bound] += 0.125 }, bound, 0.125},
		{"multipliers of ξ", func(m *Model) { m.Tau[7] = -2 }, 7, 2},
		{"slacks", func(m *Model) { m.Slacks[0] = -3 }, 0, 3},
		{"margin", func(m *Model) { m.Slacks[bound] -= 0.5 }, bound, 0.5},
		{"slackness of the margin", func(m *Model) { m.Slacks[bound] += 0.5 }, bound, 0.5},
		{"slackness of ξ", func(m *Model) { m.Tau[bound] = 2; m.Slacks[bound] = 3 }, bound, 6},
	} {
		m := fit()
		c.spoil(m)
		r := testkit.Try(KKT(m, X, y)).Or(t)
		for _, v := range r {
			if v.Name != c.name {
				continue
			}
			if c.row != -2 && (v.Row != c.row || math.Abs(v.Value-c.value) > 1e-8) || v.Value < 1e-2 {
				t.Errorf("%s: %+v, want %v in row %d", c.name, v, c.value, c.row)
			}
			if c.row >= 0 && !strings.Contains(r.String(), "row") {
				t.Errorf("no row in\n%v", r)
			}
		}
	}
	m := fit()
	if _, err := KKT(m, X.Slice(0, 60, 0, 4).(*mat.Dense), y[:60]); err == nil {
		t.Error("60 rows: no error")
	}
	if _, err := KKT(m, X.Slice(0, 100, 0, 3).(*mat.Dense), y); err == nil {
		t.Error("3 columns: no error")
	}
	if _, err := KKT(m, X, y[1:]); err == nil {
		t.Error("99 labels: no error")
	}
}
