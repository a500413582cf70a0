package kernel_test

import (
	"regexp"
	"testing"

	"marginalia/internal/browser/kernel/kerneltest"
)

// Pages run cells that begin with %%time or %%bench: their kernel reads them as the other does.
func TestTimed(t *testing.T) {
	k := kerneltest.New(t, "flag", "fmt", "marginalia/timing")
	for code, want := range map[string]string{
		"%%time\nfmt.Println(1)":  `^1\n⏱ [\d.]+ .*\n$`,
		"%%bench\nfmt.Println(2)": `^2\n⏱ [\d.]+ \S+ a run, .*\n$`,
	} {
		if got, ok := execute(k, code); !ok || !regexp.MustCompile(want).MatchString(got.stdout) {
			t.Errorf("%s\nsays %+v, want a match of %s", code, got, want)
		}
	}
}
