package plotting

import (
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
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
	sty := pen.Style(12)
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
