package mlkittest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"marginalia/mlkit/modelfile"
)

// roundTrip is the rule that encoding and decoding preserve a model.
func roundTrip(_ kind, s samples, m any) error {
	back := reflect.New(reflect.TypeOf(m))
	if err := viaJSON(m, back.Interface()); err != nil {
		return err
	}
	b := back.Elem().Interface()
	if err := same(outputs(m, s.X), outputs(b, s.X), 0); err != nil {
		return err
	}
	if err := sameBits(m, b); err != nil {
		return fmt.Errorf("decoded, %w", err)
	}
	return nil
}

// sameAfterJSON tests that encoding and decoding preserve m, alone and within other values:
// as a value, through a pointer, and in a slice, a map and a field.
func sameAfterJSON(m any) error {
	t := reflect.TypeOf(m)
	inSlice := reflect.MakeSlice(reflect.SliceOf(t), 2, 2)
	inSlice.Index(0).Set(reflect.ValueOf(m))
	inSlice.Index(1).Set(reflect.ValueOf(m))
	inMap := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), t))
	inMap.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf(m))
	inField := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "Before", Type: reflect.TypeFor[int]()}, {Name: "Model", Type: t}, {Name: "After", Type: reflect.TypeFor[string]()},
	})).Elem()
	inField.Field(0).SetInt(3)
	inField.Field(1).Set(reflect.ValueOf(m))
	inField.Field(2).SetString("after")
	for _, c := range []struct {
		name string
		v    any
	}{
		{"a value", reflect.ValueOf(pointerTo(m)).Elem().Interface()}, {"a pointer", pointerTo(m)},
		{"a slice", inSlice.Interface()}, {"a map", inMap.Interface()}, {"a field", inField.Interface()},
	} {
		back := reflect.New(reflect.TypeOf(c.v))
		if err := viaJSON(c.v, back.Interface()); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := sameBits(c.v, back.Elem().Interface()); err != nil {
			return fmt.Errorf("%s, decoded: %w", c.name, err)
		}
	}
	return nil
}

// pointerTo returns m if it is a pointer, otherwise a pointer to a copy.
func pointerTo(m any) any {
	v := reflect.ValueOf(m)
	if v.Kind() == reflect.Pointer {
		return m
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// empty returns a pointer to a zero value of m's type or, if m is a pointer, of what m
// points to.
func empty(m any) any {
	t := reflect.TypeOf(m)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.New(t).Interface()
}

func viaJSON(m, back any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, back)
}

// file is the rule that a file of package modelfile preserves a model.
func file(_ kind, s samples, m any) error {
	back, err := sameInFile(m)
	if back == nil || err != nil {
		return err
	}
	return same(outputs(m, s.X), outputs(back, s.X), 0)
}

// sameInFile returns the model that is read from a file of m, or nil if m has no kind, and so no
// file. It returns an error unless that is the same model, with the same file, and unless a
// damaged file is refused.
func sameInFile(m any) (back any, err error) {
	if _, ok := pointerTo(m).(modelfile.Kind); !ok {
		return nil, nil
	}
	var whole, again bytes.Buffer
	notes := modelfile.Notes{"rule": "file"}
	if err := modelfile.Write(&whole, m, notes); err != nil {
		return nil, err
	}
	read := func(file []byte) (any, error) { return modelfile.ReadOneOf(bytes.NewReader(file), m) }
	if back, err = read(whole.Bytes()); err != nil {
		return nil, err
	}
	if err := sameBits(m, back); err != nil {
		return nil, fmt.Errorf("read from a file, %w", err)
	}
	if err := modelfile.Write(&again, back, notes); err != nil {
		return nil, err
	}
	if !bytes.Equal(whole.Bytes(), again.Bytes()) {
		return nil, errors.New("a model that is read and written has another file")
	}
	flipped := bytes.Clone(whole.Bytes())
	flipped[len(flipped)-3] ^= 1
	for what, file := range map[string][]byte{
		"a file with a bit of the model flipped": flipped,
		"a file without its last byte":           whole.Bytes()[:whole.Len()-1],
		"a file with a byte too many":            append(bytes.Clone(whole.Bytes()), '\n'),
	} {
		if _, err := read(file); err == nil {
			return nil, fmt.Errorf("%s is read", what)
		}
	}
	if _, err := modelfile.ReadOneOf[any](bytes.NewReader(whole.Bytes()), stranger{}); err == nil {
		return nil, errors.New("the file is read as a model of another kind")
	}
	return back, nil
}

// stranger is a model of another kind, whose JSON has no fields.
type stranger struct{}

func (stranger) ModelKind() string { return "mlkittest.stranger" }
