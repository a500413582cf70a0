package eval

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"testing"

	"marginalia/mlkit/internal/fuzzing"
	"marginalia/mlkit/mlkittest"
)

func someConfusion(t testing.TB) Confusion {
	c, err := NewConfusion([]int{1, 2, 7, 7, 2}, []int{1, 7, 7, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDecodedConfusionIsWhole(t *testing.T) {
	if err := mlkittest.TestDecoding(someConfusion(t)); err != nil {
		t.Error(err)
	}
	var c Confusion
	want := "eval: decoding a Confusion: len(Counts[1]) = 1, want 2, one for each of Classes"
	if err := json.Unmarshal([]byte(`{"Classes":[1,2],"Counts":[[1,2],[3]]}`), &c); err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}

func FuzzDecode(f *testing.F) { fuzzing.Decode(f, someConfusion(f)) }

// The curve has +Inf in it, so that it goes through gob alone.
func TestDecodedROCIsWhole(t *testing.T) {
	r, err := NewROC([]int{1, -1, 1, -1}, []float64{3, 2, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	through := func(r ROC) (back ROC, err error) {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(r); err != nil {
			t.Fatal(err)
		}
		return back, gob.NewDecoder(&b).Decode(&back)
	}
	if back, err := through(r); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%+v came back as %+v, error %v", r, back, err)
	}
	r.TPR = r.TPR[1:]
	want := "eval: decoding a ROC: len(TPR) = 4, want 5, one for each of Threshold"
	if back, err := through(r); err == nil || err.Error() != want {
		t.Errorf("%+v, error %v, want %s", back, err, want)
	}
}
