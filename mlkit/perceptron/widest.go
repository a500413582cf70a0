package perceptron

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// WidestThroughOrigin returns the line through the origin that separates the rows of X
// (n×2) with label y[i] = +1 from those with -1 by the largest margin, with ‖W‖ = 1 and
// B = 0. This is CMU's "margin γ of a set of examples", here Δ, which gives the smallest
// bound of Novikoff. WidestThroughOrigin returns an error if no line through the origin
// separates the rows.
//
// With zᵢ = yᵢxᵢ, the largest margin is the distance of the convex hull of the zᵢ from
// the origin, and w points to the hull's nearest point. In the plane that point lies on
// an edge of the hull, so it is found directly, in O(n log n) time.
func WidestThroughOrigin(X *mat.Dense, y []int) (mlkit.Hyperplane, error) {
	if err := check.Samples("perceptron", X); err != nil {
		return mlkit.Hyperplane{}, err
	}
	n, d := X.Dims()
	if d != 2 {
		return mlkit.Hyperplane{}, fmt.Errorf("perceptron: X has %d columns, want 2", d)
	}
	if err := check.Signs("perceptron", n, y); err != nil {
		return mlkit.Hyperplane{}, err
	}
	// The line doesn't depend on the unit of X; choose one in which nothing overflows.
	unit := cmp.Or(max(mat.Max(X), -mat.Min(X)), 1)
	z := make([]point, n)
	for i := range z {
		s := float64(y[i])
		z[i] = point{s * (X.At(i, 0) / unit), s * (X.At(i, 1) / unit)}
	}
	corners := hull(slices.Clone(z))
	nearest := corners[0]
	for k, a := range corners {
		p := nearestOnSegment(a, corners[(k+1)%len(corners)])
		if p.dot(p) < nearest.dot(nearest) {
			nearest = p
		}
	}
	w := []float64{nearest.x, nearest.y}
	if length := (mlkit.Hyperplane{W: w}).Norm(); length > 0 {
		w[0] /= length
		w[1] /= length
	}
	h := mlkit.Hyperplane{W: w}
	// The nearest point of the boundary is the nearest of the hull unless the origin is
	// inside; then there are samples on both sides of the line.
	for i := range z {
		if !(z[i].dot(point{w[0], w[1]}) > 0) {
			return mlkit.Hyperplane{}, fmt.Errorf("perceptron: no line through the origin separates the rows of X; the widest gap leaves row %d on the wrong side or on the line", i)
		}
	}
	return h, nil
}

type point struct{ x, y float64 }

func (p point) dot(q point) float64 { return p.x*q.x + p.y*q.y }

// hull returns the corners of the convex hull of z in counter-clockwise order (A. M.
// Andrew's monotone chain, 1979). It overwrites z.
func hull(z []point) []point {
	slices.SortFunc(z, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	z = slices.Compact(z)
	if len(z) < 3 {
		return z
	}
	lower := chain(z)
	slices.Reverse(z)
	upper := chain(z)
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

// chain returns the corners of the convex path from the first to the last of the sorted
// points z that keeps all points on its left.
func chain(z []point) []point {
	var c []point
	for _, p := range z {
		for len(c) > 1 && turn(c[len(c)-2], c[len(c)-1], p) <= 0 {
			c = c[:len(c)-1]
		}
		c = append(c, p)
	}
	return c
}

// turn is positive if the path from a over b to c turns left.
func turn(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// nearestOnSegment returns the point nearest to the origin on the segment from a to b.
func nearestOnSegment(a, b point) point {
	d := point{b.x - a.x, b.y - a.y}
	length2 := d.dot(d)
	if length2 == 0 {
		return a
	}
	t := min(1, max(0, -a.dot(d)/length2))
	return point{a.x + t*d.x, a.y + t*d.y}
}
