package isoline

import (
	"math"
	"reflect"
	"testing"
)

func circle(x, y float64) float64 { return x*x + y*y }

// A circle is one closed line. With F its points lie on the circle to a millionth of an
// edge. Without F, linear interpolation of x² between nodes h apart has an error of at
// most h²/8·2; r² has the same error, hence r at most h²/4/(2r), plus 1 % for the next
// order.
func TestCircle(t *testing.T) {
	const n, r = 81, 1.3
	g := Sample(circle, Range(-2, 2, n), Range(-2, 2, n))
	h := 4.0 / (n - 1)
	for _, f := range []func(x, y float64) float64{circle, nil} {
		g.F = f
		paths := g.Lines(r * r)
		if len(paths) != 1 || !paths[0].Closed {
			t.Fatalf("%d lines, want one closed", len(paths))
		}
		allowed := h * 1e-6
		if f == nil {
			allowed = h * h / 4 / (2 * r) * 1.01
		}
		length := 0.0
		points := paths[0].Points
		for k, p := range points {
			if d := math.Abs(math.Hypot(p.X, p.Y) - r); d > allowed {
				t.Errorf("(%v, %v) is %v off the circle, want %v", p.X, p.Y, d, allowed)
			}
			q := points[(k+1)%len(points)]
			length += math.Hypot(q.X-p.X, q.Y-p.Y)
		}
		// A polygon inscribed in a circle, with sides s ≤ √2 h, is shorter by at most s²/24r².
		if short := 1 - length/(2*math.Pi*r); short < -1e-3 || short > 2*h*h/24/r/r+allowed {
			t.Errorf("the line is %v long, the circle %v", length, 2*math.Pi*r)
		}
	}
}

// A straight line across the grid is found exactly, wherever it passes, and ends at the
// border.
func TestStraight(t *testing.T) {
	f := func(x, y float64) float64 { return x - 2*y }
	g := Sample(f, Range(-1, 1, 11), Range(-1, 1, 7))
	g.F = nil
	for _, c := range []float64{0, 0.1, -1.37, 2} {
		paths := g.Lines(c)
		if len(paths) != 1 || paths[0].Closed {
			t.Fatalf("c = %v: %d lines", c, len(paths))
		}
		points := paths[0].Points
		for _, p := range points {
			if math.Abs(f(p.X, p.Y)-c) > 1e-14 {
				t.Errorf("c = %v: (%v, %v) has the value %v", c, p.X, p.Y, f(p.X, p.Y))
			}
		}
		for _, p := range []Point{points[0], points[len(points)-1]} {
			if max(math.Abs(p.X), math.Abs(p.Y)) < 1-1e-14 {
				t.Errorf("c = %v: an end at (%v, %v), inside the border", c, p.X, p.Y)
			}
		}
	}
	if paths := g.Lines(3.5); len(paths) != 0 {
		t.Errorf("a line beyond the grid: %v", paths)
	}
}

// xy = c has two branches, in the quadrants where xy has the sign of c. The corners of the
// cell at the saddle alone don't determine how the branches continue.
func TestSaddle(t *testing.T) {
	f := func(x, y float64) float64 { return x * y }
	for _, n := range []int{2, 3, 8, 9} { // with and without a cell around the saddle
		g := Sample(f, Range(-1, 1, n), Range(-1, 1, n))
		for _, exact := range []bool{true, false} {
			if g.F = nil; exact {
				g.F = f
			}
			for _, c := range []float64{0.01, -0.01} {
				paths := g.Lines(c)
				if len(paths) != 2 {
					t.Fatalf("n = %d, c = %v: %d lines, want 2", n, c, len(paths))
				}
				for _, p := range paths {
					side := p.Points[0].X + p.Points[0].Y
					if c < 0 {
						side = p.Points[0].X - p.Points[0].Y
					}
					for _, q := range p.Points {
						s := q.X + q.Y
						if c < 0 {
							s = q.X - q.Y
						}
						if s*side <= 0 {
							t.Errorf("n = %d, c = %v: a branch goes from side %v to %v", n, c, side, s)
						}
					}
				}
			}
		}
	}
}

// A cell with a NaN corner contains no line, so lines end there. Infinite values are beyond
// every c, which puts the line at the finite neighbour.
func TestNoValue(t *testing.T) {
	inf := math.Inf(1)
	g := Grid{X: []float64{0, 1, 2, 3}, Y: []float64{0, 1}, Z: []float64{-1, -1, math.NaN(), -1, 1, inf, 1, inf}}
	paths := g.Lines(0)
	want := []Path{{Points: []Point{{0, 0.5}, {1, 0}}}}
	for i := range paths {
		if paths[i].Points[0].X > paths[i].Points[len(paths[i].Points)-1].X {
			t.Errorf("the line runs from right to left: %v", paths[i])
		}
	}
	if !reflect.DeepEqual(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	hole := Sample(func(x, y float64) float64 {
		if math.Hypot(x, y-1) < 0.3 {
			return math.NaN()
		}
		return circle(x, y)
	}, Range(-2, 2, 60), Range(-2, 2, 60))
	if paths := hole.Lines(1); len(paths) != 1 || paths[0].Closed {
		t.Errorf("a circle with a hole in it: %d lines", len(paths))
	}
	if paths := (Grid{X: []float64{1}, Y: []float64{1}, Z: []float64{0}}).Lines(0); paths != nil {
		t.Errorf("one node: %v", paths)
	}
}

// Many lines at once: sin(x)sin(y) has a closed line around each of its 16 peaks and
// troughs. None is lost, and every call returns the same.
func TestMany(t *testing.T) {
	f := func(x, y float64) float64 { return math.Sin(x) * math.Sin(y) }
	g := Sample(f, Range(0, 4*math.Pi, 90), Range(0, 4*math.Pi, 77))
	for _, c := range []float64{0.5, -0.5} {
		paths := g.Lines(c)
		if len(paths) != 8 {
			t.Errorf("c = %v: %d lines, want 8", c, len(paths))
		}
		for _, p := range paths {
			if !p.Closed || len(p.Points) < 20 {
				t.Errorf("c = %v: closed %v, %d points", c, p.Closed, len(p.Points))
			}
		}
		if again := g.Lines(c); !reflect.DeepEqual(again, paths) {
			t.Error("a second call returns other lines")
		}
	}
}
