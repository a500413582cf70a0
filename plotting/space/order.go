package space

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// vec is a point or a direction in three dimensions.
type vec [3]float64

func (p vec) dot(q vec) float64 { return p[0]*q[0] + p[1]*q[1] + p[2]*q[2] }

func (p vec) plus(t float64, q vec) vec {
	return vec{p[0] + t*q[0], p[1] + t*q[1], p[2] + t*q[2]}
}

func (p vec) norm() float64 { return math.Sqrt(p.dot(p)) }

func (p vec) finite() bool { return pen.Finite(p[0]) && pen.Finite(p[1]) && pen.Finite(p[2]) }

// solid is a part of a layer that is painted in one go: a point, a line segment, or a
// flat convex polygon.
type solid struct {
	at     []vec
	normal vec // of a polygon
	paint  func(c draw.Canvas, at []vg.Point)
}

// flat is the distance below which a point lies on a plane, in units of the box.
const flat = 1e-9

// backToFront orders the solids for painting, seen by an eye in the given direction:
// each may cover those before it. A polygon divides space. First come the solids on its
// far side, then the polygon, then the solids on it and on the near side; solids that
// cross its plane are cut. Without polygons the midpoints decide.
//
// Source: Fuchs, Kedem and Naylor, On Visible Surface Generation by a Priori Tree
// Structures, 1980, section 3.
func backToFront(all []solid, eye vec) []solid {
	i := slices.IndexFunc(all, func(o solid) bool { return len(o.at) > 2 })
	if i < 0 {
		slices.SortStableFunc(all, func(a, b solid) int {
			da, db := a.middle().dot(eye), b.middle().dot(eye)
			switch {
			case da < db:
				return -1
			case da > db:
				return 1
			}
			return 0
		})
		return all
	}
	wall := all[i]
	n := wall.normal
	if n.dot(eye) < 0 {
		n = vec{}.plus(-1, n)
	}
	level := n.dot(wall.at[0])
	var far, near []solid
	for j, o := range all {
		if j == i {
			continue
		}
		behind, front := o.split(n, level)
		if behind != nil {
			far = append(far, *behind)
		}
		if front != nil {
			near = append(near, *front)
		}
	}
	return append(append(backToFront(far, eye), wall), backToFront(near, eye)...)
}

func (o *solid) middle() (m vec) {
	for _, p := range o.at {
		m = m.plus(1/float64(len(o.at)), p)
	}
	return m
}

// split cuts a solid along the plane n·p = level. A solid that lies on it counts as front.
func (o *solid) split(n vec, level float64) (behind, front *solid) {
	low, high := 0.0, 0.0
	for _, p := range o.at {
		d := n.dot(p) - level
		low, high = math.Min(low, d), math.Max(high, d)
	}
	switch {
	case low >= -flat:
		return nil, o
	case high <= flat:
		return o, nil
	}
	cut := func(sign float64) *solid {
		part := *o
		part.at = clip(o.at, func(p vec) float64 { return sign * (n.dot(p) - level) })
		return &part
	}
	return cut(-1), cut(1)
}

// clip returns the part of a line segment, or of a convex polygon, where an affine
// function is at least 0.
func clip(at []vec, f func(vec) float64) (kept []vec) {
	n := len(at)
	for i, p := range at {
		q := at[(i+1)%n]
		a, b := f(p), f(q)
		if a >= 0 {
			kept = append(kept, p)
		}
		if (a >= 0) != (b >= 0) && (n > 2 || i == 0) {
			kept = append(kept, p.plus(a/(a-b), q.plus(-1, p)))
		}
	}
	return kept
}
