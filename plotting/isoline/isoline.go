// Package isoline finds the lines f(x, y) = c of a function of two variables by
// marching squares (William Lorensen and Harvey Cline, "Marching cubes", 1987, in two
// dimensions): every cell of a grid that has corners on both sides of c has a piece
// of the line in it, whose ends lie on the edges between such corners.
//
//	g := isoline.Sample(func(x, y float64) float64 { return x*x + y*y }, isoline.Range(-2, 2, 100), isoline.Range(-2, 2, 100))
//	for _, p := range g.Lines(1) { // one circle
//		fmt.Println(p.Closed, len(p.Points))
//	}
//
// The order of the lines and of their points follows from the grid alone.
package isoline

import "math"

// Point is a point of the plane.
type Point struct{ X, Y float64 }

// Path is a line. Where it is closed the last point is joined to the first.
type Path struct {
	Points []Point
	Closed bool
}

// Grid holds a function's values at the nodes (X[i], Y[j]).
type Grid struct {
	X, Y []float64                  // rising
	Z    []float64                  // Z[j*len(X)+i] at (X[i], Y[j]); NaN where the function has no value
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

// Sample evaluates f at the nodes of a grid.
func Sample(f func(x, y float64) float64, X, Y []float64) Grid {
	g := Grid{X: X, Y: Y, Z: make([]float64, 0, len(X)*len(Y)), F: f}
	for _, y := range Y {
		for _, x := range X {
			g.Z = append(g.Z, f(x, y))
		}
	}
	return g
}

// Lines returns the lines on which the function is c: those that end at the border,
// or at a cell without a value, before the closed ones. With F the ends of the
// pieces are where it crosses c, else where it would if it were linear along an edge
// of the grid. A value of c itself counts as above c.
func (g Grid) Lines(c float64) []Path {
	if len(g.X) < 2 || len(g.Y) < 2 {
		return nil
	}
	t := tracer{Grid: g, c: c, links: make([][2]int32, 2*len(g.X)*len(g.Y))}
	for j := range len(g.Y) - 1 {
		for i := range len(g.X) - 1 {
			t.cell(i, j)
		}
	}
	var paths []Path
	for _, open := range []bool{true, false} {
		for e, l := range t.links {
			// A link to itself would be none, so 0 stands for no link.
			if l[0] != 0 && (l[1] == 0) == open {
				paths = append(paths, t.follow(int32(e), !open))
			}
		}
	}
	return paths
}

// tracer joins the pieces of one line. The edges of the grid are numbered: 2k goes
// from node k to the right, 2k + 1 upwards.
type tracer struct {
	Grid
	c     float64
	links [][2]int32 // of each edge, the edges it is joined to, plus 1; 0 for none
}

func (t *tracer) above(k int) bool { return t.Z[k] >= t.c }

// cell joins the edges of the cell whose lower left node is (i, j).
func (t *tracer) cell(i, j int) {
	n := len(t.X)
	k := j*n + i
	corners := [4]int{k, k + 1, k + n + 1, k + n} // against the clock
	edges := [4]int{2 * k, 2*(k+1) + 1, 2 * (k + n), 2*k + 1}
	var crossed []int
	for s, a := range corners {
		if math.IsNaN(t.Z[a]) {
			return
		}
		if b := corners[(s+1)%4]; t.above(a) != t.above(b) {
			crossed = append(crossed, edges[s])
		}
	}
	switch len(crossed) {
	case 2:
		t.join(crossed[0], crossed[1])
	case 4:
		// A saddle: the middle belongs together with the two corners on its side.
		if t.above(k) == t.middleAbove(i, j) {
			t.join(crossed[0], crossed[1])
			t.join(crossed[2], crossed[3])
		} else {
			t.join(crossed[3], crossed[0])
			t.join(crossed[1], crossed[2])
		}
	}
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

func (t *tracer) join(a, b int) {
	for _, ab := range [2][2]int{{a, b}, {b, a}} {
		l := &t.links[ab[0]]
		if l[0] == 0 {
			l[0] = int32(ab[1]) + 1
		} else {
			l[1] = int32(ab[1]) + 1
		}
	}
}

// follow walks from edge e along the links, and takes them away.
func (t *tracer) follow(e int32, closed bool) Path {
	p := Path{Closed: closed}
	for {
		p.Points = append(p.Points, t.crossing(int(e)))
		l := &t.links[e]
		next := l[0]
		if next == 0 {
			next = l[1]
		}
		*l = [2]int32{}
		if next == 0 {
			break
		}
		next--
		for s, back := range t.links[next] {
			if back == e+1 {
				t.links[next][s] = 0
				break
			}
		}
		e = next
	}
	if closed {
		p.Points = p.Points[:len(p.Points)-1] // the first one again
	}
	return p
}

// crossing returns where on an edge the function is c.
func (t *tracer) crossing(e int) Point {
	a := e / 2
	b := a + 1
	if e%2 == 1 {
		b = a + len(t.X)
	}
	n := len(t.X)
	p, q := Point{t.X[a%n], t.Y[a/n]}, Point{t.X[b%n], t.Y[b/n]}
	at := func(s float64) Point { return Point{p.X + s*(q.X-p.X), p.Y + s*(q.Y-p.Y)} }
	if t.F != nil {
		return at(t.bisect(a, at))
	}
	s := (t.c - t.Z[a]) / (t.Z[b] - t.Z[a])
	if !(s >= 0 && s <= 1) {
		s = 0.5 // both are infinite
	}
	return at(s)
}

// bisect halves the stretch from node a on with the crossing in it until it is a
// millionth of the edge, which is less than a figure shows.
func (t *tracer) bisect(a int, at func(float64) Point) float64 {
	lo, hi := 0.0, 1.0
	for range 20 {
		mid := (lo + hi) / 2
		p := at(mid)
		v := t.F(p.X, p.Y)
		if math.IsNaN(v) {
			break
		}
		if (v >= t.c) == t.above(a) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
