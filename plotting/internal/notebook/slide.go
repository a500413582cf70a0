package notebook

import (
	"fmt"

	"marginalia/internal/cell/display"
	"marginalia/plotting/internal/pen"
)

// A Slider is that of package plotting.
type Slider struct {
	Label           string
	Min, Max, Start float64
	Step            float64
}

// A Draw returns the figure for a value of a slider.
type Draw func(value float64) (Picture, error)

// Check returns an error if the numbers of a slider make no sense, and sets a step of 0.
func (s *Slider) Check(name string) error {
	if !(s.Min < s.Max) || !pen.Finite(s.Min) || !pen.Finite(s.Max) || !(s.Start >= s.Min && s.Start <= s.Max) {
		return fmt.Errorf("plotting: Slide: %s: from %g to %g, starting at %g, want rising pen.Finite numbers and a start between them", name, s.Min, s.Max, s.Start)
	}
	if s.Step == 0 {
		s.Step = (s.Max - s.Min) / 100
	}
	if !(s.Step > 0 && pen.Finite(s.Step)) {
		return fmt.Errorf("plotting: Slide: %s: Step = %g, want a positive value, or 0 for the default", name, s.Step)
	}
	return nil
}

// Show writes the figure for the start value to files if the environment asks for them. In a
// notebook it displays the figure with the slider's frames.
func (s *Slider) Show(name string, draw Draw, alt []string) error {
	first, err := draw(s.Start)
	if err != nil {
		return err
	}
	if err := collect(name, first); err != nil {
		return err
	}
	if !display.Active() {
		return nil
	}
	frames, err := s.frames(name, first.Frame(), s.Frame(name, draw))
	if err != nil {
		return err
	}
	return send(name, s.Still(first), alt, "", Screen, display.Bundle{display.SliderType: frames})
}

// Offer lets the program draw the figure for any value after its cell has ended.
func (s *Slider) Offer(name string, draw Draw) { display.Offer(name, s.Frame(name, draw)) }

// Frame returns the function that draws the figure for a value as SVG.
func (s Slider) Frame(name string, draw Draw) display.Drawer {
	return func(value float64, coarse bool) (svg []byte, rough bool, err error) {
		if !(value >= s.Min && value <= s.Max) {
			return nil, false, fmt.Errorf("plotting: Slide: %s: value %g, want one from %g to %g", name, value, s.Min, s.Max)
		}
		p, err := draw(value)
		if err != nil {
			return nil, false, fmt.Errorf("%w for the value %g", err, value)
		}
		rough = coarse && p.Thin()
		return p.Frame(), rough, nil
	}
}

// Still returns the figure with a picture of the slider above it.
func (s Slider) Still(p Picture) Picture { return still{p, s} }
