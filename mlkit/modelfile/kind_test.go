package modelfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// plain is a user's model without methods to decode it.
type plain struct {
	Slope float64 `json:"slope"`
	Names map[string]int
}

func (plain) ModelKind() string { return "example.org/test.plain" }

// A user's model needs a name and nothing else. Its JSON must have every field and no others.
func TestOwnModel(t *testing.T) {
	want := plain{0.1, map[string]int{"a": 1}}
	back, err := modelfile.Read[plain](bytes.NewReader(written(t, want, nil)))
	if err != nil || !reflect.DeepEqual(back, want) {
		t.Errorf("%v, %v, want %v", back, err, want)
	}
	for text, want := range map[string]string{
		`{"slope":1}`:                       "Names is missing",
		`{"slope":1,"Names":null,"more":1}`: `"more" is no field of it, want Names, slope`,
		`{"slope":"1","Names":null}`:        "slope is a JSON string, want a value of type float64",
	} {
		header, _ := json.Marshal(modelfile.Header{Kind: "example.org/test.plain", Form: 1, Bytes: int64(len(text))})
		_, err := modelfile.Read[plain](bytes.NewReader(signed(string(header) + "\n" + text)))
		if err == nil || err.Error() != "modelfile: decoding example.org/test.plain: "+want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

type (
	nameless struct{ A int }
	spaced   struct{ A int }
	empty    struct{ A int }
	needy    struct{ name *string }
	embeds   struct {
		*svm.Model
		Name string
	}
	named struct {
		*svm.LinearModel
		Name string
	}
	zero      struct{ A int }
	backwards struct{ A int }
	lost      struct{ f int }
	silent    struct{ A int }
	panicky   struct{ A int }
)

func (spaced) ModelKind() string                { return "my model" }
func (empty) ModelKind() string                 { return "" }
func (n needy) ModelKind() string               { return *n.name }
func (named) ModelKind() string                 { return "test.named" }
func (zero) ModelKind() string                  { return "test.zero" }
func (zero) FormVersions() (oldest, newest int) { return 0, 1 }
func (backwards) ModelKind() string             { return "test.backwards" }
func (backwards) FormVersions() (int, int)      { return 3, 2 }
func (silent) ModelKind() string                { return "test.silent" }
func (silent) MarshalJSON() ([]byte, error)     { return []byte("null"), nil }
func (lost) ModelKind() string                  { return "test.lost" }
func (*lost) UnmarshalJSON([]byte) error        { return errors.New("test: want an f") }
func (panicky) ModelKind() string               { return "test.panicky" }
func (*panicky) UnmarshalJSON([]byte) error     { panic("no such case") }

// Save refuses what Load could not read again, and says what the type lacks.
func TestNotStorable(t *testing.T) {
	machine := &svm.Model{Kernel: kernel.Any{Kernel: kernel.RBF{Gamma: 1}}}
	invalid := *machine
	invalid.Coef = []float64{1}
	inner := multiclass.OneVsRestModel[*unnamed]{Classes: []int{1, 2}}
	for _, c := range []struct {
		model any
		want  string
	}{
		{nil, "the model is nil, want a fitted one"},
		{(*svm.Model)(nil), "the model is nil, want a fitted one"},
		{nameless{}, "modelfile_test.nameless has no method ModelKind() string, want one that names it in files"},
		{3, "int has no method ModelKind"},
		{svm.Classifier{}, "svm.Classifier is an algorithm and no model: want what its Fit returned"},
		{inner, "modelfile_test.unnamed, which is part of multiclass.OneVsRestModel[*marginalia/mlkit/modelfile_test.unnamed], has no method ModelKind"},
		{spaced{}, `modelfile_test.spaced.ModelKind() = "my model", want a name of letters, digits and . _ - / [ ] ,`},
		{empty{}, `modelfile_test.empty.ModelKind() = "", want a name`},
		{needy{}, "modelfile_test.needy: ModelKind or FormVersions of a new value panics: runtime error: invalid memory address or nil pointer dereference; want a method that needs no fields"},
		{embeds{machine, "mine"}, "modelfile_test.embeds embeds a *svm.Model, and would be stored as one; want a named field, and a method ModelKind of its own"},
		{named{&svm.LinearModel{}, "mine"}, `the model could not be read again: decoding test.named: svm: decoding LinearModel: "Name" is no field of it`},
		{zero{}, "modelfile_test.zero.FormVersions() = 0, 1, want 1 ≤ oldest ≤ newest"},
		{backwards{}, "modelfile_test.backwards.FormVersions() = 3, 2, want 1 ≤ oldest ≤ newest"},
		{silent{}, "the model could not be read again: decoding test.silent: null, want a model"},
		{lost{1}, "the model could not be read again: decoding test.lost: test: want an f"},
		{panicky{}, "the model could not be read again: decoding test.panicky: UnmarshalJSON panics: no such case"},
		{invalid, "the model could not be read again: decoding svm.Model: svm: decoding Model: len(coef) = 1, want 0, one for each of vectors"},
		{svm.Model{Kernel: kernel.Any{Kernel: kernel.Func(func(x, y []float64) float64 { return 0 })}}, "encoding svm.Model: json: error calling MarshalJSON for type kernel.Any: kernel: a Func has no encoding"},
	} {
		var b bytes.Buffer
		err := modelfile.Write(&b, c.model, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "modelfile: "+c.want) || b.Len() > 0 {
			t.Errorf("%T: %v, and %d bytes are written, want %s", c.model, err, b.Len(), c.want)
		}
	}
	if _, err := modelfile.Read[error](new(bytes.Buffer)); err == nil || !strings.HasPrefix(err.Error(), "modelfile: error is an interface, want the type of a model; with ReadOneOf and LoadOneOf it may be one of several") {
		t.Error(err)
	}
	for _, notes := range []modelfile.Notes{{"a": "\xff"}, {"\xff": "a"}} {
		if err := modelfile.Write(new(bytes.Buffer), and, notes); err == nil || !strings.HasSuffix(err.Error(), `want valid UTF-8`) {
			t.Errorf("%v: %v", notes, err)
		}
	}
	if err := modelfile.Write(new(bytes.Buffer), and, modelfile.Notes{"a": strings.Repeat("x", 1<<20)}); err == nil || !strings.HasPrefix(err.Error(), "modelfile: the header has 1048") {
		t.Error(err)
	}
	longest := modelfile.Notes{"a": strings.Repeat("x", 1<<20-len(`{"kind":"unit.Threshold","form":1,"bytes":21,"notes":{"a":""}}`)-1)}
	if _, err := modelfile.ReadHeader(bytes.NewReader(written(t, and, longest))); err != nil {
		t.Errorf("the longest notes: %v", err)
	}
}

// unnamed is a classifier without a name in files.
type unnamed struct{ constant }

// constant is a classifier whose form has changed: version 1 had no unit, and was in tenths.
type constant struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

func (c *constant) Score([]float64) float64 { return c.Value }
func (c *constant) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	return make([]float64, n)
}
func (c *constant) Predict([]float64) int { return 1 }
func (c *constant) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	return make([]int, n)
}

