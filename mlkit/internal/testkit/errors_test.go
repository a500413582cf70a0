package testkit_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// reports is a test that keeps what is reported to it.
type reports struct {
	testing.TB
	texts []string
}

func (r *reports) Helper() {}

func (r *reports) Errorf(format string, args ...any) {
	r.texts = append(r.texts, fmt.Sprintf(format, args...))
}

func (r *reports) Fatal(args ...any) { r.texts = append(r.texts, fmt.Sprint(args...)) }

func TestErrors(t *testing.T) {
	bad := errors.New("p: n = 3, want 2")
	var got reports
	testkit.Refusals{{bad, "p: n = 3, want 2"}, {bad, "p: n = 3…"}, {bad, "p: n = 3"}, {bad, "n = 3…"}, {bad, "…= 3…2"}, {bad, "…= 3…3"}, {nil, "…"}}.Check(&got)
	testkit.NoErrors(&got, map[string]error{"good": nil, "bad": bad})
	testkit.Panics(&got, "quiet", func() {})
	testkit.Panics(&got, "loud", func() { panic("p: no") }, "p: ", "no")
	testkit.Panics(&got, "wrong", func() { panic("p: no") }, "p: ", "yes")
	if v := testkit.Try(7, nil).Or(&got); v != 7 {
		t.Errorf("the value is %d, want 7", v)
	}
	testkit.Try(7, bad).Or(&got)
	want := []string{
		"error p: n = 3, want 2, want p: n = 3", "error p: n = 3, want 2, want n = 3…", "error p: n = 3, want 2, want …= 3…3",
		"error <nil>, want …",
		"bad: p: n = 3, want 2", "quiet: no panic", `wrong: panics with p: no, want "yes" in it`, "p: n = 3, want 2",
	}
	if !slices.Equal(got.texts, want) {
		t.Errorf("reports\n%q, want\n%q", got.texts, want)
	}
}
