// Package isoline finds the lines f(x, y) = c of a function of two variables by
// marching squares (William Lorensen and Harvey Cline, "Marching cubes", 1987, in two
// dimensions). Every grid cell with corners on both sides of c contains a piece of the
// line. The ends of the piece lie on edges between such corners.
//
//	g := isoline.Sample(func(x, y float64) float64 { return x*x + y*y }, isoline.Range(-2, 2, 100), isoline.Range(-2, 2, 100))
//	for _, p := range g.Lines(1) { // one circle
//		fmt.Println(p.Closed, len(p.Points))
//	}
//
// A line has the greater values on its left. The order of the lines and of their points
// depends only on the values on the grid: pieces are joined by the numbers of the edges
// on which they end, never by comparing coordinates.
package isoline

import "math"

// Point is a point in the plane.
type Point struct{ X, Y float64 }

// Path is a polyline. If Closed is true, the last point is joined to the first.
type Path struct {
	Points []Point
	Closed bool
}

// Grid holds the values of a function at the nodes (X[i], Y[j]).
type Grid struct {
	X, Y []float64                  // strictly increasing
	Z    []float64                  // Z[j*len(X)+i] at (X[i], Y[j]); NaN where the function is undefined
	F    func(x, y float64) float64 // the function itself, or nil
}

// Range returns n ≥ 2 equally spaced numbers from lo to hi.
func Range(lo, hi float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		t := float64(i) / float64(n-1)
		v[i] = lo*(1-t) + hi*t
	}
	return v
}

// Sample evaluates f at the nodes (X[i], Y[j]) of a grid.
func Sample(f func(x, y float64) float64, X, Y []float64) Grid {
	g := Grid{X: X, Y: Y, Z: make([]float64, 0, len(X)*len(Y)), F: f}
	for _, y := range Y {
		for _, x := range X {
			g.Z = append(g.Z, f(x, y))
		}
	}
	return g
}

