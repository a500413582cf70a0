package celltest

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// However a program goes on without end, the run of its cell ends, with a word
// for what was wrong, if anything was.
func TestProgramsThatGoOn(t *testing.T) {
	before := grace
	t.Cleanup(func() { grace = before })
	grace = time.Second
	late := errors.New("it did not end in time")
	for name, c := range map[string]struct {
		program string
		apart   bool
		err     error // late: it is stopped once it has printed
		prints  string
	}{
		"prints fast":           {program: "exec yes", err: errMaxOutput},
		"prints slowly":         {program: "while :; do echo x; sleep 0.01; done", err: late},
		"ignores the interrupt": {program: "trap '' INT; echo x; while :; do sleep 0.1; done", err: late},
		// As on the kernel, which does not wait for what a program has started.
		"leaves a child": {program: "echo done; sleep 1000 &", prints: "done\n"},

		"prints slowly, apart":         {program: "while :; do echo x; sleep 0.01; done", apart: true, err: late},
		"ignores the interrupt, apart": {program: "trap '' INT; echo x; while :; do sleep 0.1; done", apart: true, err: late},
		"leaves a child, apart":        {program: "echo done; sleep 1000 &", apart: true, prints: "done\n"},
		"fails, apart":                 {program: "echo x; exit 3", apart: true, prints: "x\nexit status 3\n"},
		"is killed, apart":             {program: "kill -9 $$", apart: true, prints: "signal: killed\n"},
		"kills its group, apart":       {program: "kill -9 0", apart: true, prints: "signal: killed\n"},
		// This process goes on.
		"kills its parent": {program: "echo x; kill -9 $PPID; sleep 1000", apart: true, err: errParent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			rec := &recorder{stop: stop}
			defer rec.endLeft()
			if c.err == late {
				go func() {
					for !rec.any() && ctx.Err() == nil {
						time.Sleep(time.Millisecond)
					}
					stop(late)
				}()
			}
			if err := runProgram(ctx, exec.CommandContext(ctx, "sh", "-c", c.program), c.apart, rec); err != c.err {
				t.Errorf("error %v, want %v", err, c.err)
			}
			var got strings.Builder
			for _, o := range rec.outs {
				got.WriteString(o.Text)
			}
			if c.err == nil && got.String() != c.prints {
				t.Errorf("prints %q, want %q", got.String(), c.prints)
			}
		})
	}
}

// any reports whether something has come.
func (r *recorder) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.outs) > 0
}

func TestSplitRune(t *testing.T) {
	for _, tt := range []struct{ text, whole, rest string }{
		{"abc", "abc", ""}, {"", "", ""}, {"a世", "a世", ""}, {"a\xe4", "a", "\xe4"}, {"a\xe4\xb8", "a", "\xe4\xb8"},
		{"\xf0\x9f\x98", "", "\xf0\x9f\x98"}, {"a\xff", "a\xff", ""}, {"\x96\x96\x96\x96", "\x96\x96\x96\x96", ""},
	} {
		if w, r := splitRune([]byte(tt.text)); string(w) != tt.whole || string(r) != tt.rest {
			t.Errorf("splitRune(%q) = %q, %q; want %q, %q", tt.text, w, r, tt.whole, tt.rest)
		}
	}
}
