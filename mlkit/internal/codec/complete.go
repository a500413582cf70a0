package codec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var null = []byte("null")

// Complete returns an error if data, which json.Unmarshal has decoded into *v, has a
// missing or unknown field, null where a number belongs, or an array whose length
// differs from that of its type.
func Complete(data []byte, v any) error {
	return completeAs(data, reflect.TypeOf(v).Elem(), "")
}

// completeAs is Complete for a value of type t at place in the model. It accepts any
// value of a type with its own encoder or decoder.
func completeAs(data []byte, t reflect.Type, place string) error {
	switch reflect.New(t).Interface().(type) {
	case json.Unmarshaler, json.Marshaler, encoding.TextUnmarshaler:
		return nil
	}
	isNull := bytes.Equal(bytes.TrimSpace(data), null)
	switch t.Kind() {
	case reflect.Pointer:
		if isNull { // up to the model's check
			return nil
		}
		return completeAs(data, t.Elem(), place)
	case reflect.Slice:
		if isNull || !hasFields(t.Elem()) && !bytes.Contains(data, null) {
			return nil
		}
		return elements(data, t.Elem(), -1, place)
	case reflect.Array:
		return elements(data, t.Elem(), t.Len(), place)
	case reflect.Struct:
		return object(data, t, place, reflect.Value{})
	case reflect.Interface, reflect.Map:
		return nil
	}
	if isNull {
		return fmt.Errorf("%s is null, want a value of type %v", place, t)
	}
	return nil
}

// hasFields reports whether values of type t contain structs or arrays, which need a
// closer look than numbers.
func hasFields(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return hasFields(t.Elem())
	case reflect.Struct, reflect.Array:
		return true
	}
	return false
}

// elements checks each element of a JSON array and, unless length is -1, that there are
// length of them.
func elements(data []byte, t reflect.Type, length int, place string) error {
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if length >= 0 && len(all) != length {
		return fmt.Errorf("%s has %d elements, want %d", place, len(all), length)
	}
	for i, element := range all {
		if err := completeAs(element, t, fmt.Sprintf("%s[%d]", place, i)); err != nil {
			return err
		}
	}
	return nil
}

// object checks each field of a JSON object for a struct of type t and, if into is such a
// struct, decodes them into it.
func object(data []byte, t reflect.Type, place string, into reflect.Value) error {
	if bytes.Equal(bytes.TrimSpace(data), null) {
		return fmt.Errorf("%s is null, want an object", orItself(place))
	}
	var values map[string]json.RawMessage
	err := json.Unmarshal(data, &values)
	if wrong, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Errorf("%s is a JSON %s, want an object", orItself(place), wrong.Value)
	}
	if err != nil {
		return err
	}
	known := map[string]field{}
	addFields(known, t, nil)
	// Sort the names so that, of several mistakes, always the same one is reported.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("%s is no field of %s, want %s", strconv.Quote(name), orItself(place), strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		f, inner := known[name], within(place, name)
		value, ok := values[name]
		switch {
		case !ok && f.optional:
			continue
		case !ok:
			return fmt.Errorf("%s is missing", inner)
		}
		if into.IsValid() {
			if err := unmarshal(value, into.FieldByIndex(f.index).Addr().Interface(), inner); err != nil {
				return err
			}
		}
		if err := completeAs(value, f.t, inner); err != nil {
			return err
		}
	}
	return nil
}

func within(place, field string) string {
	if place == "" || field == "" {
		return place + field
	}
	return place + "." + field
}

func orItself(place string) string {
	if place == "" {
		return "it"
	}
	return place
}

// field is a field of a struct as encoding/json sees it.
type field struct {
	t        reflect.Type
	index    []int // the path to it, for reflect.Value.FieldByIndex
	optional bool
}

// addFields adds the fields of struct type t to known, by name; path leads to t. A field of
// an embedded struct is added unless an outer field has the same name.
func addFields(known map[string]field, t reflect.Type, path []int) {
	embedded := map[int]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case tag == "-":
			continue
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			embedded[i] = inner
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		if _, ok := known[name]; !ok {
			known[name] = field{f.Type, append(slices.Clone(path), i), strings.Contains(options, "omit")}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(embedded)) {
		addFields(known, embedded[i], append(slices.Clone(path), i))
	}
}
