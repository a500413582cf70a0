package svm

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/kernel"
)

// Whatever the bytes are, decoding a model of them ends without a panic; what JSON
// accepts comes back from its encoding.
func FuzzDecode(f *testing.F) {
	X := mat.NewDense(4, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7})
	models := func() []any {
		return []any{new(Model), new(LinearModel), new(OneAgainstAllModel[*Model]), new(OneAgainstOneModel[*LinearModel])}
	}
	for i, fit := range []func() (any, error){
		func() (any, error) { return Classifier{Kernel: kernel.RBF{}}.Fit(X, []int{1, -1, 1, -1}) },
		func() (any, error) { return Newton{}.Fit(X, []int{1, -1, 1, -1}) },
		func() (any, error) { return OneAgainstAll[*Model]{Binary: Classifier{}}.Fit(X, []int{1, 1, 2, 2}) },
		func() (any, error) { return OneAgainstOne[*LinearModel]{Binary: Newton{}}.Fit(X, []int{1, 1, 2, 2}) },
	} {
		m, err := fit()
		if err != nil {
			f.Fatal(err)
		}
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
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	f.Add(uint8(2), []byte(`{"machines":[null,{}]}`))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		k := int(which) % len(models())
		m, back := models()[k], models()[k]
		if json.Unmarshal(data, m) == nil {
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatalf("%s is decoded to %+v: %v", data, m, err)
			}
			if err := json.Unmarshal(b, back); err != nil {
				t.Fatalf("%s came of %s: %v", b, data, err)
			}
			if again, _ := json.Marshal(back); !bytes.Equal(b, again) {
				t.Fatalf("%s came back as %s", b, again)
			}
		}
		_ = gob.NewDecoder(bytes.NewReader(data)).Decode(reflect.New(reflect.TypeOf(m).Elem()).Interface())
	})
}
