package modelfile

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"marginalia/mlkit/internal/codec"
)

// A Kind is a model that has a name in files. The method is called on new values of the type, so
// it must not depend on the model's fields.
type Kind interface {
	ModelKind() string
}

// A Versioned model has had another form in the past: its form is what it looks like in JSON,
// which changes with the fields of the type, and files outlive the program. All forms of mlkit
// have version 1, and so has a type without FormVersions; until a release is tagged, that is the
// current form alone. UnmarshalJSON decodes the versions from oldest to newest, and the model is
// encoded in the newest. Each change that a former program would not read, a new field among
// them, raises the newest.
//
// A model may be part of another, as in a pipeline, where there is no header, so UnmarshalJSON
// has to tell the versions apart by the JSON itself: the example of an older form has a field
// "form" for this. FormVersions is called on new values.
type Versioned interface {
	FormVersions() (oldest, newest int) // that the type reads; it writes the newest
}

// storable is what files need to know of a type.
type storable struct {
	t              reflect.Type // the type itself, or what it points to
	pointer        bool
	kind           string
	oldest, newest int
}

// storableOf describes the type t. It returns an error if models of that type can't be stored.
func storableOf(t reflect.Type) (s storable, err error) {
	if t.Kind() == reflect.Interface {
		return s, fmt.Errorf("%v is an interface, want the type of a model; with ReadOneOf and LoadOneOf it may be one of several", t)
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v: ModelKind or FormVersions of a new value panics: %v; want a method that needs no fields", t, v)
		}
	}()
	s = storable{t: t, kind: codec.KindOf(t), oldest: 1, newest: 1}
	if s.pointer = t.Kind() == reflect.Pointer; s.pointer {
		s.t = t.Elem()
	}
	if _, unnamed, found := strings.Cut(s.kind, "?"); found {
		unnamed = strings.TrimRight(unnamed, "]")
		if unnamed != s.t.String() {
			unnamed += ", which is part of " + s.t.String() + ","
		}
		if _, algorithm := t.MethodByName("Fit"); algorithm {
			return s, fmt.Errorf("%s is an algorithm and no model: want what its Fit returned", unnamed)
		}
		return s, fmt.Errorf("%s has no method ModelKind() string, want one that names it in files", unnamed)
	}
	if s.kind == "" || len(s.kind) > 1000 || strings.ContainsFunc(s.kind, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/[],", r)
	}) {
		return s, fmt.Errorf("%v.ModelKind() = %.100q, want a name of letters, digits and . _ - / [ ] ,", s.t, s.kind)
	}
	if s.t.Kind() == reflect.Struct {
		for i := range s.t.NumField() {
			// With the method, the struct inherits the kind of a part of it.
			if f := s.t.Field(i); f.Anonymous && codec.KindOf(f.Type) == s.kind {
				return s, fmt.Errorf("%v embeds a %v, and would be stored as one; want a named field, and a method ModelKind of its own", s.t, f.Type)
			}
		}
	}
	if v, ok := s.new().Interface().(Versioned); ok {
		if s.oldest, s.newest = v.FormVersions(); s.oldest < 1 || s.newest < s.oldest {
			return s, fmt.Errorf("%v.FormVersions() = %d, %d, want 1 ≤ oldest ≤ newest", s.t, s.oldest, s.newest)
		}
	}
	return s, nil
}

// new returns a pointer to a new zero value.
func (s storable) new() reflect.Value { return reflect.New(s.t) }

// checkForm returns an error unless the type decodes the given version.
func (s storable) checkForm(version int) error {
	switch {
	case version > s.newest:
		return fmt.Errorf("the form of %s is version %d, want at most %d; a newer program wrote it, update this one", s.kind, version, s.newest)
	case version < s.oldest:
		return fmt.Errorf("the form of %s is version %d, want at least %d; let an older program load it and save it again", s.kind, version, s.oldest)
	}
	return nil
}

// decode returns the model in JSON, of the type or a pointer to it.
func (s storable) decode(model []byte) (m any, err error) {
	defer func() {
		if v := recover(); v != nil {
			m, err = nil, fmt.Errorf("decoding %s: UnmarshalJSON panics: %v", s.kind, v)
		}
	}()
	if string(bytes.TrimSpace(model)) == "null" {
		return nil, fmt.Errorf("decoding %s: null, want a model", s.kind)
	}
	fresh := s.new()
	if err := codec.Strict(model, fresh.Interface()); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", s.kind, err)
	}
	if s.pointer {
		return fresh.Interface(), nil
	}
	return fresh.Elem().Interface(), nil
}
