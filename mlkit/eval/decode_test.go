package eval

import (
	"encoding/json"
	"strings"
	"testing"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func someConfusion(t testing.TB) Confusion {
	c := testkit.Try(NewConfusion([]int{1, 2, 7, 7, 2}, []int{1, 7, 7, 2, 2})).Or(t)
	return c
}

func TestDecodedConfusionIsWhole(t *testing.T) {
	if err := mlkittest.TestDecoding(someConfusion(t)); err != nil {
		t.Error(err)
	}
	var c Confusion
	want := "eval: decoding Confusion: len(Counts[1]) = 1, want 2, one for each of Classes"
	if err := json.Unmarshal([]byte(`{"Classes":[1,2],"Counts":[[1,2],[3]]}`), &c); err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}

func someROC(t testing.TB) ROC {
	r := testkit.Try(NewROC([]int{1, -1, 1, -1}, []float64{3, 2, 1, 0})).Or(t)
	return r
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, someConfusion(f), someROC(f)) }

// The first threshold is +Inf, which JSON cannot represent as a number.
func TestDecodedROCIsWhole(t *testing.T) {
	r := someROC(t)
	if err := mlkittest.TestDecoding(r); err != nil {
		t.Error(err)
	}
	const good = `{"Threshold":["+Inf",3,2,1,0],"FPR":[0,0,0.5,0.5,1],"TPR":[0,0.5,0.5,1,1]}`
	if b, err := json.Marshal(r); err != nil || string(b) != good {
		t.Errorf("%s, error %v, want %s", b, err, good)
	}
	for spoilt, want := range map[string]string{
		strings.Replace(good, `"TPR":[0,`, `"TPR":[`, 1): "eval: decoding ROC: len(TPR) = 4, want 5, one for each of Threshold",
		strings.Replace(good, "+Inf", "Inf", 1):          `eval: decoding ROC: Threshold is a JSON value "Inf", want a value of type float64`,
		strings.Replace(good, ",3,", ",null,", 1):        `eval: decoding ROC: Threshold is a JSON value null, want a value of type float64`,
	} {
		if err := json.Unmarshal([]byte(spoilt), &r); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", spoilt, err, want)
		}
	}
}
