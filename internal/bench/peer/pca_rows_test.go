//go:build unix

package peer_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/tier"
	"marginalia/mlkit/kernelised"
)

// Linear PCA of the first m rows of scikit-learn's own data sets matches scikit-learn's
// PCA, for all m up to the number of rows (of digits up to 240): the values up to
// rounding, and the components of all rows as far as their eigenvalues determine them.
func TestPCARows(t *testing.T) {
	tier.Peer(t)
	p := start(t)
	for name, most := range map[string]int{"iris": 150, "wine": 178, "diabetes": 442, "breast_cancer": 569, "digits": 240} {
		var sk struct {
			X          [][]float64
			Values     [][]float64 // for the first 2, 3, … rows
			Components [][]float64 // for all rows
		}
		if err := p.solve(map[string]any{"model": "pca_rows", "samples": name, "most": most, "components": 4}, &sk); err != nil {
			t.Fatal(err)
		}
		X := mat.NewDense(len(sk.X), len(sk.X[0]), concat(sk.X))
		n, d := X.Dims()
		for m := 2; m <= n; m++ {
			got, err := kernelised.PCA{Components: 4}.Fit(X.Slice(0, m, 0, d).(*mat.Dense))
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, m, err)
				continue
			}
			for c, want := range sk.Values[m-2] {
				v := 0.0
				if c < len(got.Eigenvalues) {
					v = got.Eigenvalues[c]
				}
				if first := sk.Values[m-2][0]; math.Abs(v-want) > 1e-12*first {
					t.Errorf("%s, %d rows: value %d = %v, want %v", name, m, c, v, want)
				}
			}
			if m < n {
				continue
			}
			Z, values := got.Transform(nil, X), append(sk.Values[m-2], 0)
			for c := range got.Dim() {
				z, want := mat.Col(nil, c, Z), column(sk.Components, c)
				if floats.Dot(z, want) < 0 {
					floats.Scale(-1, want)
				}
				gap := values[c] - values[c+1]
				if c > 0 {
					gap = min(gap, values[c-1]-values[c])
				}
				// Rounding tilts a direction in proportion to λ₁ over the gap. The part
				// it gains from other components is as large as the first one.
				if d := floats.Distance(z, want, math.Inf(1)); gap > 0 && d > 1e-13*size(column(sk.Components, 0))*values[0]/gap {
					t.Errorf("%s: component %d differs by %g of %g", name, c, d, size(want))
				}
			}
		}
	}
}
