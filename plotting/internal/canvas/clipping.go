package canvas

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Clipping is a canvas of pixels that drops paths and segments that don't reach a rectangle.
// Within the rectangle it shows the same. It draws all that is under a transformation,
// such as text.
type Clipping struct {
	*vgimg.Canvas
	Only   vg.Rectangle
	width  vg.Length // of lines
	dashed bool
	depth  int  // of Push
	moved  bool // there was a transformation outside of Push
}

func (c *Clipping) SetLineWidth(w vg.Length) {
	c.width = w
	c.Canvas.SetLineWidth(w)
}

func (c *Clipping) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.dashed = len(pattern) > 0
	c.Canvas.SetLineDash(pattern, offset)
}

func (c *Clipping) Push() {
	c.depth++
	c.Canvas.Push()
}

func (c *Clipping) Pop() {
	c.depth--
	c.Canvas.Pop()
}

func (c *Clipping) Rotate(rad float64) {
	c.moved = c.moved || c.depth == 0
	c.Canvas.Rotate(rad)
}

func (c *Clipping) Translate(p vg.Point) {
	c.moved = c.moved || c.depth == 0
	c.Canvas.Translate(p)
}

func (c *Clipping) Scale(x, y float64) {
	c.moved = c.moved || c.depth == 0
	c.Canvas.Scale(x, y)
}

func (c *Clipping) Fill(p vg.Path) {
	if c.reaches(p, 0) {
		c.Canvas.Fill(p)
	}
}

// Stroke has round joins, so a line reaches half its width beyond its path.
func (c *Clipping) Stroke(p vg.Path) {
	if c.reaches(p, c.width/2) {
		c.Canvas.Stroke(c.near(p))
	}
}

// near drops the segments of a polyline that can't show in the rectangle. Other paths are returned
// unchanged. A dropped segment takes its joins with it, so segments within a full line width of the
// rectangle stay. The dashes of a segment depend on those before it, so these stay too.
func (c *Clipping) near(p vg.Path) vg.Path {
	for i, part := range p {
		if i == 0 && part.Type != vg.MoveComp || i > 0 && part.Type != vg.LineComp {
			return p
		}
	}
	var q vg.Path
	end := 0 // the index in p of the last point in q
	for i := 1; i < len(p); i++ {
		from, to := p[i-1].Pos, p[i].Pos
		if !c.meets(vg.Rectangle{
			Min: vg.Point{X: min(from.X, to.X), Y: min(from.Y, to.Y)}, Max: vg.Point{X: max(from.X, to.X), Y: max(from.Y, to.Y)},
		}, c.width) {
			continue
		}
		switch {
		case c.dashed:
			q = p[:i+1]
			continue
		case len(q) == 0 || end < i-1:
			q.Move(from)
		}
		q.Line(to)
		end = i
	}
	return q
}

// reaches reports whether a path has a point within reach of the rectangle. It takes the path
// for the rectangle around its points, centres and control points.
func (c *Clipping) reaches(p vg.Path, reach vg.Length) bool {
	if len(p) == 0 {
		return true
	}
	first := p[0].Pos
	around := vg.Rectangle{Min: first, Max: first}
	take := func(q vg.Point, r vg.Length) {
		around.Min = vg.Point{X: min(around.Min.X, q.X-r), Y: min(around.Min.Y, q.Y-r)}
		around.Max = vg.Point{X: max(around.Max.X, q.X+r), Y: max(around.Max.Y, q.Y+r)}
	}
	for _, part := range p {
		if part.Type == vg.CloseComp {
			continue // it has no place
		}
		take(part.Pos, part.Radius)
		for _, q := range part.Control {
			take(q, 0)
		}
	}
	return c.meets(around, reach)
}

// meets reports whether what is within reach of r may show in the rectangle.
func (c *Clipping) meets(r vg.Rectangle, reach vg.Length) bool {
	only := Grown(c.Only, reach)
	return c.depth > 0 || c.moved || r.Min.X <= only.Max.X && r.Max.X >= only.Min.X && r.Min.Y <= only.Max.Y && r.Max.Y >= only.Min.Y
}

// LeavesOut reports whether a canvas leaves out all that is within reach of a point. A layer of
// many glyphs then saves their outlines.
func LeavesOut(c *draw.Canvas, p vg.Point, reach vg.Length) bool {
	k, ok := c.Canvas.(*Clipping)
	return ok && !k.meets(vg.Rectangle{Min: p, Max: p}, reach)
}

// Grown returns a rectangle with a border of a width around it.
func Grown(r vg.Rectangle, by vg.Length) vg.Rectangle {
	d := vg.Point{X: by, Y: by}
	return vg.Rectangle{Min: r.Min.Sub(d), Max: r.Max.Add(d)}
}
