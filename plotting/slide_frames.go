package plotting

import (
	"math"
	"os"
	"slices"
	"strconv"

	"marginalia/internal/display"
)

// A slider's figure carries at most sliderFrames steps, 2⁵ + 1, and the start value. They take
// at most frameBytes in the notebook; if more would be needed, there are fewer steps.
const (
	sliderFrames = 33
	frameBytes   = 300_000
)

// frames returns the slider and its frames, packed, with the figure for the start value.
// Without room for the figures of its ends there are none.
func (s *Slider) frames(name string, start []byte, frame func(float64) ([]byte, error)) (string, error) {
	defer quiet()()
	drawn := map[float64]string{s.Start: string(start)}
	pack := func(values ...float64) (string, error) {
		f := display.Frames{Name: name, Label: s.Label, Min: s.Min, Max: s.Max, Step: s.Step, Start: s.Start}
		for _, v := range values {
			if drawn[v] == "" {
				svg, err := frame(v)
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
	for n := 2; n <= sliderFrames && err == nil; n = 2*n - 1 { // each time between those drawn so far
		var more string
		if more, err = pack(s.values(n)...); len(more) > frameBytes {
			break
		}
		packed = more
	}
	return packed, err
}

// values returns n of the slider's steps, or all if there are fewer, from the first to the
// last in ascending order, and the start value, which may lie between steps.
func (s *Slider) values(n int) (values []float64) {
	steps := math.Floor((s.Max-s.Min)/s.Step + 1e-9)
	parts := min(float64(n-1), steps)
	digits := max(0, 9-int(math.Floor(math.Log10(s.Step))))
	for i := 0.0; i <= parts; i++ {
		k := math.Round(i * steps / max(parts, 1))
		// Figures show the value: -0.3 + 3·0.1 is 0, not 5.6e-17, and no digit beyond a
		// billionth of a step is real.
		v, _ := strconv.ParseFloat(strconv.FormatFloat(s.Min+k*s.Step, 'f', digits, 64), 64)
		if math.Abs(v-s.Start) < 1e-6*s.Step {
			v = s.Start
		}
		values = append(values, min(max(v, s.Min), s.Max)+0) // -0 + 0 is 0
	}
	if i, found := slices.BinarySearch(values, s.Start); !found {
		values = slices.Insert(values, i, s.Start)
	}
	return values
}

// quiet has the program print nowhere until the function that it returns is called. What
// draw prints for the start value alone is output of the cell.
func quiet() (restore func()) {
	out := os.Stdout
	os.Stdout = nil // a nil *os.File refuses what is written to it
	return func() { os.Stdout = out }
}
