package kernelized

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// everyModel returns a small model of each type. All lengths within a model differ, so no
// length can be mistaken for another.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(5, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1})
	y := []int{1, -1, 1, -1, -1}
	m := samples.Models{T: t}
	m.Add(Ridge{Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X, []float64{1, 2, 3, 5, 8}))
	m.Add(Perceptron{Kernel: kernel.Sum{kernel.RBF{Gamma: 0.5}, kernel.Scaled{Factor: 2, Kernel: kernel.Polynomial{Degree: 3}}}}.Fit(X, y))
	m.Add(KMeans{K: 2, Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X))
	m.Add(PCA{Kernel: kernel.Laplace{Gamma: 0.2, Taxicab: true}}.Fit(X))
	far := mat.DenseCopyOf(X) // to have a Shift
	far.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, X)
	m.Add(PCA{Components: 3}.Fit(far))
	m.Add(PCA{Kernel: kernel.Sum{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}}.Fit(far))
	m.Add(KMeans{K: 2, Kernel: kernel.Sum{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}}.Fit(far))
	m.Add(Ridge{}.Fit(far, []float64{1, 2, 3, 5, 8}))
	m.Add(Nystroem{Landmarks: 4}.Fit(X))
	m.Add(Fourier{Components: 6, Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X))
	m.Add(kernel.Monomials{Kernel: kernel.Polynomial{Coef0: 1}}.For(3))
	return m.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }

// The errors name package, type, field, value and rule. The JSON is a model of two
// samples with one thing wrong.
func TestDecodeErrors(t *testing.T) {
	const x = `"x":{"rows":2,"cols":1,"data":[1,2]},"shift":null`
	for _, c := range []struct{ text, want string }{
		{`{"kernel":{"name":"rbf","parameters":{"gamma":1}},` + x + `,"coef":[1,2,3],"b":0}`,
			"kernelized: decoding RidgeModel: len(coef) = 3, want 2, one for each of the rows of x"},
		{`{"kernel":{"name":"rbf","parameters":{"gama":1}},` + x + `,"coef":[1,2],"b":0}`,
			`kernelized: decoding RidgeModel: kernel: decoding a rbf: "gama" is no field of it, want gamma`},
		{`{"kernel":{"name":"rbf","parameters":{}},` + x + `,"coef":[1,2],"b":0}`,
			"kernelized: decoding RidgeModel: kernel: decoding a rbf: gamma is missing"},
		{`{"kernel":{"name":"linear","parameters":{}},` + x + `,"coef":[1,2]}`,
			"kernelized: decoding RidgeModel: b is missing"},
		{`{"kernel":{"name":"linear","parameters":{}},` + x + `,"coef":[1,null],"b":0}`,
			"kernelized: decoding RidgeModel: coef[1] is null, want a value of type float64"},
		{`{"kernel":{"name":"linear","parameters":{}},` + x + `,"coef":[1,2],"b":0,"c":0}`,
			`kernelized: decoding RidgeModel: "c" is no field of it, want b, coef, kernel, shift, x`},
		{`{"kernel":{"name":"linear","parameters":{}},"x":{"rows":4294967296,"cols":4294967296,"data":[]},"shift":null,"coef":[],"b":0}`,
			"kernelized: decoding RidgeModel: x is 4294967296×4294967296 with 0 elements of data, want rows times cols"},
		{`{"kernel":{"name":"linear","parameters":{}},"x":{"rows":2,"cols":1,"data":[1,2]},"shift":[1,2],"coef":[1,2],"b":0}`,
			"kernelized: decoding RidgeModel: len(shift) = 2, want 1, one for each of the columns of x"},
		{`{"kernel":null,` + x + `,"coef":[1,2],"b":0}`,
			"kernelized: decoding RidgeModel: kernel: the kernel is nil, want one such as Linear{} or RBF{}"},
	} {
		var m RidgeModel
		if err := json.Unmarshal([]byte(c.text), &m); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: err = %v, want %s", c.text, err, c.want)
		}
	}
}
