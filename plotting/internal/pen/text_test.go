package pen

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Text goes into as few lines as possible, about equally long. No line is wider than the
// room unless it is a single word.
func TestWrap(t *testing.T) {
	const long = "fitted to zeros and ones, it finds the posterior"
	sty := Style(TitleSize)
	for _, c := range []struct {
		text, want string
		width      vg.Length
	}{
		{long, long, sty.Width(long)},
		{long, long, 0}, // the room is not known
		{long, "fitted to zeros and ones,\nit finds the posterior", sty.Width(long) - 1},
		{long, "fitted to zeros\nand ones, it finds\nthe posterior", sty.Width("finds the posterior") + 1},
		{"one\ntwo three", "one\ntwo\nthree", sty.Width("three") + 1},
		{"γ^{2 of 5} and more", "γ^{2 of 5}\nand\nmore", 1},
		{"incomprehensible", "incomprehensible", 5},
		{"σ = 1   λ = 2", "σ = 1\nλ = 2", sty.Width("σ = 1 ") + 1},
	} {
		got := wrap(c.text, TitleSize, c.width)
		if got != c.want {
			t.Errorf("%q on %v points: %q, want %q", c.text, c.width, got, c.want)
		}
		for _, line := range strings.Split(got, "\n") {
			if strings.Contains(line, " ") && !strings.Contains(line, "{") && c.width > 0 && sty.Width(line) > c.width {
				t.Errorf("%q on %v points: %q is %v wide", c.text, c.width, line, sty.Width(line))
			}
		}
	}
}

// Numbers as package fmt writes them get a minus sign. A hyphen between words or digits
// stays.
func TestMinus(t *testing.T) {
	for text, want := range map[string]string{
		"-0.35": "−0.35", "w = (-1, -.5), b = -3": "w = (−1, −.5), b = −3", "(-1,-2)": "(−1,−2)", "x ≥ -1\n-2": "x ≥ −1\n−2",
		"10^{-3}": "10^{−3}", "a_{-1}": "a_{−1}", "3·-2": "3·−2",
		"C-SVM": "C-SVM", "2026-11-20": "2026-11-20", "1-3": "1-3", "one - two": "one - two", "x-1": "x-1", "": "",
	} {
		got := ""
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				got += "\n"
			}
			for _, r := range split(line) {
				got += []string{"_{" + r.text + "}", r.text, "^{" + r.text + "}"}[r.level+1]
			}
		}
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text string
		want []run
	}{
		{"x_{ij}", []run{{"x", 0}, {"ij", -1}}},
		{"e^{−m}+1", []run{{"e", 0}, {"−m", 1}, {"+1", 0}}},
		{"a^{2}_{i}", []run{{"a", 0}, {"2", 1}, {"i", -1}}},
		{"train_error {a}", []run{{"train_error {a}", 0}}},
		{"x_{i", []run{{"x_{i", 0}}},
		{"", nil},
	} {
		if got := split(c.text); !slices.Equal(got, c.want) {
			t.Errorf("split(%q) = %v, want %v", c.text, got, c.want)
		}
	}
	plain, low := Style(10).Width("xi"), Style(10).Width("x_{i}")
	if !(low < plain) {
		t.Errorf("x_{i} is %v wide and xi %v, want a small i", low, plain)
	}
}

// DejaVu Sans must have the characters of the lectures. Glyph 0 is the box for a missing
// character.
func TestLetters(t *testing.T) {
	face := Sans().Cache().Lookup(Style(10).Font, 10)
	for _, r := range "∈∇ℝγρξθαβω‖₀₁₂ᵢⱼₖₙ²ᵀ⁻⟨⟩∼⊥∥⋅·−≤≥≠√∑∞→×ℓ“”…" {
		if i, err := face.Face.GlyphIndex(nil, r); err != nil || i == 0 {
			t.Errorf("no glyph for %c (%U)", r, r)
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
	m := Sans().(markup)
	for txt, want := range map[string]int{"w·x + b": 1, "θᵀx ≤ ξᵢ — ‖w‖ ∈ ℝ": 1, "a𝐰b": 3, "日本": 1, "a\u2066b": 3, "": 1} {
		if got := m.pieces(txt); len(got) != want {
			t.Errorf("%q has pieces %+v, want %d", txt, got, want)
		}
	}
}

// A width is kept with its line and its font, and what is kept stays small.
func TestMeasured(t *testing.T) {
	k, calls := new(measured), 0
	measure := func(t sized) vg.Length { calls++; return vg.Length(len(t.line)) * t.font.Size }
	for range 2 {
		for _, size := range []vg.Length{9, 11} {
			if w := k.width(sized{"abc", font.Font{Size: size}}, measure); w != 3*size {
				t.Errorf("size %g: %g, want %g", size, w, 3*size)
			}
		}
	}
	if calls != 2 {
		t.Errorf("measured %d times, want once in each size", calls)
	}
	for i := range 3 * mostMeasured {
		k.width(sized{strconv.Itoa(i), font.Font{Size: 9}}, measure)
		if len(k.widths) > mostMeasured {
			t.Fatalf("%d widths are kept, want at most %d", len(k.widths), mostMeasured)
		}
	}
}
