package svm

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
)

// The machines of Iris share support vectors: each is encoded once, and shared again after
// decoding. Without their solutions they predict the same.
func TestPool(t *testing.T) {
	iris := datasets.Iris()
	m := testkit.Try(multiclass.OneVsOne[*Model]{Binary: Classifier{Kernel: kernel.RBF{}}}.Fit(iris.X, iris.Y)).Or(t)
	distinct, total := map[*float64]bool{}, 0
	for _, machine := range m.Machines {
		total += len(machine.Vectors)
		for _, v := range machine.Vectors {
			distinct[&v[0]] = true
		}
	}
	if len(distinct) == total {
		t.Fatalf("%d support vectors, none of them shared, want some to test with", total)
	}
	data := testkit.Try(json.Marshal(m)).Or(t)
	var form struct {
		Machines struct{ Vectors [][]float64 }
	}
	if err := json.Unmarshal(data, &form); err != nil || len(form.Machines.Vectors) != len(distinct) {
		t.Errorf("%d vectors are encoded (%v), want %d", len(form.Machines.Vectors), err, len(distinct))
	}
	var again multiclass.OneVsOneModel[*Model]
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*m, again) {
		t.Error("the decoded model differs")
	}
	shared := map[*float64]bool{}
	for _, machine := range again.Machines {
		for _, v := range machine.Vectors {
			shared[&v[0]] = true
		}
	}
	if len(shared) != len(distinct) {
		t.Errorf("the decoded machines have %d distinct vectors, want %d", len(shared), len(distinct))
	}

	for k, machine := range m.Machines {
		m.Machines[k] = machine.Predictor()
	}
	small := testkit.Try(json.Marshal(m)).Or(t)
	if err := json.Unmarshal(small, &again); err != nil {
		t.Fatal(err)
	}
	if again.Machines[0].Alpha != nil || len(small) >= len(data) {
		t.Errorf("without solutions %d bytes and α = %v, want fewer than %d and none", len(small), again.Machines[0].Alpha, len(data))
	}
	if got, want := again.Predictions(nil, iris.X), m.Predictions(nil, iris.X); !reflect.DeepEqual(got, want) {
		t.Errorf("without solutions the predictions are %v, want %v", got, want)
	}
	y := make([]int, 150)
	for i := range y {
		y[i] = 2*(i%2) - 1
	}
	if _, err := KKT(again.Machines[0], iris.X, y); err == nil || !strings.HasPrefix(err.Error(), "svm: m has no Solution") {
		t.Errorf("KKT of a model without a solution: %v", err)
	}
}

// Each error names the machine and the one thing that is wrong with it.
func TestPoolErrors(t *testing.T) {
	const good = `{"vectors":[[1,2],[3,4]],"machines":[{"kernel":{"name":"rbf","parameters":{"gamma":1}},"vectors":[0,1],"coef":[1,-1],"b":0,"norm":1,"solution":` +
		`{"support":null,"free":null,"at_bound":null,"alpha":null,"slack":null,"tau":null,"bound":null,"dual":0,"primal":0,"gap":0,"hard":false,"violation":0,"iterations":0,"converged":false}}]}`
	testkit.Try((*Model)(nil).UnmarshalMachines([]byte(good))).Or(t)
	for _, c := range []struct{ old, new, want string }{
		{`"vectors":[0,1]`, `"vectors":[0,2]`, "machines[0]: vectors[1] = 2, want from 0 to 1"},
		{`"vectors":[0,1]`, `"vectors":[0,-1]`, "machines[0]: vectors[1] = -1, want from 0 to 1"},
		{`"vectors":[0,1]`, `"vectors":[0]`, "machines[0]: len(coef) = 2, want 1, one for each of vectors"},
		{`[3,4]`, `[3]`, "machines[0]: len(vectors[1]) = 1, want 2"},
		{`"norm":1,`, ``, "machines[0].norm is missing"},
		{`"alpha":null`, `"alpha":[1]`, "machines[0]: len(solution.support) = 0, want 2, one for each of vectors"},
		{`{"vectors":[[1,2],[3,4]],`, `{`, "vectors is missing"},
	} {
		_, err := (*Model)(nil).UnmarshalMachines([]byte(strings.Replace(good, c.old, c.new, 1)))
		if want := "svm: decoding machines: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", c.new, err, want)
		}
	}
	if _, err := (*Model)(nil).MarshalMachines([]*Model{nil}); err == nil || err.Error() != "svm: machines[0] is nil, want a model" {
		t.Errorf("nil: %v", err)
	}
}
