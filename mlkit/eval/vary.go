package eval

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Field is a field of an algorithm and the values to try for it: see Values.
type Field struct {
	Name   string
	Values []any
}

// Values returns the field of that name with its values. Name is a path through the
// algorithm: of fields, with dots between, and elements of slices, in brackets:
//
//	eval.Values("C", 0.1, 1, 10)
//	eval.Values("Kernel.Gamma", 0.01, 0.1)
//	eval.Values("Steps[1].Components", 2, 5, 10)
//
// A number may be of any type that has the field's value exactly.
func Values[T any](name string, values ...T) Field {
	f := Field{Name: name}
	for _, v := range values {
		f.Values = append(f.Values, v)
	}
	return f
}

// Vary returns copies of an algorithm, one for every combination of the values of its
// fields; those of the last field change fastest. GridSearch takes them as params.
// Whatever a path leads through is copied too, such as a kernel or a slice of steps. Vary
// returns an error if a field is not there, has no values, or does not take one of them.
func Vary[A any](algorithm A, fields ...Field) ([]A, error) {
	all := []A{algorithm}
	for _, f := range fields {
		if len(f.Values) == 0 {
			return nil, fmt.Errorf("eval: field %s has no values, want at least one", f.Name)
		}
		if len(all) > maxNumbers/len(f.Values) {
			return nil, fmt.Errorf("eval: the fields have more than %d combinations of values, want fewer", maxNumbers)
		}
		var more []A
		for _, a := range all {
			for _, v := range f.Values {
				b := a
				if err := set(reflect.ValueOf(&b).Elem(), f.Name, reflect.ValueOf(v)); err != nil {
					return nil, fmt.Errorf("eval: field %s of %T: %w", f.Name, algorithm, err)
				}
				more = append(more, b)
			}
		}
		all = more
	}
	return all, nil
}

// set sets what path leads to in v, which must be settable, to a value. It copies what it
// passes through.
func set(v reflect.Value, path string, value reflect.Value) error {
	switch {
	case v.Kind() == reflect.Interface && path != "":
		if v.IsNil() {
			return fmt.Errorf("nil, want a value with %s", path)
		}
		inner := reflect.New(v.Elem().Type()).Elem()
		inner.Set(v.Elem())
		if err := set(inner, path, value); err != nil {
			return err
		}
		v.Set(inner)
		return nil
	case v.Kind() == reflect.Pointer && path != "":
		if v.IsNil() {
			return fmt.Errorf("nil, want a value with %s", path)
		}
		inner := reflect.New(v.Type().Elem())
		inner.Elem().Set(v.Elem())
		if err := set(inner.Elem(), path, value); err != nil {
			return err
		}
		v.Set(inner)
		return nil
	case path == "":
		return assign(v, value)
	case path[0] == '[':
		return setElement(v, path, value)
	}
	name, rest := path, ""
	if end := strings.IndexAny(path, ".["); end >= 0 {
		name, rest = path[:end], strings.TrimPrefix(path[end:], ".")
	}
	if v.Kind() != reflect.Struct {
		return fmt.Errorf("%s has no fields, want a struct with %s", v.Type(), name)
	}
	field, ok := v.Type().FieldByName(name)
	if !ok || !field.IsExported() {
		return fmt.Errorf("%s has no field %s, want one of %s", v.Type(), name, strings.Join(exported(v.Type()), ", "))
	}
	return set(v.FieldByIndex(field.Index), rest, value)
}

// setElement sets what path leads to from an element of the slice v: [i]…
func setElement(v reflect.Value, path string, value reflect.Value) error {
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return fmt.Errorf("%q has no closing bracket", path)
	}
	i, err := strconv.Atoi(path[1:end])
	if err != nil {
		return fmt.Errorf("%q is no index, want a number in brackets", path[:end+1])
	}
	if v.Kind() != reflect.Slice {
		return fmt.Errorf("%s has no elements, want a slice", v.Type())
	}
	if i < 0 || i >= v.Len() {
		return fmt.Errorf("element %d, want from 0 to %d", i, v.Len()-1)
	}
	elements := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(elements, v)
	if err := set(elements.Index(i), strings.TrimPrefix(path[end+1:], "."), value); err != nil {
		return err
	}
	v.Set(elements)
	return nil
}

// assign sets v to a value of its type, or to a number that its type has exactly.
func assign(v, value reflect.Value) error {
	switch {
	case !value.IsValid(): // nil
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func:
			v.SetZero()
			return nil
		}
		return fmt.Errorf("nil, want a value of type %s", v.Type())
	case value.Type().AssignableTo(v.Type()):
		v.Set(value)
		return nil
	case numeric(value.Kind()) && numeric(v.Kind()):
		if converted := value.Convert(v.Type()); converted.Convert(value.Type()).Equal(value) && sign(converted) == sign(value) {
			v.Set(converted)
			return nil
		}
	}
	return fmt.Errorf("%v is a %s, want a value of type %s", value, value.Type(), v.Type())
}

func numeric(k reflect.Kind) bool {
	return reflect.Int <= k && k <= reflect.Float64 && k != reflect.Uintptr
}

// sign reports whether a number is negative, which the conversion of an int to a uint and
// back would not show.
func sign(v reflect.Value) bool {
	switch {
	case v.CanInt():
		return v.Int() < 0
	case v.CanFloat():
		return v.Float() < 0
	}
	return false
}

// exported returns the names of the exported fields of a struct.
func exported(t reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			names = append(names, f.Name)
		}
	}
	return names
}
