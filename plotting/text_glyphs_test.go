package plotting

import (
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"gonum.org/v1/plot/vg"
)

// Every character that is to be seen leaves ink: that of a font, a box with its code point, or
// U+FFFD.
func TestNoCharacterIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []rune
	for _, s := range []string{"a𝐰𝑥𝒩𝔽𝟙𝛁日本한ไअא\u0600🦊😀→ℝ（Ａ\ufffe\x00\x1b\u0085", "\U0010ffff\ue000\u0378"} {
		all = append(all, []rune(s)...)
	}
	for range 400 {
		all = append(all, r.Int32N(0x3000), r.Int32N(0x10000), 0x1D400+r.Int32N(0x400), r.Int32N(0x110000))
	}
	sty := style(12)
	for _, c := range all {
		if unicode.IsSpace(c) || unicode.In(c, unicode.Z, unicode.Mn, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			continue
		}
		k := newInk(vg.Point{X: 40, Y: 40})
		k.c.FillText(sty, vg.Point{X: 20, Y: 20}, string(c))
		if blank(k.cv.Image(), image.Rect(0, 0, 1000, 1000)) && !strings.ContainsRune("\u2800", c) {
			t.Errorf("%U leaves no ink", c)
		}
	}
}

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
	m := sans().(markup)
	for txt, want := range map[string]int{"w·x + b": 1, "θᵀx ≤ ξᵢ — ‖w‖ ∈ ℝ": 1, "a𝐰b": 3, "日本": 1, "a\u2066b": 3, "": 1} {
		if got := m.pieces(txt); len(got) != want {
			t.Errorf("%q has pieces %+v, want %d", txt, got, want)
		}
	}
}
