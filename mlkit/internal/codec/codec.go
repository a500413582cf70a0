// Package codec decodes models whole or not at all. A model that is decoded field by
// field, as encoding/json does it, may have one array shorter than another, an index out
// of range or a parameter whose name is misspelt, and its methods rely on none of that
// being so. Here a model is decoded into a new value, which is checked, and only then
// takes the place of the old one.
//
// A model has three methods for it, and a fourth that says how:
//
//	func (m Model) GobEncode() ([]byte, error)        { return json.Marshal(m) }
//	func (m *Model) GobDecode(data []byte) error      { return m.UnmarshalJSON(data) }
//	func (m *Model) UnmarshalJSON(data []byte) error  { return codec.DecodeJSON(data, m, (*Model).form) }
//
//	func (m *Model) form() codec.Form {
//		type plain Model
//		return codec.Form{Name: "svm: decoding a Model", Plain: (*plain)(m), Check: m.check}
//	}
//
// JSON is encoded by reflection; a field that may be infinite or NaN is [Floats] in Plain,
// and the model then has a MarshalJSON. A gob of a model holds its JSON: there is one
// encoding to check, and a program is linked faster without encoding/gob. GobEncode has a
// value as its receiver so that models encode that are no pointers.
//
// # Embedding
//
// Methods of an embedded struct are methods of the struct around it, which would then
// decode the embedded part alone. So types that models embed (mlkit.Hyperplane,
// kernel.Expansion, linear.LinearMachine) have none of these methods; the models check
// those parts. The only other way is a Plain that names the embedded fields one by one.
package codec

import (
	"encoding/json"
	"fmt"
)

// Form is how one value of a model is encoded and decoded.
type Form struct {
	// Name is what errors begin with: package and model.
	Name string

	// Plain points to the fields of the model as a type without methods, which
	// encoding/json decodes into by reflection.
	Plain any

	// Check returns an error if the fields, once decoded, don't fit together. Its
	// message follows Name. A method value has to have a pointer as its receiver, since
	// one with a value holds a copy of the fields from before.
	Check func() error
}

// DecodeJSON sets *m to the model that data holds as JSON: an object with every field of
// the model, those with omitempty excepted, and no others. After an error *m is as it
// was.
func DecodeJSON[M any](data []byte, m *M, form func(*M) Form) error {
	fresh := new(M)
	if err := form(fresh).decodeJSON(data); err != nil {
		return err
	}
	*m = *fresh
	return nil
}

// decodeJSON is not generic, so that a program that uses a generic model compiles little
// of this package for itself.
func (f Form) decodeJSON(data []byte) error {
	if err := Strict(data, f.Plain); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if err := f.Check(); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// Strict is json.Unmarshal that refuses what that passes over in silence: see Complete.
func Strict(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	return Complete(data, v)
}
