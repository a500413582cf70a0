package pen

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/canvas"
)

// piece is a part of a run in one font.
type piece struct {
	text string // as it was given
	set  string // what the font writes for it
	font font.Font
	box  bool // no font has its characters
}

// sansFont is the font of all text that needs no other.
var sansFont = font.Font{Typeface: canvas.Typeface}

// pieces breaks a text where its font changes. All of it is DejaVu Sans, except:
//
//   - A mathematical letter (𝐰, 𝑥, 𝒩) that DejaVu Sans lacks becomes the bold or italic letter of
//     Liberation, which gonum/plot links anyway.
//   - A character that both lack becomes a box with its code point, such as 65E5.
//   - Characters that only guide the layout, such as joiners, take no room.
//
// An SVG document keeps the characters, and the reader's machine finds a font for them.
func (m markup) pieces(txt string) (all []piece) {
	if isASCII(txt) {
		return []piece{{txt, txt, sansFont, false}}
	}
	start := 0 // of the last piece
	for i, r := range txt {
		c := txt[i : i+utf8.RuneLen(r)]
		p := piece{c, c, sansFont, false}
		if !m.has(sansFont, r) {
			letter, styled := unstyled(r)
			switch {
			case letter != r && m.has(styled, letter):
				p.set, p.font = string(letter), styled
			case letter != r && m.has(sansFont, letter):
				p.set = string(letter)
			case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
				p.set = ""
			default:
				p.box = true
			}
		}
		// One piece as long as possible: a font has kerning, and a script joins its letters.
		if k := len(all) - 1; k >= 0 && all[k].font == p.font && all[k].box == p.box && all[k].given() == p.given() {
			all[k].text = txt[start : i+len(c)]
			if p.set == p.text {
				all[k].set = all[k].text
			} else {
				all[k].set += p.set
			}
			continue
		}
		all, start = append(all, p), i
	}
	return all
}

func isASCII(txt string) bool {
	for i := range len(txt) {
		if txt[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// given reports whether the font writes the characters of the text themselves.
func (p piece) given() bool { return p.set == p.text && !p.box }

func (m markup) has(f font.Font, r rune) bool {
	i, err := m.fonts.Lookup(f, 1).Face.GlyphIndex(nil, r)
	return err == nil && i != 0
}

// width returns the width of a piece at a size. A box is as wide as it is high, as the characters
// of East Asia are.
func (m markup) width(p piece, size vg.Length) vg.Length {
	if p.box {
		return size * vg.Length(utf8.RuneCountInString(p.text))
	}
	face := m.fonts.Lookup(p.font, size)
	return face.Width(p.set)
}

// fill draws a piece on a canvas.
func (m markup) fill(c vg.Canvas, p piece, size vg.Length, at vg.Point) {
	switch {
	case !p.given() && canvas.FillForeign(c, m.fonts.Lookup(sansFont, size), at, p.text, m.width(p, size)):
	case p.box:
		for _, r := range p.text {
			m.fillBox(c, r, size, at)
			at.X += size
		}
	default:
		c.FillString(m.fonts.Lookup(p.font, size), at, p.set)
	}
}

// fillBox draws a box with the digits of a code point in two lines.
func (m markup) fillBox(c vg.Canvas, r rune, size vg.Length, at vg.Point) {
	box := vg.Rectangle{Min: at.Add(vg.Point{X: 0.06 * size, Y: -0.14 * size}), Max: at.Add(vg.Point{X: 0.94 * size, Y: 0.76 * size})}
	c.SetLineWidth(0.05 * size)
	c.SetLineDash(nil, 0)
	c.Stroke(box.Path())
	digits := fmt.Sprintf("%04X", r)
	half := (len(digits) + 1) / 2
	face := m.fonts.Lookup(sansFont, 0.36*size)
	for i, line := range []string{digits[:half], digits[half:]} {
		low := vg.Length(0.38 - 0.4*float64(i))
		c.FillString(face, at.Add(vg.Point{X: (size - face.Width(line)) / 2, Y: low * size}), line)
	}
}

// The styles of the mathematical letters in the order of Unicode, with Liberation's nearest: it has
// no script, Fraktur and outlined letters.
var (
	bold       = font.Font{Typeface: "Liberation", Variant: "Serif", Weight: xfont.WeightBold}
	italic     = font.Font{Typeface: "Liberation", Variant: "Serif", Style: xfont.StyleItalic}
	boldItalic = font.Font{Typeface: "Liberation", Variant: "Serif", Weight: xfont.WeightBold, Style: xfont.StyleItalic}
	sansPlain  = font.Font{Typeface: "Liberation", Variant: "Sans"}
	sansBold   = font.Font{Typeface: "Liberation", Variant: "Sans", Weight: xfont.WeightBold}
	sansItalic = font.Font{Typeface: "Liberation", Variant: "Sans", Style: xfont.StyleItalic}
	sansBoth   = font.Font{Typeface: "Liberation", Variant: "Sans", Weight: xfont.WeightBold, Style: xfont.StyleItalic}
	mono       = font.Font{Typeface: "Liberation", Variant: "Mono"}

	latinStyles = []font.Font{bold, italic, boldItalic, italic, boldItalic, bold, bold, bold, sansPlain, sansBold, sansItalic, sansBoth, mono}
	greekStyles = []font.Font{bold, italic, boldItalic, sansBold, sansBoth}
	digitStyles = []font.Font{bold, bold, sansPlain, sansBold, mono}
)

// unstyled returns the plain letter of a mathematical alphanumeric symbol and the font that has its
// style, and r itself for other characters. A full-width form becomes the ASCII character.
//
// Source: The Unicode Standard, Version 15.0, code charts 1D400–1D7FF and FF00–FFEF: the
// compatibility decompositions.
func unstyled(r rune) (rune, font.Font) {
	const latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	greek := []rune("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ")
	pick := func(first rune, letters []rune, styles []font.Font) (rune, font.Font, bool) {
		k, n := int(r-first), len(letters)
		if k < 0 || k >= n*len(styles) {
			return r, sansFont, false
		}
		return letters[k%n], styles[k/n], true
	}
	if letter, f, ok := pick(0x1D400, []rune(latin), latinStyles); ok {
		return letter, f
	}
	if letter, f, ok := pick(0x1D6A4, []rune("ıȷ"), []font.Font{italic}); ok {
		return letter, f
	}
	if letter, f, ok := pick(0x1D6A8, greek, greekStyles); ok {
		return letter, f
	}
	if letter, f, ok := pick(0x1D7CA, []rune("Ϝϝ"), []font.Font{bold}); ok {
		return letter, f
	}
	if digit, f, ok := pick(0x1D7CE, []rune("0123456789"), digitStyles); ok {
		return digit, f
	}
	if r >= 0xFF01 && r <= 0xFF5E {
		return r - 0xFF01 + '!', sansFont
	}
	return r, sansFont
}
