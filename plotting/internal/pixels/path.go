package pixels

import (
	"math"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// Fill fills a path, whose parts are closed, wherever it winds around (the nonzero rule).
func (c *Canvas) Fill(p vg.Path) {
	c.raster.Clear()
	c.trace(p, c.raster, true)
	c.paint()
}

// Stroke draws a path as a line, with butt ends and round joins.
func (c *Canvas) Stroke(p vg.Path) {
	if c.width <= 0 {
		return
	}
	c.line.reset(c.dashes)
	c.trace(p, &c.line, false)
	c.raster.Clear()
	c.raster.AddStroke(c.line.path, fix(c.width), raster.ButtCapper, raster.RoundJoiner)
	c.paint()
}

func (c *Canvas) paint() {
	c.painter.SetColor(c.colour)
	c.raster.Rasterize(c.painter)
}

// tracer puts a path onto the picture, part by part.
type tracer struct {
	c     *Canvas
	to    raster.Adder
	begun bool
	start point // of the part
	here  point
}

// trace takes a path to points of the picture. If it is closed, so is every part before
// the next begins; a part without a Move begins where its first component goes to.
func (c *Canvas) trace(p vg.Path, to raster.Adder, closed bool) {
	t := tracer{c: c, to: to}
	for _, comp := range p {
		switch x, y := c.dots(comp.Pos); comp.Type {
		case vg.MoveComp:
			if closed && t.begun {
				t.close()
			}
			t.move(x, y)
		case vg.LineComp:
			t.line(x, y)
		case vg.ArcComp:
			t.arc(x, y, comp.Radius.Dots(c.dpi), comp.Start, comp.Angle)
		case vg.CurveComp:
			switch len(comp.Control) {
			case 1:
				bx, by := c.dots(comp.Control[0])
				t.quad(bx, by, x, y)
			case 2:
				t.cube(comp.Control[0], comp.Control[1], x, y)
			default:
				t.line(x, y) // no curve of vg's: all that is known is where it ends
			}
		case vg.CloseComp:
			if t.begun {
				t.close()
			}
		}
	}
	if closed && t.begun {
		t.close()
	}
}

func (t *tracer) at(x, y float64) point {
	x, y = t.c.matrix.At(x, y)
	return point{x, y}
}

func (t *tracer) move(x, y float64) {
	t.here, t.begun = t.at(x, y), true
	t.start = t.here
	t.to.Start(t.here.fixed())
}

func (t *tracer) line(x, y float64) {
	if !t.begun {
		t.move(x, y)
		return
	}
	t.here = t.at(x, y)
	t.to.Add1(t.here.fixed())
}

func (t *tracer) close() {
	t.here = t.start
	t.to.Add1(t.here.fixed())
}

func (t *tracer) quad(bx, by, x, y float64) {
	if !t.begun {
		t.move(bx, by)
	}
	t.here = t.at(x, y)
	t.to.Add2(t.at(bx, by).fixed(), t.here.fixed())
}

// arc goes around a point in 16 parabolas, each through the middle of its part of the arc.
func (t *tracer) arc(x, y, r, from, angle float64) {
	const parts = 16
	to := from + angle
	along := func(share float64) float64 { return from + (to-from)*share }
	for i := range parts {
		a, b := along(float64(i)/parts), along(float64(i+1)/parts)
		x0, y0 := x+r*math.Cos(a), y+r*math.Sin(a)
		xm, ym := x+r*math.Cos((a+b)/2), y+r*math.Sin((a+b)/2)
		x1, y1 := x+r*math.Cos(b), y+r*math.Sin(b)
		if i == 0 {
			t.line(x0, y0)
		}
		t.quad(2*xm-x0/2-x1/2, 2*ym-y0/2-y1/2, x1, y1)
	}
}

// cube goes along a cubic curve in lines, which the rasterizer has not.
func (t *tracer) cube(b, c vg.Point, x, y float64) {
	bx, by := t.c.dots(b)
	if !t.begun {
		t.move(bx, by)
	}
	cx, cy := t.c.dots(c)
	p0, p1, p2, p3 := t.here, t.at(bx, by), t.at(cx, cy), t.at(x, y)
	n := steps(p0.to(p1) + p1.to(p2) + p2.to(p3))
	last := p0.fixed()
	for i := 1; i < n; i++ {
		s := float64(i) / (float64(n) - 1)
		u := 1 - s
		w0, w1, w2, w3 := u*u*u, 3*u*u*s, 3*u*s*s, s*s*s
		p := point{w0*p0.x + w1*p1.x + w2*p2.x + w3*p3.x, w0*p0.y + w1*p1.y + w2*p2.y + w3*p3.y}
		if f := p.fixed(); f != last {
			t.to.Add1(f)
			t.here, last = p, f
		}
	}
}

// steps returns how many points a curve gets whose control polygon is so long.
func steps(length float64) int { return max(4, int(length+0.5)) }

// point is a point of the picture, in pixels.
type point struct{ x, y float64 }

// to returns the distance.
func (p point) to(q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }

func (p point) fixed() fixed.Point26_6 { return fixed.Point26_6{X: fix(p.x), Y: fix(p.y)} }

// fix rounds to a sixty-fourth of a pixel. What is far beyond any picture is brought to
// where differences are still numbers that fit.
func fix(x float64) fixed.Int26_6 {
	const far = 1 << 23
	return fixed.Int26_6(math.Round(min(max(x, -far), far) * 64))
}

func unfix(p fixed.Point26_6) point { return point{float64(p.X) / 64, float64(p.Y) / 64} }
