package modelfile_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// written returns the file of a model.
func written(t testing.TB, model any, notes modelfile.Notes) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := modelfile.Write(&b, model, notes); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// and is a small model: of two inputs, the threshold unit of Yuille's Boolean "and".
var and = &unit.Threshold{Hyperplane: mlkit.Hyperplane{W: []float64{1, 1}, B: -1.5}}

// signed returns a file with the given text after its second line, which has the right sum.
func signed(text string) []byte {
	return fmt.Appendf(nil, "marginalia model 1\nsha256 %x\n%s", sha256.Sum256([]byte(text)), text)
}

// The file is the text that the package comment describes, each time the same.
func TestFormat(t *testing.T) {
	const model = `{"w":[1,1],"b":-1.5}`
	notes := modelfile.Notes{"who": "A. <a@example.org>", "data": "∧"}
	text := fmt.Sprintf(`{"kind":"unit.Threshold","form":1,"bytes":%d,"notes":{"data":"∧","who":"A. <a@example.org>"}}`, len(model)+1) + "\n" + model + "\n"
	for range 20 { // maps are in another order each time
		if got, want := written(t, and, notes), signed(text); !bytes.Equal(got, want) {
			t.Fatalf("the file is\n%swant\n%s", got, want)
		}
	}
	h, err := modelfile.ReadHeader(bytes.NewReader(signed(text)))
	want := modelfile.Header{Kind: "unit.Threshold", Form: 1, Bytes: int64(len(model) + 1), Notes: notes, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}
	if err != nil || !reflect.DeepEqual(h, want) {
		t.Errorf("the header is %+v, %v, want %+v", h, err, want)
	}
	if got := string(written(t, and, nil)); strings.Contains(got, "notes") {
		t.Errorf("without notes, the file is %s", got)
	}
}

// A value and a pointer have the same file, and M says which of them is read.
func TestValuesAndPointers(t *testing.T) {
	polar := feature.Polar{Center: [2]float64{1, 2}}
	file := written(t, polar, nil)
	if again := written(t, &polar, nil); !bytes.Equal(file, again) {
		t.Errorf("the file of a pointer is\n%s, want\n%s", again, file)
	}
	value, err1 := modelfile.Read[feature.Polar](bytes.NewReader(file))
	pointer, err2 := modelfile.Read[*feature.Polar](bytes.NewReader(file))
	if err1 != nil || err2 != nil || value != polar || *pointer != polar {
		t.Errorf("%v, %v, %v, %v", value, err1, pointer, err2)
	}
}

