package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Event is what the reader did, as a page reports it.
type Event struct {
	Do    string  `json:"do"`
	X     float64 `json:"x"` // press, drag: fractions of the drawing, from its upper left corner
	Y     float64 `json:"y"`
	Name  string  `json:"name"`  // of a knob, a preset or a key
	Value float64 `json:"value"` // of a knob
	Shift bool    `json:"shift"`
	Text  string  `json:"text"` // a link
	// Narrow tells an open event that the window is narrow. Panels are then stacked.
	Narrow bool `json:"narrow"`
}

// A Session is a playground in use.
type Session struct {
	*Playground
	now        State
	undo, redo []State
	last       string // the change that the top of undo precedes; later ones of the same name join it
	selected   int    // the point that keys move, -1 for none
	held       bool   // the selected point follows the pointer
	class      int    // of new points, an index of Classes
	axes       axes   // of the last drawing
	opened     bool   // there was an event; the first state can't be undone
	gestures   int    // presses so far, which tells one drag from the next
	narrow     bool   // the window is
}

// newSession begins at the first preset.
func newSession(p *Playground) *Session {
	return &Session{Playground: p, now: p.start(&p.Presets[0]), selected: -1, class: len(p.Classes) - 1}
}

// undoes is the number of changes that can be undone.
const undoes = 200

// change remembers the state before a change. Successive changes of the same name are undone
// together; those named "" never are.
func (s *Session) change(name string) {
	if name == "" || name != s.last {
		if len(s.undo) == undoes {
			s.undo = slices.Delete(s.undo, 0, 1)
		}
		s.undo = append(s.undo, s.now.clone())
		s.redo = nil
	}
	s.last = name
}

// Handle does what an event says, and returns what the page shows then. Of what may come many
// times a second, the picture may be coarse.
func (s *Session) Handle(e Event) Answer {
	said, coarse := "", false
	switch e.Do {
	case "open": // the first event, each new link, and a window of another width
		said, s.narrow = s.open(e.Text), e.Narrow
	case "press":
		said, coarse = s.press(e.X, e.Y, e.Shift), true
	case "drag":
		s.drag(e.X, e.Y)
		coarse = true
	case "release":
		s.held, coarse = false, true
	case "key":
		said, coarse = s.key(e.Name, e.Shift), true
	case "knob":
		s.turn(e.Name, e.Value)
		coarse = true
	case "preset":
		if p := s.preset(e.Name); p != nil {
			s.change("")
			s.now, s.selected = s.start(p), -1
			said = p.Label
		}
	case "undo":
		said = s.back(&s.undo, &s.redo, "undone")
	case "redo":
		said = s.back(&s.redo, &s.undo, "done again")
	case "class":
		said = s.relabel()
	case "add":
		said = s.add((s.now.Preset.X0+s.now.Preset.X1)/2, (s.now.Preset.Y0+s.now.Preset.Y1)/2, "")
	case "remove":
		said = s.remove()
	case "rest": // draws anew, with all samples
	}
	s.opened = true
	return s.answer(coarse, said)
}

// open goes to the state of a link, if it is one of this playground.
func (s *Session) open(link string) string {
	state, ours, err := s.parse(strings.TrimPrefix(link, "#"))
	switch {
	case !ours:
		return ""
	case err != nil:
		return "The link was not understood: " + err.Error() + "."
	case !state.equal(s.now):
		if s.opened {
			s.change("")
		}
		s.now, s.selected = state, -1
	}
	return ""
}

// reach is how far from a point it can be seized, as a share of the drawing's width.
const reach = 0.025

// nearest returns the point within reach of a place in the drawing, -1 if there is none.
func (s *Session) nearest(u, v float64) int {
	best, distance := -1, math.Inf(1)
	for i, p := range s.now.Points {
		pu, pv := s.axes.page(p.X, p.Y)
		if d := math.Hypot(pu-u, (pv-v)*s.axes.ratio); d <= reach && d <= distance { // the last is drawn on top
			best, distance = i, d
		}
	}
	return best
}

