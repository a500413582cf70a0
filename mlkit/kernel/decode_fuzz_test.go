package kernel

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// For any bytes, UnmarshalJSON of Any and of each composite kernel returns without
// a panic. What Any accepts passes Check, has values, and survives another round trip.
func FuzzDecode(f *testing.F) {
	for _, k := range kernels() {
		b := testkit.Try(Any{k}.MarshalJSON()).Or(f)
		f.Add(b)
	}
	f.Add([]byte(`{"name":"sum","parameters":[{"name":"sum","parameters":[null]}]}`))
	f.Add([]byte(`[{"name":"rbf","parameters":{"gamma":2}},null]`))
	f.Add([]byte(`{"factor":2,"kernel":{"name":"linear","parameters":{}}}`))
	f.Add([]byte(`{"factor":-1e999,"kernel":null}`))
	f.Add([]byte(strings.Repeat(`{"name":"product","parameters":[`, 300)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, back Any
		if a.UnmarshalJSON(data) == nil && a.Kernel != nil {
			if err := Check(a); err != nil {
				t.Fatalf("%s is decoded to %#v: %v", data, a.Kernel, err)
			}
			a.Eval([]float64{1, 2}, []float64{3, 4})
			b, err := a.MarshalJSON()
			if err != nil {
				t.Fatalf("%s is decoded to %#v, which has no encoding: %v", data, a.Kernel, err)
			}
			if err := back.UnmarshalJSON(b); err != nil || !reflect.DeepEqual(a, back) {
				t.Fatalf("%#v came back as %#v, error %v", a, back, err)
			}
		}
		for _, k := range []json.Unmarshaler{new(Sum), new(Product), new(Scaled)} {
			if k.UnmarshalJSON(data) == nil {
				Check(reflect.ValueOf(k).Elem().Interface().(Kernel))
			}
		}
	})
}

// A hundred nested kernels are encoded and decoded; more are refused at once, both ways.
func TestNesting(t *testing.T) {
	nested := func(n int) Kernel {
		var k Kernel = Linear{}
		for range n {
			k = Sum{k}
		}
		return k
	}
	b, err := json.Marshal(Any{nested(99)})
	if err != nil {
		t.Fatal(err)
	}
	var a Any
	if err := json.Unmarshal(b, &a); err != nil || !reflect.DeepEqual(a.Kernel, nested(99)) {
		t.Errorf("%#v, error %v", a, err)
	}
	want := "kernel: sums, products and scaled kernels are nested more than 100 deep"
	if _, err := json.Marshal(Any{nested(100)}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("err = %v, want %s", err, want)
	}
	deep := strings.Repeat(`{"name":"sum","parameters":[`, 4900) + `{"name":"linear","parameters":{}}` + strings.Repeat(`]}`, 4900)
	if err := json.Unmarshal([]byte(deep), &a); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("err = %v, want %s", err, want)
	}
	// Brackets within a string are not nested, nor are consecutive ones.
	quoted := `{"name":"` + strings.Repeat(`[\"{`, 300) + `","parameters":[]}`
	if err := json.Unmarshal([]byte(quoted), &a); err == nil || !strings.Contains(err.Error(), "no kernel has the name") {
		t.Errorf("err = %v", err)
	}
	flat := make(Sum, 300)
	for i := range flat {
		flat[i] = Linear{}
	}
	if b, err = json.Marshal(Any{flat}); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(b, &a); err != nil {
		t.Error(err)
	}
}
