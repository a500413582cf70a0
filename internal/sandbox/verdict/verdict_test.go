package verdict

import "testing"

// What a student's program says can't clear a terminal, write over a line, or turn words round; letters of all
// languages stay.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\r\nc":                "a\tb\nc",
		"\x1b[2J\x1b]0;x\a\rok":    "\uFFFD[2J\uFFFD]0;x\uFFFD\uFFFDok",
		"\u009b31m\u202eabc\u2028": "\uFFFD31m\uFFFDabc\uFFFD",
		"\xff\u00fc \u05d0 日本":     "\uFFFDü א 日本",
	} {
		if got := Plain(text, 100); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Plain("0123456789ab", 10); got != "0123456789 …" {
		t.Errorf("cut: %q", got)
	}
}
