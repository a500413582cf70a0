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

// Complete returns an error if data, which json.Unmarshal has decoded into what v points
// to, has a field too many or too few, null for a number, or an array of another length
// than that of the type.
func Complete(data []byte, v any) error {
	return completeAs(data, reflect.TypeOf(v).Elem(), "")
}

// completeAs is Complete for a type and the place in the model that data is from. Types
// that encode or decode themselves are left alone.
func completeAs(data []byte, t reflect.Type, place string) error {
	switch reflect.New(t).Interface().(type) {
	case json.Unmarshaler, json.Marshaler, encoding.TextUnmarshaler:
		return nil
	}
	isNull := bytes.Equal(bytes.TrimSpace(data), null)
	switch t.Kind() {
	case reflect.Pointer:
		if isNull { // which the model judges
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
		if isNull {
			return fmt.Errorf("%s is null, want an object", orItself(place))
		}
		return fields(data, t, place)
	case reflect.Interface, reflect.Map:
		return nil
	}
	if isNull {
		return fmt.Errorf("%s is null, want a value of type %v", place, t)
	}
	return nil
}

// hasFields reports whether there is more to a value of the type than its numbers.
func hasFields(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return hasFields(t.Elem())
	case reflect.Struct, reflect.Array:
		return true
	}
	return false
}

// elements checks each element of an array, which has length elements unless that is -1.
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

// fields checks each field of an object.
func fields(data []byte, t reflect.Type, place string) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	known := map[string]field{}
	addFields(known, t)
	// In the order of their names, so that of several mistakes always the same is named.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("%s is no field of %s, want %s", strconv.Quote(name), orItself(place), strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		f := known[name]
		value, ok := values[name]
		if !ok && !f.optional {
			return fmt.Errorf("%s is missing", within(place, name))
		}
		if !ok {
			continue
		}
		if err := completeAs(value, f.t, within(place, name)); err != nil {
			return err
		}
	}
	return nil
}

func within(place, field string) string {
	if place == "" {
		return field
	}
	return place + "." + field
}

func orItself(place string) string {
	if place == "" {
		return "it"
	}
	return place
}

// A field is one of a struct as encoding/json sees it.
type field struct {
	t        reflect.Type
	optional bool
}

// addFields adds the fields of a struct by name, and those of embedded structs that have
// no field of the same name around them.
func addFields(known map[string]field, t reflect.Type) {
	var embedded []reflect.Type
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
			embedded = append(embedded, inner)
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		if _, ok := known[name]; !ok {
			known[name] = field{f.Type, strings.Contains(options, "omit")}
		}
	}
	for _, inner := range embedded {
		addFields(known, inner)
	}
}
