package celltest

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"marginalia/internal/display"
)

// compareFrames compares a slider and its frames: the same values, and for each the same
// SVG but for what processors differ by. The note names the first value whose figure
// differs.
func compareFrames(want, got string) (note string, same bool) {
	if want == got {
		return "", true
	}
	w, err := display.UnpackFrames(want)
	if err != nil {
		return "stored: " + err.Error(), false
	}
	g, err := display.UnpackFrames(got)
	if err != nil {
		return "got: " + err.Error(), false
	}
	wn, gn := append([]float64{w.Min, w.Max, w.Step, w.Start}, w.Values...), append([]float64{g.Min, g.Max, g.Step, g.Start}, g.Values...)
	if w.Name != g.Name || w.Label != g.Label || !near(wn, gn, 0, 1e-9) {
		return fmt.Sprintf("%s, stored is %s", sliderOf(g), sliderOf(w)), false
	}
	for i, v := range w.Values {
		if !sameSVG(w.SVG(i), g.SVG(i)) {
			return fmt.Sprintf("the figure for %s = %g is not the one stored", w.Label, v), false
		}
	}
	return "", true
}

// sliderOf says in words what the frames are of.
func sliderOf(f *display.Frames) string {
	return fmt.Sprintf("%s, %q from %g to %g by %g, from %g, with figures for %v", f.Name, f.Label, f.Min, f.Max, f.Step, f.Start, f.Values)
}

var (
	pictures = regexp.MustCompile(`data:image/png;base64,([^"]*)`)
	colours  = regexp.MustCompile(`#[0-9a-f]{6}\b`) // digits, but no numbers
)

// sameSVG compares two documents. Their numbers are coordinates in hundredths of a point,
// of which a twentieth of a point is a fifteenth of a pixel on a screen, and values with
// four digits. Their embedded pictures count by their pixels.
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
	plain := func(svg string) string { return colours.ReplaceAllString(pictures.ReplaceAllString(svg, ""), "") }
	want, got = plain(want), plain(got)
	return number.ReplaceAllString(want, "#") == number.ReplaceAllString(got, "#") && near(numbers(want), numbers(got), 0.05, 1e-3)
}

func numbers(text string) (list []float64) {
	for _, s := range number.FindAllString(text, -1) {
		v, _ := strconv.ParseFloat(s, 64)
		list = append(list, v)
	}
	return list
}

// near reports whether numbers are the same within an absolute or a relative tolerance.
func near(want, got []float64, absolute, relative float64) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !(math.Abs(want[i]-got[i]) <= max(absolute, relative*math.Abs(want[i]))) {
			return false
		}
	}
	return true
}
