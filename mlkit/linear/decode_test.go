package linear

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/tier"
	"marginalia/mlkit"
	"marginalia/mlkit/mlkittest"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) map[string]any {
	X := mat.NewDense(7, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2, 1, 1})
	y, classes := []int{1, -1, 1, -1, 1, -1, 1}, []int{1, 1, 2, 2, 3, 3, 3}
	targets := mat.NewDense(7, 3, []float64{1, 2, 3, 5, 8, 13, 0, 1, 0, -1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7})
	models := map[string]any{}
	add := func(name string) func(m any, err error) {
		return func(m any, err error) {
			if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) { // its best model will do
				t.Fatalf("%s: %v", name, err)
			}
			models[name] = m
		}
	}
	add("PerceptronModel")(Perceptron{MaxEpochs: 9}.Fit(X, y))
	add("PerceptronModel, batch")(BatchPerceptron{MaxEpochs: 9}.Fit(X, y))
	add("PocketModel")(Pocket{}.Fit(X, y))
	add("DualPerceptronModel")(DualPerceptron{MaxEpochs: 9}.Fit(X, y))
	add("VotedPerceptronModel")(VotedPerceptron{Epochs: 2}.Fit(X, y))
	add("AveragedPerceptronModel")(AveragedPerceptron{}.Fit(X, y))
	add("LDAModel")(LDA{}.Fit(X, y))
	add("LDAClassesModel")(LDA{Shrinkage: 0.5}.FitClasses(X, classes))
	add("QDAModel")(QDA{Shrinkage: 0.5}.Fit(X, y))
	add("QDAClassesModel")(QDA{Shrinkage: 0.5}.FitClasses(X, classes))
	add("LogisticModel")(Logistic{L2: 1}.Fit(X, y))
	add("SoftmaxModel")(Logistic{L2: 1}.FitClasses(X, classes))
	add("LeastSquaresModel")(LeastSquares{}.Fit(X, []float64{1, 2, 3, 5, 8, 13, 21}))
	add("LeastSquaresTargetsModel")(LeastSquares{}.FitTargets(X, targets))
	add("LeastSquaresClassifierModel")(LeastSquaresClassifier{}.Fit(X, y))
	add("LeastSquaresClassesModel")(LeastSquaresClassifier{}.FitClasses(X, classes))
	add("Layer")(NewLayer(ActivationSigmoid, Hyperplane{W: []float64{1, 2}, B: 3}, Hyperplane{W: []float64{4, 5}, B: 6}, Hyperplane{W: []float64{7, 8}}))
	add("Network")(BooleanNetwork([]bool{false, true, true, false}))
	add("ThresholdUnit")(AndUnit(2), nil)
	return models
}

func TestDecodedModelsAreWhole(t *testing.T) {
	tier.Long(t)
	made := []string{"LeastSquaresTargetsModel", "Layer", "Network", "ThresholdUnit"}
	for name, m := range everyModel(t) {
		// The conformance tests, which mlkit runs on every fit, damage the other models
		// too.
		if !tier.IsLong(t) && !slices.Contains(made, name) {
			continue
		}
		if err := mlkittest.TestDecoding(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The error for one model with one thing wrong at a time.
func TestDecodeErrors(t *testing.T) {
	const good = `{"alpha":[1,0,2],"support":[0,2],"vectors":[[1,2],[3,4]],"labels":[1,-1],"b":-1,"dim":2,` +
		`"mistakes":3,"epochs":2,"mistakes_per_epoch":[3,0],"converged":true}`
	var m DualPerceptronModel
	if err := json.Unmarshal([]byte(good), &m); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"support":[0,2]`, `"support":[0,3]`, "support[1] = 3, want from 0 to 2"},
		{`"support":[0,2]`, `"support":[0]`, "len(vectors) = 2, want 1, one for each of support"},
		{`[3,4]`, `[3]`, "len(vectors[1]) = 1, want 2"},
		{`[1,-1]`, `[1,0]`, "labels[1] = 0, want one of [-1 1]"},
		{`[1,0,2]`, `[1,0,-2]`, "alpha[2] = -2, want at least 0"},
		{`"support":[0,2],"vectors":[[1,2],[3,4]],"labels":[1,-1],"b":-1,"dim":2`, `"support":[],"vectors":[],"labels":[],"b":-1,"dim":1000000000000000`,
			"dim = 1000000000000000, want at most 16777216 without vectors"},
	} {
		err := json.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1)), &m)
		if want := "linear: decoding a DualPerceptronModel: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", c.new, err, want)
		}
	}
}
