package main

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting"
)

// An Answer is what a page shows after an event. All of it is text, except the figure.
type Answer struct {
	Title   string      `json:"title"`
	SVG     string      `json:"svg"`
	Numbers [][2]string `json:"numbers"` // label and value
	Note    string      `json:"note"`
	Said    string      `json:"said"` // for screen readers
	Link    string      `json:"link"` // the fragment of an address
	Undo    bool        `json:"undo"`
	Redo    bool        `json:"redo"`
	Coarse  bool        `json:"coarse"` // the page asks again when the hand rests
	Class   string      `json:"class"`  // of new points, "" if points have no classes
	Preset  string      `json:"preset"`
	Presets [][2]string `json:"presets"` // name and label
	Knobs   []Shown     `json:"knobs"`
}

// Shown is a knob as a page shows it.
type Shown struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Step    float64  `json:"step"`
	Value   float64  `json:"value"` // the position
	Text    string   `json:"text"`  // the setting
	Steps   bool     `json:"steps"`
	Choices []string `json:"choices"`
}

// picture draws the state. A panic becomes a note: other points may do, and the other playgrounds
// are in the same program.
func (s *Session) picture(coarse bool) (pic Picture) {
	scene := &Scene{Points: s.now.Points, Preset: s.now.Preset, Coarse: coarse, Narrow: s.narrow, knobs: s.Knobs, positions: s.now.Positions}
	defer func() {
		if p := recover(); p != nil {
			pic = Picture{Figure: scene.Free(scene.classes()...), Note: fmt.Sprintf("The figure could not be drawn: %v.", p)}
		}
	}()
	return s.Draw(scene)
}

// answer draws the state and says what the page shows.
func (s *Session) answer(coarse bool, said string) Answer {
	pic := s.picture(coarse)
	a := Answer{Title: s.Title, Note: pic.Note, Said: said, Link: s.link(s.now), Undo: len(s.undo) > 0, Redo: len(s.redo) > 0,
		Coarse: coarse && pic.Coarse, Preset: s.now.Preset.Name}
	a.SVG = string(s.render(pic))
	for _, n := range pic.Numbers {
		a.Numbers = append(a.Numbers, [2]string{n.Label, n.Text})
	}
	for _, p := range s.Presets {
		a.Presets = append(a.Presets, [2]string{p.Name, p.Label})
	}
	for i := range s.Knobs {
		a.Knobs = append(a.Knobs, shown(&s.Knobs[i], s.now.Positions[s.Knobs[i].Name], pic.Most))
	}
	if len(s.Classes) > 1 {
		a.Class = signed(s.Classes[s.class])
	}
	return a
}

// shown returns a knob at a position. Its end is that of most, if that has one.
func shown(k *Knob, position float64, most map[string]float64) Shown {
	v := Shown{Name: k.Name, Label: k.Label, Min: k.Min, Max: k.Max, Step: k.Step, Value: position, Steps: k.Steps, Choices: k.Choices}
	if end, set := most[k.Name]; set {
		v.Max, v.Value = end, min(position, end)
	}
	v.Text = minus(strconv.FormatFloat(k.value(v.Value), 'g', 3, 64))
	if k.Step == 1 && !k.Log {
		v.Text = minus(fmt.Sprint(v.Value))
	}
	return v
}

// render returns the figures as SVG, with a ring around the selected point, and remembers where
// the axes of the first are.
func (s *Session) render(pic Picture) []byte {
	if s.selected >= 0 {
		p := s.now.Points[s.selected]
		pic.Figure.With(plotting.Ring(mat.NewDense(1, 2, []float64{p.X, p.Y}), []int{0}, plotting.Size(17), plotting.Width(2), plotting.Color(plotting.Black)))
	}
	where := new(probe)
	pic.Figure.With(where)
	svg := pic.drawing(s.narrow).SVG()
	s.axes = where.axes
	return svg
}

// drawing is what pictures are made of.
type drawing interface {
	Extent() (w, h vg.Length)
	SVG() []byte
	Alt() string
}

// How wide figures are drawn. Letters of 9 points are 12 pixels high where a page shows a figure in its own size:
// two panels in a column of 40 em, and one in the window of a phone.
const (
	besideWidth = 6.4 * vg.Inch
	narrowWidth = 3.5 * vg.Inch
)

// drawing returns the figures of a picture side by side or, in a narrow window, stacked.
func (p Picture) drawing(narrow bool) drawing {
	all := plotting.Tile(2, append([]*plotting.Figure{p.Figure}, p.Beside...)...)
	switch {
	case narrow:
		return all.Resized(narrowWidth)
	case len(p.Beside) > 0:
		return all.Resized(besideWidth)
	}
	return p.Figure
}
