package plotting

import (
	"fmt"

	"marginalia/internal/display"
	"marginalia/plotting/internal/pen"
)

// A Slider is a number that the reader of a notebook can drag.
type Slider struct {
	Label           string // beside the slider, such as "log₁₀ C"
	Min, Max, Start float64
	Step            float64 // 0 means a hundredth of the range
}

// Slide shows a figure that follows a slider: draw makes the figure for a value. JupyterLab, and
// pages and slides made of a notebook, show the slider above the figure. Others show the figure
// for Start, below a picture of the slider.
//
//	plotting.Slide("c", plotting.Slider{Label: "log₁₀ C", Min: -2, Max: 3}, func(v float64) plotting.Drawing {
//		m, err := svm.Classifier{C: math.Pow(10, v)}.Fit(X, y)
//		…
//		return plotting.New("", plotting.Margin(m.W, m.B, ""), plotting.Classes(X, y))
//	})
//
// The output stores the figures for at most 33 further values, and the slider moves between
// these without a program. Slide draws them before it returns, and drops what draw prints
// meanwhile. After the cell has run in JupyterLab, its program stays and draws the figure for
// any value, until the cell runs again.
//
// Files, and the comparison of marginalia figures, have the figure for Start. Without a
// notebook, draw is called for Start alone.
//
// Slide panics if the slider's numbers make no sense. Other errors end the program, as in
// [Show].
func Slide(name string, s Slider, draw func(value float64) Drawing, alt ...string) {
	if err := s.check(name); err != nil {
		panic(err.Error())
	}
	if err := s.show(name, draw, alt); err != nil {
		fail(err)
	}
	display.Offer(name, s.frame(name, draw))
}

func (s *Slider) check(name string) error {
	if !(s.Min < s.Max) || !pen.Finite(s.Min) || !pen.Finite(s.Max) || !(s.Start >= s.Min && s.Start <= s.Max) {
		return fmt.Errorf("plotting: Slide: %s: from %g to %g, starting at %g, want rising finite numbers and a start between them", name, s.Min, s.Max, s.Start)
	}
	if s.Step == 0 {
		s.Step = (s.Max - s.Min) / 100
	}
	if !(s.Step > 0 && pen.Finite(s.Step)) {
		return fmt.Errorf("plotting: Slide: %s: Step = %g, want a positive value, or 0 for the default", name, s.Step)
	}
	return nil
}

// show writes the figure for the start value to files if the environment asks for them. In a
// notebook it displays the figure with the slider's frames.
func (s *Slider) show(name string, draw func(float64) Drawing, alt []string) error {
	first := draw(s.Start)
	if err := checkShow("Slide", name, first); err != nil {
		return err
	}
	full := newOnce(first)
	if err := collect(name, full); err != nil {
		return err
	}
	if !display.Active() {
		return nil
	}
	frames, err := s.frames(name, toFrame(full), s.frame(name, draw))
	if err != nil {
		return err
	}
	return send(name, still{full, *s}, alt, "", screen, display.Bundle{display.SliderType: frames})
}

// frame returns the function that draws the figure for a value as SVG.
func (s Slider) frame(name string, draw func(float64) Drawing) display.Drawer {
	return func(value float64, coarse bool) (svg []byte, rough bool, err error) {
		if !(value >= s.Min && value <= s.Max) {
			return nil, false, fmt.Errorf("plotting: Slide: %s: value %g, want one from %g to %g", name, value, s.Min, s.Max)
		}
		d := draw(value)
		if err := checkShow("Slide", name, d); err != nil {
			return nil, false, fmt.Errorf("%w for the value %g", err, value)
		}
		full := newOnce(d)
		rough = coarse && full.thin()
		return toFrame(full), rough, nil
	}
}
