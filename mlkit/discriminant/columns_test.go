package discriminant

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// withConstants returns X with columns of constants at the given places. Some elements differ
// from the constant by rounding, and those of rows of weight 0 by more.
func withConstants(X *mat.Dense, at []int, weights []float64) *mat.Dense {
	n, d := X.Dims()
	wide := mat.NewDense(n, d+len(at), nil)
	for i := range n {
		from := 0
		for j := range d + len(at) {
			k := slices.Index(at, j)
			if k < 0 {
				wide.Set(i, j, X.At(i, from))
				from++
				continue
			}
			v := []float64{0.1, 0, -1e12}[k%3]
			if i%7 == 3 {
				v = math.Nextafter(v, 2*v)
			}
			if weights != nil && weights[i] == 0 {
				v = float64(i)
			}
			wide.Set(i, j, v)
		}
	}
	return wide
}

// A column that is the same in all samples changes no bit of what LDA and QDA learn from the
// others, and has the covariance and the weight 0. Shrinkage counts only the others. Whatever
// the column is in a new sample, it changes no posterior.
func TestConstantColumns(t *testing.T) {
	X, y := samples.Iris(t)
	_, d := X.Dims()
	weights := make([]float64, len(y))
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	type model interface {
		Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
		Predictions(dst []int, X mat.Matrix) []int
		Discriminants(dst, x []float64) []float64
	}
	for _, at := range [][]int{{0}, {d}, {0, 2, d + 2}, {1, 2, 3, 4, 5, 6}} {
		for _, o := range []mlkit.Options{{}, {Weights: weights}} {
			wide := withConstants(X, at, o.Weights)
			_, D := wide.Dims()
			// narrow returns the elements of a vector or of the rows and columns of a matrix
			// without those of the constant columns, which must be 0.
			narrow := func(v []float64) (kept []float64) {
				for j, x := range v {
					if !slices.Contains(at, j) {
						kept = append(kept, x)
					} else if x != 0 {
						t.Errorf("columns %v: %v in %v, want 0 in a constant column", at, x, v)
					}
				}
				return kept
			}
			rowsOf := func(R [][]float64) [][]float64 {
				narrowed := make([][]float64, len(R))
				for k, row := range R {
					narrowed[k] = narrow(row)
				}
				return narrowed
			}
			square := func(S [][]float64) [][]float64 {
				kept := [][]float64{}
				for j, row := range rowsOf(S) {
					if !slices.Contains(at, j) {
						kept = append(kept, row)
					} else if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
						t.Errorf("columns %v: row %d of a covariance is %v, want 0", at, j, row)
					}
				}
				return kept
			}
			means := func(R [][]float64) (kept [][]float64) {
				for _, row := range R {
					var mean []float64
					for j, v := range row {
						if !slices.Contains(at, j) {
							mean = append(mean, v)
						}
					}
					kept = append(kept, mean)
				}
				return kept
			}
			compare := func(name string, narrowed, want any, m, other model) {
				t.Helper()
				if !reflect.DeepEqual(narrowed, want) {
					t.Errorf("%s, columns %v: %+v, want %+v", name, at, narrowed, want)
				}
				P := m.Posteriors(nil, wide)
				samples.Near(t, name, P.RawMatrix().Data, other.Posteriors(nil, X).RawMatrix().Data, 1e-12)
				if !slices.Equal(m.Predictions(nil, wide), other.Predictions(nil, X)) {
					t.Errorf("%s, columns %v: other labels than without them", name, at)
				}
				odd := mat.DenseCopyOf(wide)
				for i := range len(y) {
					odd.Set(i, at[0], 1e9*float64(i))
				}
				if !mat.Equal(m.Posteriors(nil, odd), P) {
					t.Errorf("%s, columns %v: other numbers in column %d change the posteriors", name, at, at[0])
				}
				x := slices.Clone(wide.RawRowView(0))
				x[at[0]] = math.NaN()
				if g := m.Discriminants(nil, x); !math.IsNaN(g[0]) {
					t.Errorf("%s, columns %v: the discriminants of NaN are %v", name, at, g)
				}
				text, err := json.Marshal(m)
				decoded := reflect.New(reflect.TypeOf(m).Elem()).Interface()
				if err == nil {
					err = json.Unmarshal(text, decoded)
				}
				if err != nil || !reflect.DeepEqual(decoded, m) {
					t.Errorf("%s, columns %v: %v, decoded %+v", name, at, err, decoded)
				}
			}
			for name, a := range map[string]LDA{"LDA": {}, "LDA, shrunk": {Shrinkage: 0.3}, "LDA, Ledoit-Wolf": {LedoitWolf: true}, "LDA, balanced": {Balanced: true, Divisor: MaximumLikelihood}} {
				want := testkit.Try(a.FitWith(o, X, y)).Or(t)
				m := testkit.Try(a.FitWith(o, wide, y)).Or(t)
				samples.Near(t, name+", coordinates", m.Transform(nil, wide).RawMatrix().Data, want.Transform(nil, X).RawMatrix().Data, 1e-11)
				if len(m.Mean) != D || len(m.Means[2]) != D {
					t.Fatalf("%s: the means have %d and %d columns, want %d", name, len(m.Mean), len(m.Means[2]), D)
				}
				n := *m
				n.W, n.Directions, n.Covariance = rowsOf(m.W), rowsOf(m.Directions), square(m.Covariance)
				n.Means, n.Mean = means(m.Means), means([][]float64{m.Mean})[0]
				compare(name, &n, want, m, want)
			}
			for name, a := range map[string]QDA{"QDA": {}, "QDA, shrunk": {Shrinkage: 0.3}, "QDA, balanced": {Balanced: true, Divisor: MaximumLikelihood}} {
				want := testkit.Try(a.FitWith(o, X, y)).Or(t)
				m := testkit.Try(a.FitWith(o, wide, y)).Or(t)
				n := *m
				n.Covariances, n.Whitenings, n.Means = nil, nil, means(m.Means)
				for k := range m.Classes {
					n.Covariances = append(n.Covariances, square(m.Covariances[k]))
					n.Whitenings = append(n.Whitenings, square(m.Whitenings[k]))
				}
				compare(name, &n, want, m, want)
			}
		}
	}
}

