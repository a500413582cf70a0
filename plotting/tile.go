package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// Panels are figures in a grid.
type Panels struct {
	cols  int
	figs  []*Figure
	same  bool
	sizes []vg.Point // of the figures, 0 where it is not known; nil: they are not kept
}

// Tile arranges figures in a grid with cols columns, row by row, with their axes
// aligned. If all have the same legend, it is drawn once, below them.
func Tile(cols int, figs ...*Figure) *Panels {
	if cols < 1 || len(figs) == 0 {
		panic(fmt.Sprintf("plotting: Tile: %d columns, %d figures, want at least 1 of each", cols, len(figs)))
	}
	for i, f := range figs {
		if f == nil {
			panic(fmt.Sprintf("plotting: Tile: figure %d is nil", i))
		}
	}
	return &Panels{cols: min(cols, len(figs)), figs: figs}
}

// SameAxes gives all panels the range that covers the data of all, which makes them
// comparable.
func (p *Panels) SameAxes() *Panels {
	p.same = true
	return p
}

// Extent returns the size of all panels together.
func (p *Panels) Extent() (w, h vg.Length) { return p.sheet().size() }

// Resized returns the panels for a column of width w, shared equally by the figures of a
// row; see [Figure.Resized]. If a figure would be narrower than 2 inches, a row has fewer.
// Three in a row stay in it down to 1.5 inches, and then stand one below the other.
func (p *Panels) Resized(w vg.Length) *Panels {
	q := *p
	fit := int((w + gutter) / (2*vg.Inch + gutter))
	if len(p.figs) == 3 && q.cols == 3 && fit == 2 { // two rows would leave a quarter empty
		fit = 1
		if w+gutter >= 3*(1.5*vg.Inch+gutter) {
			fit = 3
		}
	}
	if fit < q.cols {
		// Spread the panels evenly, so no row is nearly empty.
		rows := (len(p.figs) + max(fit, 1) - 1) / max(fit, 1)
		q.cols = (len(p.figs) + rows - 1) / rows
	}
	q.figs = make([]*Figure, len(p.figs))
	for i, f := range p.figs {
		q.figs[i] = f.Resized((w - gutter*vg.Length(q.cols-1)) / vg.Length(q.cols))
	}
	return &q
}

// panelWidth returns the default width of a panel. A row of such panels fits on the page of
// a notebook.
func panelWidth(cols int) vg.Length {
	return []vg.Length{5, 3.9, 3, 2.4}[min(cols, 4)-1] * vg.Inch
}

// sheet is a grid of views with the sizes of its rows and columns.
type sheet struct {
	views   []*view
	cols    int
	widths  []vg.Length
	heights []vg.Length
	keys    []pen.Entry // the common legend
}

func (p *Panels) sheet() *sheet {
	rows := (len(p.figs) + p.cols - 1) / p.cols
	s := &sheet{cols: p.cols, widths: make([]vg.Length, p.cols), heights: make([]vg.Length, rows)}
	for _, f := range p.figs {
		s.views = append(s.views, f.view())
	}
	if p.same {
		s.unite()
	}
	s.takeKeys()
	for i, f := range p.figs {
		w, h := f.w, f.h
		if w == 0 {
			w, h = p.natural(i, s.views[i])
		}
		s.widths[i%p.cols] = max(s.widths[i%p.cols], w)
		s.heights[i/p.cols] = max(s.heights[i/p.cols], h)
	}
	return s
}

// natural returns the default size of figure i. It is found once for the extent, the description
// and the drawing of what is shown, since a legend takes a while to find its corner.
func (p *Panels) natural(i int, v *view) (w, h vg.Length) {
	if p.sizes != nil && p.sizes[i].X > 0 {
		return p.sizes[i].X, p.sizes[i].Y
	}
	w, h = v.natural(panelWidth(p.cols))
	if p.sizes != nil {
		p.sizes[i] = vg.Point{X: w, Y: h}
	}
	return w, h
}

// unite gives all views the union of their ranges.
func (s *sheet) unite() {
	x, y := s.views[0].x, s.views[0].y
	for _, v := range s.views {
		x.Min, x.Max, x.Whole = math.Min(x.Min, v.x.Min), math.Max(x.Max, v.x.Max), x.Whole && v.x.Whole
		y.Min, y.Max, y.Whole = math.Min(y.Min, v.y.Min), math.Max(y.Max, v.y.Max), y.Whole && v.y.Whole
	}
	for _, v := range s.views {
		v.x.Min, v.x.Max, v.x.Whole = x.Min, x.Max, x.Whole
		v.y.Min, v.y.Max, v.y.Whole = y.Min, y.Max, y.Whole
	}
}

