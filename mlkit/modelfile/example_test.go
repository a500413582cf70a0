package modelfile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// A pipeline in a file, and what the file says of itself.
func Example() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	p := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.Standardize{}}, Algorithm: svm.Classifier{}}
	m, err := p.Fit(X, []int{-1, -1, +1, +1})
	if err != nil {
		log.Fatal(err)
	}
	name := filepath.Join(dir, "halves.model")
	notes := modelfile.Notes{"data": "0, 1 against 2, 3"}
	if err := modelfile.Save(name, m, notes); err != nil {
		log.Fatal(err)
	}
	back, err := modelfile.Load[*pipeline.ClassifierModel[*svm.Model]](name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Predict([]float64{1.4}), back.Predict([]float64{1.6}))
	h, err := modelfile.LoadHeader(name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Kind, h.Form, h.Notes)
	_, err = modelfile.Load[*logistic.Model](name)
	fmt.Println(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	// Output:
	// -1 1
	// pipeline.ClassifierModel[svm.Model] 1 map[data:0, 1 against 2, 3]
	// modelfile: halves.model: it holds a model of the kind pipeline.ClassifierModel[svm.Model], want logistic.Model; load it as that, or name another file
}

// The first three lines are for people; the rest is the model.
func ExampleWrite() {
	m := unit.Threshold{Hyperplane: mlkit.Hyperplane{W: []float64{1, 1}, B: -1.5}}
	if err := modelfile.Write(os.Stdout, m, modelfile.Notes{"data": "the table of and"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// marginalia model 1
	// sha256 0d1d7f9fcab8cc51050b3af506213495ab1cea62076550a5f920d646b9396157
	// {"kind":"unit.Threshold","form":1,"bytes":21,"notes":{"data":"the table of and"}}
	// {"w":[1,1],"b":-1.5}
}

// A program that takes any classifier names the types it knows.
func ExampleReadOneOf() {
	var file bytes.Buffer
	m := &svm.LinearModel{Hyperplane: mlkit.Hyperplane{W: []float64{1, -2}, B: 0.5}}
	if err := modelfile.Write(&file, m, nil); err != nil {
		log.Fatal(err)
	}
	c, err := modelfile.ReadOneOf[mlkit.ClassifierModel](&file, (*svm.Model)(nil), (*svm.LinearModel)(nil), (*logistic.Model)(nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%T %v\n", c, c.Score([]float64{1, 1}))
	// Output: *svm.LinearModel -0.5
}

// River is a model whose form has changed: version 1 had its level in feet, without a field for
// the version.
type River struct {
	Form   int     `json:"form"`
	Metres float64 `json:"metres"`
}

func (River) ModelKind() string                  { return "example.org/rivers.River" }
func (River) FormVersions() (oldest, newest int) { return 1, 2 }

func (r *River) UnmarshalJSON(data []byte) error {
	var old struct {
		Form int     `json:"form"`
		Feet float64 `json:"feet"`
	}
	type plain River
	fresh := new(plain)
	err := json.Unmarshal(data, &old)
	switch {
	case err != nil:
	case old.Form == 0: // version 1
		fresh.Form, fresh.Metres = 2, 0.3048*old.Feet
	case old.Form == 2:
		err = json.Unmarshal(data, fresh)
	default:
		err = fmt.Errorf("form = %d, want at most 2", old.Form)
	}
	if err != nil {
		return fmt.Errorf("rivers: decoding a River: %w", err)
	}
	*r = River(*fresh)
	return nil
}

// A model of your own whose form has changed.
func Example_olderForm() {
	const old = `marginalia model 1
sha256 9d13c4b7f25b839d53e2a9e5c33d35436efd54780bc8ca1772e393f0c33c4f32
{"kind":"example.org/rivers.River","form":1,"bytes":12}
{"feet":10}
`
	r, err := modelfile.Read[River](strings.NewReader(old))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f m\n", r.Metres)
	// Output: 3.048 m
}
