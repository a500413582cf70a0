package outputs

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"marginalia/internal/notebook/nbformat"
)

var paint = regexp.MustCompile("\x1b\\[[0-9;]*m") // colours and weights of text

// Printed returns what a program has printed for a terminal: without colours, as JupyterLab
// shows it, and Visible.
func Printed(text string) string {
	return Visible(nbformat.Shown(paint.ReplaceAllString(text, "")))
}

// Visible returns text for a terminal: \n and \t stay, and a character that controls the
// terminal has a picture, as ␍ for \r, or its number. What a cell printed could otherwise
// write over what is said of it, or colour all that follows.
func Visible(text string) string {
	if !strings.ContainsFunc(text, controls) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !controls(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

func controls(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}
