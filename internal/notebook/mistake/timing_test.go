package mistake_test

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/mistake"
)

// Commands of IPython that GoNB does not know lead on.
func TestUnknown(t *testing.T) {
	const said = `" unknown or not implemented yet.`
	for command, hint := range map[string]string{
		"%timeit": "%%bench many", "%matplotlib": "plotting.Show", "%pip": "go get", "%cd_": "%help says which",
	} {
		text := mistake.Unknown(`"` + command + said)
		if !strings.HasPrefix(text, `"`+command+said+"\n→ ") || !strings.Contains(text, hint) {
			t.Errorf("of %s it says %q, want %q in its hint", command, text, hint)
		}
		if got := mistake.WithoutSlips(text); got != `"`+command+said+"\n" && got != `"`+command+said {
			t.Errorf("without the hint that is %q", got)
		}
	}
	if text := "the program's own\n"; mistake.Unknown(text) != text {
		t.Errorf("it adds to %q: %q", text, mistake.Unknown(text))
	}
}
