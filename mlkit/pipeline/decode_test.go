package pipeline_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// everyModel returns a fitted pipeline of each kind, and every map that has a name.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 2, []float64{0, 1, 1, 4, 5, 7, -2, 0.5, 3, 3, 0, 0.25, 6, -1})
	two, many := []int{-1, -1, -1, +1, +1, +1, -1}, []int{1, 1, 2, 2, 3, 3, 3}
	numbers := mat.Col(nil, 1, X)
	must := func(m feature.Map, err error) pipeline.Step {
		if err != nil {
			t.Fatal(err)
		}
		return pipeline.Fixed{Map: m}
	}
	hog := must(feature.NewHOG(1, 2, 1, 1, 3))
	histogram := must(feature.NewHistogram(3, 2, 0, 1))
	products, err := feature.NewProducts(2, 1, 1)
	monomials, err2 := kernel.Monomials{}.For(6)
	m := samples.Models{T: t}
	m.Add(pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.Standardize{}, feature.PCA{Whiten: true}, kernelized.PCA{}}, Algorithm: svm.Classifier{Kernel: kernel.RBF{}}}.Fit(X, two))
	m.Add(pipeline.Probable[*logistic.Model]{Steps: []pipeline.Step{pipeline.Polynomial{}, kernelized.Fourier{Components: 3}}, Algorithm: logistic.Regression{L2: 1}}.Fit(X, two))
	m.Add(pipeline.ManyClasses[*leastsquares.ClassifierModel]{Steps: []pipeline.Step{kernelized.Nystroem{Landmarks: 3}, histogram}, Algorithm: leastsquares.Classifier{Lambda: 1}}.Fit(X, many))
	m.Add(pipeline.ManyProbable[*neighbors.Model]{Steps: []pipeline.Step{must(feature.Polar{}, nil), must(feature.Constant{D: 2}, nil)}, Algorithm: neighbors.KNN{K: 2}}.Fit(X, many))
	m.Add(pipeline.Regression[*kernelized.RidgeModel]{Steps: []pipeline.Step{must(products, err), must(feature.Constant{D: 3}, nil)}, Algorithm: kernelized.Ridge{}}.Fit(X, numbers))
	m.Add(pipeline.Regression[*leastsquares.Model]{Steps: []pipeline.Step{hog, shift{}, must(monomials, err2)}, Algorithm: leastsquares.Regression{Lambda: 1}}.Fit(X, numbers))
	m.Add(pipeline.Regression[*leastsquares.Model]{Algorithm: leastsquares.Regression{}}.Fit(X, numbers))
	return m.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), []byte(`{"maps":[{"name":"polar","map":{"center":[0,0]}}],"model":null}`))
	samples.FuzzDecode(f, everyModel(f)...)
}

