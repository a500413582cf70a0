package wire

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
)

// entries returns the keys and values of a map. The judge sends them in the order of the keys: Go visits a map in
// the order in which it was filled, from a place that the guest's random numbers choose, the same in each run. So an answer that
// depends on a map's order gets the same marks in each run, too.
func (e *End) entries(m reflect.Value) iter.Seq2[reflect.Value, reflect.Value] {
	if !e.judge {
		return m.Seq2()
	}
	all := make([][2]reflect.Value, 0, m.Len())
	for key, value := range m.Seq2() {
		all = append(all, [2]reflect.Value{key, value})
	}
	slices.SortStableFunc(all, func(a, b [2]reflect.Value) int { return compare(a[0], b[0]) })
	return func(yield func(reflect.Value, reflect.Value) bool) {
		for _, entry := range all {
			if !yield(entry[0], entry[1]) {
				return
			}
		}
	}
}

// compare orders keys of maps, as far as they have an order: pointers have none.
func compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.Bool:
		return cmp.Compare(truth(a.Bool()), truth(b.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		return cmp.Or(cmp.Compare(real(a.Complex()), real(b.Complex())), cmp.Compare(imag(a.Complex()), imag(b.Complex())))
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Array:
		for i := range a.Len() {
			if c := compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return cmp.Compare(truth(!a.IsNil()), truth(!b.IsNil()))
		}
		a, b = a.Elem(), b.Elem()
		if a.Type() != b.Type() {
			return cmp.Compare(a.Type().String(), b.Type().String())
		}
		return compare(a, b)
	}
	return 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
