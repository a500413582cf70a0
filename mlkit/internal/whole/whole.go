// Package whole checks decoded models in tests, by calling all their methods.
package whole

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/codec"
)

// Check returns an error unless, for some length of the samples, no method of the model
// that m points to panics. The error lists the panics at the length with the fewest.
func Check(m any) error {
	var best error
	fewest := math.MaxInt
	for _, d := range lengths(m) {
		broken := methods(m, d)
		if len(broken) == 0 {
			return nil
		}
		if len(broken) < fewest {
			fewest, best = len(broken), fmt.Errorf("with samples of %d numbers, %s", d, strings.Join(broken, "; "))
		}
	}
	return best
}

const (
	longest   = 1 << 12 // the largest length of samples to try
	noSamples = -1      // no length fits: call only the methods without samples
)

// lengths returns the lengths to try for samples of m: the one that Inputs returns, none if
// it is above longest, or, if m has no such method or it returns 0 for unknown, 0 to 3, the
// length of every slice and the value of every int in m, up to longest.
func lengths(m any) []int {
	if m, ok := m.(interface{ Inputs() int }); ok {
		d, err := tried(m.Inputs)
		switch {
		case err != nil || d < 0 || d > longest:
			return []int{noSamples}
		case d > 0:
			return []int{d}
		}
	}
	found := map[int]bool{0: true, 1: true, 2: true, 3: true}
	collect(reflect.ValueOf(m), found)
	all := []int{2} // the most frequent
	for d := range found {
		if d >= 0 && d <= longest && d != 2 {
			all = append(all, d)
		}
	}
	slices.Sort(all[1:])
	return all
}

func tried(f func() int) (d int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f(), nil
}

func collect(v reflect.Value, found map[int]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), found)
		}
	case reflect.Slice, reflect.Array:
		found[v.Len()] = true
		switch v.Type().Elem().Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array:
			for i := range min(v.Len(), 3) {
				collect(v.Index(i), found)
			}
		}
	case reflect.Int:
		if d := v.Int(); d >= 0 && d <= longest {
			found[int(d)] = true
		}
	}
}

// Has reports whether m has a method of the given name for its number of classes: a model with
// a field Classes of more than two panics in what is for two.
func Has(m any, method string) bool {
	classes, ok := codec.ClassesOf(m)
	return !ok || len(classes) == 2 || !slices.Contains([]string{"Score", "Scores", "Prob", "Probs"}, method)
}

// methods calls the methods of m whose arguments are samples of length d, destinations,
// labels, scores or indices, and returns which of them panicked. The index is 0, which
// is valid in every model. The samples of a map's method Inverse have the length Dim.
func methods(m any, d int) (broken []string) {
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if name == "UnmarshalJSON" || !Has(m, name) {
			continue
		}
		length := d
		if image, ok := m.(interface{ Dim() int }); ok && name == "Inverse" {
			length, _ = tried(image.Dim)
		}
		in, ok := arguments(v.Method(i).Type(), length)
		if !ok {
			continue
		}
		func() {
			defer func() {
				if r := recover(); r != nil {
					broken = append(broken, fmt.Sprintf("%s panics: %v", name, r))
				}
			}()
			v.Method(i).Call(in)
		}()
	}
	return broken
}

// rows is the number of samples in a matrix.
const rows = 9

var (
	sampleType = reflect.TypeFor[[]float64]()
	labelsType = reflect.TypeFor[[]int]()
	denseType  = reflect.TypeFor[*mat.Dense]()
	matrixType = reflect.TypeFor[mat.Matrix]()
)

// arguments makes arguments for a function of the form f(x), f(dst, x), f(X), f(dst,
// X), f(X, y), f(s), f(i), f(i, j) or f(), where x is a sample, X holds samples and y
// their labels. It reports whether f has such a form.
func arguments(f reflect.Type, d int) (in []reflect.Value, ok bool) {
	n := f.NumIn()
	for i := range n {
		t := f.In(i)
		before := i < n-1 && f.In(n-1) != labelsType // so a slice here is a destination
		switch {
		case t.Kind() == reflect.Int:
			in = append(in, reflect.Zero(t))
		case t.Kind() == reflect.Float64:
			in = append(in, reflect.ValueOf(0.5).Convert(t))
		case before && (t == sampleType || t == labelsType || t == denseType):
			in = append(in, reflect.Zero(t))
		case t == sampleType && d >= 0:
			in = append(in, reflect.ValueOf(sample(d)))
		case (t == denseType || t == matrixType) && d > 0:
			X := mat.NewDense(rows, d, nil)
			for i := range rows {
				X.SetRow(i, sample(d))
			}
			in = append(in, reflect.ValueOf(X))
		case t == labelsType && i > 0:
			in = append(in, reflect.ValueOf(slices.Repeat([]int{1}, rows)))
		default:
			return nil, false
		}
	}
	return in, true
}

func sample(d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = 1 + float64(j)/8
	}
	return x
}
