package feature_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

// EE-559: with the product x_u·x_v a hyperplane solves xor.
func ExampleProducts() {
	xor := datasets.Xor()
	phi, err := feature.NewProducts(2, 1, 0)
	if err != nil {
		log.Fatal(err)
	}
	Z, err := feature.Apply(phi, xor.X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(Z))
	m, err := perceptron.Perceptron{}.Fit(Z, xor.Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(slices.Equal(m.Predictions(nil, Z), xor.Y))
	// Output:
	// ⎡0  0  0⎤
	// ⎢0  1  0⎥
	// ⎢1  0  0⎥
	// ⎣1  1  1⎦
	// true
}

// EE-559: Φ: x ↦ (1, x, x², …, x^D).
func ExamplePolynomial() {
	phi, err := feature.NewPolynomial(1, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(phi.TransformSample(nil, []float64{3}))
	// Output: [1 3 9 27 81]
}

func ExampleStandardize() {
	X := mat.NewDense(3, 2, []float64{1, 7, 2, 7, 3, 7})
	s, err := feature.Standardize{}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", s.TransformSample(nil, []float64{4, 7}))
	// Output: [2.4495 0.0000]
}

func ExampleMinMax() {
	X := mat.NewDense(3, 2, []float64{1, 10, 2, 30, 5, 20})
	m, err := feature.MinMax{Low: -1, High: 1}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(m.Transform(nil, X)))
	// Output:
	// ⎡  -1    -1⎤
	// ⎢-0.5     1⎥
	// ⎣   1     0⎦
}

func ExampleOneHot() {
	Y, err := feature.OneHot([]int{3, 1, 3}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(Y))
	// Output:
	// ⎡0  1⎤
	// ⎢1  0⎥
	// ⎣0  1⎦
}

func TestScalingContract(t *testing.T) {
	for name, fit := range map[string]func(*mat.Dense) (*feature.Scaling, error){
		"Standardize": feature.Standardize{}.Fit, "MinMax": feature.MinMax{Low: -1, High: 1}.Fit,
	} {
		testkit.NoError(t, name, mlkittest.TestMap(fit))
	}
}

// Iris: numbers from StandardScaler and MinMaxScaler((-1, 1)) of scikit-learn 1.9.1.
func TestScalingIris(t *testing.T) {
	iris := datasets.Iris()
	s := testkit.Try(feature.Standardize{}.Fit(iris.X)).Or(t)
	wantNear(t, "means", s.Shift, []float64{5.84333333, 3.05733333, 3.758, 1.19933333})
	wantNear(t, "deviations", s.Units, []float64{0.82530129, 0.43441097, 1.75940407, 0.75969263})
	wantNear(t, "row 0", s.TransformSample(nil, iris.X.RawRowView(0)), []float64{-0.90068117, 1.01900435, -1.34022653, -1.3154443})
	m := testkit.Try(feature.MinMax{Low: -1, High: 1}.Fit(iris.X)).Or(t)
	wantNear(t, "row 0 in [-1, 1]", m.TransformSample(nil, iris.X.RawRowView(0)), []float64{-0.55555556, 0.25, -0.86440678, -0.91666667})
	Z := m.Transform(nil, iris.X)
	if mat.Min(Z) != -1 || mat.Max(Z) != 1 {
		t.Errorf("extremes %v and %v, want -1 and 1", mat.Min(Z), mat.Max(Z))
	}
	for _, s := range []*feature.Scaling{s, m} {
		for _, i := range []int{0, 77, 149} {
			x := iris.X.RawRowView(i)
			for j, v := range s.Inverse(nil, s.TransformSample(nil, x)) {
				if math.Abs(v-x[j]) > 1e-14 {
					t.Errorf("row %d, column %d comes back as %v, want %v", i, j, v, x[j])
				}
			}
		}
	}
}

func wantNear(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for j, w := range want {
		if len(got) != len(want) || math.Abs(got[j]-w) > 5.1e-9*max(1, math.Abs(w)) {
			t.Errorf("%s: got %v, want %v", name, got, want)
			return
		}
	}
}

// Columns whose sums or squares overflow, constant columns, and small differences about
// a large mean.
func TestScalingExtremes(t *testing.T) {
	X := mat.NewDense(2, 4, []float64{-8e307, 0.1, 1e15, 1e-300, 8e307, 0.1, 1e15 + 2, 3e-300})
	s := testkit.Try(feature.Standardize{}.Fit(X)).Or(t)
	wantNear(t, "standardised", s.TransformSample(nil, X.RawRowView(1)), []float64{1, 0, 1, 1})
	m := testkit.Try(feature.MinMax{}.Fit(X)).Or(t)
	if got := m.TransformSample(nil, X.RawRowView(1)); !slices.Equal(got, []float64{1, 0, 1, 1}) {
		t.Errorf("between 0 and 1: %v, want [1 0 1 1]", got)
	}
	wide := mat.NewDense(2, 1, []float64{-1.7e308, 1.7e308})
	for _, fit := range []func(*mat.Dense) (*feature.Scaling, error){feature.Standardize{}.Fit, feature.MinMax{}.Fit} {
		if _, err := fit(wide); err == nil || !strings.HasPrefix(err.Error(), "feature: column 0 of X has a range that overflows") {
			t.Errorf("a range that overflows: %v", err)
		}
	}
	for _, m := range []feature.MinMax{{Low: 1, High: 0}, {Low: math.NaN()}, {Low: math.Inf(-1)}} {
		if _, err := m.Fit(X); err == nil || !strings.HasPrefix(err.Error(), "feature: MinMax{Low:") {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// The order is that of scikit-learn's PolynomialFeatures; its documentation has [1, a,
// b, a², ab, b²] for two numbers and degree 2.
func TestPolynomial(t *testing.T) {
	two := testkit.Try(feature.NewPolynomial(2, 2)).Or(t)
	if got := two.TransformSample(nil, []float64{2, 3}); !slices.Equal(got, []float64{1, 2, 3, 4, 6, 9}) {
		t.Errorf("got %v, want [1 2 3 4 6 9]", got)
	}
	// C(d+D, D) distinct monomials; they have distinct values at the primes.
	for _, c := range []struct{ d, degree, count int }{{1, 0, 1}, {3, 3, 20}, {4, 5, 126}, {6, 2, 28}} {
		p := testkit.Try(feature.NewPolynomial(c.d, c.degree)).Or(t)
		values := p.TransformSample(nil, []float64{2, 3, 5, 7, 11, 13}[:c.d])
		slices.Sort(values)
		if p.Dim() != c.count || len(slices.Compact(values)) != c.count {
			t.Errorf("%d numbers, degree %d: %d monomials, want %d", c.d, c.degree, p.Dim(), c.count)
		}
	}
	for _, c := range [][2]int{{0, 1}, {1, -1}, {100, 6}, {20_000_000, 1}} { // CMU: degree 6, n = 100 is 1.6 billion
		if _, err := feature.NewPolynomial(c[0], c[1]); err == nil {
			t.Errorf("%d numbers, degree %d: no error", c[0], c[1])
		}
	}
}

func TestProducts(t *testing.T) {
	const d = 28 * 28
	p := testkit.Try(feature.NewProducts(d, 5000, 3)).Or(t)
	again, _ := feature.NewProducts(d, 5000, 3)
	other, _ := feature.NewProducts(d, 5000, 4)
	if !reflect.DeepEqual(p, again) || reflect.DeepEqual(p, other) {
		t.Error("the pairs do not follow from the seed")
	}
	seen, uses := map[[2]int]bool{}, make([]float64, d)
	for _, uv := range p.Pairs {
		if uv[0] < 0 || uv[0] >= uv[1] || uv[1] >= d || seen[uv] {
			t.Fatalf("pair %v", uv)
		}
		seen[uv] = true
		uses[uv[0]]++
		uses[uv[1]]++
	}
	// Each column is in 2·5000/784 = 12.76 pairs on average. The number is
	// hypergeometric with variance 12.7. Over 784 columns its mean square deviation is
	// within a fifth of that (four standard deviations).
	square := 0.0
	for _, u := range uses {
		square += (u - 10000.0/d) * (u - 10000.0/d) / d
	}
	if square < 12.7*0.8 || square > 12.7*1.2 {
		t.Errorf("the variance of the uses of a column is %v, want about 12.7", square)
	}
	x := make([]float64, d)
	for j := range x {
		x[j] = float64(j)
	}
	z := p.TransformSample(nil, x)
	for k, uv := range p.Pairs {
		if !slices.Equal(z[:d], x) || z[d+k] != float64(uv[0]*uv[1]) {
			t.Fatalf("feature %d is %v: the features are not x and its products", d+k, z[d+k])
		}
	}
	all, err := feature.NewProducts(5, 10, 1)
	if err != nil || len(all.Pairs) != 10 || slices.IsSortedFunc(all.Pairs, func(a, b [2]int) int { return 5*(a[1]-b[1]) + a[0] - b[0] }) {
		t.Errorf("all pairs of five: %v, %v", all, err)
	}
	for _, c := range [][2]int{{0, 0}, {5, 11}, {5, -1}} {
		if _, err := feature.NewProducts(c[0], c[1], 0); err == nil {
			t.Errorf("%d products of %d: no error", c[1], c[0])
		}
	}
}

// Rings become separable in polar coordinates; in Cartesian coordinates they aren't.
func TestPolar(t *testing.T) {
	rings := datasets.Must(datasets.Rings(1, 100, 0.05))
	Z := testkit.Try(feature.Apply(feature.Polar{}, rings.X)).Or(t)
	if _, err := (perceptron.Perceptron{}).Fit(Z, rings.Y); err != nil {
		t.Errorf("the rings in polar coordinates: %v", err)
	}
	p := feature.Polar{Center: [2]float64{1, 1}}
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{1, 1}, []float64{0, 0}},
		{[]float64{4, 5}, []float64{5, math.Atan2(4, 3)}},
		{[]float64{1, 3}, []float64{2, math.Pi / 2}},
		{[]float64{-1, 1}, []float64{2, math.Pi}},
	} {
		if got := p.TransformSample(nil, c.x); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.x, got, c.want)
		}
	}
	if got := (feature.Polar{}).TransformSample(nil, []float64{-1, math.Copysign(0, -1)}); got[1] != math.Pi {
		t.Errorf("the angle of (-1, -0) is %v, want π", got[1])
	}
}

