package codec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// Encode encodes the fields of f, and its version from version 2 on.
func Encode(f Form) ([]byte, error) {
	data, err := json.Marshal(f.Plain)
	if err != nil || f.Version <= 1 {
		return data, err
	}
	start := fmt.Sprintf(`{"form":%d`, f.Version)
	if string(data) != "{}" {
		start += ","
	}
	return append([]byte(start), data[1:]...), nil
}

// decodeFields decodes the fields of any version.
func (f Form) decodeFields(data []byte) error {
	if f.Version <= 1 {
		return Strict(data, f.Plain)
	}
	version, rest, err := versionOf(data)
	switch {
	case err != nil:
		return err
	case version > f.Version:
		return newer(version, f.Version)
	case version == f.Version:
		return Strict(rest, f.Plain)
	case f.Old == nil:
		return fmt.Errorf("form = %d, want %d: older forms are no longer read", version, f.Version)
	}
	return f.Old(version, rest)
}

func newer(version, newest int) error {
	return fmt.Errorf("form = %d, want at most %d: a newer version of the library wrote it; update this one", version, newest)
}

// versionOf returns the version of the form in a JSON object, and the object without the
// field that has it.
func versionOf(data []byte) (version int, rest []byte, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return 0, nil, err
	}
	form, ok := fields["form"]
	if !ok {
		return 1, data, nil
	}
	version, err = strconv.Atoi(string(form))
	if err != nil || version < 2 {
		return 0, nil, fmt.Errorf("form = %.20s, want a version from 2 on; version 1 has no such field", form)
	}
	delete(fields, "form")
	rest, err = json.Marshal(fields)
	return version, rest, err
}

// knowsVersions reports whether *v decodes itself, or has a field of its own for the version.
func knowsVersions(v any) bool {
	t := reflect.TypeOf(v).Elem()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, ok := reflect.New(t).Interface().(json.Unmarshaler); ok {
		return true
	}
	known := map[string]field{}
	if t.Kind() == reflect.Struct {
		addFields(known, t)
	}
	_, ok := known["form"]
	return ok
}
