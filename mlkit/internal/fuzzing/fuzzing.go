// Package fuzzing has what the fuzz tests of models share: samples of any bytes, and
// the check of everything that decodes itself.
package fuzzing

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Numbers are the bytes that [Rows] reads as these numbers.
func Numbers(vs ...float64) (b []byte) {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// Rows reads bytes as whole samples of d numbers, at most twelve so that a fit is short.
// Of too few bytes for one it makes the empty matrix.
func Rows(data []byte, d int) *mat.Dense {
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

// Decode fuzzes the decoding of the types of models, to which the models point, with
// their encodings as seeds: whatever the bytes are, it ends without a panic; what JSON
// accepts has an encoding that comes back as it is. What gob makes of bytes that are
// not its own is its own affair.
func Decode(f *testing.F, models ...any) {
	for i, m := range models {
		asJSON, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		var asGob bytes.Buffer
		if err := gob.NewEncoder(&asGob).Encode(m); err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), asJSON)
		f.Add(uint8(i), asGob.Bytes())
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		kind := reflect.TypeOf(models[int(which)%len(models)]).Elem()
		empty := func() any { return reflect.New(kind).Interface() }
		if m, back := empty(), empty(); json.Unmarshal(data, m) == nil {
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
		}
		_ = gob.NewDecoder(bytes.NewReader(data)).Decode(empty())
	})
}