func TestHistogram(t *testing.T) {
	h := testkit.Try(feature.NewHistogram(8, 4, 0, 1)).Or(t)
	x := []float64{-3, 0, 0.25, 0.3, 0.74, 0.75, 1, math.Inf(1)}
	if got := h.TransformSample(nil, x); !slices.Equal(got, []float64{2 / 8.0, 2 / 8.0, 1 / 8.0, 3 / 8.0}) {
		t.Errorf("got %v", got)
	}
	x[3] = math.NaN()
	if got := h.TransformSample(nil, x); !math.IsNaN(got[0]) || !math.IsNaN(got[3]) {
		t.Errorf("with a NaN: %v", got)
	}
	for _, c := range []struct {
		d, bins   int
		low, high float64
	}{{0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 1}, {1, 1, math.Inf(-1), 1}, {1, 1, 0, math.NaN()}} {
		if _, err := feature.NewHistogram(c.d, c.bins, c.low, c.high); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

func TestOneHot(t *testing.T) {
	Y, err := feature.OneHot([]int{7, -1}, []int{7, 3, -1})
	if err != nil || !mat.Equal(Y, mat.NewDense(2, 3, []float64{1, 0, 0, 0, 0, 1})) {
		t.Errorf("got %v, %v", Y, err)
	}
	if y, err := feature.FromOneHot(Y, []int{7, 3, -1}); err != nil || !slices.Equal(y, []int{7, -1}) {
		t.Errorf("back: %v, %v", y, err)
	}
	for _, c := range []struct {
		y, classes []int
		want       string
	}{
		{nil, nil, "feature: y is empty"},
		{[]int{1, 2}, []int{1}, "feature: y[1] = 2, want one of [1]"},
		{[]int{1}, []int{1, 1}, "feature: classes = [1 1], want"},
		{[]int{1}, []int{}, "feature: classes = [], want"},
	} {
		if _, err := feature.OneHot(c.y, c.classes); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	for _, Y := range []mat.Matrix{nil, mat.NewDense(1, 2, nil)} {
		if _, err := feature.FromOneHot(Y, []int{1}); err == nil {
			t.Error("FromOneHot of a matrix of the wrong size: no error")
		}
	}
}

// Every map reports its sizes correctly and panics on other lengths.
func TestMaps(t *testing.T) {
	scaling := testkit.Try(feature.MinMax{}.Fit(mat.NewDense(2, 2, []float64{0.1, 2, 3, 4}))).Or(t)
	polynomial := testkit.Try(feature.NewPolynomial(2, 3)).Or(t)
	products := testkit.Try(feature.NewProducts(2, 1, 5)).Or(t)
	histogram := testkit.Try(feature.NewHistogram(2, 3, 0, 1)).Or(t)
	hog := testkit.Try(feature.NewHOG(1, 2, 1, 1, 9)).Or(t)
	chain := testkit.Try(feature.NewChain(feature.Polar{}, products, feature.Constant{D: 3})).Or(t)
	for _, m := range []feature.Map{scaling, polynomial, products, histogram, hog, feature.Polar{Center: [2]float64{0.1, 0.2}}, feature.Constant{D: 2}, chain} {
		x := []float64{0.3, 0.7}
		want := m.TransformSample(nil, x)
		if m.Inputs() != 2 || len(want) != m.Dim() {
			t.Errorf("%T: %d numbers to %d, but there are %d", m, m.Inputs(), m.Dim(), len(want))
		}
		if got := m.TransformSample(make([]float64, m.Dim()), x); !slices.Equal(got, want) {
			t.Errorf("%T: %v in a slice of the caller's, want %v", m, got, want)
		}
		testkit.Panics(t, fmt.Sprintf("%T", m), func() { m.TransformSample(nil, x[:1]) }, "feature: ", "want")
		testkit.Panics(t, fmt.Sprintf("%T", m), func() { m.TransformSample(make([]float64, m.Dim()+1), x) }, "feature: ", "want")
	}
	testkit.Panics(t, "a short dst", func() { scaling.Transform(mat.NewDense(1, 2, nil), mat.NewDense(2, 2, nil)) }, "feature: ", "want")
}

// A map of many rows ends with its context; one of a few does not look at it.
func TestApplyContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := feature.ApplyContext(ctx, feature.Constant{D: 1}, mat.NewDense(513, 1, nil)); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "feature: stopped at row 512 of 513") {
		t.Error(err)
	}
	if _, err := feature.ApplyContext(ctx, feature.Constant{D: 1}, mat.NewDense(512, 1, nil)); err != nil {
		t.Error(err)
	}
}
