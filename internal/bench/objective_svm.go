package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// dualValue is the sum over the machines of ½ Σᵢⱼ αᵢαⱼyᵢyⱼk(xᵢ, xⱼ) - Σ αᵢ, which an
// SVM with a kernel minimises. Multipliers out of [0, C], or with Σ αᵢyᵢ ≠ 0, are an
// error, and so is, for two classes, a bias that does not go with them, and a number of
// predictions that is not that of the test samples.
func dualValue(t task, train, test samples, s solution) (float64, error) {
	if len(s.Labels) != len(test.y) {
		return 0, fmt.Errorf("%d predictions, want %d", len(s.Labels), len(test.y))
	}
	total := 0.0
	for _, m := range s.Machines {
		value, err := m.dual(t.Params, train)
		if err != nil {
			return 0, fmt.Errorf("machine %d/%d: %w", m.Positive, m.Negative, err)
		}
		total += value
	}
	if pairs := countPairs(train.y); len(s.Machines) != pairs {
		return 0, fmt.Errorf("%d machines, want %d", len(s.Machines), pairs)
	}
	return total, nil
}

func countPairs(y []int) int {
	k := len(slices.Compact(slices.Sorted(slices.Values(y))))
	return k * (k - 1) / 2
}

func (m machine) dual(p params, train samples) (float64, error) {
	sum, balance := 0.0, 0.0
	for k, i := range m.Rows {
		if i < 0 || i >= len(train.y) {
			return 0, fmt.Errorf("row %d of %d", i, len(train.y))
		}
		alpha := m.Coef[k]
		if train.y[i] == m.Negative {
			alpha = -alpha
		} else if train.y[i] != m.Positive {
			return 0, fmt.Errorf("row %d is of class %d", i, train.y[i])
		}
		if !(alpha >= -1e-9*p.C && alpha <= p.C*(1+1e-9)) {
			return 0, fmt.Errorf("α = %g of row %d, want 0 to C = %g", alpha, i, p.C)
		}
		sum += alpha
		balance += m.Coef[k]
	}
	if math.Abs(balance) > 1e-9*p.C*float64(len(train.y)) {
		return 0, fmt.Errorf("the sum of αy is %g, want 0", balance)
	}
	support := pick(train.X, m.Rows)
	if countPairs(train.y) > 1 {
		return floats.Dot(m.Coef, expansion(p.Gamma, support, m.Coef, support))/2 - sum, nil
	}
	f := expansion(p.Gamma, support, m.Coef, train.X) // Σ αyk(x, ·), without b
	square, slack := 0.0, 0.0
	for k, i := range m.Rows {
		square += m.Coef[k] * f[i]
	}
	for i, v := range f {
		y := 1.0
		if train.y[i] == m.Negative {
			y = -1
		}
		slack += p.C * max(0, 1-y*(v+m.B))
	}
	// A violation of ε (the stopping rule of Fan, Chen and Lin, "Working set
	// selection using second order information", 2005) leaves a gap of nCε at
	// most; LIBSVM, which has k in single precision, may leave some times that.
	if gap, most := square+slack-sum, 10*p.Tol*p.C*float64(len(train.y)); !(gap <= most) {
		return 0, fmt.Errorf("the duality gap is %g, above %g: b does not go with α", gap, most)
	}
	return square/2 - sum, nil
}

// predictionError is how far the predicted scores are from those of the machine,
// evaluated in float64, over the largest of them. It has to be 0 in effect, so 1
// is added: what is compared is a relative error.
func predictionError(t task, train, test samples, s solution) (float64, error) {
	if n, _ := test.X.Dims(); len(s.Machines) != 1 || len(s.Predicted) != n {
		return 0, fmt.Errorf("%d machines and %d scores, want 1 and %d", len(s.Machines), len(s.Predicted), n)
	}
	m := s.Machines[0]
	f := expansion(t.Params.Gamma, pick(train.X, m.Rows), m.Coef, test.X)
	floats.AddConst(m.B, f)
	largest := max(floats.Max(f), -floats.Min(f))
	return 1 + floats.Distance(f, s.Predicted, math.Inf(1))/largest, nil
}

// pick is the rows of X with the given numbers.
func pick(X *mat.Dense, rows []int) *mat.Dense {
	_, d := X.Dims()
	Z := mat.NewDense(max(1, len(rows)), d, nil)
	for k, i := range rows {
		Z.SetRow(k, X.RawRowView(i))
	}
	return Z
}

// expansion is Σ coef[k] exp(-γ‖zₖ - xᵢ‖²) for every row xᵢ of X, in float64.
func expansion(gamma float64, Z *mat.Dense, coef []float64, X *mat.Dense) []float64 {
	n, _ := X.Dims()
	f := make([]float64, n)
	gaussianBlocks(gamma, X, Z, func(from int, K *mat.Dense) {
		rows, _ := K.Dims()
		for i := range rows {
			f[from+i] = floats.Dot(K.RawRowView(i)[:len(coef)], coef)
		}
	})
	return f
}

// gaussianBlocks calls use with rows from, from+1, … of the matrix exp(-γ‖xᵢ - zⱼ‖²),
// block after block, so that the whole of it is never in memory.
func gaussianBlocks(gamma float64, X, Z *mat.Dense, use func(from int, K *mat.Dense)) {
	n, d := X.Dims()
	m, _ := Z.Dims()
	squares := squaredNorms(Z)
	const block = 256
	K := mat.NewDense(min(block, n), m, nil)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		part := X.Slice(from, to, 0, d).(*mat.Dense)
		K := K.Slice(0, to-from, 0, m).(*mat.Dense)
		K.Mul(part, Z.T())
		own := squaredNorms(part)
		for i := range to - from {
			row := K.RawRowView(i)
			for j, dot := range row {
				row[j] = math.Exp(-gamma * max(0, own[i]+squares[j]-2*dot))
			}
		}
		use(from, K)
	}
}

func squaredNorms(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	s := make([]float64, n)
	for i := range s {
		s[i] = floats.Dot(X.RawRowView(i), X.RawRowView(i))
	}
	return s
}
