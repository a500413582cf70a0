package feature

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

// dims is a foreign map that returns no features, or too many.
type dims struct{ in, out int }

func (d dims) Inputs() int                                { return d.in }
func (d dims) Dim() int                                   { return d.out }
func (d dims) TransformSample(dst, _ []float64) []float64 { return dst }

// Functions that return an error never panic: nil arguments, and sizes that would
// exhaust the memory, are errors.
func TestNastyArguments(t *testing.T) {
	X := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	var nothing *mat.Dense
	plane := mat.NewDense(1, 2, nil)
	square := &Products{D: 2, Pairs: [][2]int{{0, 1}}}
	testkit.Refusals{
		{second(Apply(nil, X)), "feature: the map is nil…"},
		{second(Apply(Constant{D: 3}, nil)), "feature: X is nil, want an n×3 matrix…"},
		{second(Apply(Constant{D: 3}, nothing)), "feature: X is nil, want an n×3 matrix…"},
		{second(Apply(Constant{D: 3}, new(mat.Dense))), "feature: X is 0×0…"},
		{second(Apply(Constant{D: -3}, X)), "feature: Constant.D = -3…"},
		{second(Apply(Constant{D: math.MaxInt}, X)), "feature: Constant.D = 9223372036854775807…"},
		{second(Apply((*Polynomial)(nil), X)), "feature: the Polynomial is nil…"},
		{second(Apply(&Polynomial{D: 3}, X)), "feature: a Polynomial of 3 numbers with 0 monomials…"},
		{second(Apply((*Products)(nil), X)), "feature: the Products are nil…"},
		{second(Apply(&Products{D: -1}, X)), "feature: Products of -1 numbers…"},
		{second(Apply(HOG{}, X)), "feature: HOG of 0×0 pixels…"},
		{second(Apply(Chain(nil), X)), "feature: a chain of no maps…"},
		{second(Apply(Histogram{D: 3, Bins: 1 << 60, High: 1}, X)), "feature: a histogram has 1152921504606846976 bins…"},
		{second(Apply(dims{3, 0}, X)), "feature: 2 rows of 0 features…"},
		{second(Apply(dims{3, 1 << 60}, X)), "feature: 2 rows of 1152921504606846976 features…"},
		{second(Apply(dims{3, -1}, X)), "feature: 2 rows of -1 features…"},
		{second(Apply(&Polynomial{D: 2, Factors: [][]int{nil, {0, 2}}}, plane)), "feature: Polynomial.Factors[1] = [0 2], want columns from 0 to 1"},
		{second(Apply(&Polynomial{D: 2, Factors: [][]int{{-1}}}, plane)), "feature: Polynomial.Factors[0] = [-1], want columns from 0 to 1"},
		{second(Apply(&Products{D: 2, Pairs: [][2]int{{0, 1}, {1, 2}}}, plane)), "feature: Products.Pairs[1] = [1 2], want columns from 0 to 1"},
		{second(Apply(&Products{D: 2, Pairs: [][2]int{{-1, 0}}}, plane)), "feature: Products.Pairs[0] = [-1 0], want columns from 0 to 1"},
		{second(Apply(&Scaling{Shift: []float64{1, 2}, Units: []float64{1}}, plane)), "feature: Scaling has 1 units for 2 shifts, want one of each for each column"},
		{second(Apply(&Scaling{Shift: []float64{0, math.NaN()}, Units: []float64{1, 1}}, plane)), "feature: Scaling.Shift[1] = NaN, want a finite number"},
		{second(Apply(Histogram{D: 2}, plane)), "feature: a histogram of 2 numbers in 0 bins, want at least one of each…"},
		{second(Apply(HOG{Height: 1, Width: 2}, plane)), "feature: HOG of 1×2 pixels with cells of 0 pixels, blocks of 0 cells and 0 bins, want positive numbers, at most 32768"},
		{second(Apply(HOG{Height: 1 << 32, Width: 1 << 32, Cell: 1, Block: 1, Bins: 1}, plane)), "feature: HOG of 4294967296×4294967296 pixels…"},
		{second(Apply(Chain{}, plane)), "feature: a chain of no maps, want at least one"},
		{second(Apply(Chain{Constant{D: 2}, Histogram{D: 3}}, plane)), "feature: a histogram of 3 numbers in 0 bins, want at least one of each, in map 1 of a chain"},
		{second(Apply(Chain{Constant{D: 2}, Constant{D: 2}}, plane)), "feature: map 1 of the chain takes 2 numbers, but map 0 gives 3; want as many…"},
		{second(NewChain(Constant{D: 2}, Constant{D: 2})), "feature: map 1 of the chain takes 2 numbers, but map 0 gives 3…"},
		{second(Apply(Constant{D: 2}, X)), "feature: X is 2×3, want at least one row and 2 columns"},
		{second(Apply(square, mat.NewDense(2, 2, []float64{1, 1, 2, math.NaN()}))), "feature: feature 1 of X[1] = NaN, want a finite number; X[1][1] = NaN…"},
		{second(Apply(square, mat.NewDense(1, 2, []float64{1e200, 1e200}))), "feature: feature 2 of X[0] = +Inf, want a finite number; the numbers in X are too large…"},
		{second(NewChain()), "feature: a chain of no maps…"},
		{second(NewChain(Constant{D: 2}, nil)), "feature: the map is nil, want one such as Constant or Polynomial, in map 1 of a chain"},
		{second(NewHistogram(3, 1<<60, 0, 1)), "feature: a histogram has 1152921504606846976 bins…"},
		{second(NewHistogram(3, -1, 0, 1)), "feature: a histogram of 3 numbers in -1 bins…"},
		{second(NewHistogram(3, 2, math.NaN(), 1)), "feature: a histogram from NaN…"},
		{second(NewHOG(1<<60, 1<<60, 1, 1, 1)), "feature: HOG of 1152921504606846976×1152921504606846976 pixels…"},
		{second(NewHOG(1<<15, 1<<15, 1, 1<<14, 1<<15)), "feature: HOG has 2361471480607067340800 features…"},
		{second(NewHOG(1<<15, 1<<15, 1, 1<<15, 1<<2)), "feature: HOG has 4294967296 features…"},
		{second(NewPolynomial(1<<60, 1)), "feature: monomials of 1152921504606846976 numbers…"},
		{second(NewPolynomial(3, 1<<60)), "feature: the monomials of 3 numbers up to degree 1152921504606846976 are more than…"},
		{second(NewPolynomial(1, 1<<60)), "feature: the monomials of 1 numbers up to degree 1152921504606846976 are more than…"},
		{second(NewPolynomial(-1, -1)), "feature: monomials of -1 numbers…"},
		{second(NewProducts(1<<60, 3, 0)), "feature: products of 1152921504606846976 numbers…"},
		{second(NewProducts(10, 1<<60, 0)), "feature: 1152921504606846976 products…"},
		{second(NewProducts(10, -1, 0)), "feature: -1 products…"},
		{second(OneHot(nil, nil)), "feature: y is empty…"},
		{second(OneHot([]int{1}, []int{2, 2})), "feature: classes = [2 2]…"},
		{second(OneHot(make([]int, 1<<16), slices.Collect(upTo(1<<16)))), "feature: 65536 labels of 65536 classes, want at most 2147483648 numbers in all…"},
		{second(FromOneHot(nil, []int{1})), "feature: Y is nil…"},
		{second(FromOneHot(nothing, []int{1})), "feature: Y is nil…"},
		{second(FromOneHot(X, nil)), "feature: Y is 2×3, want 0 columns…"},
		{second(FromOneHot(mat.NewDense(2, 2, []float64{1, 0, 0, math.NaN()}), []int{1, 2})), "feature: Y[1][1] = NaN, want a number"},
	}.Check(t)
	if Classes(nil) != nil {
		t.Error("no labels have classes")
	}
	// Of -Inf and -Inf, the first is the largest.
	if y, err := FromOneHot(mat.NewDense(1, 2, []float64{math.Inf(-1), math.Inf(-1)}), []int{7, 8}); err != nil || y[0] != 7 {
		t.Errorf("%v, error %v, want 7", y, err)
	}
}

