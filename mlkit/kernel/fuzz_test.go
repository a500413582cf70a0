package kernel

import (
	"encoding/json"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Any text is either decoded to a kernel that passes Check, or refused.
func FuzzDecode(f *testing.F) {
	for _, k := range kernels() {
		b := testkit.Try(json.Marshal(Any{k})).Or(f)
		f.Add(b)
	}
	f.Add([]byte(`{"name":"sum","parameters":[{"name":"sum","parameters":[null]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Any
		if err := json.Unmarshal(data, &a); err != nil || a.Kernel == nil {
			return
		}
		if err := Check(a); err != nil {
			t.Fatalf("%s is decoded to %#v: %v", data, a.Kernel, err)
		}
		a.Eval([]float64{1, 2}, []float64{3, 4})
	})
}
