package main

import "fmt"

// key does what a key says while the figure has the focus, and returns what a screen reader
// says.
//
//   - arrows: move the selected point by a hundredth of the axes, with shift by a tenth
//   - PageDown and PageUp: select the next point and the one before
//   - Enter: a new point in the middle; Space: the next class; Delete: take the point away
//   - Escape: select nothing
func (s *Session) key(name string, shift bool) string {
	dx, dy := (s.axes.x1-s.axes.x0)/100, (s.axes.y1-s.axes.y0)/100
	if shift {
		dx, dy = 10*dx, 10*dy
	}
	switch name {
	case "ArrowLeft":
		return s.step(-dx, 0)
	case "ArrowRight":
		return s.step(dx, 0)
	case "ArrowUp":
		return s.step(0, dy)
	case "ArrowDown":
		return s.step(0, -dy)
	case "PageDown":
		return s.choose(1)
	case "PageUp":
		return s.choose(-1)
	case "Enter":
		p := s.now.Preset
		return s.add((p.X0+p.X1)/2, (p.Y0+p.Y1)/2, "")
	case " ":
		return s.relabel()
	case "Delete", "Backspace":
		return s.remove()
	case "Escape":
		s.selected = -1
		return s.selection()
	}
	return ""
}

// step moves the selected point. Steps of one point are undone together.
func (s *Session) step(dx, dy float64) string {
	if s.selected < 0 {
		return s.choose(1)
	}
	p := s.now.Points[s.selected]
	x, y := s.axes.round(p.X+dx, p.Y+dy)
	s.move(x, y, fmt.Sprint("step ", s.selected))
	return s.selection()
}

// choose selects the next point, or the one before for -1.
func (s *Session) choose(way int) string {
	n := len(s.now.Points)
	switch {
	case n == 0:
		return "There are no points. Enter adds one."
	case s.selected < 0 && way < 0:
		s.selected = n - 1
	case s.selected < 0:
		s.selected = 0
	default:
		s.selected = (s.selected + way + n) % n
	}
	return s.selection()
}
