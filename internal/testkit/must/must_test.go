package must

import (
	"errors"
	"strconv"
	"testing"
)

// fake is a test that notes what ends it.
type fake struct{ fatal []any }

func (f *fake) Helper()           {}
func (f *fake) Fatal(args ...any) { f.fatal = args }

func TestErrorsEnd(t *testing.T) {
	var f fake
	Do(&f, nil)
	if n := Get(strconv.Atoi("3")).Or(&f); n != 3 || f.fatal != nil {
		t.Errorf("without an error: %d, %v", n, f.fatal)
	}
	bad := errors.New("bad")
	for name, end := range map[string]func(){"Do": func() { Do(&f, bad) }, "Or": func() { Get(3, bad).Or(&f) }} {
		f.fatal = nil
		end()
		if len(f.fatal) != 1 || f.fatal[0] != bad {
			t.Errorf("%s ends with %v, want %v", name, f.fatal, bad)
		}
	}
}
