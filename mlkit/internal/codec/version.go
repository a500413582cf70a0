package codec

import (
	"encoding/json"
	"fmt"
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
	newest := max(f.Version, 1)
	if newest == 1 {
		// Most models have never had another version. They are not searched for one
		// unless something is wrong.
		err := Strict(data, f.Plain)
		if err == nil {
			return nil
		}
		if version, _, is := versionOf(data); is == nil && version > 1 {
			return newer(version, newest)
		}
		return err
	}
	version, rest, err := versionOf(data)
	switch {
	case err != nil:
		return err
	case version > newest:
		return newer(version, newest)
	case version == newest:
		return Strict(rest, f.Plain)
	case f.Old == nil:
		return fmt.Errorf("form = %d, want %d: older forms are no longer read", version, newest)
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
