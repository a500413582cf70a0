package testkit

import (
	"fmt"
	"strings"
	"testing"
)

// Refusals are the errors of calls that must fail, each with its text, in which "…" stands for any
// text.
type Refusals []struct {
	Err  error
	Want string
}

// Check reports each error with another text.
func (r Refusals) Check(t testing.TB) {
	t.Helper()
	for _, c := range r {
		if c.Err == nil || !reads(c.Err.Error(), c.Want) {
			t.Errorf("error %v, want %s", c.Err, c.Want)
		}
	}
}

// reads reports whether text is want, in which "…" stands for any text.
func reads(text, want string) bool {
	first, rest, cut := strings.Cut(want, "…")
	text, begins := strings.CutPrefix(text, first)
	if !cut || !begins {
		return begins && text == ""
	}
	for i := range len(text) + 1 {
		if reads(text[i:], rest) {
			return true
		}
	}
	return false
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

// NoError reports an error of the named case.
func NoError(t testing.TB, name string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// NoErrors reports the errors of named cases.
func NoErrors(t testing.TB, cases map[string]error) {
	t.Helper()
	for name, err := range cases {
		NoError(t, name, err)
	}
}

// Tried holds the results of a call without whose value a test can't go on.
type Tried[T any] struct {
	value T
	err   error
}

// Try takes the results of a call:
//
//	m := testkit.Try(svm.Classifier{}.Fit(X, y)).Or(t)
func Try[T any](value T, err error) Tried[T] { return Tried[T]{value, err} }

// Or returns the value. An error ends t, a test, a fuzz test or a property of rapid's, and is
// reported after what it is about.
func (r Tried[T]) Or(t interface {
	Helper()
	Fatal(args ...any)
}, about ...any) T {
	t.Helper()
	if r.err != nil {
		t.Fatal(append(about, r.err)...)
	}
	return r.value
}
