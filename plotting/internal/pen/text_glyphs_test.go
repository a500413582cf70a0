package pen

import (
	"testing"
)

// A mathematical letter is set in the style that it stands for.
func TestUnstyled(t *testing.T) {
	for from, want := range map[rune]struct {
		letter rune
		bold   bool
		italic bool
	}{
		'𝐀': {'A', true, false}, '𝐳': {'z', true, false}, '𝑥': {'x', false, true}, '𝒘': {'w', true, true}, '𝒩': {'N', false, true},
		'𝗪': {'W', true, false}, '𝚣': {'z', false, false}, '𝚨': {'Α', true, false}, '𝛚': {'ω', true, false}, '𝜕': {'∂', false, true}, '𝟋': {'ϝ', true, false},
		'𝟎': {'0', true, false}, '𝟿': {'9', false, false}, 'Ａ': {'A', false, false}, '～': {'~', false, false}, 'x': {'x', false, false}, '日': {'日', false, false},
	} {
		letter, f := unstyled(from)
		if letter != want.letter || (f.Weight > 0) != want.bold || (f.Style > 0) != want.italic {
			t.Errorf("%c becomes %c in %s, want %c, bold: %v, italic: %v", from, letter, f.Name(), want.letter, want.bold, want.italic)
		}
	}
}

// Text as it was before keeps its one piece: Latin, Greek and the signs of the subject.
func TestPieces(t *testing.T) {
	m := Sans().(markup)
	for txt, want := range map[string]int{"w·x + b": 1, "θᵀx ≤ ξᵢ — ‖w‖ ∈ ℝ": 1, "a𝐰b": 3, "日本": 1, "a\u2066b": 3, "": 1} {
		if got := m.pieces(txt); len(got) != want {
			t.Errorf("%q has pieces %+v, want %d", txt, got, want)
		}
	}
}
