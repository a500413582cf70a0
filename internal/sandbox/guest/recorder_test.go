package guest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A recorder keeps what comes up to each of its limits, in order, and then ends the guest.
func TestRecorder(t *testing.T) {
	r := &Recorder{Text: 10, Displays: 2, Shown: 5}
	told := func() string {
		var all []string
		for _, p := range r.Pieces() {
			all = append(all, fmt.Sprintf("%s %q%s", p.Kind, p.Data, p.ID))
		}
		return strings.Join(all, ", ")
	}
	check := func(got, want error, text string) {
		t.Helper()
		if !errors.Is(got, want) || told() != text {
			t.Errorf("%v, want %v; %s, want %s", got, want, told(), text)
		}
	}
	check(r.print("stdout", []byte("abc")), nil, `stdout "abc"`)
	check(r.print("stdout", []byte("d")), nil, `stdout "abcd"`)
	check(r.show("", []byte("1")), nil, `stdout "abcd", display "1"`)
	check(r.show("x", []byte("22")), nil, `stdout "abcd", display "1", display "22"x`)
	check(r.show("x", []byte("3333")), nil, `stdout "abcd", display "1", display "3333"x`) // in place of what has its id
	check(r.show("x", []byte("44444")), ErrFull, `stdout "abcd", display "1", display "3333"x`)
	check(r.show("", nil), ErrFull, `stdout "abcd", display "1", display "3333"x`)
	check(r.print("stderr", []byte("0123456789")), ErrFull, `stdout "abcd", display "1", display "3333"x, stderr "012345"`)
	r.Reset()
	check(nil, nil, ``)
	r.Text = 1 << 20
	var err error
	n := 0
	for ; err == nil && n < 1<<19; n++ {
		err = r.print([]string{"stdout", "stderr"}[n%2], []byte("x"))
	}
	if !errors.Is(err, ErrFull) || n != maxPieces+1 {
		t.Errorf("%d changes between the streams: %v", n, err)
	}
}
