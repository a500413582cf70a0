package mlkittest

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// corruptGob corrupts the fields of copies of m in every way that spoilValue knows and
// encodes them with gob, which does not check them. Where the gob holds JSON, most
// infinities and NaNs cannot be encoded at all.
func corruptGob(m any) error {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(m); err != nil {
		return err
	}
	decoded := func() (any, error) {
		v := empty(m)
		return v, gob.NewDecoder(bytes.NewReader(text.Bytes())).Decode(v)
	}
	// The corrupted copy shares no memory with m or with the destination of decoding.
	spoilt, err := decoded()
	if err != nil {
		return err
	}
	var broken []error
	var into any
	spoilValue(reflect.ValueOf(spoilt).Elem(), "the model", func(what string) {
		if len(broken) == 5 {
			return
		}
		if into == nil {
			if into, err = decoded(); err != nil {
				broken = append(broken, err)
				return
			}
		}
		var b bytes.Buffer
		if withoutPanic(func() error { return gob.NewEncoder(&b).Encode(spoilt) }) != nil {
			return // it cannot be encoded
		}
		s := spoiling{what: "with gob, " + what}
		err := withoutPanic(func() error { return gob.NewDecoder(&b).Decode(into) })
		if err := s.judge(pointerTo(m), into, err); err != nil {
			broken = append(broken, err)
		}
		if err == nil {
			into = nil
		}
	})
	return errors.Join(broken...)
}

// spoilValue makes one change after another to v, which must be settable, and to
// everything in v. It calls try after each change and then undoes it.
func spoilValue(v reflect.Value, place string, try func(what string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	with := func(w reflect.Value, what string) {
		v.Set(w)
		try(place + " " + what)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.Float64:
		for _, x := range []float64{0, -1, 1e300, math.NaN(), math.Inf(1)} {
			with(reflect.ValueOf(x).Convert(v.Type()), fmt.Sprint(x))
		}
	case reflect.Int:
		for _, x := range []int{0, -1, 1e9, math.MaxInt, math.MinInt} {
			with(reflect.ValueOf(x).Convert(v.Type()), fmt.Sprint(x))
		}
	case reflect.Bool:
		with(reflect.ValueOf(!v.Bool()).Convert(v.Type()), "negated")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		with(reflect.Zero(v.Type()), "nil")
		if v.Kind() == reflect.Pointer {
			spoilValue(v.Elem(), place, try)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				spoilValue(v.Field(i), place+"."+f.Name, try)
			}
		}
	case reflect.Slice:
		if v.Len() > 0 {
			with(reflect.Zero(v.Type()), "nil")
			with(v.Slice(0, v.Len()-1), "shorter")
			with(reflect.Append(v.Slice3(0, v.Len(), v.Len()), v.Index(0)), "longer")
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			if i == 0 || i == v.Len()/2 || i == v.Len()-1 {
				spoilValue(v.Index(i), fmt.Sprintf("%s[%d]", place, i), try)
			}
		}
	}
}