// A decoded pipeline is whole: each error names the one thing that is wrong.
func TestDecodeErrors(t *testing.T) {
	const scaling = `{"name":"scaling","map":{"shift":[0,0],"unit":[1,1],"offset":0,"span":1}}`
	const constant = `{"name":"constant","map":{"d":2}}`
	const line = `{"w":[1,2,3],"b":0,"rank":1,"mse":0}`
	type model = pipeline.RegressionModel[*leastsquares.Model]
	var m model
	if err := json.Unmarshal([]byte(`{"maps":[`+scaling+`,`+constant+`],"model":`+line+`}`), &m); err != nil || m.Score([]float64{1, 2}) != 8 || m.Inputs() != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	for file, want := range map[string]string{
		`{"maps":[` + scaling + `],"model":` + line + `}`:                              "model, asked for a sample of 2 numbers, as the last map gives, panics: mlkit: Score: a sample has 2 elements, want 3",
		`{"maps":[` + constant + `,` + constant + `],"model":` + line + `}`:            "maps[1] takes 2 numbers, want 3, as many as maps[0] gives",
		`{"maps":[` + scaling + `,` + constant + `],"model":null}`:                     "model is null, want a model",
		`{"maps":[` + scaling + `,` + constant + `]}`:                                  "model is missing",
		`{"maps":[` + constant + `],"model":{"w":[1,2,3],"b":0}}`:                      "leastsquares: decoding Model: mse is missing",
		`{"maps":[{"name":"constants","map":{"d":2}}],"model":` + line + `}`:           `pipeline: decoding maps[0]: no map has the name "constants"; Register its type`,
		`{"maps":[{"name":"constant","map":{"D":2}}],"model":` + line + `}`:            "pipeline: decoding maps[0], a constant: feature: decoding Constant:",
		`{"maps":[{"name":"scaling","map":null}],"model":` + line + `}`:                "pipeline: decoding maps[0]",
		`{"maps":[null],"model":` + line + `}`:                                         "pipeline: decoding maps: [0] is null, want an object",
		`{"maps":[{"name":"constant","map":{"d":99999999}}],"model":` + line + `}`:     "maps[0] maps 99999999 numbers to 100000000, want at least one, and at most",
		`{"maps":[{"name":"test-shift","map":{"mean":0,"d":0}}],"model":` + line + `}`: "maps[0] maps 0 numbers to 0, want at least one",
		`{"maps":[{"name":"test-shift","map":{"mean":0}}],"model":` + line + `}`:       "pipeline: decoding maps[0], a test-shift: d is missing",
		`{"maps":[` + constant + `],"model":` + line + `,"more":1}`:                    `"more" is no field of it`,
	} {
		var before model
		err := json.Unmarshal([]byte(file), &before)
		if err == nil || !strings.HasPrefix(err.Error(), "pipeline: decoding Fitted: "+want) {
			t.Errorf("%s: err = %v, want %s", file, err, want)
		}
		if before.Maps != nil || before.Model != nil {
			t.Errorf("%s leaves %+v", file, before)
		}
	}
}

// A model of three classes has no score, so no pipeline for two classes holds one.
func TestDecodeThreeClasses(t *testing.T) {
	X, y := mat.NewDense(6, 1, []float64{0, 3, 1, 4, 2, 5}), []int{1, 2, 3, 1, 2, 3}
	m, err := pipeline.ManyProbable[*logistic.Model]{Algorithm: logistic.Regression{L2: 1}}.Fit(X, y)
	file, err2 := json.Marshal(m)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	var classifier pipeline.ClassifierModel[*logistic.Model]
	var probable pipeline.ProbableModel[*logistic.Model]
	for _, m := range []any{&classifier, &probable} {
		if err := json.Unmarshal(file, m); err == nil || err.Error() != "pipeline: decoding Fitted: model has the classes [1 2 3], want two, for a score" {
			t.Errorf("%T: %v", m, err)
		}
	}
	if classifier.Model != nil || probable.Model != nil {
		t.Errorf("the receivers have changed")
	}
}

// A panic of a user's map is an error too.
func TestDecodePanickingMap(t *testing.T) {
	var m pipeline.RegressionModel[*leastsquares.Model]
	err := json.Unmarshal([]byte(`{"maps":[{"name":"test-fragile","map":{"size":[]}}],"model":{"w":[1],"b":0,"rank":1,"mse":0}}`), &m)
	if want := "pipeline: decoding Fitted: maps[0] panics: runtime error: index"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// fragile is a map that does not validate itself.
type fragile struct {
	Size []int `json:"size"`
}

func init() { pipeline.Register("test-fragile", fragile{}) }

func (f fragile) Inputs() int                                { return f.Size[0] }
func (f fragile) Dim() int                                   { return f.Size[0] }
func (f fragile) TransformSample(dst, x []float64) []float64 { return append(dst[:0], x...) }

// unnamed is a map that is not registered.
type unnamed struct{ feature.Polar }

func TestRegister(t *testing.T) {
	if _, err := json.Marshal(pipeline.Maps{feature.Polar{}, unnamed{}}); err == nil || !strings.Contains(err.Error(), "maps[1]: the type pipeline_test.unnamed has no name; Register it") {
		t.Error(err)
	}
	pipeline.Register("polar", feature.Polar{}) // again, the same
	for _, c := range []struct {
		name string
		m    feature.Map
	}{{"", unnamed{}}, {"mine", nil}, {"polar", unnamed{}}, {"other", feature.Polar{}}} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "pipeline: Register") {
					t.Errorf("%q, %T: panics with %q", c.name, c.m, said)
				}
			}()
			pipeline.Register(c.name, c.m)
		}()
	}
}