// LDA ignores the columns that DiagonalLDA ignores, and QDA those that GaussianNB does: those
// whose deviations are within the rounding of the column, 4·2⁻⁵² of its largest number. If that
// is so within the classes but not between them, all four say that the column does not vary.
func TestConstantIsRounding(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	n, d := X.Dims()
	verdict := func(variance func() float64, err error) string {
		switch {
		case errors.As(err, new(*SingularError)):
			return "singular"
		case err != nil:
			t.Fatal(err)
		case variance() == 0:
			return "ignored"
		}
		return "kept"
	}
	seen := map[string]int{}
	for _, between := range []float64{0, 1} {
		for ulps := range 30 {
			wide := withConstants(X, []int{d}, nil)
			for i := range n {
				steps := float64(i % 2)
				if y[i] > 0 {
					steps += between
				}
				wide.Set(i, d, 1e9+steps*float64(ulps)*0x1p-23) // 2⁻²³ is the distance of 1e9 from the next number
			}
			linear, err := LDA{}.Fit(wide, y)
			lda := verdict(func() float64 { return linear.Covariance[d][d] }, err)
			diagonal, err := DiagonalLDA{}.Fit(wide, y)
			if want := verdict(func() float64 { return diagonal.Variances[d] }, err); lda != want {
				t.Errorf("%d ulps: the column is %s in LDA, %s in DiagonalLDA", ulps, lda, want)
			}
			quadratic, err := QDA{}.Fit(wide, y)
			qda := verdict(func() float64 { return quadratic.Covariances[0][d][d] }, err)
			naive, err := GaussianNB{}.Fit(wide, y)
			if want := verdict(func() float64 { return naive.Variances[0][d] }, err); qda != want {
				t.Errorf("%d ulps: the column is %s in QDA, %s in GaussianNB", ulps, qda, want)
			}
			seen[lda]++
		}
	}
	if len(seen) != 3 {
		t.Errorf("verdicts %v, want all three: the trials test little", seen)
	}
}

// Beside constant columns, errors name the columns as those of X and count only the others.
func TestConstantColumnsRefused(t *testing.T) {
	y := []int{-1, -1, 1, 1}
	same := mat.NewDense(4, 2, []float64{5, 0, 5, 0, 5, 0, 5, 0})
	for _, c := range []struct {
		err  error
		want string
	}{
		{refused(t, LDA{}.Fit, same, y), "discriminant: LDA: all 2 columns of X are constant, want at least one that varies"},
		{refused(t, LDA{Shrinkage: 1}.Fit, same, y), "discriminant: LDA: all 2 columns of X are constant, want at least one that varies"},
		{refused(t, QDA{}.Fit, same, y), "discriminant: QDA: all 2 columns of X are constant, want at least one that varies"},
		{refused(t, QDA{}.Fit, withConstants(mat.NewDense(4, 2, []float64{0, 1, 1, 0, 2, 2, 3, 2}), []int{0}, nil), y), "discriminant: QDA: the covariance of class -1 is singular: a combination of columns 1, 2 of X does not vary, since 2 columns are too many for 1 degrees of freedom; leave columns out or use Shrinkage"},
		{refused(t, LDA{}.Fit, withConstants(mat.NewDense(4, 2, []float64{1, 1, 2, 2, 5, 5, 7, 7}), []int{1}, nil), y), "discriminant: LDA: the covariance within the classes is singular: a combination of columns 0, 2 of X does not vary; leave columns out or use Shrinkage"},
		{refused(t, LDA{}.Fit, withConstants(mat.NewDense(4, 1, []float64{-1e200, 0, 0, 1e200}), []int{0}, nil), y), "discriminant: LDA: the covariance of columns 1 and 1 of X overflows; scale them to smaller numbers"},
		{refused(t, LDA{}.Fit, withConstants(mat.NewDense(4, 1, []float64{0, 1e-160, 2e-160, 3e-160}), []int{0, 1}, nil), y), "discriminant: LDA: the variance of column 2 of X is "},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	// Column 2 varies in class 1 alone.
	X := withConstants(mat.NewDense(6, 2, []float64{0, 4, 1, 4, 3, 4, 5, 4, 6, 5, 8, 7}), []int{0}, nil)
	_, err := QDA{}.Fit(X, []int{-1, -1, -1, 1, 1, 1})
	var e *SingularError
	if !errors.As(err, &e) || !slices.Equal(e.Columns, []int{2}) || !slices.Equal(e.Direction, []float64{0, 0, 1}) {
		t.Errorf("%v, want a SingularError of column 2", err)
	}
}
