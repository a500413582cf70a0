package notebook

import (
	"math"
	"os"
	"slices"
	"strconv"

	"marginalia/internal/cell/display"
)

// A slider stores frames for at most sliderFrames values, 2⁵ + 1 so that halving the distance
// between them keeps those drawn before, and for the start value. It stores fewer if they
// would take more than frameBytes in the notebook.
const (
	sliderFrames = 33
	frameBytes   = 300_000
)

// frames returns the slider and its frames, packed. It stores no frames if those for both ends
// and the start value take more than frameBytes.
func (s *Slider) frames(name string, start []byte, frame display.Drawer) (string, error) {
	defer quiet()()
	drawn := map[float64]string{s.Start: string(start)}
	pack := func(values ...float64) (string, error) {
		f := display.Frames{Name: name, Label: s.Label, Min: s.Min, Max: s.Max, Step: s.Step, Start: s.Start}
		for _, v := range values {
			if drawn[v] == "" {
				svg, _, err := frame(v, false)
				if err != nil {
					return "", err
				}
				drawn[v] = string(svg)
			}
			f.Add(v, drawn[v])
		}
		return f.Pack()
	}
	packed, err := pack()
	for n := 2; n <= sliderFrames && err == nil; n = 2*n - 1 { // halves the distance between values
		var more string
		if more, err = pack(s.values(n)...); len(more) > frameBytes {
			break
		}
		packed = more
	}
	return packed, err
}

// values returns n steps of the slider from the first to the last, or all if it has fewer, and
// the start value, in ascending order. The start value need not be a step.
func (s *Slider) values(n int) (values []float64) {
	steps := math.Floor((s.Max-s.Min)/s.Step + 1e-9)
	parts := min(float64(n-1), steps)
	digits := max(0, 9-int(math.Floor(math.Log10(s.Step))))
	for i := 0.0; i <= parts; i++ {
		k := math.Round(i * steps / max(parts, 1))
		// Rounded to a billionth of a step: a figure that shows -0.3 + 3·0.1 must show 0, not
		// 5.6e-17.
		v, _ := strconv.ParseFloat(strconv.FormatFloat(s.Min+k*s.Step, 'f', digits, 64), 64)
		if math.Abs(v-s.Start) < 1e-6*s.Step {
			v = s.Start
		}
		values = append(values, min(max(v, s.Min), s.Max)+0) // +0 turns -0 into 0
	}
	if i, found := slices.BinarySearch(values, s.Start); !found {
		values = slices.Insert(values, i, s.Start)
	}
	return values
}

// quiet drops what the program prints until restore is called. Only what draw prints for the
// start value is output of the cell.
func quiet() (restore func()) {
	out := os.Stdout
	os.Stdout = nil // a nil *os.File refuses what is written to it
	return func() { os.Stdout = out }
}