// takeKeys moves the legend out of the views if it is the same in all of them.
func (s *sheet) takeKeys() {
	names := func(v *view) (names []string) {
		for _, k := range v.keys {
			names = append(names, k.Name)
		}
		return names
	}
	first := names(s.views[0])
	if len(s.views) == 1 || len(first) == 0 {
		return
	}
	for _, v := range s.views {
		if !slices.Equal(names(v), first) {
			return
		}
	}
	s.keys = s.views[0].keys
	for _, v := range s.views {
		v.keys = nil
	}
}

// The gaps between panels, and above and below the common legend.
const (
	gutter vg.Length = 6
	shelf  vg.Length = 3
)

func total(lengths []vg.Length) (sum vg.Length) {
	for i, l := range lengths {
		if i > 0 {
			sum += gutter
		}
		sum += l
	}
	return sum
}

func (s *sheet) size() (w, h vg.Length) {
	w, h = total(s.widths), total(s.heights)
	if rows := s.keyRows(); len(rows) > 0 {
		h += 2*shelf + vg.Length(len(rows))*lineOf(rows[0])
	}
	return w, h
}

// keyRows returns the rows of the common legend.
func (s *sheet) keyRows() [][]pen.Entry {
	room := total(s.widths) - 2*pen.Border
	keys := s.keys
	for _, width := range keyWidths(room) {
		rows := keyRows(keys, room)
		if widest(keys) <= room && vg.Length(len(rows))*lineOf(keys) <= mostKeys*room {
			break
		}
		keys = shrunk(s.keys, 1, width)
	}
	return keyRows(keys, room)
}

// cell returns the rectangle of panel i on a canvas of the sheet's size.
func (s *sheet) cell(i int, c vg.Rectangle) vg.Rectangle {
	col, row := i%s.cols, i/s.cols
	left := c.Min.X + total(s.widths[:col])
	if col > 0 {
		left += gutter
	}
	top := c.Max.Y - total(s.heights[:row])
	if row > 0 {
		top -= gutter
	}
	return vg.Rectangle{
		Min: vg.Point{X: left, Y: top - s.heights[row]},
		Max: vg.Point{X: left + s.widths[col], Y: top},
	}
}

// Draw draws the panels on a canvas of any of gonum/plot's back ends.
func (p *Panels) Draw(c draw.Canvas) {
	ground(c)
	p.paint(c)
}

func (p *Panels) paint(c draw.Canvas) {
	s := p.sheet()
	for i, v := range s.views {
		v.fit(s.cell(i, c.Rectangle))
	}
	s.boxes(c.Rectangle) // from here on the views know how long the labels of their y axes may be
	boxes, fits := s.boxes(c.Rectangle)
	for try := 0; !fits && try < 2+2*len(s.views); try++ {
		boxes, fits = s.boxes(c.Rectangle)
	}
	for i, v := range s.views {
		v.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: s.cell(i, c.Rectangle)}, boxes[i])
	}
	drawKeyRows(c, s.keyRows(), c.Min.Y+shelf)
}

// boxes returns the aligned data rectangles. If a legend finds no free corner in its
// rectangle, it moves out; then fits is false and boxes must be called again.
func (s *sheet) boxes(r vg.Rectangle) (boxes []vg.Rectangle, fits bool) {
	cols, rows := make([]margins, s.cols), make([]margins, len(s.heights))
	// The ticks of the aligned rectangles may need more room than those before, for a note say.
	for range 3 {
		for i, v := range s.views {
			m := v.margins()
			cols[i%s.cols] = cols[i%s.cols].max(m)
			rows[i/s.cols] = rows[i/s.cols].max(m)
		}
		boxes = nil
		enough := true
		for i, v := range s.views {
			r := s.cell(i, r)
			col, row := cols[i%s.cols], rows[i/s.cols]
			m := margins{col.left, col.right, row.bottom, row.top}
			v.widen(r, m)
			boxes = append(boxes, v.box(r, m))
			v.setLong(r, boxes[i])
			v.ticksFor(boxes[i].Size())
			enough = enough && m.hold(v.margins())
		}
		if enough {
			break
		}
	}
	fits = true
	for i, v := range s.views {
		r, box := s.cell(i, r), boxes[i]
		switch {
		case v.endsToKeys(box.Size().Y):
			v.fit(r)
			fits = false
		case v.outer && columnsSize(v.keys, v.columns).Y > box.Max.Y-r.Min.Y-rows[i/s.cols].bottom+pen.Border:
			if v.outer, v.under = false, true; !v.holds(r, leastAxes) {
				v.crowd(r)
			}
			fits = false
		case v.legend != nil:
			v.legend = v.freeCorner(box)
			if v.legend == nil {
				v.moveOut(r)
				fits = false
			}
		}
	}
	return boxes, fits
}
