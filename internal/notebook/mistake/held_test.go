package mistake_test

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/mistake"
)

// What is held is passed on whole, however it was torn, unless it is a stack.
func TestHeld(t *testing.T) {
	for _, text := range []string{"", "plain\n", "a\npanic: b\nc", "panic: x\n" + strings.Repeat("no stack\n", 1000) + "end\n", "exit status 3\n", "x exit status 3\n", "a\nsignal: interrupt\n"} {
		for size := 1; size < 12; size += 5 {
			var h mistake.Held
			got := ""
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got += h.Take(rest[:n])
				rest = rest[n:]
			}
			if got += h.Release(); got != text {
				t.Errorf("in pieces of %d, %.30q… came as %.30q… (%d bytes, want %d)", size, text, got, len(got), len(text))
			}
		}
	}
}
