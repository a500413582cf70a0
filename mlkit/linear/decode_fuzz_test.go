package linear

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes are, decoding a model of them ends without a panic; what JSON
// accepts comes back from its encoding.
func FuzzDecode(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2})
	y, classes, targets := []int{1, -1, 1, -1, 1, -1}, []int{1, 1, 2, 2, 3, 3}, []float64{1, 2, 3, 5, 8, 13}
	fits := []func() (any, error){
		func() (any, error) { return Pocket{}.Fit(X, y) },
		func() (any, error) { return LDA{}.Fit(X, y) },
		func() (any, error) { return LDA{Shrinkage: 0.5}.FitClasses(X, classes) },
		func() (any, error) { return QDA{Shrinkage: 0.5}.Fit(X, y) },
		func() (any, error) { return Logistic{L2: 1}.Fit(X, y) },
		func() (any, error) { return Logistic{L2: 1}.FitClasses(X, classes) },
		func() (any, error) { return LeastSquares{}.Fit(X, targets) },
		func() (any, error) { return VotedPerceptron{}.Fit(X, y) },
	}
	var types []reflect.Type
	for i, fit := range fits {
		m, _ := fit() // the best model of a fit that does not converge will do
		types = append(types, reflect.TypeOf(m).Elem())
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
		model := func() any { return reflect.New(types[int(which)%len(types)]).Interface() }
		m, back := model(), model()
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
		_ = gob.NewDecoder(bytes.NewReader(data)).Decode(model())
	})
}