// press seizes the point under the pointer or, with shift, takes it away. Elsewhere it adds a
// point.
func (s *Session) press(u, v float64, shift bool) string {
	s.gestures++
	i := s.nearest(u, v)
	switch {
	case i >= 0 && shift:
		s.selected = i
		return s.remove()
	case i >= 0:
		s.selected, s.held = i, true
		return s.selection()
	case !s.axes.within(u, v):
		return ""
	}
	x, y := s.axes.round(s.axes.data(u, v))
	said := s.add(x, y, fmt.Sprint("drag ", s.gestures)) // undone with the drag that may follow
	s.held = s.selected >= 0
	return said
}

// drag moves the point that was pressed.
func (s *Session) drag(u, v float64) {
	if s.held && s.selected >= 0 {
		x, y := s.axes.round(s.axes.data(u, v))
		s.move(x, y, fmt.Sprint("drag ", s.gestures))
	}
}

// move moves the selected point, within the axes.
func (s *Session) move(x, y float64, name string) {
	p := s.now.Points[s.selected]
	q := Point{min(max(x, s.axes.x0), s.axes.x1), min(max(y, s.axes.y0), s.axes.y1), p.Class}
	if q != p {
		s.change(name)
		s.now.Points[s.selected] = q
	}
}

// add adds a point and selects it. Changes of the same name are undone with it.
func (s *Session) add(x, y float64, name string) string {
	if len(s.now.Points) >= most {
		return fmt.Sprintf("There are %d points, and there is room for no more.", most)
	}
	s.change(name)
	s.now.Points = append(s.now.Points, Point{x, y, s.Classes[s.class]})
	s.selected = len(s.now.Points) - 1
	return s.selection()
}

func (s *Session) remove() string {
	if s.selected < 0 {
		return "No point is selected."
	}
	s.change("")
	s.now.Points = slices.Delete(s.now.Points, s.selected, s.selected+1)
	s.selected, s.held = -1, false
	return fmt.Sprintf("Removed. Points: %d.", len(s.now.Points))
}

// relabel gives the selected point the next class. Without one, new points get it.
func (s *Session) relabel() string {
	if s.selected < 0 {
		s.class = (s.class + 1) % len(s.Classes)
		return fmt.Sprintf("New points get class %s.", signed(s.Classes[s.class]))
	}
	s.change("")
	p := &s.now.Points[s.selected]
	s.class = (slices.Index(s.Classes, p.Class) + 1) % len(s.Classes)
	p.Class = s.Classes[s.class]
	return s.selection()
}

// turn sets a knob.
func (s *Session) turn(name string, position float64) {
	for i := range s.Knobs {
		k := &s.Knobs[i]
		if k.Name == name && k.admits(position) && position != s.now.Positions[name] {
			s.change("knob " + name)
			s.now.Positions[name] = position
		}
	}
}

// back goes to the top of one stack, and puts the state on the other.
func (s *Session) back(from, to *[]State, said string) string {
	n := len(*from)
	if n == 0 {
		return ""
	}
	*to = append(*to, s.now)
	s.now, *from = (*from)[n-1], (*from)[:n-1]
	s.last, s.selected, s.held = "", -1, false
	return said
}

// selection describes the selected point.
func (s *Session) selection() string {
	if s.selected < 0 {
		return "no point selected"
	}
	p := s.now.Points[s.selected]
	text := fmt.Sprintf("point %d of %d at (%s, %s)", s.selected+1, len(s.now.Points), minus(fmt.Sprintf("%.4g", p.X)), minus(fmt.Sprintf("%.4g", p.Y)))
	if len(s.Classes) > 1 {
		text += ", class " + signed(p.Class)
	}
	return text
}

// signed writes a label, +1 and −1 with their signs.
func signed(class int) string {
	if class == 1 {
		return "+1"
	}
	return minus(fmt.Sprint(class))
}