func upTo(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Functions without an error result panic as their doc comments say, with a message.
func TestDocumentedPanics(t *testing.T) {
	bias := Constant{D: 2}
	for want, f := range map[string]func(){
		"feature: len(x) = 1, want 2":   func() { bias.TransformSample(nil, []float64{1}) },
		"feature: len(x) = 0, want 2":   func() { Polar{}.TransformSample(nil, nil) },
		"feature: len(dst) = 1, want 3": func() { bias.TransformSample(make([]float64, 1), []float64{1, 2}) },
		"feature: CountMonomials of degree d = 1152921504606846976 in n = 2 features":                   func() { CountMonomials(2, 1<<60, true) },
		"feature: CountMonomials of degree d = 1152921504606846976 in n = 1152921504606846976 features": func() { CountMonomials(1<<60, 1<<60, false) },
		"feature: CountMonomials of degree d = 9223372036854775807 in n = 9223372036854775807 features": func() { CountMonomials(math.MaxInt, math.MaxInt, false) },
	} {
		testkit.Panics(t, "a documented panic", f, want)
	}
	for _, c := range []struct {
		n, d    int
		ordered bool
		want    int64
	}{
		{0, 3, false, 0}, {-1, 3, true, 0}, {2, -1, false, 0}, {2, -1, true, 0},
		{1, 1 << 60, true, 1}, {1, 1 << 60, false, 1}, // one feature has one monomial
		{2, 1 << 60, false, 1<<60 + 1}, // x₀ᵈ⁻ᵏx₁ᵏ for k from 0 to d
	} {
		if got := CountMonomials(c.n, c.d, c.ordered); got.Int64() != c.want || !got.IsInt64() {
			t.Errorf("CountMonomials(%d, %d, %v) = %v, want %d", c.n, c.d, c.ordered, got, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
