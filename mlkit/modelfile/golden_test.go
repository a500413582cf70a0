package modelfile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/modelfile"
)

var update = flag.Bool("update", false, "write the files of testdata that are missing or have other fields")

// questions are the samples that golden files have answers for. No number is negative, for Chi2.
var questions = mat.NewDense(3, 2, []float64{0, 1, 4, 2, 1.5, 6})

// testdata has a file of each model in goldens, with its answers in the notes. A kind's second
// model has -2 in its name. What a fit
// returns today has the same fields, and the model in the file is read and gives the
// same answers.
//
// If this test fails after a change of a model, files of users can no longer be read, or mean
// something else. Until a version is tagged, go test -update writes the file anew.
func TestGoldenFiles(t *testing.T) {
	all := goldens(t)
	known, count := map[string]bool{}, map[string]int{}
	for _, m := range all {
		file := written(t, m, nil)
		h := testkit.Try(modelfile.ReadHeader(bytes.NewReader(file))).Or(t)
		number := ""
		if count[h.Kind]++; count[h.Kind] > 1 {
			number = fmt.Sprintf("-%d", count[h.Kind])
		}
		name := filepath.Join("testdata", fmt.Sprintf("%s.%d%s.model", h.Kind, h.Form, number))
		known[name] = true
		golden, err := os.ReadFile(name)
		if err != nil && !*update {
			t.Errorf("%v; go test -update writes it", err)
			continue
		}
		if err != nil || !slices.Equal(fields(t, file), fields(t, golden)) {
			if !*update {
				t.Errorf("%s has the fields\n%s\nand today's %s has\n%s", name, fields(t, golden), h.Kind, fields(t, file))
				continue
			}
			text, err := json.Marshal(answers(m, questions))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := modelfile.Save(name, m, modelfile.Notes{"answers": string(text)}); err != nil {
				t.Fatal(err)
			}
		}
		back, err := modelfile.LoadOneOf(name, all...)
		if err != nil {
			t.Error(err)
			continue
		}
		if h, err = modelfile.LoadHeader(name); err != nil {
			t.Error(err)
		}
		var want map[string][]float64
		if err := json.Unmarshal([]byte(h.Notes["answers"]), &want); err != nil {
			t.Errorf("%s: answers: %v", name, err)
		}
		if err := sameAnswers(answers(back, questions), want); err != nil {
			t.Errorf("%s: %v; where that is right, such as of a new method, remove the file, and go test -update writes it", name, err)
		}
	}
	files := testkit.Try(filepath.Glob(filepath.Join("testdata", "*.model"))).Or(t)
	for _, name := range files {
		if !known[name] {
			t.Errorf("%s is of no model in goldens", name)
		}
	}
}

// fields lists the fields of the model in a file, with the path to each.
func fields(t *testing.T, file []byte) []string {
	var model any
	if err := json.Unmarshal(bytes.SplitN(file, []byte("\n"), 4)[3], &model); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	var collect func(v any, path string)
	collect = func(v any, path string) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				found[path+"."+key] = true
				collect(value, path+"."+key)
			}
		case []any:
			for _, element := range v {
				collect(element, path+"[]")
			}
		}
	}
	collect(model, "")
	return slices.Sorted(maps.Keys(found))
}

// answers calls the methods of a model that give numbers for a sample, for samples or for a
// score, or that describe the model. It returns the numbers by the names of the methods.
func answers(m any, X *mat.Dense) map[string][]float64 {
	n, _ := X.Dims()
	all := map[string][]float64{}
	v := reflect.ValueOf(m)
	many := false // classes, for methods that panic then
	if _, discriminants := v.Type().MethodByName("Discriminants"); discriminants {
		many = reflect.Indirect(v).FieldByName("Classes").Len() > 2
	}
	for i := range v.NumMethod() {
		name, f := v.Type().Method(i).Name, v.Method(i)
		if many && slices.Contains([]string{"Score", "Scores", "Prob", "Probs"}, name) {
			continue
		}
		call := func(last ...any) {
			var in []reflect.Value
			for k := range f.Type().NumIn() - len(last) { // a destination
				in = append(in, reflect.Zero(f.Type().In(k)))
			}
			for _, x := range last {
				in = append(in, reflect.ValueOf(x))
			}
			all[name] = append(all[name], flat(f.Call(in)[0])...)
		}
		switch form := f.Type().String(); form {
		case "func() int", "func() float64":
			call()
		case "func(float64) float64":
			call(0.5)
		case "func([]float64) float64", "func([]float64) int", "func([]float64) []float64",
			"func([]float64, []float64) []float64", "func([]int, []float64) []int":
			for i := range n {
				call(X.RawRowView(i))
			}
		case "func([]float64, mat.Matrix) []float64", "func([]int, mat.Matrix) []int", "func(*mat.Dense, mat.Matrix) *mat.Dense",
			"func(*mat.Dense, *mat.Dense) *mat.Dense":
			call(X)
		}
	}
	return all
}

// flat returns the numbers in v.
func flat(v reflect.Value) (numbers []float64) {
	switch {
	case v.CanFloat():
		return []float64{v.Float()}
	case v.CanInt():
		return []float64{float64(v.Int())}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			numbers = append(numbers, flat(v.Index(i))...)
		}
		return numbers
	}
	A := v.Interface().(*mat.Dense)
	n, _ := A.Dims()
	for i := range n {
		numbers = append(numbers, A.RawRowView(i)...)
	}
	return numbers
}

// sameAnswers compares answers. Sums of a few products may be rounded otherwise on another
// processor, by much less than 1e-12 times the largest number.
func sameAnswers(got, want map[string][]float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d methods give answers, want %d", len(got), len(want))
	}
	for name, w := range want {
		g, scale := got[name], 1.0
		for _, v := range w {
			scale = max(scale, math.Abs(v))
		}
		if len(g) != len(w) {
			return fmt.Errorf("%s gives %d numbers, want %d", name, len(g), len(w))
		}
		for i := range w {
			if !(math.Abs(g[i]-w[i]) <= 1e-12*scale) {
				return fmt.Errorf("%s gives %v, want %v", name, g, w)
			}
		}
	}
	return nil
}
