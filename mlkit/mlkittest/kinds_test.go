package mlkittest

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// centres predicts the class of the nearest mean. Its probabilities are the softmax of
// the negative squared distances.
type centres struct {
	Classes []int
	Means   [][]float64
	Fault   string
}

func fitCentres(fault string) func(X *mat.Dense, y []int) (centres, error) {
	return func(X *mat.Dense, y []int) (centres, error) {
		m := centres{Fault: fault}
		if err := checkShape(X, len(y)); err != nil {
			return m, err
		}
		rows := map[int][]int{}
		for i, label := range y {
			rows[label] = append(rows[label], i)
		}
		m.Classes = slices.Sorted(maps.Keys(rows))
		if len(rows) < 2 && fault != "one-class" {
			return m, fmt.Errorf("centres: y has one class, want two or more")
		}
		for _, label := range m.Classes {
			_, d := X.Dims()
			mean := make([]float64, d)
			for _, i := range rows[label] {
				floats.AddScaled(mean, 1/float64(len(rows[label])), X.RawRowView(i))
			}
			m.Means = append(m.Means, mean)
		}
		switch fault {
		case "separates":
			m.Means[0], m.Means[1] = m.Means[1], m.Means[0]
		case "classes":
			slices.Reverse(m.Classes)
			slices.Reverse(m.Means)
		case "labels":
			for i, label := range m.Classes {
				m.Classes[i] = int(int8(label))
			}
		}
		return m, nil
	}
}

func (m centres) Posterior(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(m.Means))
	}
	for k, mean := range m.Means {
		d := floats.Distance(x, mean, 2)
		dst[k] = -d * d
		if m.Fault == "half" {
			dst[k] = d
		}
	}
	floats.AddConst(-floats.LogSumExp(dst), dst)
	for k, l := range dst {
		dst[k] = math.Exp(l)
	}
	if m.Fault == "prob" {
		dst[0] /= 2
	}
	return dst
}

func (m centres) Predict(x []float64) int {
	best, distance := 0, math.Inf(1)
	for k, mean := range m.Means {
		if d := floats.Distance(x, mean, 2); d < distance {
			best, distance = k, d
		}
	}
	return m.Classes[best]
}

func (m centres) Predictions(dst []int, X mat.Matrix) []int { return each(dst, X, m.Predict) }

// line is least squares with a small ridge.
type line struct {
	W []float64
	B float64
}

func fitLine(fault string) func(X *mat.Dense, y []float64) (line, error) {
	return func(X *mat.Dense, y []float64) (line, error) {
		if err := checkShape(X, len(y)); err != nil {
			return line{}, err
		}
		for i, v := range y {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return line{}, fmt.Errorf("line: y[%d] = %v, want a finite number", i, v)
			}
		}
		n, d := X.Dims()
		E := mat.NewDense(n, d+1, nil)
		E.Augment(X, mat.NewDense(n, 1, slices.Repeat([]float64{1}, n)))
		var A mat.Dense
		A.Mul(E.T(), E)
		for j := range d + 1 {
			A.Set(j, j, A.At(j, j)+1e-9)
		}
		var b, w mat.VecDense
		b.MulVec(E.T(), mat.NewVecDense(n, y))
		if err := w.SolveVec(&A, &b); err != nil {
			return line{}, fmt.Errorf("line: %w", err)
		}
		m := line{W: slices.Clone(w.RawVector().Data[:d]), B: w.AtVec(d)}
		switch fault {
		case "learns":
			m.W[0] = 0
		case "constant":
			m.B *= 0.99
		}
		return m, nil
	}
}

func (m line) Score(x []float64) float64 { return floats.Dot(m.W, x) + m.B }

func (m line) Scores(dst []float64, X mat.Matrix) []float64 { return each(dst, X, m.Score) }

// shift moves the first sample to the origin.
type shift struct {
	Origin []float64
	Fault  string
}

func fitShift(fault string) func(X *mat.Dense) (shift, error) {
	return func(X *mat.Dense) (shift, error) {
		if err := checkShape(X, -1); err != nil {
			return shift{}, err
		}
		return shift{Origin: mat.Row(nil, 0, X), Fault: fault}, nil
	}
}

func (m shift) Transform(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	return floats.SubTo(dst, x, m.Origin)
}

func (m shift) TransformAll(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, d := X.Dims()
	if dst == nil {
		dst = mat.NewDense(n, d, nil)
		if m.Fault == "rows" {
			dst = mat.NewDense(n+1, d, nil)
		}
	}
	for i := range n {
		dst.SetRow(i, m.Transform(nil, mat.Row(nil, i, X)))
	}
	return dst
}

// halves divides the samples at the mean of their first column.
type halves struct {
	Labels []int
	D      int
	At     float64
}

func fitHalves(fault string) func(X *mat.Dense) (*halves, error) {
	return func(X *mat.Dense) (*halves, error) {
		if err := checkShape(X, -1); err != nil {
			return nil, err
		}
		n, d := X.Dims()
		m := &halves{D: d, At: mat.Sum(X.ColView(0)) / float64(n)}
		if fault == "groups" {
			m.At += 2
		}
		m.Labels = m.Predictions(nil, X)
		return m, nil
	}
}

func (m *halves) Predict(x []float64) int {
	if len(x) != m.D {
		panic("halves: x has the wrong length")
	}
	if x[0] > m.At {
		return 1
	}
	return 0
}

func (m *halves) Predictions(dst []int, X mat.Matrix) []int { return each(dst, X, m.Predict) }

// checkShape checks X and the length of y; a negative length is not checked.
func checkShape(X *mat.Dense, y int) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("fake: X is empty, want samples")
	}
	n, d := X.Dims()
	if y >= 0 && y != n {
		return fmt.Errorf("fake: len(y) = %d, want %d", y, n)
	}
	for i := range n {
		for j := range d {
			if v := X.At(i, j); !(math.Abs(v) < 1e100) {
				return fmt.Errorf("fake: X[%d][%d] = %v, want a finite number whose square is one", i, j, v)
			}
		}
	}
	return nil
}
