package mlkittest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// diagonal has the score Σ (m₊ - m₋)ⱼ(x - m)ⱼ/σⱼ², which no unit or origin of a column
// changes. A fault breaks that.
type diagonal struct {
	W, M  []float64
	Fault string
}

func fitDiagonal(fault string) func(X *mat.Dense, y []int) (diagonal, error) {
	return func(X *mat.Dense, y []int) (diagonal, error) {
		n, d := X.Dims()
		m := diagonal{W: make([]float64, d), M: make([]float64, d), Fault: fault}
		for j := range d {
			m.M[j] = mat.Sum(X.ColView(j)) / float64(n)
			for i := range n {
				m.W[j] += float64(y[i]) * (X.At(i, j) - m.M[j]) / float64(n)
			}
			unit := deviation(X, j)
			switch fault {
			case "Each":
				unit = deviation(X, 0)
			case "Scale":
				unit = 1
			case "tiny":
				unit = max(unit, 1e-100)
			}
			m.W[j] /= unit
			m.W[j] /= unit
		}
		if fault == "refused" && X.At(0, 0) > 1e6 {
			return m, errors.New("fake: X[0][0] is too large, want a smaller one")
		}
		return m, nil
	}
}

func (m diagonal) Score(x []float64) float64 {
	e := make([]float64, len(x))
	floats.SubTo(e, x, m.M)
	if m.Fault == "Offset" {
		return floats.Dot(m.W, x)
	}
	return floats.Dot(m.W, e)
}

func (m diagonal) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _ := X.Dims()
	if dst == nil {
		dst = mat.NewDense(n, 2, nil)
	}
	for i := range n {
		s := m.Score(mat.Row(nil, i, X))
		if math.Abs(X.At(0, 0)) > 100 { // the sign depends on the units
			s = -s
		}
		dst.SetRow(i, []float64{s, -s})
	}
	return dst
}

func TestOfUnits(t *testing.T) {
	all := Units{Offset: 1e12, Scale: 1e140, Each: true} // its squares do not overflow
	if err := TestUnits(fitDiagonal(""), all, 1e-12); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		fault   string
		promise Units
		holds   bool
	}{
		{"Offset", Units{Offset: 10}, false},
		{"Offset", Units{Scale: 1e90, Each: true}, true},
		{"Each", Units{Scale: 2, Each: true}, false},
		{"Each", Units{Offset: 1e12, Scale: 1e90}, true},
		{"Scale", Units{Scale: 2}, false},
		{"Scale", Units{Offset: 1e12}, true},
		{"tiny", Units{Scale: 1e90}, true},
		{"tiny", Units{Scale: 1e110}, false},
		{"refused", Units{Offset: 1e12}, false},
		{"refused", Units{Offset: 1e3}, true},
	} {
		if err := TestUnits(fitDiagonal(c.fault), c.promise, 1e-12); (err == nil) != c.holds {
			t.Errorf("fault %q, promise %+v: %v, want no error: %v", c.fault, c.promise, err, c.holds)
		}
	}
	// Half of the digits are lost next to the square of the offset, which rounding of the
	// samples does not excuse.
	if err := TestUnits(fitLine(""), Units{Offset: 1e6}, 1e-9); err == nil || !strings.Contains(err.Error(), "1e+06 deviations away from 0") {
		t.Errorf("normal equations of columns that are not centred: %v", err)
	}
}
