package feedback

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape matches what a terminal takes for commands (ECMA-48: CSI, OSC and the other
// sequences of ESC).
var escape = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])`)

// clean makes every character of a text show as itself, in its place. It drops terminal
// commands, and writes control characters as [U+0008], as well as those that change the
// direction of writing, which can hide code (Boucher, Anderson, Trojan Source, 2021).
func clean(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < utf8.RuneSelf && (s[i] >= ' ' && s[i] != 0x7f || s[i] == '\n' || s[i] == '\t')
	}
	if plain {
		return s
	}
	s = escape.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s)
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line returns a clean text on one line, cut to most bytes.
func Line(s string, most int) string {
	s, _ = cut(s, 4*most, 1<<20)
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " …"
	}
	return s
}

// cut returns the beginning of a text, and says how much it left out, "" if nothing.
func cut(s string, bytes, lines int) (text, left string) {
	whole, rows := len(s), 0
	for at := 0; at < min(len(s), bytes); at++ {
		if s[at] == '\n' {
			if rows++; rows == lines {
				s = s[:at]
				break
			}
		}
	}
	if len(s) > bytes {
		s = strings.ToValidUTF8(s[:bytes], "")
	}
	if rest := whole - len(s); rest > 1 {
		left = fmt.Sprintf("%s more are left out", size(rest))
	}
	return s, left
}

func size(bytes int) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// A budget bounds a page. Each text that a student wrote takes from it.
type budget struct{ text, images int } // bytes

// take cuts a text to what is left of the budget, too.
func (b *budget) take(s string, bytes, lines int) (text, left string) {
	text, left = cut(s, min(bytes, b.text), lines)
	b.text -= len(text)
	return text, left
}
