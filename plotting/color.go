package plotting

import "marginalia/plotting/internal/pen"

// Hue is an opaque colour, 0xRRGGBB. It is a color.Color.
type Hue = pen.Hue

// The palette of Okabe and Ito (Color Universal Design, 2008), which remains
// distinguishable under every kind of colour blindness.
const (
	Blue      = pen.Blue
	Vermilion = pen.Vermilion
	Green     = pen.Green
	Purple    = pen.Purple
	Orange    = pen.Orange
	Sky       = pen.Sky
	Yellow    = pen.Yellow
	Black     = pen.Black
)
