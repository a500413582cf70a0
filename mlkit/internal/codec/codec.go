// Package codec decodes a model entirely or not at all. encoding/json fills a model
// field by field, so it may leave one array shorter than another, an index out of
// range, or a field unset because its name was misspelt. The methods of the model would
// then panic or compute nonsense. This package decodes into a new value, checks it, and
// replaces the old value only if the check passes.
//
// Models are stored as JSON, which encoding/json writes by reflection. A model has a check
// of its fields and one method that decodes it:
//
//	func (m *Model) check() error { return codec.First(codec.Length(…), codec.AllFinite(…)) }
//
//	func (m *Model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*Model).check) }
//
// If its JSON differs from its fields, because a number may be infinite or parts are
// encoded together, it has a MarshalJSON too and decodes itself with [DecodeAs].
//
// # Embedding
//
// The outer struct inherits the methods of an embedded one, and would then decode only
// the embedded part. So types that models embed (mlkit.Hyperplane, kernelized.Expansion,
// mlkit.LinearMachine) have none of these methods, and the models check those parts.
package codec

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strings"
)

// Decode sets *m to the model in data, a JSON object. The object must have every field of
// the model except those with omitempty, and no others, and the model must pass the check,
// whose error follows the name of the type. If Decode returns an error, *m is unchanged.
func Decode[M any](data []byte, m *M, check func(*M) error) error {
	fresh := new(M)
	if err := decode(data, reflect.ValueOf(fresh).Elem(), reflect.TypeFor[M](), func() error { return check(fresh) }); err != nil {
		return err
	}
	*m = *fresh
	return nil
}

// DecodeAs is Decode for a model whose JSON is that of a P, from which model makes it.
func DecodeAs[P, M any](data []byte, m *M, model func(P) M, check func(*M) error) error {
	var p P
	var fresh M
	if err := decode(data, reflect.ValueOf(&p).Elem(), reflect.TypeFor[M](), func() error {
		fresh = model(p)
		return check(&fresh)
	}); err != nil {
		return err
	}
	*m = fresh
	return nil
}

// decode decodes into v what a model of type t is made from, and checks it. It is not
// generic, so that little of this package is compiled again for each type of model.
func decode(data []byte, v reflect.Value, t reflect.Type, check func() error) error {
	var err error
	if v.Kind() == reflect.Struct {
		err = object(data, v.Type(), "", v)
	} else {
		err = Strict(data, v.Addr().Interface())
	}
	if err == nil {
		err = check()
	}
	if err != nil {
		name, _, _ := strings.Cut(t.Name(), "[")
		return fmt.Errorf("%s: decoding %s: %w", strings.TrimSuffix(path.Base(t.PkgPath()), "_test"), name, err)
	}
	return nil
}

// Strict is json.Unmarshal followed by Complete: it also rejects what json.Unmarshal
// silently accepts.
func Strict(data []byte, v any) error {
	if err := unmarshal(data, v, ""); err != nil {
		return err
	}
	return Complete(data, v)
}

// unmarshal is json.Unmarshal with an error that names the place of a value of the wrong type.
func unmarshal(data []byte, v any, place string) error {
	err := json.Unmarshal(data, v)
	if wrong, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Errorf("%s is a JSON %s, want a value of type %v", orItself(within(place, wrong.Field)), wrong.Value, wrong.Type)
	}
	return err
}
