package canvas

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DejaVu Sans has the characters of the lectures that gonum/plot's own Liberation fonts
// lack (∈ ∇ ℝ ⁻ ⟨ ⟩ ⊥ ∥ ₖ ₙ ₜ). It is a sans-serif typeface, as slides have.
const Typeface = "DejaVu Sans"

// Legible returns a text of characters that every format can hold. Bytes that are not UTF-8,
// control characters and noncharacters become U+FFFD, the replacement character; tabs, carriage
// returns and separators become spaces.
//
// Source: Extensible Markup Language (XML) 1.0, 5th edition, W3C 2008, production 2 (Char).
func Legible(txt string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t', r == '\r', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Noncharacter_Code_Point, r):
			return utf8.RuneError
		}
		return r // invalid bytes arrive as U+FFFD
	}, txt)
}
