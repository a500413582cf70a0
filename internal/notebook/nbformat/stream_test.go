package nbformat_test

import (
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// What processText of JupyterLab 4.6.6 makes of each text, run by node.
func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"\rstep 0\rstep 1\n":      "step 1\n",
		"50%\r7\n":                "70%\n",
		"a\r\nb\r\n":              "a\nb\n",
		"abc\b\bX\n":              "aX\n",
		"abcdef\rab\bX\n":         "aXef\n", // \b takes b and c
		"ab\rX\ncd":               "Xb\ncd", // \n comes after the line
		"a\n\b\b\bb\n":            "a\nb\n",
		"\b\r\bx":                 "x",
		"😀b\rX":                   "X\ufffdb", // half of the emoji
		"plain \x1b[31m\x00 text": "plain \x1b[31m\x00 text",
	} {
		if got := nbformat.Shown(text); got != want {
			t.Errorf("nbformat.Shown(%q) = %q, want %q", text, got, want)
		}
		if again := nbformat.Shown(nbformat.Shown(text)); again != nbformat.Shown(text) {
			t.Errorf("nbformat.Shown(%q) is shown as %q", nbformat.Shown(text), again)
		}
	}
}

func TestShownAs(t *testing.T) {
	progress := "\r10%\r20%\r30%\ndone\n"
	for _, c := range []struct {
		text    string
		outputs []string
		want    bool
	}{
		{progress, []string{"30%\ndone\n"}, true},
		{progress, []string{"10%", "30%\ndone\n"}, true},
		{progress, []string{"10%", "20%", "30%\n", "done\n"}, true},
		{progress, []string{"20%\ndone\n"}, false},
		{progress, []string{"10%", "40%\ndone\n"}, false},
		{progress, []string{"30%\n"}, false},
		{progress, []string{"30%\ndone\n", "more"}, false},
		{progress, nil, false},
		{"", nil, true},
		{"a\r", []string{"a"}, true},
	} {
		if got := nbformat.ShownAs(c.text, c.outputs); got != c.want {
			t.Errorf("nbformat.ShownAs(%q, %q) = %v", c.text, c.outputs, got)
		}
	}
	// The bound ends what would take hours: each character may begin a piece.
	long := strings.Repeat("a\r", 1<<14)
	if nbformat.ShownAs(long, slices.Repeat([]string{"a"}, 1<<14)) {
		t.Error("it has tried all")
	}
}
