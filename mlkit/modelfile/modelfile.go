package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Write writes a model, or what it points to, to w. notes may be nil. It returns an error, and
// writes nothing, if the model cannot be encoded and decoded again.
func Write(w io.Writer, model any, notes Notes) error {
	if w == nil {
		return errors.New("modelfile: w is nil, want a writer")
	}
	head, data, err := encode(model, notes)
	if err == nil {
		_, err = w.Write(head)
	}
	if err == nil {
		_, err = w.Write(data)
	}
	return prefixed(err)
}

// Read reads all of r and returns the model in it. M is the type of the model or a pointer to
// it, such as *svm.Model. The package comment says which errors there are.
func Read[M any](r io.Reader) (M, error) {
	m, err := decode(r, reflect.TypeFor[M]())
	if err != nil {
		var none M
		return none, prefixed(err)
	}
	return m.(M), nil
}

// ReadOneOf is Read for a model of one of several types, which it returns as an I:
//
//	m, err := modelfile.ReadOneOf[mlkit.ClassifierModel](r, (*svm.Model)(nil), (*perceptron.Model)(nil))
//
// Only the types of the arguments matter. A type switch tells which of them the model has.
func ReadOneOf[I any](r io.Reader, types ...I) (I, error) {
	m, err := decode(r, typesOf(types)...)
	if err != nil {
		var none I
		return none, prefixed(err)
	}
	return m.(I), nil
}

// ReadHeader reads all of r and returns what it holds, without decoding the model. It checks the
// length and the checksum of the file.
func ReadHeader(r io.Reader) (Header, error) {
	h, _, err := decodeFile(r)
	return h, prefixed(err)
}

// prefixed begins an error with the name of the package.
func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("modelfile: %w", err)
}

// encode returns the two parts of a model's file: the lines before the model, and the model in
// JSON.
func encode(model any, notes Notes) (head, data []byte, err error) {
	v := reflect.ValueOf(model)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil, errors.New("the model is nil, want a fitted one")
	}
	s, err := storableOf(v.Type())
	if err != nil {
		return nil, nil, err
	}
	if !s.pointer { // its MarshalJSON may be a method of the pointer
		p := s.new()
		p.Elem().Set(v)
		v = p
	}
	data, err = json.Marshal(v.Interface())
	if err != nil {
		return nil, nil, fmt.Errorf("encoding %s: %w", s.kind, err)
	}
	if _, err := s.decode(data); err != nil {
		return nil, nil, fmt.Errorf("the model could not be read again: %w", err)
	}
	data = append(data, '\n')
	head, err = encodeHead(Header{Kind: s.kind, Form: s.newest, Notes: notes}, data)
	return head, data, err
}

// decode reads all of r and returns the model in it, which has one of the types.
func decode(r io.Reader, types ...reflect.Type) (any, error) {
	var all []storable
	var kinds []string
	for i, t := range types {
		if t == nil {
			return nil, fmt.Errorf("types[%d] is nil, want a value of the type of a model, such as (*svm.Model)(nil)", i)
		}
		s, err := storableOf(t)
		if err != nil {
			return nil, err
		}
		all, kinds = append(all, s), append(kinds, s.kind)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no types, want those that the model may have, such as (*svm.Model)(nil)")
	}
	h, model, err := decodeFile(r)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.kind == h.Kind {
			if err := s.checkForm(h.Form); err != nil {
				return nil, err
			}
			return s.decode(model)
		}
	}
	return nil, fmt.Errorf("it holds a model of the kind %s, want %s; load it as that, or name another file", h.Kind, strings.Join(kinds, " or "))
}

// typesOf returns the dynamic types of values.
func typesOf[I any](values []I) []reflect.Type {
	types := make([]reflect.Type, len(values))
	for i, v := range values {
		types[i] = reflect.TypeOf(any(v))
	}
	return types
}
