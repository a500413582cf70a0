package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// opened returns a session as a page has it after its first event.
func opened(id string, link string) (*Session, Answer) {
	for _, p := range playgrounds {
		if p.ID == id {
			s := newSession(p)
			return s, s.Handle(Event{Do: "open", Text: link})
		}
	}
	panic("no playground " + id)
}

// at returns the event of the pointer at a place in the plane.
func (s *Session) at(do string, x, y float64) Event {
	u, v := s.axes.page(x, y)
	return Event{Do: do, X: u, Y: v}
}

// The reader presses on a point, drags it and lets go. The point is where the pointer was, a
// thousandth of the axes at most beside it, and one undo brings it back.
func TestDrag(t *testing.T) {
	s, _ := opened("perceptron", "#perceptron&preset=cmu")
	from := s.now.Points[2] // (1, 1)
	a := s.Handle(s.at("press", 1.02, 0.98))
	if s.selected != 2 || a.Undo || !strings.Contains(a.Said, "point 3 of 6 at (1, 1), class +1") {
		t.Fatalf("pressed: point %d selected, undo %v, it says %q", s.selected, a.Undo, a.Said)
	}
	for _, x := range []float64{1.2, 1.7, 2.1234} {
		a = s.Handle(s.at("drag", x, -1.5))
	}
	if q := s.now.Points[2]; math.Abs(q.X-2.1234) > 0.0061 || math.Abs(q.Y+1.5) > 0.0061 || q.Class != 1 || !a.Undo {
		t.Errorf("dragged to %v, undo %v", q, a.Undo)
	}
	s.Handle(Event{Do: "release"})
	if s.Handle(s.at("drag", 0, 0)); s.now.Points[2].X == 0 {
		t.Error("a point follows the pointer after it was released")
	}
	s.Handle(s.at("press", s.now.Points[0].X, s.now.Points[0].Y))
	s.Handle(s.at("drag", 99, 99)) // beyond the axes
	if q := s.now.Points[0]; q.X != s.axes.x1 || q.Y != s.axes.y1 {
		t.Errorf("dragged out of the figure: %v, want the corner of the axes", q)
	}
	s.Handle(Event{Do: "undo"})
	a = s.Handle(Event{Do: "undo"})
	if s.now.Points[2] != from || a.Undo || !a.Redo { // the link itself is not undone
		t.Errorf("after two undos: %v, undo %v, redo %v", s.now.Points[2], a.Undo, a.Redo)
	}
	if s.Handle(Event{Do: "redo"}); s.now.Points[2] == from {
		t.Error("redo does nothing")
	}
}

// A press elsewhere adds a point of the chosen class; with shift on a point it takes that away.
func TestAddAndRemove(t *testing.T) {
	s, _ := opened("margin", "")
	n := len(s.now.Points)
	s.Handle(s.at("press", 4, -4))
	if q := s.now.Points[n]; len(s.now.Points) != n+1 || q.Class != 1 || math.Hypot(q.X-4, q.Y+4) > 0.02 {
		t.Fatalf("%d points, the last %v", len(s.now.Points), q)
	}
	s.Handle(s.at("drag", 3, -4)) // the new point follows
	if q := s.now.Points[n]; math.Abs(q.X-3) > 0.02 {
		t.Errorf("dragged at once: %v", q)
	}
	s.Handle(Event{Do: "undo"})
	if len(s.now.Points) != n {
		t.Errorf("a point that was dragged as it was added is undone to %d points, want %d", len(s.now.Points), n)
	}
	s.Handle(Event{Do: "redo"})
	s.selected = n
	if a := s.Handle(Event{Do: "class"}); s.now.Points[n].Class != -1 || a.Class != "−1" {
		t.Errorf("class %d, and %q for new points", s.now.Points[n].Class, a.Class)
	}
	e := s.at("press", s.now.Points[n].X, s.now.Points[n].Y)
	e.Shift = true
	if s.Handle(e); len(s.now.Points) != n {
		t.Errorf("%d points, want %d", len(s.now.Points), n)
	}
	if s.Handle(Event{Do: "press", X: 0.001, Y: 0.5}); len(s.now.Points) != n {
		t.Error("a press beside the axes adds a point")
	}
	s.now.Points = slices.Repeat(s.now.Points[:1], most)
	if said := s.add(0, 0, ""); len(s.now.Points) > most || !strings.Contains(said, "no more") {
		t.Errorf("%d points, and it says %q", len(s.now.Points), said)
	}
}

