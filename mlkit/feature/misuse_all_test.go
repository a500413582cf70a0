package feature

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// Calls every exported function with each of these values for each argument. A nil
// matrix for a method of a model is left out, since that slip shows at once.
func TestMisuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	X := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 9})
	samples := []*mat.Dense{nil, new(mat.Dense), X, mat.NewDense(1, 1, nil), mat.NewDense(4, 2, nil), mat.NewDense(4, 2, slices.Repeat([]float64{nan, 1}, 4)),
		mat.NewDense(4, 2, slices.Repeat([]float64{inf, -inf}, 4)), mat.NewDense(4, 2, slices.Repeat([]float64{math.MaxFloat64, -math.MaxFloat64}, 4)), mat.NewDense(4, 2, slices.Repeat([]float64{5e-324, 0}, 4))}
	labels := [][]int{nil, {}, {1}, {1, 2, 1, 2}, make([]int, 4), {math.MinInt, math.MaxInt, 0, 1}, make([]int, 5)}
	numbers := [][]float64{nil, {}, {1}, {1, 2}, {nan, nan}, {inf, -inf}, {math.MaxFloat64, -math.MaxFloat64}, {1, 2, 3}, make([]float64, 6)}
	counts := []int{0, 1, 2, -1, 10, 1 << 40, 1 << 60, math.MaxInt, math.MinInt}
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }

	histogram := testkit.Try(NewHistogram(2, 3, 0, 1)).Or(t)
	hog := testkit.Try(NewHOG(1, 2, 1, 1, 3)).Or(t)
	polynomial := testkit.Try(NewPolynomial(2, 2)).Or(t)
	products := testkit.Try(NewProducts(2, 1, 0)).Or(t)
	scaling := testkit.Try(Standardize{}.Fit(X)).Or(t)
	pca := testkit.Try(PCA{Components: 1, Whiten: true}.Fit(X)).Or(t)
	maps := map[string][]Map{
		"Constant":   {Constant{D: 2}, Constant{}, Constant{D: -1}, Constant{D: math.MaxInt}},
		"Polar":      {Polar{}, Polar{Center: [2]float64{nan, inf}}},
		"Histogram":  {histogram, Histogram{}},
		"HOG":        {hog, HOG{}},
		"Polynomial": {polynomial, &Polynomial{}},
		"Products":   {products, &Products{}},
		"Scaling":    {scaling, &Scaling{}},
		"PCAModel":   {pca, &PCAModel{}},
		"Chain":      {Chain{Constant{D: 2}, Constant{D: 3}}, Chain{}, nil},
	}
	for name, maps := range maps {
		for _, m := range maps {
			if m != nil {
				add(name+".Inputs", func() { m.Inputs() })
				add(name+".Dim", func() { m.Dim() })
				for _, x := range numbers {
					add(name+".TransformSample", func() { m.TransformSample(nil, x) })
					for _, dst := range numbers {
						add(name+".TransformSample", func() { m.TransformSample(slices.Clone(dst), x) })
					}
				}
			}
			for _, X := range samples {
				add("Apply", func() { _, _ = Apply(m, X) })
				add("Apply", func() { _, _ = Apply(m, nil) })
				for _, ctx := range []context.Context{nil, context.Background()} {
					add("ApplyContext", func() { _, _ = ApplyContext(ctx, m, X) })
				}
			}
			add("NewChain", func() { _, _ = NewChain(m, m) })
		}
	}
	for _, none := range []Map{(*Scaling)(nil), (*Polynomial)(nil), (*Products)(nil), (*PCAModel)(nil)} {
		add("Apply", func() { _, _ = Apply(none, X) })
		add("NewChain", func() { _, _ = NewChain(none) })
	}
	for _, X := range samples {
		add("Standardize.Fit", func() { _, _ = Standardize{}.Fit(X) })
		for _, w := range [][]float64{nil, {}, {1}, {nan}, {0, 0}} {
			o := mlkit.Options{Weights: w}
			add("Standardize.FitWith", func() { _, _ = Standardize{}.FitWith(o, X) })
			add("MinMax.FitWith", func() { _, _ = MinMax{}.FitWith(o, X) })
		}
		add("Standardize.FitMap", func() { _, _ = Standardize{}.FitMap(mlkit.Options{}, X) })
		for _, m := range []MinMax{{}, {Low: 1}, {Low: nan}, {Low: -math.MaxFloat64, High: math.MaxFloat64}} {
			add("MinMax.Fit", func() { _, _ = m.Fit(X) })
			add("MinMax.FitMap", func() { _, _ = m.FitMap(mlkit.Options{}, X) })
		}
		for _, p := range []PCA{{}, {Components: -1}, {Components: math.MaxInt, Whiten: true}} {
			add("PCA.Fit", func() { _, _ = p.Fit(X) })
			for _, ctx := range []context.Context{nil, context.Background()} {
				add("PCA.FitWith", func() { _, _ = p.FitWith(mlkit.Options{Context: ctx}, X) })
				add("PCA.FitMap", func() { _, _ = p.FitMap(mlkit.Options{Context: ctx}, X) })
			}
		}
		for _, y := range labels {
			add("FromOneHot", func() { _, _ = FromOneHot(X, y) })
		}
		if X == nil {
			continue
		}
		for _, dst := range samples {
			add("Scaling.Transform", func() { scaling.Transform(dst, X) })
			add("PCAModel.Transform", func() { pca.Transform(dst, X) })
		}
	}
	for _, x := range numbers {
		for _, dst := range numbers {
			add("Scaling.Inverse", func() { scaling.Inverse(slices.Clone(dst), x) })
			add("PCAModel.Inverse", func() { pca.Inverse(slices.Clone(dst), x) })
		}
	}
	for _, y := range labels {
		add("Classes", func() { Classes(y) })
		for _, classes := range labels {
			add("OneHot", func() { _, _ = OneHot(y, classes) })
		}
	}
	for _, n := range counts {
		for _, m := range counts {
			add("CountMonomials", func() { CountMonomials(n, m, true) })
			add("CountMonomials", func() { CountMonomials(n, m, false) })
			add("NewPolynomial", func() { _, _ = NewPolynomial(n, m) })
			add("NewProducts", func() { _, _ = NewProducts(n, m, 0) })
			for _, high := range []float64{0, 1, -1, nan, inf, math.MaxFloat64} {
				add("NewHistogram", func() { _, _ = NewHistogram(n, m, -high/2, high) })
			}
			for _, k := range counts {
				add("NewHOG", func() { _, _ = NewHOG(n, m, k, 1, 9) })
				add("NewHOG", func() { _, _ = NewHOG(n, m, 1, k, 9) })
				add("NewHOG", func() { _, _ = NewHOG(n, m, 1, 1, k) })
			}
		}
	}
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}
