package modelfile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// Whatever the bytes are, reading them does not panic, and what is read is written as a file
// that is read again. The sum keeps the fuzzer out of the rest of a file, so it also varies what
// is behind a sum that is right.
func FuzzRead(f *testing.F) {
	for _, m := range []any{and, feature.Polar{}, plain{}} {
		file := written(f, m, modelfile.Notes{"data": "and"})
		f.Add(file, false)
		f.Add(bytes.SplitN(file, []byte("\n"), 3)[2], true)
	}
	f.Add([]byte("{}\n"), true)
	f.Add([]byte(`{"kind":"unit.Threshold","form":1,"bytes":1000000000000000}`+"\n"), true)
	f.Fuzz(func(t *testing.T, file []byte, sum bool) {
		if sum {
			file = signed(string(file))
		}
		h, err := modelfile.ReadHeader(bytes.NewReader(file))
		m, err2 := modelfile.ReadOneOf[any](bytes.NewReader(file), &unit.Threshold{}, &svm.Model{}, feature.Polar{}, plain{})
		if err2 != nil {
			return
		}
		if err != nil || h.Form != 1 {
			t.Fatalf("%v is read, though the header is %v, %v", m, h, err)
		}
		var again bytes.Buffer
		if err := modelfile.Write(&again, m, h.Notes); err != nil {
			t.Fatalf("%v is read and cannot be written: %v", m, err)
		}
		back, err := modelfile.ReadOneOf(&again, m)
		if err != nil || !reflect.DeepEqual(back, m) {
			t.Fatalf("%v came back as %v, %v", m, back, err)
		}
	})
}

// Notes come back as they are, whatever they say.
func FuzzNotes(f *testing.F) {
	f.Add("data", "MNIST, 0 against 1")
	f.Add("\n", "</script>\u2028\x00")
	f.Fuzz(func(t *testing.T, key, note string) {
		notes := modelfile.Notes{key: note}
		var file bytes.Buffer
		if modelfile.Write(&file, and, notes) != nil {
			if valid, _ := json.Marshal(notes); len(valid) < 1<<19 && !bytes.Contains(valid, []byte(`\ufffd`)) {
				t.Fatalf("%q is refused", notes)
			}
			return
		}
		if n := bytes.Count(file.Bytes(), []byte("\n")); n != 4 {
			t.Fatalf("%d lines, want 4", n)
		}
		h, err := modelfile.ReadHeader(&file)
		if err != nil || fmt.Sprint(h.Notes) != fmt.Sprint(notes) {
			t.Fatalf("%q came back as %q, %v", notes, h.Notes, err)
		}
	})
}
