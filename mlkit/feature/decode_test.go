package feature

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// everyModel returns a small value of each type of this package that is fitted or
// constructed.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(5, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1})
	m := samples.Models{T: t}
	m.Add(Standardize{}.Fit(X))
	m.Add(MinMax{Low: -1, High: 1}.Fit(X))
	m.Add(PCA{Components: 2}.Fit(X))
	m.Add(PCA{Whiten: true}.Fit(X))
	m.Add(NewPolynomial(3, 2))
	m.Add(NewProducts(4, 3, 1))
	m.Add(Constant{D: 3}, nil)
	m.Add(Polar{Center: [2]float64{1, 2}}, nil)
	m.Add(NewHistogram(5, 4, 0, 1))
	m.Add(NewHOG(6, 7, 2, 2, 3))
	return m.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }

// The error messages of decoding. Numbers that would make a method exhaust the memory
// are errors too.
func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		into       any
		text, want string
	}{
		{new(Scaling), `{"shift":[1,2],"unit":[1],"offset":0,"span":1}`, "feature: decoding Scaling: feature: Scaling has 1 units for 2 shifts, want one of each for each column"},
		{new(Scaling), `{"shift":[1],"unit":[0],"offset":0,"span":1}`, "feature: decoding Scaling: feature: Scaling.Units[0] = 0, want a positive number"},
		{new(Histogram), `{"d":2,"bins":1000000000000000,"low":0,"high":1}`, "feature: decoding Histogram: feature: a histogram has 1000000000000000 bins, want at most 10000000"},
		{new(HOG), `{"height":28,"width":28,"cell":1,"block":14,"bins":32768,"signed":true}`, "feature: decoding HOG: feature: HOG has 1445068800 features, want at most 10000000"},
		{new(Polar), `{"center":[1]}`, "feature: decoding Polar: center has 1 elements, want 2"},
		{new(Products), `{"d":2,"pairs":[[0,2]]}`, "feature: decoding Products: feature: Products.Pairs[0] = [0 2], want columns from 0 to 1"},
		{new(Polynomial), `{"d":2,"factors":[[2]]}`, "feature: decoding Polynomial: feature: Polynomial.Factors[0] = [2], want columns from 0 to 1"},
	} {
		if err := json.Unmarshal([]byte(c.text), c.into); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: err = %v, want %s", c.text, err, c.want)
		}
	}
}
