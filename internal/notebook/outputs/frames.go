package outputs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/cell/display"
)

// compareFrames compares two sliders with their frames. Frames may differ by rounding, since
// processors round differently. The difference names and has the first figure that differs.
func compareFrames(want, got string, d *Difference) (same bool) {
	if want == got {
		return true
	}
	var w, g *display.Frames
	if w, g, d.Note = unpackBoth(want, got, display.UnpackFrames); d.Note != "" {
		return false
	}
	wn, gn := append([]float64{w.Min, w.Max, w.Step, w.Start}, w.Values...), append([]float64{g.Min, g.Max, g.Step, g.Start}, g.Values...)
	if w.Name != g.Name || w.Label != g.Label || !near(wn, gn, 0, 1e-9) {
		d.Note = fmt.Sprintf("%s, stored is %s", sliderOf(g), sliderOf(w))
		return false
	}
	for i, v := range w.Values {
		if !sameSVG(w.SVG(i), g.SVG(i)) {
			d.Note = fmt.Sprintf("the figure for %s = %g is not the one stored", w.Label, v)
			d.Old, d.New = []byte(w.SVG(i)), []byte(g.SVG(i))
			return false
		}
	}
	return true
}

// compareFigures compares two packed documents.
func compareFigures(want, got string, d *Difference) (same bool) {
	if want == got {
		return true
	}
	if d.Old, d.New, d.Note = unpackBoth(want, got, display.Unpack); d.Note != "" {
		return false
	}
	d.Note = "the SVG is not the one stored"
	return sameSVG(string(d.Old), string(d.New))
}

// unpackBoth unpacks both sides. The note says which of them can't be unpacked.
func unpackBoth[T any](want, got string, unpack func(packed string) (T, error)) (w, g T, note string) {
	w, err := unpack(want)
	if err != nil {
		return w, g, "stored: " + err.Error()
	}
	if g, err = unpack(got); err != nil {
		return w, g, "got: " + err.Error()
	}
	return w, g, ""
}

// sliderOf describes the slider of the frames.
func sliderOf(f *display.Frames) string {
	return fmt.Sprintf("%s, %q from %g to %g by %g, from %g, with figures for %v", f.Name, f.Label, f.Min, f.Max, f.Step, f.Start, f.Values)
}

var (
	pictures = regexp.MustCompile(`data:image/png;base64,([^"]*)`)
	colours  = regexp.MustCompile(`#[0-9a-f]{6}\b`) // their digits are not numbers
)

// sameSVG compares two documents. Coordinates may differ by 0.05 points, a fifteenth of a pixel
// on a screen. Values have four digits and may differ by one in a thousand. Embedded pictures
// are compared by their pixels.
func sameSVG(want, got string) bool {
	wp, gp := pictures.FindAllStringSubmatch(want, -1), pictures.FindAllStringSubmatch(got, -1)
	if len(wp) != len(gp) {
		return false
	}
	for i := range wp {
		if _, same := comparePictures(wp[i][1], gp[i][1]); !same {
			return false
		}
	}
	if !slices.Equal(colours.FindAllString(want, -1), colours.FindAllString(got, -1)) {
		return false
	}
	// plotting writes a minus sign as U+2212, which numbers takes for text.
	plain := func(svg string) string {
		return strings.ReplaceAll(colours.ReplaceAllString(pictures.ReplaceAllString(svg, ""), ""), "−", "-")
	}
	return sameNumbers(plain(want), plain(got), 0.05, 1e-3)
}
