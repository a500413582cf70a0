package pen

import (
	"image/color"
	"math"
)

// Hue is an opaque colour, 0xRRGGBB.
type Hue uint32

// The palette of Okabe and Ito (Color Universal Design, 2008), which remains
// distinguishable under every kind of colour blindness.
const (
	Blue      Hue = 0x0072B2
	Vermilion Hue = 0xD55E00
	Green     Hue = 0x009E73
	Purple    Hue = 0xCC79A7
	Orange    Hue = 0xE69F00
	Sky       Hue = 0x56B4E9
	Yellow    Hue = 0xF0E442
	Black     Hue = 0x000000
)

// The greys of the figure itself.
const (
	Paper Hue = 0xFFFFFF
	Ink   Hue = 0x262626
	Edge  Hue = 0x4D4D4D
	Zero  Hue = 0xB3B3B3
	Grid  Hue = 0xEBEBEB
)

// RGBA implements color.Color.
func (h Hue) RGBA() (r, g, b, a uint32) {
	return color.RGBA{uint8(h >> 16), uint8(h >> 8), uint8(h), 0xFF}.RGBA()
}

var Hues = [...]Hue{Blue, Vermilion, Green, Purple, Orange, Sky, Yellow, Black}

var HueNames = [...]string{"blue", "vermilion", "green", "purple", "orange", "sky blue", "yellow", "black"}

// NthHue returns colour k of the palette, which begins again after its last.
func NthHue(k int) Hue { return Hues[k%len(Hues)] }

// The two halves of the diverging palette, from 0 outwards. They pass through the
// colours of the two classes.
var (
	Cold = [...]Hue{Paper, 0x8EC1E0, Blue, 0x00385A}
	Warm = [...]Hue{Paper, 0xF2B48A, Vermilion, 0x7A2F00}
)

// Ramp returns the colour at t, 0 to 1, of a palette with stops at equal distances.
func Ramp(stops []Hue, t float64) color.NRGBA {
	at := t * float64(len(stops)-1)
	k := min(int(at), len(stops)-2)
	return Mix(stops[k], stops[k+1], at-float64(k))
}

// Mix returns the colour at t, 0 to 1, from a to b.
func Mix(a, b Hue, t float64) color.NRGBA {
	part := func(shift uint) uint8 {
		x, y := float64(a>>shift&0xFF), float64(b>>shift&0xFF)
		return uint8(math.Round(x + t*(y-x)))
	}
	return color.NRGBA{part(16), part(8), part(0), 0xFF}
}

// Fade returns a colour with its opacity times alpha.
func Fade(c color.Color, alpha float64) color.Color {
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	n.A = uint16(float64(n.A)*alpha + 0.5)
	return n
}

// InkOn returns black or white, whichever is more legible on a colour.
func InkOn(ground color.Color) Hue {
	if Contrast(Black, ground) >= Contrast(Paper, ground) {
		return Black
	}
	return Paper
}

// Contrast returns the contrast ratio of two colours, 1 to 21. On any colour, black or
// white has at least 4.58, the square root of 21; legible text needs 4.5.
//
// Source: Web Content Accessibility Guidelines (WCAG) 2.2, W3C 2023, definitions of
// contrast ratio and relative luminance, and success criterion 1.4.3.
func Contrast(a, b color.Color) float64 {
	linear := func(v uint32) float64 {
		s := float64(v) / 0xFFFF
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	relative := func(c color.Color) float64 {
		r, g, b, _ := c.RGBA()
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b) + 0.05
	}
	x, y := relative(a), relative(b)
	return math.Max(x, y) / math.Min(x, y)
}
