package discriminant

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"marginalia/mlkit/internal/samples"

	"gonum.org/v1/gonum/mat"
)

// If the variance of a column is too small for float64, the error says so, and the column is
// not taken for constant. A column that really is constant is ignored at any scale.
func TestTinyVariance(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(43, 44)), 40)
	n, d := X.Dims()
	constant := mat.NewDense(n, d, nil)
	constant.Copy(X)
	for i := range n {
		constant.Set(i, 1, 0.1)
	}
	for _, c := range []struct {
		X    *mat.Dense
		unit float64
		say  string // "" for no error
	}{
		{X, 1e-150, ""},
		{X, 1e-160, "of column 0 of X is"},
		{X, 1e-300, "of column 0 of X is 0, too small for a float64 to hold its digits, want at least 2.23e-308; scale the column"},
		{constant, 1, ""},
		{constant, 1e-150, ""},
		{constant, 1e-160, "of column 0 of X is"},
	} {
		var scaled mat.Dense
		scaled.Scale(c.unit, c.X)
		l, lda := LDA{}.Fit(&scaled, y)
		q, qda := QDA{}.Fit(&scaled, y)
		for _, err := range []error{lda, qda} {
			if c.say == "" && err != nil || c.say != "" && (err == nil || !strings.Contains(err.Error(), c.say)) {
				t.Errorf("unit %g: %v, want %q", c.unit, err, c.say)
			}
			if errors.As(err, new(*SingularError)) {
				t.Errorf("unit %g: %v is a SingularError", c.unit, err)
			}
		}
		if c.say != "" || lda != nil || qda != nil {
			continue
		}
		if ignored := c.X == constant; (l.Covariance[1][1] == 0) != ignored || (q.Covariances[0][1][1] == 0) != ignored {
			t.Errorf("unit %g: the variances of column 1 are %v and %v, want 0: %v", c.unit, l.Covariance[1][1], q.Covariances[0][1][1], ignored)
		}
	}
}
