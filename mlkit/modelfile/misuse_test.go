package modelfile_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// Senseless arguments are errors. A reader, a writer or a model that is nil is named.
func TestMisuse(t *testing.T) {
	name := filepath.Join(t.TempDir(), "and.model")
	if err := modelfile.Save(name, and, nil); err != nil {
		t.Fatal(err)
	}
	calls := map[string][]func(){}
	add := func(function string, call func() error) {
		calls[function] = append(calls[function], func() {
			if err := call(); err == nil || !strings.HasPrefix(err.Error(), "modelfile: ") {
				t.Errorf("%s: %v, want an error of modelfile", function, err)
			}
		})
	}
	fail := func(_ any, err error) error { return err }
	for _, r := range []io.Reader{nil, strings.NewReader("")} {
		add("Read", func() error { return fail(modelfile.Read[*unit.Threshold](r)) })
		add("ReadOneOf", func() error { return fail(modelfile.ReadOneOf[any](r, and)) })
		add("ReadOneOf", func() error { return fail(modelfile.ReadOneOf[any](r)) })
		add("ReadHeader", func() error { return fail(modelfile.ReadHeader(r)) })
	}
	for _, name := range []string{"", "\x00", t.TempDir(), filepath.Join(name, "below")} {
		add("Save", func() error { return modelfile.Save(name, and, nil) })
		add("Load", func() error { return fail(modelfile.Load[*unit.Threshold](name)) })
		add("LoadOneOf", func() error { return fail(modelfile.LoadOneOf[any](name, and)) })
		add("LoadHeader", func() error { return fail(modelfile.LoadHeader(name)) })
	}
	for _, m := range []any{nil, (*svm.Model)(nil), svm.Model{}, 3, func() {}, []any{and}, map[string]any{}, struct{}{}} {
		add("Write", func() error { return modelfile.Write(new(bytes.Buffer), m, nil) })
		add("Save", func() error { return modelfile.Save(name, m, nil) })
	}
	add("Write", func() error { return modelfile.Write(nil, and, nil) })
	add("Load", func() error { return fail(modelfile.Load[any](name)) })
	add("Load", func() error { return fail(modelfile.Load[**unit.Threshold](name)) })
	add("Load", func() error { return fail(modelfile.Load[[]unit.Threshold](name)) })
	add("LoadOneOf", func() error { return fail(modelfile.LoadOneOf[any](name, nil, and)) })
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}
