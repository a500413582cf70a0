package testkit

import (
	"fmt"
	"strings"
	"testing"
)

// Refusals are the errors of calls that must fail, each with its text, or with the beginning of
// the text and "…".
type Refusals []struct {
	Err  error
	Want string
}

// Check reports each error with another text.
func (r Refusals) Check(t testing.TB) {
	t.Helper()
	for _, c := range r {
		if want, begins := strings.CutSuffix(c.Want, "…"); c.Err == nil ||
			c.Err.Error() != want && !(begins && strings.HasPrefix(c.Err.Error(), want)) {
			t.Errorf("error %v, want %s", c.Err, c.Want)
		}
	}
}

// Panics reports an error unless f panics, with a value whose text has the given parts.
func Panics(t testing.TB, name string, f func(), parts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		v := recover()
		if v == nil {
			t.Errorf("%s: no panic", name)
		}
		for _, part := range parts {
			if !strings.Contains(fmt.Sprint(v), part) {
				t.Errorf("%s: panics with %v, want %q in it", name, v, part)
			}
		}
	}()
	f()
}
