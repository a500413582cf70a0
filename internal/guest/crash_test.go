package guest

import "testing"

// A program's own words on standard error are no crash where Go's runtime would not have printed them.
func TestLastWords(t *testing.T) {
	for printed, want := range map[string]string{
		"": "", "log: don't panic: all is well, no fatal error: none\n": "",
		"panic: a\n\ngoroutine 1": "panic: a\n\ngoroutine 1", "words\npanic: a\n\tpanic: b\n": "panic: a\n\tpanic: b\n",
		"panic: a\nfatal error: b\n": "fatal error: b\n", "x fatal error: a\npanic: b": "panic: b",
	} {
		if got := lastWords(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}
