package mlkit_test

import (
	"encoding/json"
	"go/types"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// embedded are the types with JSON names that don't decode themselves, since models embed
// or hold them and check them. In the first two only a length can be wrong. The last is
// checked with its file.
var embedded = []string{"mlkit.Hyperplane", "kernel.Centering", "kernelized.Matrix", "kernelized.Expansion", "mlkit.LinearMachine", "svm.Solution", "modelfile.Header"}

// Every type returned by a Fit, and every other type with JSON names, has its own
// method to decode JSON; a promoted one would decode only the embedded part, which is enough if there is no other. It has a method that names it in files, too, and
// package modelfile a file of it, which holds it to its form. Kernels are decoded by
// kernel.Any.
func TestEveryModelDecodesItself(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.NoRace(t)
	readTree(t)
	l := listPackages()
	if l.err != nil {
		t.Fatalf("go list: %v", l.err)
	}
	found := 0
	for _, p := range l.packages {
		pkg := p.inside.pkg
		models := map[*types.TypeName]bool{}
		for _, named := range p.inside.exported() {
			if hasJSONNames(named) {
				models[named.Obj()] = true
			}
			for m := range named.Methods() {
				if name := m.Name(); name == "Fit" || name == "FitTargets" {
					models[modelOf(m.Signature())] = true
				}
			}
		}
		for model := range models {
			full := pkg.Name() + "." + model.Name()
			methods := types.NewMethodSet(types.NewPointer(model.Type()))
			if slices.Contains(embedded, full) || methods.Lookup(pkg, "Eval") != nil {
				continue
			}
			found++
			if m := methods.Lookup(pkg, "UnmarshalJSON"); m == nil || len(m.Index()) > 1 && !onlyFields(model.Type(), m.Index()) {
				t.Errorf("%s has no method UnmarshalJSON of its own: see mlkit/internal/codec", full)
			}
			if full == "pipeline.Fitted" {
				continue // a part of the five kinds of pipelines
			}
			if m := methods.Lookup(pkg, "ModelKind"); m == nil || len(m.Index()) > 1 {
				t.Errorf("%s has no method ModelKind of its own: see mlkit/modelfile", full)
			}
			if files, _ := filepath.Glob(filepath.Join("modelfile", "testdata", full+"[[.]*")); len(files) == 0 {
				t.Errorf("mlkit/modelfile/testdata has no file of a %s: add one to goldens in mlkit/modelfile/golden_models_test.go", full)
			}
		}
	}
	if found < 38 { // the number when this test was written
		t.Errorf("%d types found, want at least 38", found)
	}
}

// onlyFields reports whether each of the fields that the path to a promoted method leads
// through is its struct's only one.
func onlyFields(t types.Type, path []int) bool {
	for range len(path) - 1 {
		s, ok := t.Underlying().(*types.Struct)
		if !ok || s.NumFields() != 1 {
			return false
		}
		t = s.Field(0).Type()
	}
	return true
}

func hasJSONNames(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if reflect.StructTag(s.Tag(i)).Get("json") != "" {
			return true
		}
	}
	return false
}

// modelOf returns the type that a fit returns, or the one it points to.
func modelOf(fit *types.Signature) *types.TypeName {
	result := fit.Results().At(0).Type()
	if p, ok := result.(*types.Pointer); ok {
		result = p.Elem()
	}
	return result.(*types.Named).Obj()
}

// Structs that embed parts of models are encoded completely, and so are structs with a
// model in a field.
func TestStructsAroundModels(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7}), []int{1, 1, -1, -1}
	scaling, err1 := feature.Standardize{}.Fit(X)
	machine, err2 := svm.Classifier{Kernel: kernel.RBF{}}.Fit(X, y)
	ridge, err3 := kernelized.Ridge{}.Fit(X, []float64{1, 2, 3, 5})
	softmax, err4 := logistic.Regression{L2: 1}.Fit(X, y)
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
		t.Fatal(err1, err2, err3, err4)
	}
	type named struct {
		mlkit.Hyperplane
		Name string
	}
	type expanded struct {
		kernelized.Expansion
		Rows []int
	}
	type many struct {
		mlkit.LinearMachine
		Names map[int]string
	}
	type scaled struct {
		Scaling *feature.Scaling
		Model   *svm.Model
	}
	for _, v := range []any{
		&named{mlkit.Hyperplane{W: []float64{1, 2}, B: 3}, "first"},
		&expanded{ridge.Expansion, []int{1, 2}},
		&many{softmax.LinearMachine, map[int]string{1: "one"}},
		&scaled{scaling, machine},
	} {
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, back)
		}
		if err != nil || !reflect.DeepEqual(v, back) {
			t.Errorf("%+v came back as %+v, error %v", v, back, err)
		}
	}
}

// A struct that embeds a model inherits its methods, so its own fields can't be
// decoded. Decoding must return an error rather than half a struct.
func TestStructThatEmbedsModel(t *testing.T) {
	type mine struct {
		*perceptron.Model
		Name string
	}
	var v mine
	const text = `{"w":[1,2],"b":0,"mistakes":1,"epochs":1,"steps":2,"mistakes_per_epoch":[1],"converged":true,"Name":"n"}`
	v.Model = new(perceptron.Model)
	if err := json.Unmarshal([]byte(text), &v); err == nil || !strings.Contains(err.Error(), `"Name" is no field of it`) {
		t.Errorf("err = %v", err)
	}
}

func TestDecodedMarginsAreWhole(t *testing.T) {
	for name, w := range map[string][]float64{"finite": {1, 2}, "NaN, of w = 0": {0, 0}, "infinite": {math.MaxFloat64, 1e-308}} {
		m, err := mlkit.Hyperplane{W: w, B: 3}.Margins(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), []int{1, -1, 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := mlkittest.TestDecoding(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
