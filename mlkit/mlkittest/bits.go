package mlkittest

import (
	"fmt"
	"math"
	"reflect"
)

// sameBits compares all fields of two values of one type, exported or not, and names the
// first difference. Floats are compared by their bits, so 0 and -0 differ and a NaN
// equals itself. A nil slice or map differs from an empty one. Functions are equal only
// if both are nil.
func sameBits(want, got any) error {
	return comparison{}.same("the model", want, got)
}

func (c comparison) value(place string, a, b reflect.Value) error {
	differ := func() error { return fmt.Errorf("%s is %v, want %v", place, b, a) }
	switch a.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Float64, reflect.Float32:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return differ()
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return differ()
		}
		if a.IsNil() {
			return nil
		}
		if a.Elem().Type() != b.Elem().Type() {
			return fmt.Errorf("%s is a %v, want a %v", place, b.Elem().Type(), a.Elem().Type())
		}
		return c.value(place, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if err := c.value(place+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && c.ofSamples(a, b) {
			return nil
		}
		if a.Kind() == reflect.Slice && c.ofRows(place, a) {
			a = c.renumbered(a)
		}
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return fmt.Errorf("%s is %#v, want %#v", place, b, a)
		}
		for i := range a.Len() {
			if err := c.value(fmt.Sprintf("%s[%d]", place, i), a.Index(i), b.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return fmt.Errorf("%s is %#v, want %#v", place, b, a)
		}
		for _, key := range a.MapKeys() {
			other := b.MapIndex(key)
			if !other.IsValid() {
				return fmt.Errorf("%s has no key %v", place, key)
			}
			if err := c.value(fmt.Sprintf("%s[%v]", place, key), a.MapIndex(key), other); err != nil {
				return err
			}
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !a.IsNil() || !b.IsNil() {
			return fmt.Errorf("%s is a %v, which is not data", place, a.Type())
		}
	case reflect.String:
		if b.String() != c.message(a.String()) {
			return differ()
		}
	default:
		if !a.Equal(b) {
			return differ()
		}
	}
	return nil
}