// A file that is not the one asked for is refused, and the error says what it is.
func TestRefused(t *testing.T) {
	good := string(written(t, and, nil))
	lines := strings.SplitAfter(good, "\n")
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "it is empty, want a model"},
		{"JSON", lines[3], `it begins with "{\"w\":[1,1],\"b\":-1.5}", want "marginalia model 1"; if it is a model in JSON, json.Unmarshal decodes it`},
		{"text", "svm_type c_svc\n", `it begins with "svm_type c_svc", want "marginalia model 1"; a file of package modelfile does`},
		{"no line", long, `it begins with "xxxxxxxxxxxxxxxxxxxx", want "marginalia model 1"`},
		{"binary", "\x80\x04\x95", `it begins with "\x80\x04\x95", want "marginalia model 1"`},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), `damaged: its lines end with "\r\n", want "\n"`},
		{"format 2", "marginalia model 2\n", `its format is "2", want 1; if a newer version of the library wrote it, update this one`},
		{"format 1.1", "marginalia model 1.1\n", `its format is "1.1", want 1`},
		{"line 1", "marginalia mod", "truncated: it ends in line 1, before the model; get a whole copy"},
		{"line 2", lines[0] + "sha2", "truncated: it ends in line 2"},
		{"line 3", lines[0] + lines[1] + `{"kind":`, "truncated: it ends in line 3"},
		{"sum", lines[0] + "md5 12\n" + lines[2] + lines[3], `damaged: line 2 is "md5 12", want "sha256 " and 64 hexadecimal digits`},
		{"long sum", lines[0] + long + "\n", "damaged: line 2 does not end"},
		{"long header", lines[0] + lines[1] + long + long + "\n", "damaged: line 3 does not end"},
		{"header", lines[0] + lines[1] + "{kind}\n", "damaged: line 3, the header: invalid character"},
		{"header without kind", string(signed(`{"form":1,"bytes":0}` + "\n")), "damaged: line 3, the header: kind is missing"},
		{"unknown field", string(signed(`{"kind":"unit.Threshold","form":1,"bytes":0,"date":"today"}` + "\n")), `damaged: line 3, the header: "date" is no field of it`},
		{"negative", string(signed(`{"kind":"unit.Threshold","form":1,"bytes":-1}` + "\n")), "damaged: line 3, the header: bytes = -1, want at least 0"},
		{"cut", good[:len(good)-1], "truncated: 20 of 21 bytes of the model are there; get a whole copy"},
		{"twice", good + good, "more than the 21 bytes of the model are there, want nothing after them"},
		{"note", strings.Replace(good, `"form"`, `"notes":{},"form"`, 1), "damaged: the SHA-256 of header and model is "},
		{"weight", strings.Replace(good, "[1,1]", "[1,7]", 1), "damaged: the SHA-256 of header and model is "},
		{"other kind", string(written(t, feature.Polar{}, nil)), "it holds a model of the kind feature.Polar, want unit.Threshold; load it as that, or name another file"},
		{"form 2", string(signed(`{"kind":"unit.Threshold","form":2,"bytes":3}` + "\n{}\n")), "the form of unit.Threshold is version 2, want at most 1; a newer program wrote it, update this one"},
		{"form 0", string(signed(`{"kind":"unit.Threshold","form":0,"bytes":3}` + "\n{}\n")), "the form of unit.Threshold is version 0, want at least 1"},
		{"no model", string(signed(`{"kind":"unit.Threshold","form":1,"bytes":0}` + "\n")), "decoding unit.Threshold: unexpected end of JSON input"},
		{"null", string(signed(`{"kind":"unit.Threshold","form":1,"bytes":6}` + "\n null\n")), "decoding unit.Threshold: null, want a model"},
		{"its own check", string(signed(`{"kind":"unit.Threshold","form":1,"bytes":15}` + "\n" + `{"w":[],"b":0}` + "\n")), "decoding unit.Threshold: unit: decoding Threshold: len(w) = 0, want at least 1"},
	} {
		m, err := modelfile.Read[*unit.Threshold](strings.NewReader(c.file))
		if err == nil || !strings.HasPrefix(err.Error(), "modelfile: "+c.want) || m != nil {
			t.Errorf("%s: %v, %v, want %s", c.name, m, err, c.want)
		}
	}
	if m, err := modelfile.Read[*unit.Threshold](strings.NewReader(good)); err != nil || !reflect.DeepEqual(m, and) {
		t.Errorf("%v, %v, want %v", m, err, and)
	}
}

// No damage goes unnoticed: neither one bit that has changed, nor a byte that is missing at the
// end or one too many. ReadHeader finds it too.
func TestDamage(t *testing.T) {
	good := written(t, and, modelfile.Notes{"data": "and"})
	refused := func(what string, file []byte) {
		t.Helper()
		if m, err := modelfile.Read[*unit.Threshold](bytes.NewReader(file)); err == nil {
			t.Errorf("%s: %v is read from\n%s", what, m, file)
		}
		if h, err := modelfile.ReadHeader(bytes.NewReader(file)); err == nil {
			t.Errorf("%s: the header %v is read from\n%s", what, h, file)
		}
	}
	for i := range good {
		for bit := range 8 {
			file := bytes.Clone(good)
			file[i] ^= 1 << bit
			refused(fmt.Sprintf("bit %d of byte %d", bit, i), file)
		}
		refused(fmt.Sprintf("%d bytes", i), good[:i])
	}
	for _, more := range []string{"\x00", "\n", " ", "}"} {
		refused("one byte more", append(bytes.Clone(good), more...))
	}
}

// A header that claims a large model allocates no more than its file has.
func TestClaimAllocatesNothing(t *testing.T) {
	for _, claim := range []string{"1000000000000000", "9223372036854775807"} {
		file := signed(`{"kind":"unit.Threshold","form":1,"bytes":` + claim + "}\n{}\n")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := modelfile.Read[*unit.Threshold](bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		if want := "modelfile: truncated: 3 of " + claim + " bytes"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%d bytes allocated for a file of %d", used, len(file))
		}
	}
}

// A line without an end is not read to the end, if there is one.
func TestEndlessLine(t *testing.T) {
	for _, start := range []string{"", "marginalia model 1\n", "marginalia model 1\nsha256 " + strings.Repeat("0", 64) + "\n"} {
		rest := bytes.NewReader(make([]byte, 16<<20))
		_, err := modelfile.ReadHeader(io.MultiReader(strings.NewReader(start), rest))
		if read := rest.Size() - int64(rest.Len()); err == nil || read > 2<<20 {
			t.Errorf("after %q: %v, and %d bytes are read", start, err, read)
		}
	}
}

