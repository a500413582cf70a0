package samples

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/whole"
)

// Bytes returns the bytes that [FromBytes] reads as vs.
func Bytes(vs ...float64) (b []byte) {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// FromBytes reads bytes as samples of d numbers each, at most twelve to keep a fit short. It
// ignores an incomplete last sample and returns the empty matrix if there is no
// complete one.
func FromBytes(data []byte, d int) *mat.Dense {
	n := min(len(data)/8/d, 12)
	if n == 0 {
		return new(mat.Dense)
	}
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, math.Float64frombits(binary.LittleEndian.Uint64(data[8*(d*i+j):])))
		}
	}
	return X
}

// FuzzDecode fuzzes the decoding of the models' types (a pointer stands for the type it
// points to), with the encodings of the models as seeds. Whatever the bytes, decoding
// must not panic, a decoded model must pass [whole.Check], and
// a decoded model must have an encoding that decodes and encodes to the same bytes.
func FuzzDecode(f *testing.F, models ...any) {
	types := make([]reflect.Type, len(models))
	for i, m := range models {
		if types[i] = reflect.TypeOf(m); types[i].Kind() == reflect.Pointer {
			types[i] = types[i].Elem()
		}
		asJSON, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), asJSON)
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		empty := func() any { return reflect.New(types[int(which)%len(types)]).Interface() }
		m, back := empty(), empty()
		if json.Unmarshal(data, m) != nil {
			return
		}
		if err := whole.Check(m); err != nil {
			t.Fatalf("%s is decoded to %+v: %v", data, m, err)
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatalf("%s is decoded to %+v: %v", data, m, err)
		}
		if err := json.Unmarshal(b, back); err != nil {
			t.Fatalf("%s came of %s: %v", b, data, err)
		}
		if again, err := json.Marshal(back); err != nil || !bytes.Equal(b, again) {
			t.Fatalf("%s came back as %s, error %v", b, again, err)
		}
	})
}

// CheckFitted checks what a fit to arbitrary numbers has returned: a model of finite numbers; an
// error of package pkg; or both, if the error is an *mlkit.NotConvergedError.
func CheckFitted(t *testing.T, pkg, fit string, model bool, numbers []float64, err error) {
	t.Helper()
	if err == nil {
		if !check.AllFinite(numbers) {
			t.Errorf("%s: the model %v without an error", fit, numbers)
		}
		return
	}
	if !strings.HasPrefix(err.Error(), pkg+": ") {
		t.Errorf("%s: the error %q names no package", fit, err)
	}
	if errors.As(err, new(*mlkit.NotConvergedError)) != model {
		t.Errorf("%s: the error %q, with a model: %v", fit, err, model)
	}
}
