package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
)

// A Still is a playground as its page is made of it: all that it shows at its first preset.
type Still struct {
	ID, Title, Section, About string
	First                     Answer
	Wide, Narrow              Drawing // in a narrow window panels are stacked
}

// A Drawing is a figure of a still.
type Drawing struct {
	Alt, SVG      string
	Width, Height float64 // in CSS pixels
}

// command prints what its argument asks for, as JSON, and returns the exit status.
func command(args []string, out, errors io.Writer) int {
	var v any
	switch {
	case len(args) == 1 && args[0] == "-stills":
		v = stills()
	case len(args) == 1 && args[0] == "-numbers":
		v = numbers()
	default:
		fmt.Fprintln(errors, "usage: play -stills, or play -numbers")
		return 2
	}
	if err := json.NewEncoder(out).Encode(v); err != nil {
		fmt.Fprintln(errors, "play:", err)
		return 1
	}
	return 0
}

// stills returns all playgrounds at their first presets.
func stills() (all []Still) {
	for _, p := range playgrounds {
		s := newSession(p)
		first := s.answer(false, "")
		first.SVG = ""
		all = append(all, Still{p.ID, p.Title, p.Section, p.About, first, s.still(false), s.still(true)})
	}
	return all
}

// still draws the state for a narrow window or a wide one.
func (s *Session) still(narrow bool) Drawing {
	s.narrow = narrow
	d := s.picture(false).drawing(narrow)
	w, h := d.Extent()
	return Drawing{d.Alt(), s.answer(false, "").SVG, pixels(w), pixels(h)}
}

// numbers returns the numbers of each playground and preset, by "playground/preset: label".
func numbers() map[string]float64 {
	all := map[string]float64{}
	for _, p := range playgrounds {
		for i := range p.Presets {
			s := newSession(p)
			s.now = p.start(&p.Presets[i])
			for _, n := range s.picture(false).Numbers {
				all[p.ID+"/"+p.Presets[i].Name+": "+n.Label] = n.Value
			}
		}
	}
	return all
}

// pixels converts a length to CSS pixels: an inch has 96.
func pixels(l vg.Length) float64 { return math.Round(float64(l / vg.Inch * 96)) }
