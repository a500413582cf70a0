package plotting_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "marginalia/plotting"
)

// Without a notebook only the figure for the start value is shown, drawn once. Sliders with an
// invalid range panic.
func TestSlideStandsStill(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	var values []float64
	draw := func(v float64) Drawing {
		values = append(values, v)
		return New("", Points(nil, []float64{v}))
	}
	Slide("still", Slider{Label: "C", Min: -2, Max: 3, Start: 1}, draw)
	if len(values) != 1 || values[0] != 1 {
		t.Errorf("drawn for %v, want 1 once", values)
	}
	if _, err := os.Stat(filepath.Join(dir, "still.png")); err != nil {
		t.Error(err)
	}
	for say, s := range map[string]Slider{
		"from 1 to 1":      {Min: 1, Max: 1, Start: 1},
		"starting at 3":    {Min: 0, Max: 1, Start: 3},
		"Step = -1":        {Min: 0, Max: 1, Step: -1},
		"from 0 to +Inf":   {Min: 0, Max: 1 / zeroFloat},
		"from NaN to +Inf": {Min: zeroFloat / zeroFloat, Max: 1 / zeroFloat},
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, "plotting: Slide: x: ") || !strings.Contains(r, say) {
					t.Errorf("%+v: panic %q, want %q", s, r, say)
				}
			}()
			Slide("x", s, draw)
		}()
	}
}

var zeroFloat float64
