package mlkittest

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"
)

// roundTrip is the rule that a model comes back from its encoding as it was.
func roundTrip(through func(m, back any) error) func(kind, samples, any) error {
	return func(_ kind, s samples, m any) error {
		back := reflect.New(reflect.TypeOf(m))
		if err := through(m, back.Interface()); err != nil {
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
}

func viaGob(m, back any) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		return err
	}
	return gob.NewDecoder(&b).Decode(back)
}

func viaJSON(m, back any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, back)
}
