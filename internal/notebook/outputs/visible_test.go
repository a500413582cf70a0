package outputs

import "testing"

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n":                "a\tb\n",
		"50%\r7\b":              "50%␍7␈",
		"\x1b[31mred\x1b[0m":    "␛[31mred␛[0m",
		"\x00\x7f\u009b2J":      "␀␡<U+009B>2J",
		"a\u202eb\u2066":        "a<U+202E>b<U+2066>",
		"é 世 👩‍🔬 \ufffd \u00a0": "é 世 👩‍🔬 \ufffd \u00a0",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
	d := Difference{What: "stdout", Want: "a\x1b[2J\n", Got: "a\n\x00\n"}
	if got, want := d.String(), "stdout:\n  from line 1:\n  - a␛[2J\n  + a\n  + ␀"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	one := Difference{What: "display 1, text/plain", Want: "a\r", Got: "a"}
	if got, want := one.String(), "display 1, text/plain:\n  - a␍\n  + a"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
