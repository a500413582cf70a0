// Package liberationserifbolditalic stands in for Liberation Serif in cells that draw with
// package plotting: see internal/lab/goshim.sh.
package liberationserifbolditalic

import "codeberg.org/go-fonts/dejavu/dejavusans"

// TTF is a font that package plotting links in any case.
var TTF = dejavusans.TTF
