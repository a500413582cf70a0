package celltest

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
)

// Without this a program that reads waits for the time limit, two minutes.
func TestInputEnds(t *testing.T) {
	const read = "printf 'name? '; read name; echo \"got <$name>\""
	for name, c := range map[string]struct{ program, stdout, stderr string }{
		"reads":        {read, "name? got <>\n", noInput},
		"reads to end": {"exec cat", "", noInput},
		"reads twice":  {read + "; " + read, "name? got <>\nname? got <>\n", noInput},
		"does not":     {"echo no", "no\n", ""},
		"has it read":  {"sh -c 'sh -c \"cat; true\"; true'; echo done", "done\n", noInput},
	} {
		for _, apart := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, apart %v", name, apart), func(t *testing.T) {
				t.Parallel()
				ctx, stop := context.WithCancelCause(t.Context())
				defer stop(nil)
				rec := &recorder{stop: stop}
				if err := runProgram(ctx, exec.CommandContext(ctx, "sh", "-c", c.program), apart, rec); err != nil {
					t.Fatal(err)
				}
				got := map[string]string{}
				for _, o := range rec.outs {
					got[o.Name] += o.Text
				}
				if got["stdout"] != c.stdout || got["stderr"] != c.stderr {
					t.Errorf("it prints %q", got)
				}
			})
		}
	}
}
