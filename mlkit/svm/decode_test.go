package svm

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/kernel"
)

// everyModel returns a small model of each type of this package.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1, 0, 0, 1, 6, -1, 2})
	y := []int{1, -1, 1, -1, -1, 1, -1}
	m := samples.Models{T: t}
	m.Add(Classifier{}.Fit(X, y))
	m.Add(Classifier{C: 2, Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X, y))
	m.Add(Classifier{C: math.Inf(1), Kernel: kernel.RBF{Gamma: 1}}.Fit(X, y))
	m.Add(Newton{}.Fit(X, y))
	m.Add(DualDescent{}.Fit(X, y))
	m.Add(Pegasos{}.Fit(X, y))
	m.Add(SubgradientDescent{}.Fit(X, y))
	return m.All
}

func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	samples.FuzzDecode(f, everyModel(f)...)
}

// Each error names the one thing that is wrong with its model.
func TestDecodeErrors(t *testing.T) {
	const good = `{"kernel":{"name":"rbf","parameters":{"gamma":1}},"vectors":[[1,2],[3,4]],"coef":[1,-1],"b":0,"norm":1,"solution":{` +
		`"support":[0,2],"free":[0],"at_bound":[2],"alpha":[1,0,1],"slack":[0,0,0],"tau":[0,1,0],"bound":[1,1,1],` +
		`"dual":1,"primal":1,"gap":0,"hard":false,"violation":0,"iterations":3,"converged":true}}`
	var m Model
	if err := json.Unmarshal([]byte(good), &m); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"coef":[1,-1]`, `"coef":[1,-1,1]`, "len(coef) = 3, want 2, one for each of vectors"},
		{`"gamma"`, `"gama"`, `kernel: decoding a rbf: "gama" is no field of it, want gamma`},
		{`[3,4]`, `[3,4,5]`, "len(vectors[1]) = 3, want 2"},
		{`"support":[0,2]`, `"support":[0,3]`, "solution.support[1] = 3, want from 0 to 2"},
		{`"free":[0]`, `"free":[0,1]`, "len(solution.free) = 2 and len(solution.at_bound) = 1, want 2 in all, one for each of vectors"},
		{`"b":0`, `"b":0,"w":[1,2]`, "w has 2 weights, want some with the linear kernel and none with others"},
		{`"rbf","parameters":{"gamma":1}`, `"linear","parameters":{}`, "w has 0 weights, want some with the linear kernel and none with others"},
		{`"tau":[0,1,0]`, `"tau":null`, "len(solution.tau) = 0, want 3, one for each of alpha"},
		{`"b":0,`, ``, "b is missing"},
		{`"dual":1,`, ``, "solution.dual is missing"},
		{`"alpha":[1,0,1]`, `"alpha":null`, "len(solution.slack) = 3, want 0, one for each of alpha"},
	} {
		err := json.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1)), &m)
		if want := "svm: decoding Model: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", c.new, err, want)
		}
	}
}
