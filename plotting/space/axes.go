package space

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// scene is a box with its axes on a canvas.
type scene struct {
	*box
	unit   vg.Length // length of one unit of the box
	origin vg.Point
	room   vg.Point // of the whole drawing
	short  bool     // the axes' names are left out for lack of room, and their notes stay
	ruler  [3]ruler
	floor  float64 // signs of the walls that face the eye from inside
	back   [2]float64
	words  []word
}

// ruler is an edge of the box that carries the numbers of an axis.
type ruler struct {
	from, to vec
	out      vg.Point // direction of the numbers, a unit vector
}

// word is a text beside a point of the box.
type word struct {
	text string
	at   vec
	out  vg.Point
	gap  float64
	size float64
}

// scene fits the box with its numbers and names into a rectangle.
func (b *box) scene(r vg.Rectangle) *scene {
	s := &scene{box: b, floor: 1, back: [2]float64{1, 1}}
	for k := range s.back {
		if b.eye[k] >= 0 {
			s.back[k] = -1
		}
	}
	if b.eye[2] >= 0 {
		s.floor = -1
	}
	s.setRulers()
	const margin = 2
	room := r.Size().Sub(vg.Point{X: 2 * margin, Y: 2 * margin})
	var lo, hi vg.Point
	s.room = room
	s.unit = min(room.X, room.Y) / 2
	s.setWords()
	numbered := s.numbered()
	for range 5 {
		s.setWords()
		bare := *s
		bare.words = nil
		a, z := bare.extent()
		lo, hi = s.extent()
		over := hi.Sub(lo).Sub(z.Sub(a))
		size := z.Sub(a).Scale(1 / s.unit)
		s.unit = max(1, min((room.X-over.X)/size.X, (room.Y-over.Y)/size.Y))
	}
	if s.setWords(); s.numbered() < numbered { // wide numbers left the box too small for any
		s.shrink(numbered)
	}
	lo, hi = s.extent()
	s.origin = r.Min.Add(r.Max).Sub(lo).Sub(hi).Scale(0.5)
	return s
}

// numbered returns how many axes have numbers.
func (s *scene) numbered() (n int) {
	for _, a := range s.axes {
		if len(a.Ticks) > 0 {
			n++
		}
	}
	return n
}

// shrink finds the largest box with room for the numbers of the given number of axes. It drops the
// axes' names if it has to, and then numbers fewer axes.
func (s *scene) shrink(numbered int) {
	for ; numbered > 0; numbered-- {
		for _, s.short = range []bool{false, true} {
			for s.unit = max(s.room.X, s.room.Y); s.unit > 24; s.unit *= 0.95 {
				s.setWords()
				lo, hi := s.extent()
				if size := hi.Sub(lo); s.numbered() >= numbered && size.X <= s.room.X && size.Y <= s.room.Y {
					return
				}
			}
		}
	}
}

// place returns the point of the canvas at which a point of the box is drawn.
func (s *scene) place(q vec) vg.Point { return s.origin.Add(s.paper(q).Scale(s.unit)) }

