// Package space draws layers in three dimensions: points, planes, arrows, curves. [New] makes of
// them a layer of a figure of package plotting:
//
//	plotting.Show("plane", plotting.New("", space.New(
//		space.View{Azimuth: -60, Elevation: 25, Labels: [3]string{"x₁²", "√2 x₁x₂", "x₂²"}},
//		space.Plane([]float64{1, 0, 1}, -1, plotting.Name("z₁ + z₃ = 1")),
//		space.Classes(Z, y),
//	)))
//
// Use it for the map (x₁, x₂) → (x₁², √2 x₁x₂, x₂²) of a quadratic kernel, or for least squares as
// a projection. The layers take the styles of package plotting.
//
// # Files
//
// points, lines, plane and drops have the layers. space fits the axes to them, axes draws the box
// with its numbers, and order paints what is behind before what is in front.
package space

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// View is the direction from which a scene is seen, in degrees, with the names of its
// axes. The azimuth turns from the first axis towards the second, the elevation from
// their plane upwards. {Azimuth: -60, Elevation: 25} looks along the second axis from
// its low end; the first axis runs to the right and the third upwards.
type View struct {
	Azimuth, Elevation float64
	Labels             [3]string
}

// Layer is a layer in three dimensions: [Points], [Classes], [Plane], [Arrow], [Segment],
// [Curve], [Drops], [RightAngle].
type Layer interface {
	// reach returns the points that the axes should cover.
	reach() []vec
	// solids returns the parts of the layer in a scene.
	solids(s *scene) []solid
}

// space is a three-dimensional scene as a layer.
type space struct {
	v      View
	layers []Layer
	axes   [3]axis.Axis
}

// New returns a layer of a figure that draws layers in three dimensions, in orthographic
// projection from a fixed direction: parallel lines stay parallel. What is in front hides what is
// behind, even where planes cross. The axes cover the layers. They have equal scales unless one
// is more than four times as long as another. A figure has at most one such layer, and then no
// other axes.
func New(v View, layers ...Layer) plotting.Layer {
	if !pen.Finite(v.Azimuth) || !(math.Abs(v.Elevation) <= 90) {
		panic(fmt.Sprintf("plotting: space.New: azimuth %g°, elevation %g°, want finite degrees, the second from -90 to 90", v.Azimuth, v.Elevation))
	}
	s := &space{v: v}
	next := 0
	for i, l := range layers {
		if l == nil {
			panic(fmt.Sprintf("plotting: space.New: layer %d is nil", i))
		}
		if t, ok := l.(interface{ tint(next int) (Layer, bool) }); ok {
			tinted, took := t.tint(next)
			if took {
				next++
			}
			l = tinted
		}
		s.layers = append(s.layers, l)
	}
	for k := range s.axes {
		a := &s.axes[k]
		a.Label, a.Whole = v.Labels[k], true
		a.Min, a.Max = math.Inf(1), math.Inf(-1)
	}
	for _, l := range s.layers {
		for _, p := range l.reach() {
			if !p.finite() {
				continue
			}
			for k := range p {
				s.axes[k].Include(p[k])
			}
		}
	}
	for k := range s.axes {
		s.axes[k].Settle(-1, 1)
		s.axes[k].Pad(0.08)
	}
	return s
}

// A space fills a sheet of its own, at most 5 by 4.3 inches.
func (s *space) DataRange() (xmin, xmax, ymin, ymax float64) { return 0, 5, -4.3, 0 }

func (s *space) Traits() pen.Traits { return pen.Traits{Image: true, Sheet: true} }

// box is the box of the axes as it is seen: its centre is the origin, and right, up and
// eye are the directions of the view.
type box struct {
	axes           [3]axis.Axis
	scale          vec // from values to the box, whose longest side is 1
	right, up, eye vec
}

// lengths returns the lengths of the axes.
func (b *box) lengths() []float64 {
	var all []float64
	for _, a := range b.axes {
		all = append(all, a.Length())
	}
	return all
}

func (s *space) box() *box {
	b := &box{axes: s.axes}
	shortest, longest := math.Inf(1), 0.0
	for k := range b.axes {
		extent := b.axes[k].Length()
		shortest, longest = math.Min(shortest, extent), math.Max(longest, extent)
	}
	for k := range b.scale {
		b.scale[k] = 1 / longest
		if longest > 4*shortest {
			b.scale[k] = 1 / b.axes[k].Length()
		}
	}
	sa, ca := math.Sincos(s.v.Azimuth * math.Pi / 180)
	se, ce := math.Sincos(s.v.Elevation * math.Pi / 180)
	b.right, b.up, b.eye = vec{-sa, ca, 0}, vec{-se * ca, -se * sa, ce}, vec{ce * ca, ce * sa, se}
	return b
}

// put maps a point to the box.
func (b *box) put(p vec) (q vec) {
	for k := range q {
		q[k] = (p[k] - b.axes[k].Middle()) * b.scale[k]
	}
	return q
}

// corner returns a corner of the box: the high end of each axis with a positive sign.
func (b *box) corner(signs vec) (q vec) {
	for k := range q {
		q[k] = math.Copysign((b.axes[k].Max/2-b.axes[k].Min/2)*b.scale[k], signs[k])
	}
	return q
}

// paper projects a point of the box onto the paper, in units of the box.
func (b *box) paper(q vec) vg.Point {
	return vg.Point{X: vg.Length(q.dot(b.right)), Y: vg.Length(q.dot(b.up))}
}

func (s *space) Plot(c draw.Canvas, _ *plot.Plot) {
	b := s.box()
	sc := b.scene(c.Rectangle)
	sc.drawWalls(c)
	var all []solid
	for _, l := range s.layers {
		all = append(all, l.solids(sc)...)
	}
	for _, o := range backToFront(all, b.eye) {
		var at []vg.Point
		for _, q := range o.at {
			at = append(at, sc.place(q))
		}
		o.paint(c, at)
	}
	for _, l := range s.layers {
		if l, ok := l.(interface{ labels(*scene, draw.Canvas) }); ok {
			l.labels(sc, c)
		}
	}
}

func (s *space) Entries() []pen.Entry {
	var all []pen.Entry
	for _, l := range s.layers {
		if k, ok := l.(interface{ Entries() []pen.Entry }); ok {
			all = append(all, k.Entries()...)
		}
	}
	return all
}

func (s *space) Alt() string {
	var parts []string
	for _, l := range s.layers {
		if t, ok := l.(interface{ Alt() string }); ok {
			if words := t.Alt(); words != "" {
				parts = append(parts, words)
			}
		}
	}
	for k := range s.axes {
		parts = append(parts, s.axes[k].Alt("axis "+[]string{"1", "2", "3"}[k]))
	}
	return "in three dimensions: " + strings.Join(parts, "; ")
}
