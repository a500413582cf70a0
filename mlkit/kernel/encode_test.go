package kernel

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// model is a struct that holds a kernel.
type model struct {
	Name   string
	Kernel Any `json:"kernel"`
}

// ownKernel is a kernel from outside the package.
type ownKernel struct{ Shift float64 }

func (k ownKernel) Eval(x, z []float64) float64 { return (x[0] + k.Shift) * (z[0] + k.Shift) }

func init() { Register("test.own", ownKernel{}) }

func viaJSON(m model) (back model, err error) {
	b, err := json.Marshal(m)
	if err != nil {
		return back, err
	}
	return back, json.Unmarshal(b, &back)
}

func TestRoundTrip(t *testing.T) {
	all := append(kernels(), nil, ownKernel{0.1}, RBF{Gamma: math.Nextafter(0.1, 1)}, RBF{Gamma: 5e-324},
		Polynomial{Coef0: math.Copysign(0, -1)}, Sigmoid{Coef0: -math.MaxFloat64})
	for _, k := range all {
		m := model{"m", Any{k}}
		back, err := viaJSON(m)
		if err != nil {
			t.Errorf("%#v: %v", k, err)
			continue
		}
		if k == nil {
			if back.Kernel.Kernel != nil {
				t.Errorf("nil came back as %#v", back.Kernel.Kernel)
			}
			continue
		}
		again := testkit.Try(json.Marshal(back)).Or(t)
		first := testkit.Try(json.Marshal(m)).Or(t)
		if !bytes.Equal(first, again) { // tells -0 from 0, unlike DeepEqual
			t.Errorf("%s came back as %s", first, again)
		}
		if reflect.TypeOf(k) != reflect.TypeOf(back.Kernel.Kernel) {
			t.Errorf("%#v came back as %#v", k, back.Kernel.Kernel)
		}
		if got, want := back.Kernel.Eval(iris0, iris50), k.Eval(iris0, iris50); got != want {
			t.Errorf("%#v: k = %v when decoded, want %v", k, got, want)
		}
	}
}

func TestJSONForm(t *testing.T) {
	b := testkit.Try(json.Marshal(Any{Any{Sum{RBF{Gamma: 0.5}, Scaled{Factor: 2}}}})).Or(t)
	want := `{"name":"sum","parameters":[{"name":"rbf","parameters":{"gamma":0.5}},{"name":"scaled","parameters":{"factor":2,"kernel":null}}]}`
	if string(b) != want {
		t.Errorf("JSON is %s, want %s", b, want)
	}
}

func TestEncodeErrors(t *testing.T) {
	type stranger struct{ Linear }
	testkit.Refusals{
		{second(json.Marshal(Any{Func(Linear{}.Eval)})), "…kernel: a Func has no encoding…"},
		{second(json.Marshal(Any{Sum{Func(Linear{}.Eval)}})), "…kernel: encoding a sum: …a Func has no encoding…"},
		{second(json.Marshal(Any{stranger{}})), "…kernel: the type kernel.stranger has no name; Register it"},
		{second(json.Marshal(Any{RBF{Gamma: math.NaN()}})), "…kernel: encoding a rbf…"},
	}.Check(t)
	for _, c := range []struct{ text, say string }{
		{`3`, "kernel: decoding"},
		{`{"name":"gaussian","parameters":{}}`, `no kernel has the name "gaussian"`},
		{`{"name":"rbf","parameters":[]}`, "decoding a rbf"},
		{`{"name":"rbf"}`, "decoding a rbf"},
		{`{"name":"sum","parameters":3}`, "decoding a sum"},
		{`{"name":"product","parameters":[{"name":"no"}]}`, `no kernel has the name "no"`},
		{`{"name":"product","parameters":[null]}`, "decoding a product: kernel: Product[0]: kernel: the kernel is nil"},
		{`{"name":"scaled","parameters":{"factor":"x"}}`, "decoding a scaled"},
		{`{"name":"rbf","parameters":{"gamma":-1}}`, "decoding a rbf: kernel: RBF.Gamma = -1"},
	} {
		var a Any
		if err := json.Unmarshal([]byte(c.text), &a); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: err = %v, want %q", c.text, err, c.say)
		}
	}
}

func TestRegister(t *testing.T) {
	Register("test.own", ownKernel{3}) // registering again is harmless
	for name, f := range map[string]func(){
		"name taken": func() { Register("rbf", ownKernel{}) },
		"type taken": func() { Register("other", RBF{}) },
		"no name":    func() { Register("", RBF{}) },
		"no kernel":  func() { Register("nil", nil) },
	} {
		testkit.Panics(t, name, f)
	}
}