// extent returns the corners of the rectangle that the drawing fills.
func (s *scene) extent() (lo, hi vg.Point) {
	lo, hi = s.origin, s.origin
	include := func(p vg.Point) {
		lo = vg.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = vg.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	for k := range 8 {
		include(s.place(s.corner(vec{float64(k&1) - 0.5, float64(k>>1&1) - 0.5, float64(k>>2&1) - 0.5})))
	}
	for _, w := range s.words {
		r := pen.TagBox(w.text, s.place(w.at), w.out, w.gap, w.size)
		include(r.Min)
		include(r.Max)
	}
	return lo, hi
}

// setRulers chooses the edges for the numbers: the two near edges of the floor and the
// upright one on the left.
func (s *scene) setRulers() {
	x, y := -s.back[0], -s.back[1] // the near sides
	s.ruler[0] = ruler{s.corner(vec{-1, y, s.floor}), s.corner(vec{1, y, s.floor}), s.paper(vec{0, y, 0})}
	s.ruler[1] = ruler{s.corner(vec{x, -1, s.floor}), s.corner(vec{x, 1, s.floor}), s.paper(vec{x, 0, 0})}
	left, right := vec{x, -y, 0}, vec{-x, y, 0}
	if s.paper(s.corner(left)).X > s.paper(s.corner(right)).X {
		left = right
	}
	s.ruler[2] = ruler{s.corner(vec{left[0], left[1], -1}), s.corner(vec{left[0], left[1], 1}), vg.Point{X: -1}}
	for k := range s.ruler {
		u := &s.ruler[k]
		length := math.Hypot(float64(u.out.X), float64(u.out.Y))
		if length < 1e-3 { // an axis that points at the eye
			u.out, length = vg.Point{Y: -1}, 1
		}
		u.out = u.out.Scale(1 / vg.Length(length))
	}
}

// setWords chooses as many numbers as fit, and puts the axes' names beyond them.
func (s *scene) setWords() {
	s.words = nil
	for k := range s.ruler {
		u, a := s.ruler[k], &s.axes[k]
		d := s.paper(u.to).Sub(s.paper(u.from)).Scale(s.unit)
		length := math.Hypot(float64(d.X), float64(d.Y))
		if length < 24 {
			a.Ticks = nil // the axis points at the eye
			continue
		}
		a.SetTicks(2+int(length/40), d)
		reach := vg.Length(0)
		for _, t := range a.Ticks {
			w := word{t.Label, s.on(k, t.Value), u.out, float64(pen.TickLength + pen.TickGap), pen.TickSize}
			r := pen.TagBox(w.text, vg.Point{}, vg.Point{}, 0, pen.TickSize).Size()
			reach = max(reach, vg.Length(math.Abs(float64(u.out.X)))*r.X+vg.Length(math.Abs(float64(u.out.Y)))*r.Y)
			s.words = append(s.words, w)
		}
		const least = 1.5 * vg.Inch // a smaller drawing has no room for names
		name, size := a.Label, float64(pen.LabelSize)
		if s.short {
			name, size = "", pen.TickSize
		}
		if label := strings.TrimSpace(name + " " + a.Note); label != "" && s.room.X >= least && s.room.Y >= least {
			middle := u.from.plus(0.5, u.to.plus(-1, u.from))
			label = pen.Fitted(label, size, 0.35*s.room.X, 0.25*s.room.Y)
			s.words = append(s.words, word{label, middle, u.out, float64(pen.TickLength + pen.TickGap + reach + pen.LabelGap), size})
		}
	}
}

// on returns the point of ruler k at a value.
func (s *scene) on(k int, value float64) vec {
	q := s.ruler[k].from
	q[k] = (value - s.axes[k].Middle()) * s.scale[k]
	return q
}

// drawWalls draws the background: the floor and the two far walls with their grid, the
// rulers and their numbers.
func (s *scene) drawWalls(c draw.Canvas) {
	stroke := func(sty draw.LineStyle, p, q vec) {
		a, b := s.place(p), s.place(q)
		c.StrokeLine2(sty, a.X, a.Y, b.X, b.Y)
	}
	signs := vec{s.back[0], s.back[1], s.floor}
	fine := draw.LineStyle{Color: pen.Grid, Width: 0.7}
	rim := draw.LineStyle{Color: pen.Zero, Width: pen.FrameWidth}
	for k := range 3 {
		// The two walls that have grid lines at the values of axis k.
		for _, m := range [2]int{(k + 1) % 3, (k + 2) % 3} {
			n := 3 - k - m
			from, to := signs, signs
			from[n], to[n] = -1, 1
			p, q := s.corner(from), s.corner(to)
			for _, t := range s.axes[k].Ticks {
				p[k] = s.on(k, t.Value)[k]
				q[k] = p[k]
				stroke(fine, p, q)
			}
		}
	}
	for k := range 3 {
		m, n := (k+1)%3, (k+2)%3
		from, to := signs, signs
		from[k], to[k] = -1, 1
		stroke(rim, s.corner(from), s.corner(to))
		from[m], to[m] = -from[m], -to[m]
		stroke(rim, s.corner(from), s.corner(to))
		from, to = signs, signs
		from[k], to[k] = -1, 1
		from[n], to[n] = -from[n], -to[n]
		stroke(rim, s.corner(from), s.corner(to))
	}
	line := draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth}
	for k, u := range s.ruler {
		if len(s.axes[k].Ticks) == 0 {
			continue
		}
		stroke(line, u.from, u.to)
		for _, t := range s.axes[k].Ticks {
			p := s.place(s.on(k, t.Value))
			q := p.Add(u.out.Scale(pen.TickLength))
			c.StrokeLine2(line, p.X, p.Y, q.X, q.Y)
		}
	}
	for _, w := range s.words {
		r := pen.TagBox(w.text, s.place(w.at), w.out, w.gap, w.size)
		c.FillText(pen.Style(w.size), r.Min.Add(r.Max).Scale(0.5), w.text)
	}
}
