// Package pen has what layers draw with: colours, glyphs, text, arrows, legend entries, and the
// looks that styles add up to. It draws on the canvases of package canvas and of gonum/plot.
package pen
