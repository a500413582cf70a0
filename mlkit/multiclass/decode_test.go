package multiclass_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// everyModel returns a small model of each type of this package.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1, 0, 0, 1, 6, -1, 2})
	y := []int{1, 1, 2, 2, 3, 3, 3}
	m := samples.Models{T: t}
	m.Add(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.1}}}.Fit(X, y))
	m.Add(multiclass.OneVsRest[*perceptron.Model]{Binary: perceptron.Perceptron{MaxIter: 9}}.Fit(X, y))
	m.Add(multiclass.OneVsRest[*perceptron.DualModel]{Binary: perceptron.Dual{MaxIter: 9}}.Fit(X, y))
	m.Add(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.Fit(X, y))
	m.Add(multiclass.OneVsOne[*svm.LinearModel]{Binary: svm.Newton{}}.Fit(X, y))
	// Two samples of a class are enough to leave one out.
	two := mat.NewDense(8, 3, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, -2, 0.5, 3, 3, 3, -1, 0, 0, 1, 6, -1, 2, 0, 2, 2})
	pair := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.1}}}
	m.Add(multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: pair}.Fit(two, append(y, 1)))
	m.Add(multiclass.ProbableOneVsRest[*logistic.Model]{Binary: logistic.Regression{L2: 1}}.Fit(two, append(y, 1)))
	return m.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), []byte(`{"machines":[null,{}]}`))
	samples.FuzzDecode(f, everyModel(f)...)
}

// Each error names the one thing that is wrong with its model.
func TestDecodeErrors(t *testing.T) {
	var one multiclass.OneVsRestModel[*svm.LinearModel]
	const machine = `{"w":[1,2],"b":0,"alpha":null,"primal":0,"dual":0,"gap":0,"iterations":1,"converged":true}`
	for machines, want := range map[string]string{
		`[` + machine + `,null]`: "machines[1] is null, want a machine",
		`[` + machine + `]`:      "len(machines) = 1, want 2, one for each of classes",
		`[` + machine + `,` + strings.Replace(machine, "1,2", "1", 1) + `]`: "machines[1] takes samples of 1 numbers, want 2, as machines[0] does",
		`[{}]`: "svm: decoding LinearModel: alpha is missing",
	} {
		err := json.Unmarshal([]byte(`{"classes":[3,4],"machines":`+machines+`}`), &one)
		if err == nil || !strings.HasPrefix(err.Error(), "multiclass: decoding OneVsRestModel: "+want) {
			t.Errorf("%s: err = %v, want %s", machines, err, want)
		}
	}
	// A machine of three classes would panic when it is asked for a score.
	const two = `{"classes":[-1,1],"w":[[1],[2]],"b":[0,0],"log_likelihood":0,"objective":0,"iterations":1,"converged":true}`
	const three = `{"classes":[0,1,2],"w":[[1],[2],[3]],"b":[0,0,0],"log_likelihood":0,"objective":0,"iterations":1,"converged":true}`
	var rest multiclass.OneVsRestModel[*logistic.Model]
	if err := json.Unmarshal([]byte(`{"classes":[3,4],"machines":[`+two+`,`+two+`]}`), &rest); err != nil {
		t.Error(err)
	}
	const want = "multiclass: decoding OneVsRestModel: machines[1] has the classes [0 1 2], want two, for a score"
	if err := json.Unmarshal([]byte(`{"classes":[3,4],"machines":[`+two+`,`+three+`]}`), &rest); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
