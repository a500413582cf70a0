// Package affine implements the affine transformations of the canvases.
package affine

import "math"

// A Matrix maps the point (x, y) to (m[0]x + m[2]y + m[4], m[1]x + m[3]y + m[5]).
type Matrix [6]float64

// Identity maps every point to itself.
var Identity = Matrix{1, 0, 0, 1, 0, 0}

// Before returns the product mn, which applies n first and then m.
func (m Matrix) Before(n Matrix) Matrix {
	return Matrix{
		m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1],
		m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5],
	}
}

// Rotate returns m after a rotation by an angle in radians.
func (m Matrix) Rotate(angle float64) Matrix {
	sin, cos := math.Sin(angle), math.Cos(angle)
	return m.Before(Matrix{cos, sin, -sin, cos, 0, 0})
}

// Translate returns m after a translation.
func (m Matrix) Translate(x, y float64) Matrix { return m.Before(Matrix{1, 0, 0, 1, x, y}) }

// Scale returns m after a scaling of the coordinates.
func (m Matrix) Scale(x, y float64) Matrix { return m.Before(Matrix{x, 0, 0, y, 0, 0}) }

// At returns the image of a point.
func (m Matrix) At(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// Inverse returns the inverse of m. If m is singular, the result has infinite or NaN
// elements.
//
// The conversions force each product to be rounded before the sum: processors with fused
// multiply-add give the same result as those without.
func (m Matrix) Inverse() Matrix {
	det := float64(m[3]*m[0]) - float64(m[1]*m[2])
	return Matrix{
		m[3] / det, -m[1] / det,
		-m[2] / det, m[0] / det,
		(float64(m[5]*m[2]) - float64(m[3]*m[4])) / det,
		(float64(m[1]*m[4]) - float64(m[5]*m[0])) / det,
	}
}
