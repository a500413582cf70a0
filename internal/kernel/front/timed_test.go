//go:build unix

package main

import (
	"testing"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
)

// Clients see the code that they have sent, and the count.
func TestWithCode(t *testing.T) {
	const code = "%%time\nf()"
	gonbs := map[string]any{"code": "import \"marginalia/timing\"; func main() {", "execution_count": 7}
	m := withCode(must.Get(jupyter.Message{}.Reply(jupyter.IOPub, "execute_input", gonbs)).Or(t), code)
	var got struct {
		Code  string
		Count int `json:"execution_count"`
	}
	if must.Do(t, m.Decode(&got)); got.Code != code || got.Count != 7 {
		t.Errorf("clients get %+v", got)
	}
}
