package mlkittest

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/whole"
)

// beginnings are the name prefixes of the methods that are tested.
var beginnings = []string{"Score", "Predict", "Prob", "Posterior", "Transform"}

// method is one of a model's methods in a uniform shape: numbers for one sample, or for
// each row of a matrix. One of the functions one and all is nil.
type method struct {
	name  string
	kind  string // the prefix of the name
	whole bool   // whether its results are ints
	one   func(x []float64) []float64
	all   func(X mat.Matrix) [][]float64
	// into calls a matrix method with a destination for n rows of width numbers. It
	// reports whether the method returned that destination, and what it wrote there.
	into func(X mat.Matrix, n, width int) (same bool, rows [][]float64)
}

var (
	sampleType = reflect.TypeFor[[]float64]()
	intsType   = reflect.TypeFor[[]int]()
	matrixType = reflect.TypeFor[mat.Matrix]()
	denseType  = reflect.TypeFor[*mat.Dense]()
)

// methodsOf returns the methods of m that are tested, sorted by name.
func methodsOf(m any) []method {
	var methods []method
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if !whole.Has(m, name) {
			continue
		}
		for _, b := range beginnings {
			if strings.HasPrefix(name, b) {
				if f, ok := uniform(v.Method(i)); ok {
					f.name, f.kind = name, b
					methods = append(methods, f)
				}
			}
		}
	}
	return methods
}

// uniform converts f to the uniform shape if it has one of the known forms.
func uniform(f reflect.Value) (method, bool) {
	t := f.Type()
	if t.NumOut() != 1 || t.NumIn() == 0 || t.NumIn() > 2 {
		return method{}, false
	}
	out, arg := t.Out(0), t.In(t.NumIn()-1)
	whole := out.Kind() == reflect.Int || out == intsType
	if t.NumIn() == 1 {
		if arg == sampleType && (out.Kind() == reflect.Float64 || out.Kind() == reflect.Int) {
			return method{whole: whole, one: func(x []float64) []float64 {
				return flat(f.Call([]reflect.Value{reflect.ValueOf(x)})[0])
			}}, true
		}
		return method{}, false
	}
	if t.In(0) != out || out != sampleType && out != intsType && out != denseType {
		return method{}, false
	}
	call := func(dst, x reflect.Value) reflect.Value { return f.Call([]reflect.Value{dst, x})[0] }
	if arg == sampleType {
		return method{whole: whole, one: func(x []float64) []float64 {
			return flat(call(reflect.Zero(out), reflect.ValueOf(x)))
		}}, true
	}
	if arg != matrixType && arg != denseType {
		return method{}, false
	}
	argument := func(X mat.Matrix) reflect.Value {
		if arg == denseType {
			return reflect.ValueOf(mat.DenseCopyOf(X))
		}
		return reflect.ValueOf(X)
	}
	return method{
		whole: whole,
		all: func(X mat.Matrix) [][]float64 {
			return rowsOf(call(reflect.Zero(out), argument(X)))
		},
		into: func(X mat.Matrix, n, width int) (bool, [][]float64) {
			var dst reflect.Value
			if out == denseType {
				dst = reflect.ValueOf(mat.NewDense(n, width, nil))
			} else {
				dst = reflect.MakeSlice(out, n, n)
			}
			back := call(dst, argument(X))
			return back.Pointer() == dst.Pointer(), rowsOf(dst)
		},
	}, true
}

// flat returns the numbers for one sample.
func flat(v reflect.Value) []float64 {
	switch v.Kind() {
	case reflect.Float64:
		return []float64{v.Float()}
	case reflect.Int:
		return []float64{float64(v.Int())}
	}
	var x []float64
	for i := range v.Len() {
		x = append(x, flat(v.Index(i))...)
	}
	return x
}

// rowsOf returns the numbers for each row.
func rowsOf(v reflect.Value) [][]float64 {
	var rows [][]float64
	if A, ok := v.Interface().(*mat.Dense); ok {
		n, _ := A.Dims()
		for i := range n {
			rows = append(rows, mat.Row(nil, i, A))
		}
		return rows
	}
	for i := range v.Len() {
		rows = append(rows, flat(v.Index(i)))
	}
	return rows
}

// field returns the named field of m if it is a []int.
func field(m any, name string) ([]int, bool) {
	v := reflect.Indirect(reflect.ValueOf(m))
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	if f := v.FieldByName(name); f.IsValid() && f.Type() == intsType {
		return f.Interface().([]int), true
	}
	return nil, false
}

// output is the result of a method for some rows, or a field.
type output struct {
	name  string
	whole bool
	rows  [][]float64
}

// outputs returns the results of all tested methods of m for X, and its labels.
func outputs(m any, X mat.Matrix) []output {
	n, _ := X.Dims()
	var all []output
	for _, f := range methodsOf(m) {
		o := output{name: f.name, whole: f.whole}
		if f.all != nil {
			o.rows = f.all(X)
		} else {
			for i := range n {
				o.rows = append(o.rows, f.one(mat.Row(nil, i, X)))
			}
		}
		all = append(all, o)
	}
	if labels, ok := field(m, "Labels"); ok {
		all = append(all, output{"Labels", true, rowsOf(reflect.ValueOf(labels))})
	}
	return all
}

// same compares outputs. Two numbers are the same if they differ by at most tol times the
// largest number of their method, or times 1 if that is larger.
func same(want, got []output, tol float64) error {
	if len(want) != len(got) {
		return fmt.Errorf("%d methods and labels, want %d", len(got), len(want))
	}
	for k, w := range want {
		g := got[k]
		if len(w.rows) != len(g.rows) {
			return fmt.Errorf("%s gives %d rows, want %d", w.name, len(g.rows), len(w.rows))
		}
		scale := 1.0
		for _, row := range w.rows {
			for _, v := range row {
				scale = max(scale, math.Abs(v))
			}
		}
		for i, row := range w.rows {
			if err := sameRow(row, g.rows[i], tol*scale); err != nil {
				return fmt.Errorf("%s of row %d %w", w.name, i, err)
			}
		}
	}
	return nil
}

func sameRow(want, got []float64, tol float64) error {
	if len(want) != len(got) {
		return fmt.Errorf("has %d numbers, want %d", len(got), len(want))
	}
	for j := range want {
		equal := math.Float64bits(want[j]) == math.Float64bits(got[j]) ||
			tol > 0 && math.Abs(want[j]-got[j]) <= tol
		if !equal {
			return fmt.Errorf("is %v, want %v", got, want)
		}
	}
	return nil
}

// realNumbers drops labels, unless there is nothing else.
func realNumbers(all []output) []output {
	var r []output
	for _, o := range all {
		if !o.whole {
			r = append(r, o)
		}
	}
	if r == nil {
		return all
	}
	return r
}
