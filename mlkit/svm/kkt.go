package svm

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// Residual is the violation of one of the Karush-Kuhn-Tucker conditions by a model.
type Residual struct {
	Name    string  // name of the condition
	Formula string  // the condition
	Value   float64 // the largest violation; 0 if the condition holds
	Row     int     // the row of X with this violation; -1 if none, or for a condition on all rows together
}

// Residuals are the violations of all Karush-Kuhn-Tucker conditions. String formats them
// as a table.
type Residuals []Residual

// Max returns the largest residual.
func (r Residuals) Max() Residual {
	worst := r[0]
	for _, c := range r[1:] {
		if c.Value > worst.Value {
			worst = c
		}
	}
	return worst
}

// String returns a table with one condition per line.
func (r Residuals) String() string {
	var b strings.Builder
	for _, c := range r {
		at := ""
		if c.Row >= 0 && c.Value > 0 {
			at = fmt.Sprintf("  row %d", c.Row)
		}
		pad := strings.Repeat(" ", max(0, 24-len([]rune(c.Formula))))
		fmt.Fprintf(&b, "%-24s %s%s %9.2e%s\n", c.Name, c.Formula, pad, c.Value, at)
	}
	return b.String()
}

// KKT returns the violations of the Karush-Kuhn-Tucker conditions by m, trained on the
// rows of X (n×d) with labels y. They are necessary and sufficient for optimality
// (Theodoridis, conditions 1 to 6 of the non-separable case, 1 to 4 of the separable
// one). KKT evaluates them from X, y and the numbers in m alone, with
// f(x) = Σ αᵢyᵢk(xᵢ, x) + b. Rows of weight 0, whose bound is 0, have no conditions. A model
// with a hard margin does not know the weights, and has conditions on all rows.
//
// It returns an error if X or y is invalid or does not belong to m.
func KKT(m *Model, X *mat.Dense, y []int) (Residuals, error) {
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if len(m.Alpha) == 0 {
		return nil, errors.New("svm: m has no Solution, want a model that Fit has returned, not its Predictor")
	}
	if n != len(m.Alpha) {
		return nil, fmt.Errorf("svm: X has %d rows, want %d, as many as the model was learnt from", n, len(m.Alpha))
	}
	if len(m.Vectors) > 0 && d != len(m.Vectors[0]) {
		return nil, fmt.Errorf("svm: X has %d columns, want %d, as many as the model was learnt from", d, len(m.Vectors[0]))
	}
	in := rows.Present(m.Bounds)
	if in == nil {
		in = make([]int, n)
		for i := range in {
			in[i] = i
		}
	}
	f := expansion(m, X, y)
	balance := 0.0
	for i, a := range m.Alpha {
		balance += a * float64(y[i])
	}
	r := Residuals{
		worst("stationarity in w", "w = Σ αᵢyᵢφ(xᵢ)", in, func(i int) float64 { return math.Abs(m.Score(X.RawRowView(i)) - f[i]) }),
		{"stationarity in b", "Σ αᵢyᵢ = 0", math.Abs(balance), -1},
		worst("multipliers", "αᵢ ≥ 0", in, func(i int) float64 { return -m.Alpha[i] }),
	}
	margin := func(i int) float64 { return float64(y[i]) * f[i] }
	if m.Hard {
		return append(r,
			worst("margin", "yᵢf(xᵢ) ≥ 1", in, func(i int) float64 { return 1 - margin(i) }),
			worst("slackness of the margin", "αᵢ(yᵢf(xᵢ) - 1) = 0", in, func(i int) float64 { return math.Abs(m.Alpha[i] * (margin(i) - 1)) }),
		), nil
	}
	return append(r,
		worst("stationarity in ξ", "αᵢ + τᵢ = Cᵢ", in, func(i int) float64 { return math.Abs(m.Bounds[i] - m.Alpha[i] - m.Tau[i]) }),
		worst("multipliers of ξ", "τᵢ ≥ 0", in, func(i int) float64 { return -m.Tau[i] }),
		worst("slacks", "ξᵢ ≥ 0", in, func(i int) float64 { return -m.Slacks[i] }),
		worst("margin", "yᵢf(xᵢ) ≥ 1 - ξᵢ", in, func(i int) float64 { return 1 - m.Slacks[i] - margin(i) }),
		worst("slackness of the margin", "αᵢ(yᵢf(xᵢ) - 1 + ξᵢ) = 0", in, func(i int) float64 { return math.Abs(m.Alpha[i] * (margin(i) - 1 + m.Slacks[i])) }),
		worst("slackness of ξ", "τᵢξᵢ = 0", in, func(i int) float64 { return math.Abs(m.Tau[i] * m.Slacks[i]) }),
	), nil
}

// expansion returns f(xᵢ) for each row of X from the multipliers.
func expansion(m *Model, X *mat.Dense, y []int) []float64 {
	f := make([]float64, len(y))
	row := make([]float64, len(y))
	for j, a := range m.Alpha {
		if a == 0 {
			continue
		}
		kernel.Row(row, m.Kernel, X.RawRowView(j), X)
		for i, v := range row {
			f[i] += a * float64(y[j]) * v
		}
	}
	for i := range f {
		f[i] += m.B
	}
	return f
}

// worst returns the residual of a condition on each of the rows, which row i violates if
// missed(i) is positive.
func worst(name, formula string, rows []int, missed func(i int) float64) Residual {
	r := Residual{Name: name, Formula: formula, Row: -1}
	for _, i := range rows {
		if v := missed(i); v > r.Value || math.IsNaN(v) {
			r.Value, r.Row = v, i
		}
	}
	return r
}
