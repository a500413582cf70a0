package grade

import (
	"testing"

	"marginalia/internal/sandbox/host"
)

// What is kept of programs has at most maxJudged bytes, to the byte: it stays, and new programs are judged each time.
// Without the bound 3,000 submissions that print much would fill the memory.
func TestKeptIsBounded(t *testing.T) {
	q := host.Request{Tests: []string{"TestOne"}, Seconds: []float64{2}}
	results := map[string]host.Result{"TestOne": {Output: "one", Seconds: 0.5}}
	var j judged
	put := func(key string) {
		t.Helper()
		if err := j.put(key, q, results); err != nil {
			t.Fatal(err)
		}
	}
	put("first")
	size := j.size
	put("second")
	if size == 0 || j.size != 2*size {
		t.Fatalf("%d bytes of one program and %d of two that are alike", size, j.size)
	}
	j.size = maxJudged - size // as if others were there
	put("last")
	put("one too many")
	for key, kept := range map[string]bool{"first": true, "second": true, "last": true, "one too many": false} {
		if got := j.get(key); (got != nil) != kept || kept && got["TestOne"].Output != "one" {
			t.Errorf("%s: %v, kept %v", key, got, kept)
		}
	}
	if j.size != maxJudged {
		t.Errorf("%d bytes, want %d", j.size, maxJudged)
	}
}

// A test that took more than half of its time may end elsewhere, so it is judged each time.
func TestKeptIfSafe(t *testing.T) {
	for seconds, kept := range map[float64]bool{0: false, 1: true, 1.01: false} {
		var j judged
		if err := j.put("x", host.Request{Tests: []string{"TestOne"}, Seconds: []float64{2}}, map[string]host.Result{"TestOne": {Seconds: seconds}}); err != nil {
			t.Fatal(err)
		}
		if (j.get("x") != nil) != kept {
			t.Errorf("%g of 2 seconds: kept %v", seconds, !kept)
		}
	}
}
