// Package codec decodes a model entirely or not at all. encoding/json fills a model
// field by field, so it may leave one array shorter than another, an index out of
// range, or a field unset because its name was misspelt. The methods of the model would
// then panic or compute nonsense. This package decodes into a new value, checks it, and
// replaces the old value only if the check passes.
//
// A model has three methods for this, and a fourth that describes it:
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
// Models encode to JSON by reflection. If a field may be infinite or NaN, Plain
// declares it as [Floats] and the model has a MarshalJSON method of its own. The gob of
// a model holds its JSON: only one encoding needs checking, and programs link faster
// without encoding/gob. GobEncode has a value receiver so that models encode as values
// too, not only through pointers.
//
// # Embedding
//
// The outer struct inherits the methods of an embedded one, and would then decode only
// the embedded part. So types that models embed (mlkit.Hyperplane, kernelised.Expansion,
// mlkit.LinearMachine) have none of these methods, and the models check those parts.
// The alternative is a Plain that names the embedded fields one by one.
//
// # Versions
//
// A form is what a model looks like in JSON: its fields, their names and their meaning.
// Files outlive the library that wrote them, so a form that changes gets a new version.
// The version stands in the JSON itself, as the field "form", because models are decoded
// inside other models, with no file header at hand. Version 1 has no such field. To
// change a form, raise Version, let Old decode the former versions, and give the model
//
//	func (m Model) MarshalJSON() ([]byte, error)          { return codec.Encode(m.form()) }
//	func (*Model) FormVersions() (oldest, newest int) { return 1, 2 }
//
// The first is needed because reflection would leave out the version; the second is for
// package modelfile.
package codec

import (
	"encoding/json"
	"fmt"
)

// Form describes how to decode one value of a model.
type Form struct {
	// Name begins every error: the package and the model.
	Name string

	// Plain points to the fields of the model as a type without methods. encoding/json
	// decodes into it by reflection.
	Plain any

	// Check returns an error if the decoded fields don't fit together; its message
	// follows Name. If Check is a method value, its receiver must be a pointer: a value
	// receiver would be copied before the fields are decoded.
	Check func() error

	// Version is the version of the form, at least 1; 0 means 1.
	Version int

	// Old sets the model's fields from JSON of an older version, without the field form.
	// Check follows. nil means that older versions are refused.
	Old func(version int, data []byte) error
}

// DecodeJSON sets *m to the model in data, a JSON object. The object must have every
// field of the model except those with omitempty, and no others. If DecodeJSON returns
// an error, *m is unchanged.
func DecodeJSON[M any](data []byte, m *M, form func(*M) Form) error {
	fresh := new(M)
	if err := form(fresh).decodeJSON(data); err != nil {
		return err
	}
	*m = *fresh
	return nil
}

// decodeJSON is not generic, so that little of this package is compiled again for each
// type of model.
func (f Form) decodeJSON(data []byte) error {
	if err := f.decodeFields(data); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if err := f.Check(); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// Strict is json.Unmarshal followed by Complete: it also rejects what json.Unmarshal
// silently accepts. If *v knows no versions of its form, and data has one, the error says so.
func Strict(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		err = Complete(data, v)
	}
	if err != nil && !knowsVersions(v) {
		// Most forms have never had another version: they are not searched for one
		// unless something is wrong.
		if version, _, is := versionOf(data); is == nil && version > 1 {
			return newer(version, 1)
		}
	}
	return err
}