// An error of the reader or the writer is passed on, wherever it comes.
func TestInputOutputErrors(t *testing.T) {
	good := written(t, and, nil)
	broken := errors.New("broken")
	for i := range len(good) + 1 {
		r := io.MultiReader(bytes.NewReader(good[:i]), iotest.ErrReader(broken))
		if _, err := modelfile.Read[*unit.Threshold](r); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "modelfile: ") {
			t.Errorf("after %d bytes: %v, want %v", i, err, broken)
		}
	}
	if m, err := modelfile.Read[*unit.Threshold](iotest.DataErrReader(iotest.OneByteReader(bytes.NewReader(good)))); err != nil || !reflect.DeepEqual(m, and) {
		t.Errorf("byte by byte: %v, %v", m, err)
	}
	for _, room := range []int{0, len(good) - 1} {
		if err := modelfile.Write(&full{room}, and, nil); !errors.Is(err, errFull) {
			t.Errorf("a writer with room for %d bytes: %v, want %v", room, err, errFull)
		}
	}
}

var errFull = errors.New("full")

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestReadOneOf(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7}), []int{1, 1, -1, -1}
	machine, err1 := svm.Classifier{Kernel: kernel.RBF{}}.Fit(X, y)
	line, err2 := logistic.Regression{L2: 1}.Fit(X, y)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for _, want := range []mlkit.ClassifierModel{machine, line} {
		got, err := modelfile.ReadOneOf[mlkit.ClassifierModel](bytes.NewReader(written(t, want, nil)), (*svm.Model)(nil), (*logistic.Model)(nil))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	file := written(t, and, nil)
	for _, c := range []struct {
		types []any
		want  string
	}{
		{[]any{(*svm.Model)(nil), feature.Polar{}}, "it holds a model of the kind unit.Threshold, want svm.Model or feature.Polar; load it as that, or name another file"},
		{nil, "there are no types, want those that the model may have, such as (*svm.Model)(nil)"},
		{[]any{(*svm.Model)(nil), nil}, "types[1] is nil, want a value of the type of a model, such as (*svm.Model)(nil)"},
		{[]any{3}, "int has no method ModelKind() string, want one that names it in files"},
	} {
		if m, err := modelfile.ReadOneOf(bytes.NewReader(file), c.types...); err == nil || err.Error() != "modelfile: "+c.want || m != nil {
			t.Errorf("%v, %v, want %s", m, err, c.want)
		}
	}
}

// A support vector machine without its solution stays without, and machines of one model share
// their support vectors in the file and in memory.
func TestSupportVectors(t *testing.T) {
	X := mat.NewDense(9, 2, []float64{0, 0, 1, 0, 0, 1, 4, 0, 5, 0, 4, 1, 0, 4, 0, 5, 1, 4})
	y := []int{1, 1, 1, 2, 2, 2, 3, 3, 3}
	m, err := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.1}}}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	predictor := m.Machines[0].Predictor()
	alone, err := modelfile.Read[*svm.Model](bytes.NewReader(written(t, predictor, nil)))
	if err != nil || !reflect.DeepEqual(alone, predictor) {
		t.Errorf("%+v, %v, want %+v", alone, err, predictor)
	}
	file := written(t, m, nil)
	back, err := modelfile.Read[*multiclass.OneVsOneModel[*svm.Model]](bytes.NewReader(file))
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Fatalf("%+v, %v, want %+v", back, err, m)
	}
	shared := map[*float64]bool{}
	vectors := 0
	for _, machine := range back.Machines {
		for _, v := range machine.Vectors {
			shared[&v[0]] = true
			vectors++
		}
	}
	if len(shared) > 9 || vectors <= 9 {
		t.Errorf("%d support vectors in memory for %d of three machines and 9 samples", len(shared), vectors)
	}
}

// The kind of a model names the models within it, and so one pipeline is not taken for another.
func TestKindsWithin(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7}), []int{1, 1, -1, -1}
	p := pipeline.ManyClasses[*multiclass.OneVsRestModel[*perceptron.Model]]{
		Steps:     []pipeline.Step{feature.Standardize{}},
		Algorithm: multiclass.OneVsRest[*perceptron.Model]{Binary: perceptron.Perceptron{}},
	}
	m := testkit.Try(p.Fit(X, y)).Or(t)
	file := written(t, m, nil)
	h, err := modelfile.ReadHeader(bytes.NewReader(file))
	if want := "pipeline.ManyClassesModel[multiclass.OneVsRestModel[perceptron.Model]]"; err != nil || h.Kind != want {
		t.Errorf("the kind is %s, %v, want %s", h.Kind, err, want)
	}
	_, err = modelfile.Read[*pipeline.ManyClassesModel[*multiclass.OneVsRestModel[*svm.LinearModel]]](bytes.NewReader(file))
	if err == nil || !strings.Contains(err.Error(), "OneVsRestModel[perceptron.Model]], want pipeline.ManyClassesModel[multiclass.OneVsRestModel[svm.LinearModel]]") {
		t.Errorf("another algorithm: %v", err)
	}
}
