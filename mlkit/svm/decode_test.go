package svm

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/tier"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

// everyModel returns a small model of each type of this package.
func everyModel(t testing.TB) map[string]any {
	X := mat.NewDense(7, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1, 0, 0, 1, 6, -1, 2})
	y, classes := []int{1, -1, 1, -1, -1, 1, -1}, []int{1, 1, 2, 2, 3, 3, 3}
	models := map[string]any{}
	add := func(name string) func(m any, err error) {
		return func(m any, err error) {
			if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
				t.Fatalf("%s: %v", name, err)
			}
			models[name] = m
		}
	}
	add("Model, linear")(Classifier{}.Fit(X, y))
	add("Model, Gauss")(Classifier{C: 2, Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X, y))
	add("Model, hard")(Classifier{C: math.Inf(1), Kernel: kernel.RBF{Gamma: 1}}.Fit(X, y))
	add("LinearModel, Newton")(Newton{}.Fit(X, y))
	add("LinearModel, dual descent")(DualDescent{}.Fit(X, y))
	add("LinearModel, Pegasos")(Pegasos{}.Fit(X, y))
	add("LinearModel, hinge")(SubgradientDescent{}.Fit(X, y))
	add("OneAgainstAllModel")(OneAgainstAll[*Model]{Binary: Classifier{Kernel: kernel.RBF{Gamma: 0.1}}}.Fit(X, classes))
	add("OneAgainstAllModel, perceptron")(OneAgainstAll[*perceptron.Model]{Binary: perceptron.Perceptron{MaxIter: 9}}.Fit(X, classes))
	add("OneAgainstAllModel, dual perceptron")(OneAgainstAll[*perceptron.DualModel]{Binary: perceptron.Dual{MaxIter: 9}}.Fit(X, classes))
	add("OneAgainstOneModel")(OneAgainstOne[*Model]{Binary: Classifier{}}.Fit(X, classes))
	add("OneAgainstOneModel, Newton")(OneAgainstOne[*LinearModel]{Binary: Newton{}}.Fit(X, classes))
	return models
}

func TestDecodedModelsAreWhole(t *testing.T) {
	tier.Long(t)
	for name, m := range everyModel(t) {
		// TestClassifierContract, TestLinearContract and TestManyClassesContract corrupt
		// the others.
		if !tier.IsLong(t) && name != "OneAgainstAllModel, dual perceptron" {
			continue
		}
		if err := mlkittest.TestDecoding(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each error names the one thing that is wrong with its model.
func TestDecodeErrors(t *testing.T) {
	const good = `{"kernel":{"name":"rbf","parameters":{"gamma":1}},"vectors":[[1,2],[3,4]],"coef":[1,-1],"b":0,` +
		`"support":[0,2],"free":[0],"at_bound":[2],"alpha":[1,0,1],"slack":[0,0,0],"tau":[0,1,0],"bound":[1,1,1],` +
		`"norm":1,"dual":1,"primal":1,"gap":0,"hard":false,"violation":0,"iterations":3,"converged":true}`
	var m Model
	if err := json.Unmarshal([]byte(good), &m); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"coef":[1,-1]`, `"coef":[1,-1,1]`, "len(coef) = 3, want 2, one for each of vectors"},
		{`"gamma"`, `"gama"`, `kernel: decoding a rbf: "gama" is no field of it, want gamma`},
		{`[3,4]`, `[3,4,5]`, "len(vectors[1]) = 3, want 2"},
		{`"support":[0,2]`, `"support":[0,3]`, "support[1] = 3, want from 0 to 2"},
		{`"free":[0]`, `"free":[0,1]`, "len(free) = 2 and len(at_bound) = 1, want 2 in all, one for each of vectors"},
		{`"b":0`, `"b":0,"w":[1,2]`, "w has 2 weights, want some with the linear kernel and none with others"},
		{`"rbf","parameters":{"gamma":1}`, `"linear","parameters":{}`, "w has 0 weights, want some with the linear kernel and none with others"},
		{`"tau":[0,1,0]`, `"tau":null`, "len(tau) = 0, want 3, one for each of alpha"},
		{`"b":0,`, ``, "b is missing"},
	} {
		err := json.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1)), &m)
		if want := "svm: decoding a Model: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", c.new, err, want)
		}
	}
	var one OneAgainstAllModel[*LinearModel]
	const machine = `{"w":[1,2],"b":0,"alpha":null,"primal":0,"dual":0,"gap":0,"iterations":1,"converged":true}`
	for machines, want := range map[string]string{
		`[` + machine + `,null]`: "machines[1] is null, want a machine",
		`[` + machine + `]`:      "len(machines) = 1, want 2, one for each of classes",
		`[` + machine + `,` + strings.Replace(machine, "1,2", "1", 1) + `]`: "machines[1] takes samples of 1 numbers, want 2, as machines[0] does",
		`[{}]`: "svm: decoding a LinearModel: alpha is missing",
	} {
		err := json.Unmarshal([]byte(`{"classes":[3,4],"machines":`+machines+`}`), &one)
		if err == nil || !strings.HasPrefix(err.Error(), "svm: decoding a OneAgainstAllModel: "+want) {
			t.Errorf("%s: err = %v, want %s", machines, err, want)
		}
	}
}
