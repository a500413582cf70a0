//go:build unix

package peer_test

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/pipeline"
)

var featureModels = []model{
	{"scaling", compareScaling, []rule{
		{"standardised", 1e-13, "in units of the largest number over its column's deviation: what subtracting the mean cancels"},
		{"minmax", 1e-13, "in the same units"},
	}},
	{"polynomial", comparePolynomial, []rule{
		{"features", 1e-14, "products of at most four numbers, each relative to itself"},
	}},
	{"pca", comparePCA, []rule{
		{"variances", 1e-14, "relative to the largest, times what subtracting the means cancels"},
		{"projected", 1e-14, "of samples to the span of the components whose variances are apart from the next, in units of the largest number, times the largest variance over that gap"},
	}},
	{"knn", compareKNN, []rule{
		{"shares", 1e-15, "counts over k, of the samples that no tie makes ambiguous"},
		{"decisions", 0, "equal, of those samples whose votes do not tie either"},
	}},
	{"pipeline", comparePipeline, []rule{
		{"held", 1e-12, "predictions of held-out samples, which a ridge of 0.1 or more keeps well-conditioned"},
	}},
}

func compareScaling(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	Z := t.others(X, 10)
	standard := must.Get(feature.Standardize{}.Fit(X)).Or(t)
	low := 3 * t.NormFloat64()
	high := low + 5*t.Float64() + 0.1
	minmax := must.Get(feature.MinMax{Low: low, High: high}.Fit(X)).Or(t)
	var sk struct{ Standardised, Minmax [][]float64 }
	t.ask(map[string]any{"X": rows(X), "Z": rows(Z), "low": low, "high": high}, &sk)
	cancelled := 1.0
	for j := range d {
		c := append(mat.Col(nil, j, X), mat.Col(nil, j, Z)...)
		if s := deviation(c) - 1e-3; s > 1e-9*size(c) {
			cancelled = max(cancelled, size(c)/s)
		}
	}
	t.near("standardised", flat(standard.Transform(nil, Z)), concat(sk.Standardised), cancelled)
	t.near("minmax", flat(minmax.Transform(nil, Z)), concat(sk.Minmax), cancelled*(math.Abs(low)+math.Abs(high)))
}

// comparePCA compares the first K components by what they leave of other samples, which does
// not depend on which of two directions with equal variances comes first.
func comparePCA(t *trial) {
	n, d := t.size()
	if t.IntN(3) == 0 {
		n = 2 + t.IntN(d+1) // as few as the columns, or fewer
	}
	X := t.samples(n, d)
	Z := t.others(X, 10)
	m, err := feature.PCA{}.Fit(X)
	if err != nil && strings.Contains(err.Error(), "the rows of X are the same") {
		t.explain("equal samples: refused, where scikit-learn finds variances of 0")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var sk struct {
		Variances []float64
		Projected [][][]float64 // on the first component, the first two, …
	}
	t.ask(map[string]any{"X": rows(X), "Z": rows(Z)}, &sk)
	// scikit-learn has min(n, d) components; those that mlkit has not are rounding.
	variances := append(slices.Clone(m.Variances), make([]float64, len(sk.Variances)-m.Dim())...)
	first := sk.Variances[0]
	cancelled := 1 + math.Pow(size(flat(X)), 2)/first
	t.near("variances", variances, sk.Variances, cancelled*first)
	variances = append(variances, 0)
	for K := 1; K <= m.Dim(); K++ {
		gap := variances[K-1] - variances[K]
		if gap < 1e-9*cancelled*first {
			continue
		}
		part := *m
		part.Directions, part.Variances, part.Explained = m.Directions[:K], m.Variances[:K], m.Explained[:K]
		var got []float64
		for i := range 10 {
			got = append(got, part.Inverse(nil, part.TransformSample(nil, Z.RawRowView(i)))...)
		}
		t.near("projected", got, concat(sk.Projected[K-1]), (size(flat(Z))+size(flat(X)))*cancelled*first/gap)
	}
}

// comparePolynomial relies on both libraries listing the monomials in the same order.
func comparePolynomial(t *trial) {
	n, d := 1+t.IntN(10), 1+t.IntN(5)
	X := t.samples(n, d)
	degree := 1 + t.IntN(4)
	p := must.Get(feature.NewPolynomial(d, degree)).Or(t)
	F := must.Get(feature.Apply(p, X)).Or(t)
	var sk struct{ Features [][]float64 }
	t.ask(map[string]any{"X": rows(X), "degree": degree}, &sk)
	got, want := flat(F), concat(sk.Features)
	if len(got) == len(want) {
		for i, w := range want { // relative error
			if w != 0 {
				got[i], want[i] = got[i]/w, 1
			}
		}
	}
	t.near("features", got, want, 1)
}

// compareKNN leaves out samples whose k-th and next neighbour are equally far: which of
// the two votes is then a convention.
func compareKNN(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.classes(X, 2+t.IntN(3))
	if t.IntN(3) == 0 {
		X.Apply(func(_, _ int, x float64) float64 { return math.Round(x) }, X)
	}
	k := 1 + t.IntN(n)
	m := must.Get(neighbors.KNN{K: k}.Fit(X, y)).Or(t)
	all := t.others(X, 20)
	var clear []float64
	ties := 0
	for i := range 20 {
		z := all.RawRowView(i)
		distances := make([]float64, n)
		for r := range n {
			distances[r] = floats.Distance(z, X.RawRowView(r), 2)
		}
		slices.Sort(distances)
		if k < n && distances[k]-distances[k-1] <= 1e-7*distances[k] {
			ties++
			continue
		}
		clear = append(clear, z...)
	}
	if ties > 0 {
		t.explain("%d of 20 samples have a tie for the last vote: mlkit takes the lower row, scikit-learn says that it depends on the order", ties)
	}
	if len(clear) == 0 {
		return
	}
	Z := mat.NewDense(len(clear)/d, d, clear)
	var sk struct {
		Shares    [][]float64
		Decisions []int
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "k": k}, &sk)
	shares := make([][]float64, len(sk.Shares))
	for i := range shares {
		shares[i] = m.Posterior(nil, Z.RawRowView(i))
	}
	t.near("shares", concat(shares), concat(sk.Shares), 1)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Shares, 1e-9))
}

// comparePipeline cross-validates scaling, monomials and a ridge as one: no fold may learn from
// the rows it is tested on, in either library.
func comparePipeline(t *trial) {
	n, d := 8+t.IntN(30), 1+t.IntN(4)
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range y {
		for j := range d {
			X.Set(i, j, float64(10*j)+math.Pow(10, float64(j))*t.NormFloat64())
		}
		y[i] = X.At(i, 0)*X.At(i, d-1) + t.NormFloat64()
	}
	folds := must.Get(eval.KFold{K: 2 + t.IntN(5), Shuffle: true, Seed: t.Uint64()}.Folds(n)).Or(t)
	degree, lambda := 1+t.IntN(3), 0.1+3*t.Float64()
	p := pipeline.Regression[*leastsquares.Model]{
		Steps:     []pipeline.Step{feature.Standardize{}, pipeline.Polynomial{Degree: degree}},
		Algorithm: leastsquares.Regression{Lambda: lambda},
	}
	held := must.Get(eval.CrossScores(mlkit.Options{}, eval.Plan{Folds: folds}, p, X, y)).Or(t)
	var sk struct{ Held []float64 }
	t.ask(map[string]any{"X": rows(X), "y": y, "degree": degree, "lambda": lambda, "folds": folds}, &sk)
	t.near("held", held, sk.Held, 1+size(sk.Held))
}
