package codec_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/internal/testkit"
)

// Every float64 survives JSON bit for bit, as models rely on: finite numbers as they
// are, and all numbers as Floats. A NaN comes back as math.NaN().
func TestEveryNumberComesBack(t *testing.T) {
	bitwise := func(t interface{ Fatalf(string, ...any) }, x float64) {
		var number float64
		b, err := json.Marshal(x)
		if codec.Finite("", x) != nil {
			if err == nil {
				t.Fatalf("%v is %s in JSON: Floats are no longer needed", x, b)
			}
		} else if err := json.Unmarshal(b, &number); err != nil || math.Float64bits(number) != math.Float64bits(x) {
			t.Fatalf("%v is %s in JSON and comes back as %v, error %v", x, b, number, err)
		}
		if math.IsNaN(x) {
			x = math.NaN()
		}
		var back codec.Floats
		b, err = json.Marshal(codec.Floats{1, x})
		if err != nil {
			t.Fatalf("Floats of %v: %v", x, err)
		}
		if err := json.Unmarshal(b, &back); err != nil || len(back) != 2 || math.Float64bits(back[1]) != math.Float64bits(x) {
			t.Fatalf("Floats of %v are %s in JSON and come back as %v, error %v", x, b, back, err)
		}
	}
	for _, x := range []float64{
		0, math.Copysign(0, -1), 0.1, 1 << 53, math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64,
		math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN(),
	} {
		bitwise(t, x)
	}
	testkit.Check(t, func(t *rapid.T) { bitwise(t, math.Float64frombits(rapid.Uint64().Draw(t, "bits"))) })
}

func TestFloats(t *testing.T) {
	for text, v := range map[string]codec.Floats{
		`null`: nil, `[]`: {}, `[1,"+Inf","-Inf","NaN",-0]`: {1, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)},
	} {
		if b, err := json.Marshal(v); err != nil || string(b) != text {
			t.Errorf("%v is %s, error %v, want %s", v, b, err, text)
		}
		back := codec.Floats{3}
		if err := json.Unmarshal([]byte(text), &back); err != nil || (back == nil) != (v == nil) || len(back) != len(v) {
			t.Errorf("%s is %#v, error %v, want %#v", text, back, err, v)
		}
	}
	for _, wrong := range []string{"Inf", "nan", "1", ""} {
		var v codec.Floats
		want := `json: cannot unmarshal value "` + wrong + `" into Go value of type float64`
		if err := json.Unmarshal([]byte(`[1,"`+wrong+`"]`), &v); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", wrong, err, want)
		}
	}
	for _, wrong := range []string{`[null]`, `[[1]]`, `[{}]`, `[true]`, `[1e999]`, `"NaN"`, `1`, `[`} {
		v := codec.Floats{3}
		if err := json.Unmarshal([]byte(wrong), &v); err == nil || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s is accepted as %v, or error %v", wrong, v, err)
		}
	}
}