// Lines returns the lines on which the function equals c. Open lines, which end at the
// border or at a cell with a NaN corner, come before closed ones. With F, the ends of
// the pieces are where F crosses c, to a millionth of the edge; F may jump there. Without
// F, they are interpolated linearly along the edge, which for a smooth function has an
// error of the order of the squared edge length. A value equal to c counts as above c,
// +Inf is above and −Inf below every c. Without F, a line passes through the finite node of
// an edge that leads to an infinite one. Consecutive points differ.
func (g Grid) Lines(c float64) []Path {
	if len(g.X) < 2 || len(g.Y) < 2 {
		return nil
	}
	n := len(g.X) * len(g.Y)
	t := tracer{Grid: g, c: c, next: make([]int32, 2*n), into: make([]bool, 2*n)}
	for j := range len(g.Y) - 1 {
		t.row(j)
	}
	var paths []Path
	for _, closed := range []bool{false, true} {
		for _, e := range t.from {
			if t.next[e] == 0 || !closed && t.into[e] {
				continue
			}
			// A path of one point only touches a node and is no line.
			if p := t.follow(e, closed); len(p.Points) > 1 {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// tracer joins the pieces of lines. Edges of the grid are numbered: 2k goes from node k
// to the right, 2k + 1 upwards.
type tracer struct {
	Grid
	c    float64
	from []int32 // the edges at which pieces begin
	next []int32 // next[e] is 1 + the edge where the piece that begins at edge e ends; 0 for none
	into []bool  // whether a piece ends at an edge
}

// The edges of a cell, counterclockwise. Edge s leads from corner s to corner s + 1;
// corner 0 is the lower left one.
const (
	lower = iota
	right
	upper
	left
)

// pieces lists, for every set of corners above c (bit s for corner s), the edges where the
// pieces in the cell begin and end. With the greater values on their left, pieces begin on
// an edge that leads down and end on one that leads up. The saddles 5 and 10 hold for a
// centre below c; with the centre above c they become 16 and 17.
var pieces = [18][][2]int{
	1: {{lower, left}}, 2: {{right, lower}}, 4: {{upper, right}}, 8: {{left, upper}},
	14: {{left, lower}}, 13: {{lower, right}}, 11: {{right, upper}}, 7: {{upper, left}},
	3: {{right, left}}, 12: {{left, right}}, 6: {{upper, lower}}, 9: {{lower, upper}},
	5: {{lower, left}, {upper, right}}, 10: {{right, lower}, {left, upper}},
	16: {{lower, right}, {upper, left}}, 17: {{right, upper}, {left, lower}},
}

// row finds the pieces in the cells between the nodes of rows j and j + 1.
func (t *tracer) row(j int) {
	n := len(t.X)
	low, high := t.Z[j*n:(j+1)*n], t.Z[(j+1)*n:(j+2)*n]
	for i := range n - 1 {
		a, b, c, d := low[i], low[i+1], high[i+1], high[i]
		set := bit(a >= t.c) | bit(b >= t.c)<<1 | bit(c >= t.c)<<2 | bit(d >= t.c)<<3
		if set == 0 || set == 15 || math.IsNaN(a) || math.IsNaN(b) || math.IsNaN(c) || math.IsNaN(d) {
			continue
		}
		if (set == 5 || set == 10) && t.middleAbove(i, j) {
			set = 16 + set/10
		}
		k := j*n + i
		edges := [4]int{lower: 2 * k, right: 2*(k+1) + 1, upper: 2 * (k + n), left: 2*k + 1}
		for _, p := range pieces[set] {
			begin, end := edges[p[0]], edges[p[1]]
			t.from = append(t.from, int32(begin))
			t.next[begin] = int32(end) + 1
			t.into[end] = true
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *tracer) middleAbove(i, j int) bool {
	if t.F != nil {
		if v := t.F((t.X[i]+t.X[i+1])/2, (t.Y[j]+t.Y[j+1])/2); !math.IsNaN(v) {
			return v >= t.c
		}
	}
	n := len(t.X)
	k := j*n + i
	return (t.Z[k]-t.c)+(t.Z[k+1]-t.c)+(t.Z[k+n]-t.c)+(t.Z[k+n+1]-t.c) >= 0
}

// follow walks along the pieces from edge e and removes them.
func (t *tracer) follow(e int32, closed bool) Path {
	p := Path{Closed: closed}
	for begin := e; ; {
		if q := t.crossing(int(e)); len(p.Points) == 0 || q != p.Points[len(p.Points)-1] {
			p.Points = append(p.Points, q)
		}
		next := t.next[e]
		t.next[e] = 0
		if e = next - 1; next == 0 || e == begin {
			break
		}
	}
	if n := len(p.Points); closed && n > 1 && p.Points[n-1] == p.Points[0] {
		p.Points = p.Points[:n-1]
	}
	return p
}

// crossing returns the point of an edge at which the function equals c.
func (t *tracer) crossing(e int) Point {
	a := e / 2
	b := a + 1
	if e%2 == 1 {
		b = a + len(t.X)
	}
	n := len(t.X)
	p, q := Point{t.X[a%n], t.Y[a/n]}, Point{t.X[b%n], t.Y[b/n]}
	at := func(s float64) Point { return Point{p.X + s*(q.X-p.X), p.Y + s*(q.Y-p.Y)} }
	g0, g1 := t.Z[a]-t.c, t.Z[b]-t.c
	if t.F == nil {
		return at(secant(g0, g1))
	}
	return at(root(g0, g1, func(s float64) float64 {
		p := at(s)
		return t.F(p.X, p.Y) - t.c
	}))
}

// secant returns the zero of the straight line from g0 at 0 to g1 at 1. An infinite value
// counts as far away, which puts the zero at the finite end.
func secant(g0, g1 float64) float64 {
	switch inf0, inf1 := math.IsInf(g0, 0), math.IsInf(g1, 0); {
	case inf0 && inf1:
		return 0.5
	case inf0:
		return 1
	case inf1:
		return 0
	}
	return g0 / 2 / (g0/2 - g1/2) // halved to avoid overflow of the difference
}

// root returns the zero of g on [0, 1], given g(0) = g0 and g(1) = g1 of opposite signs, to
// a millionth, which is finer than a figure shows. It takes four or five steps if g is
// smooth, twenty if it jumps. Where g is NaN it goes on beside that point. If the sign
// changes within a hole of NaN, it returns a point of the hole.
//
// Source: T. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the
// zero of a nonlinear function without using derivatives, Advances in Engineering
// Software 28 (1997). Unlike there, the first step is a secant step, not a bisection.
func root(g0, g1 float64, g func(s float64) float64) float64 {
	const near = 1e-6
	if g0 == 0 {
		return 0
	}
	if g1 == 0 {
		return 1
	}
	// The zero is between a, the newest point, and b; c is the previous point.
	a, b, ga, gb := 0.0, 1.0, g0, g1
	t := min(max(secant(g0, g1), near), 1-near)
	for {
		s, gs := probe(a, b, t, g)
		if gs == 0 || math.IsNaN(gs) {
			return s
		}
		c, gc := a, ga
		if (gs >= 0) != (ga >= 0) {
			c, gc, b, gb = b, gb, a, ga
		}
		a, ga = s, gs
		least := near / math.Abs(b-a)
		if least > 0.5 {
			return (a + b) / 2
		}
		t = 0.5
		// Inverse quadratic interpolation, if it is monotone between a and b.
		if xi, phi := (a-b)/(c-b), (ga-gb)/(gc-gb); phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
			t = ga/(gb-ga)*gc/(gb-gc) + (c-a)/(b-a)*ga/(gc-ga)*gb/(gc-gb)
		}
		t = min(max(t, least), 1-least)
	}
}

// probe returns the point at the fraction t of the way from a to b, and g there. Where g
// is NaN, it returns another point between a and b at which g has a value, if it finds one.
func probe(a, b, t float64, g func(s float64) float64) (s, gs float64) {
	s = a + t*(b-a)
	if gs = g(s); !math.IsNaN(gs) {
		return s, gs
	}
	for end := 0.25; end > 0.01; end /= 2 {
		for _, t := range []float64{end, 1 - end} {
			at := a + t*(b-a)
			if v := g(at); !math.IsNaN(v) {
				return at, v
			}
		}
	}
	return s, gs
}
