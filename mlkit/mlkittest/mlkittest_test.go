package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// means is a model to test the test with: a sample belongs to the nearer of the
// two class means, so its score is w·x + b with w = m₊ - m₋. A fault breaks one
// clause of the contract.
type means struct {
	W     []float64
	B     float64
	Fault string
	X     *mat.Dense     `json:"-"`
	F     func() float64 `json:"-"`
}

var calls int // so that a fault can differ from fit to fit

func fitMeans(fault string) func(X *mat.Dense, y []int) (*means, error) {
	return func(X *mat.Dense, y []int) (*means, error) {
		if err := checkMeans(fault, X, y); err != nil {
			return nil, err
		}
		n, d := X.Dims()
		if fault == "dimension" && d == 1 {
			return nil, errors.New("means: X has 1 column, want 2")
		}
		m := &means{W: make([]float64, d), Fault: fault}
		var counts [2]float64
		for _, label := range y {
			counts[(label+1)/2]++
		}
		stride := X.RawMatrix().Stride
		for i, label := range y {
			x := X.RawRowView(i)
			if fault == "views" && stride != d {
				x = X.RawMatrix().Data[i*d : i*d+d]
			}
			floats.AddScaled(m.W, float64(label)/counts[(label+1)/2], x)
		}
		if fault == "opposite" {
			m.B = 0.5
		}
		switch fault {
		case "separates":
			m.W[0], m.W[d-1] = -m.W[0], -m.W[d-1]
		case "refit":
			calls++
			m.W[0] += float64(calls) / 100
		case "input":
			X.Set(n-1, 0, 0)
		case "no-reference":
			m.X = X
		case "gob":
			m.F = func() float64 { return 0 }
		}
		return m, nil
	}
}

func checkMeans(fault string, X *mat.Dense, y []int) error {
	if fault == "refuse" {
		return nil // and run into whatever there is
	}
	if X == nil || X.IsEmpty() {
		return errors.New("means: X is empty, want samples")
	}
	if n, _ := X.Dims(); len(y) != n {
		return errors.New("means: len(y) is wrong, want one a row")
	}
	seen := map[int]bool{}
	for i, label := range y {
		if label*label != 1 {
			return fmt.Errorf("means: y[%d] = %d, want -1 or +1", i, label)
		}
		seen[label] = true
		for j, v := range X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("means: X[%d][%d] = %v, want a finite number", i, j, v)
			}
		}
	}
	if len(seen) < 2 && fault != "one-class" {
		return errors.New("means: y has one class")
	}
	return nil
}

func (m *means) Score(x []float64) float64 {
	if m.X != nil {
		return floats.Dot(m.W, x) + m.X.At(0, 0)
	}
	return floats.Dot(m.W, x) + m.B
}

func (m *means) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	if dst == nil || m.Fault == "destination" {
		dst = make([]float64, n)
	}
	for i := range dst {
		dst[i] = m.Score(mat.Row(nil, i, X))
		if m.Fault == "batch" && i == 3 {
			dst[i]++
		}
	}
	return dst
}

func (m *means) Predict(x []float64) int {
	if s := m.Score(x); s > 0 || s == 0 && m.Fault != "classes" {
		return 1
	}
	return -1
}

func (m *means) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	if dst == nil {
		dst = make([]int, n)
	}
	for i := range dst {
		dst[i] = m.Predict(mat.Row(nil, i, X))
	}
	return dst
}

// MarshalJSON is where the model of fault "json" loses its weights.
func (m *means) MarshalJSON() ([]byte, error) {
	w := m.W
	if m.Fault == "json" {
		w = []float64{0, 0}
	}
	return fmt.Appendf(nil, `{"W":[%v,%v],"B":%v,"Fault":%q}`, w[0], w[len(w)-1], m.B, m.Fault), nil
}

func TestGoodModel(t *testing.T) {
	if err := TestClassifier(fitMeans("")); err != nil {
		t.Error(err)
	}
}

func TestExceptions(t *testing.T) {
	if err := TestClassifier(fitMeans("one-class"), "one-class"); err != nil {
		t.Error(err)
	}
	if err := TestClassifier(fitMeans(""), "beauty"); err == nil || err.Error() != `mlkittest: no rule of a classifier of two classes is named "beauty"` {
		t.Errorf("err = %v, want an unknown rule", err)
	}
}
