package canvas

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// outline returns the data of a path on the page, or "" if it has no extent. It omits
// points that agree with the previous one to a hundredth of a point.
func (c *svgCanvas) outline(p vg.Path) string {
	b := make([]byte, 0, 12*len(p))
	var (
		begun bool   // whether there is a current point
		last  []byte // the last point written
		op    byte   // the last operator written
		drawn bool
	)
	point := func(p vg.Point) []byte {
		x, y := c.page(p)
		s := svgAppend(make([]byte, 0, 16), x)
		return svgAppend(append(s, ' '), y)
	}
	write := func(name byte, points ...[]byte) {
		// Further points after M or L are joined by lines.
		if name == op && name != 'M' || name == 'L' && op == 'M' {
			b = append(b, ' ')
		} else {
			b = append(b, name)
		}
		for i, p := range points {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, p...)
		}
		op, last = name, points[len(points)-1]
	}
	line := func(to vg.Point) {
		s := point(to)
		if string(s) != string(last) {
			write('L', s)
			drawn = true
		}
	}
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			write('M', point(comp.Pos))
		case vg.LineComp:
			line(comp.Pos)
		case vg.CurveComp:
			drawn = true
			if len(comp.Control) == 1 {
				write('Q', point(comp.Control[0]), point(comp.Pos))
			} else {
				write('C', point(comp.Control[0]), point(comp.Control[1]), point(comp.Pos))
			}
		case vg.ArcComp:
			drawn = true
			start, pieces := arc(comp)
			if begun {
				line(start)
			} else {
				write('M', point(start))
			}
			for _, q := range pieces {
				write('C', point(q[0]), point(q[1]), point(q[2]))
			}
			begun = true
			continue
		case vg.CloseComp:
			b = append(b, 'Z')
			op, last = 'Z', nil
			continue
		default:
			panic(fmt.Sprintf("plotting: SVG: component %d of a path is unknown", comp.Type))
		}
		begun = true
	}
	if !drawn {
		return ""
	}
	return string(b)
}

// arc returns a circular arc as cubic Bézier curves of at most a quarter circle each. The
// control points lie 4/3·tan(angle/4) of the radius along the tangents, which keeps the
// curves within 1/3000 of the radius of the circle.
func arc(comp vg.PathComp) (start vg.Point, pieces [][3]vg.Point) {
	r := comp.Radius
	n := max(1, math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9))
	step := comp.Angle / n
	k := 4.0 / 3 * math.Tan(step/4)
	on := func(angle, along float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: comp.Pos.X + r*vg.Length(cos-along*sin), Y: comp.Pos.Y + r*vg.Length(sin+along*cos)}
	}
	for i := range int(n) {
		a := comp.Start + float64(i)*step
		pieces = append(pieces, [3]vg.Point{on(a, k), on(a+step, -k), on(a+step, 0)})
	}
	return on(comp.Start, 0), pieces
}
