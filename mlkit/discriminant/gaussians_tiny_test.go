package discriminant

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"marginalia/mlkit/internal/samples"

	"gonum.org/v1/gonum/mat"
)

// If the variance of a column is too small for float64, the error says so and does not
// claim that the column is constant. A column that really is constant is still named as
// such, at any scale.
func TestTinyVariance(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(43, 44)), 40)
	n, d := X.Dims()
	constant := mat.NewDense(n, d, nil)
	constant.Copy(X)
	for i := range n {
		constant.Set(i, 1, 0.1)
	}
	for _, c := range []struct {
		X        *mat.Dense
		unit     float64
		singular bool
		say      string // "" for no error
	}{
		{X, 1e-150, false, ""},
		{X, 1e-160, false, "of column 0 of X is"},
		{X, 1e-300, false, "of column 0 of X is 0, too small for a float64 to hold its digits, want at least 2.23e-308; scale the column"},
		{constant, 1, true, "column 1 of X does not vary"},
		{constant, 1e-150, true, "column 1 of X does not vary"},
	} {
		var scaled mat.Dense
		scaled.Scale(c.unit, c.X)
		_, lda := LDA{}.Fit(&scaled, y)
		_, qda := QDA{}.Fit(&scaled, y)
		for _, err := range []error{lda, qda} {
			if c.say == "" && err != nil || c.say != "" && (err == nil || !strings.Contains(err.Error(), c.say)) {
				t.Errorf("unit %g: %v, want %q", c.unit, err, c.say)
			}
			if errors.As(err, new(*SingularError)) != c.singular {
				t.Errorf("unit %g: %v is a SingularError: want %v", c.unit, err, c.singular)
			}
		}
	}
}
