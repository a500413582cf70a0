// Package canvas has the back ends of figures: SVG, PDF, PNG and animated PNG, and canvases of
// pixels. Package plotting draws on them.
//
// The files are the same bytes each time. svg writes documents, with svgpath for outlines and
// svgtext for text; pdf writes pages on pdf_canvas, and with the tag minimal pdf_none panics
// instead; png writes pictures; pixels and clipping draw them. hover shows words under
// the mouse in SVG.
package canvas