// changed is constant with a name, as a type of a user would have it after a change.
type changed struct{ constant }

func (*changed) ModelKind() string                  { return "test.changed" }
func (*changed) FormVersions() (oldest, newest int) { return 1, 2 }

func (c changed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Form int `json:"form"`
		constant
	}{2, c.constant})
}

func (c *changed) UnmarshalJSON(data []byte) error {
	var f struct {
		Form int `json:"form"`
		constant
	}
	err := json.Unmarshal(data, &f)
	switch {
	case err != nil:
	case f.Form == 0: // version 1
		c.constant = constant{f.Value / 10, "one"}
	case f.Form == 2:
		c.constant = f.constant
	default:
		err = fmt.Errorf("test: form = %d, want at most 2", f.Form)
	}
	return err
}

// A file of version 1 is read by the type of version 2, and so is one in which the model is part
// of a pipeline or of a model of many classes, whose own forms have not changed.
func TestOlderForm(t *testing.T) {
	file := func(kind, form, model string) []byte {
		header, _ := json.Marshal(modelfile.Header{Kind: kind, Bytes: int64(len(model))})
		return signed(strings.Replace(string(header), `"form":0`, `"form":`+form, 1) + "\n" + model)
	}
	want := changed{constant{2.5, "one"}}
	for version, text := range map[string]string{"1": `{"value":25}`, "2": `{"form":2,"value":2.5,"unit":"one"}`} {
		alone, err := modelfile.Read[changed](bytes.NewReader(file("test.changed", version, text)))
		if err != nil || alone != want {
			t.Errorf("version %s: %v, %v, want %v", version, alone, err, want)
		}
		in, err := modelfile.Read[pipeline.ClassifierModel[*changed]](bytes.NewReader(file("pipeline.ClassifierModel[test.changed]", "1", `{"maps":[],"model":`+text+`}`)))
		if err != nil || *in.Model != want {
			t.Errorf("version %s in a pipeline: %v, %v, want %v", version, in, err, want)
		}
		many, err := modelfile.Read[multiclass.OneVsRestModel[*changed]](bytes.NewReader(file("multiclass.OneVsRestModel[test.changed]", "1", `{"classes":[1,2],"machines":[`+text+`,`+text+`]}`)))
		if err != nil || *many.Machines[1] != want {
			t.Errorf("version %s of many classes: %v, %v, want %v", version, many, err, want)
		}
	}
	if got, want := string(written(t, want, nil)), `{"kind":"test.changed","form":2,"bytes":36}`+"\n"+`{"form":2,"value":2.5,"unit":"one"}`+"\n"; !strings.HasSuffix(got, want) {
		t.Errorf("it is written as %s, want %s", got, want)
	}
	_, err := modelfile.Read[changed](bytes.NewReader(file("test.changed", "3", `{"form":3}`)))
	if want := "modelfile: the form of test.changed is version 3, want at most 2; a newer program wrote it, update this one"; err == nil || err.Error() != want {
		t.Errorf("version 3: %v, want %s", err, want)
	}
	_, err = modelfile.Read[pipeline.ClassifierModel[*changed]](bytes.NewReader(file("pipeline.ClassifierModel[test.changed]", "1", `{"maps":[],"model":{"form":3}}`)))
	if want := "test: form = 3, want at most 2"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("version 3 in a pipeline: %v, want %s", err, want)
	}
	_, err = modelfile.Read[dropped](bytes.NewReader(file("test.changed", "1", `{"value":25}`)))
	if want := "modelfile: the form of test.changed is version 1, want at least 2; let an older program load it and save it again"; err == nil || err.Error() != want {
		t.Errorf("a version that is no longer read: %v, want %s", err, want)
	}
}

// dropped is changed, once nobody has files of version 1.
type dropped struct{ A int }

func (*dropped) ModelKind() string                  { return "test.changed" }
func (*dropped) FormVersions() (oldest, newest int) { return 2, 3 }

// A pipeline whose algorithm is the user's own is stored too.
func TestOwnModelInPipeline(t *testing.T) {
	p := pipeline.Classifier[*changed]{Algorithm: always{}}
	m := testkit.Try(p.Fit(mat.NewDense(2, 1, []float64{1, 2}), []int{1, -1})).Or(t)
	back, err := modelfile.Read[*pipeline.ClassifierModel[*changed]](bytes.NewReader(written(t, m, nil)))
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("%v, %v, want %v", back, err, m)
	}
}

type always struct{}

func (always) FitWith(mlkit.Options, *mat.Dense, []int) (*changed, error) {
	return &changed{constant{7, "one"}}, nil
}