// All that a pointer does, keys do.
func TestKeys(t *testing.T) {
	s, _ := opened("perceptron", "#perceptron&preset=cmu")
	said := func(name string, shift bool) string {
		return s.Handle(Event{Do: "key", Name: name, Shift: shift}).Said
	}
	if got := said("PageDown", false); got != "point 1 of 6 at (−1, 2), class −1" {
		t.Errorf("PageDown: %q", got)
	}
	if got := said("PageUp", false); got != "point 6 of 6 at (1, −1), class +1" {
		t.Errorf("PageUp: %q", got)
	}
	width, height := s.axes.x1-s.axes.x0, s.axes.y1-s.axes.y0
	for _, c := range []struct {
		key    string
		shift  bool
		dx, dy float64
	}{{"ArrowLeft", false, -width / 100, 0}, {"ArrowRight", true, width / 10, 0}, {"ArrowUp", true, 0, height / 10}, {"ArrowDown", false, 0, -height / 100}} {
		p := s.now.Points[5]
		said(c.key, c.shift)
		if q := s.now.Points[5]; math.Abs(q.X-p.X-c.dx) > width/1000 || math.Abs(q.Y-p.Y-c.dy) > height/1000 {
			t.Errorf("%s: from %v to %v, want a step of (%g, %g)", c.key, p, q, c.dx, c.dy)
		}
	}
	s.Handle(Event{Do: "undo"}) // the four steps, of one point
	if s.now.Points[5] != (Point{1, -1, 1}) {
		t.Errorf("undone: %v", s.now.Points[5])
	}
	said("PageUp", false)
	if said(" ", false); s.now.Points[5].Class != -1 {
		t.Error("Space keeps the class")
	}
	if said("Delete", false); len(s.now.Points) != 5 || s.selected != -1 {
		t.Errorf("Delete: %d points, %d selected", len(s.now.Points), s.selected)
	}
	if said("Enter", false); len(s.now.Points) != 6 || s.selected != 5 {
		t.Errorf("Enter: %d points, %d selected", len(s.now.Points), s.selected)
	}
	if got := said("Escape", false); got != "no point selected" {
		t.Errorf("Escape: %q", got)
	}
	if got := said("Delete", false); got != "No point is selected." || len(s.now.Points) != 6 {
		t.Errorf("Delete without a point: %q", got)
	}
}

// Settings that are dragged are undone together, and those of different knobs one by one.
func TestKnobs(t *testing.T) {
	s, a := opened("kernels", "")
	if _, a := opened("least-squares", ""); a.Knobs[0].Text != "0" || a.Knobs[0].Value != -4 { // where λ begins, it is 0
		t.Errorf("λ = %s at %g", a.Knobs[0].Text, a.Knobs[0].Value)
	}
	if len(a.Knobs) != 3 || a.Knobs[1].Text != "1" || a.Knobs[1].Value != 0 {
		t.Fatalf("the knobs %+v", a.Knobs)
	}
	a = s.Handle(Event{Do: "knob", Name: "gamma", Value: 1})
	if a.Knobs[1].Text != "10" || !a.Coarse {
		t.Errorf("γ = %s, coarse %v, want 10 and a coarse field while it moves", a.Knobs[1].Text, a.Coarse)
	}
	coarse := len(a.SVG)
	if a = s.Handle(Event{Do: "rest"}); a.Coarse || len(a.SVG) <= coarse {
		t.Errorf("at rest: coarse %v, %d bytes after %d", a.Coarse, len(a.SVG), coarse)
	}
	s.Handle(Event{Do: "knob", Name: "gamma", Value: 1.5})
	s.Handle(Event{Do: "knob", Name: "C", Value: 2})
	s.Handle(Event{Do: "knob", Name: "gamma", Value: 99}) // beyond its end
	if got := s.now.Positions["gamma"]; got != 1.5 {
		t.Errorf("γ at %g, want 1.5", got)
	}
	s.Handle(Event{Do: "undo"})
	s.Handle(Event{Do: "undo"})
	if s.now.Positions["gamma"] != 0 || s.now.Positions["C"] != 1 || len(s.undo) != 0 {
		t.Errorf("undone twice: γ at %g, C at %g", s.now.Positions["gamma"], s.now.Positions["C"])
	}
}

// In a narrow window panels are stacked, and the pointer still finds the points. Letters are at least 11 pixels high where a
// page shows figures: 640 pixels wide in a window of 1280, and 350 in a phone's of 390 (play.css, and the site's margins).
func TestNarrow(t *testing.T) {
	for _, p := range playgrounds {
		s, wide := opened(p.ID, "")
		narrow := s.Handle(Event{Do: "open", Narrow: true})
		for shown, a := range map[float64]Answer{640: wide, 350: narrow} {
			if least := smallest(t, a.SVG, shown); least < 11 {
				t.Errorf("%s: letters of %.3g pixels in a figure of %g", p.ID, least, shown)
			}
		}
		q := s.now.Points[0]
		if s.Handle(s.at("press", q.X, q.Y)); s.selected < 0 || s.now.Points[s.selected] != q {
			t.Errorf("%s: the point at (%g, %g) was pressed, and %d is selected", p.ID, q.X, q.Y, s.selected)
		}
		if narrow.Undo || narrow.Link != wide.Link {
			t.Errorf("%s: a narrow window changes the state: %s, %s", p.ID, wide.Link, narrow.Link)
		}
	}
}

var (
	viewBox  = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) `)
	fontSize = regexp.MustCompile(`font-size[=:]"?([0-9.]+)`)
)

// smallest returns the size of a figure's smallest letters, in pixels, where it is shown in a width.
func smallest(t *testing.T, svg string, shown float64) float64 {
	t.Helper()
	number := func(m []string) float64 {
		if m == nil {
			t.Fatalf("no size in %.300s", svg)
		}
		return must(strconv.ParseFloat(m[1], 64))
	}
	least := math.Inf(1)
	for _, m := range fontSize.FindAllStringSubmatch(svg, -1) {
		least = min(least, number(m))
	}
	return least * shown / number(viewBox.FindStringSubmatch(svg))
}
