package isoline

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
)

// For any grid with holes, every edge between nodes on both sides of the level that belongs
// to a complete cell is on exactly one line. Lines end only where no cell continues them,
// and the greater node of an edge is on the left of the line. The test finds the edges
// one by one and compares them with the tracer's lines.
func TestEveryEdgeOnce(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(2, 7).Draw(t, "w"), rapid.IntRange(2, 7).Draw(t, "h")
		g := Grid{X: Range(0, float64(w-1), w), Y: Range(0, float64(h-1), h), Z: make([]float64, w*h)}
		// No value equals the level, so each crossing is inside an edge and belongs to
		// that edge alone. Values may be infinite if there is a function: it has
		// the value of the nearest node, hence crosses in the middle of the edge.
		values := []float64{-3, -1, -1, 1, 1, 2, math.NaN()}
		infinite := rapid.Bool().Draw(t, "infinite")
		if infinite {
			values = []float64{math.Inf(-1), -1, 1, math.Inf(1), math.NaN()}
			g.F = func(x, y float64) float64 { return g.Z[int(math.Round(y))*w+int(math.Round(x))] }
		}
		value := rapid.SampledFrom(values)
		for k := range g.Z {
			g.Z[k] = value.Draw(t, "z")
		}
		whole := func(i, j int) int {
			if i < 0 || j < 0 || i >= w-1 || j >= h-1 {
				return 0
			}
			k := j*w + i
			return bit(!slices.ContainsFunc([]float64{g.Z[k], g.Z[k+1], g.Z[k+w], g.Z[k+w+1]}, math.IsNaN))
		}
		share := func(a, b float64) float64 {
			if infinite {
				return 0.5
			}
			return a / (a - b)
		}
		cells := map[Point]int{} // crossing → number of complete cells beside its edge
		for j := range h {
			for i := range w {
				a := g.Z[j*w+i]
				if i+1 < w {
					if b := g.Z[j*w+i+1]; (a >= 0) != (b >= 0) && whole(i, j-1)+whole(i, j) > 0 {
						cells[Point{float64(i) + share(a, b), float64(j)}] = whole(i, j-1) + whole(i, j)
					}
				}
				if j+1 < h {
					if b := g.Z[(j+1)*w+i]; (a >= 0) != (b >= 0) && whole(i-1, j)+whole(i, j) > 0 {
						cells[Point{float64(i), float64(j) + share(a, b)}] = whole(i-1, j) + whole(i, j)
					}
				}
			}
		}
		at := func(p Point) float64 { return g.Z[int(p.Y)*w+int(p.X)] }
		for _, path := range g.Lines(0) {
			if infinite {
				for k, p := range path.Points {
					half := Point{math.Round(2*p.X) / 2, math.Round(2*p.Y) / 2}
					if math.Abs(half.X-p.X)+math.Abs(half.Y-p.Y) > 1e-6 {
						t.Fatalf("(%v, %v) is not in the middle of an edge", p.X, p.Y)
					}
					path.Points[k] = half
				}
			}
			for k, p := range path.Points {
				n, ok := cells[p]
				if !ok {
					t.Fatalf("(%v, %v) is on no edge, or on two lines", p.X, p.Y)
				}
				delete(cells, p)
				if end := !path.Closed && (k == 0 || k == len(path.Points)-1); end != (n == 1) {
					t.Errorf("(%v, %v) has %d cells, and is an end: %v", p.X, p.Y, n, end)
				}
				if !path.Closed && k == len(path.Points)-1 {
					continue
				}
				q := path.Points[(k+1)%len(path.Points)]
				// The two nodes of p's edge, and the side of p → q on which they lie.
				a, b := Point{math.Floor(p.X), math.Floor(p.Y)}, Point{math.Ceil(p.X), math.Ceil(p.Y)}
				left := func(r Point) float64 { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
				if (left(a) > left(b)) != (at(a) > at(b)) {
					t.Errorf("(%v, %v) → (%v, %v): the greater value is on the right", p.X, p.Y, q.X, q.Y)
				}
			}
		}
		if len(cells) > 0 {
			t.Errorf("no line on %v", cells)
		}
	})
}

// root takes few steps where the function is smooth, and bisects where it jumps. √2/2 and
// so on are the zeros of the functions.
func TestRoot(t *testing.T) {
	for _, c := range []struct {
		name  string
		g     func(float64) float64
		want  float64
		steps int
	}{
		{"line", func(s float64) float64 { return s - 0.3 }, 0.3, 2},
		{"falling", func(s float64) float64 { return 0.3 - s }, 0.3, 2},
		{"square", func(s float64) float64 { return s*s - 0.5 }, math.Sqrt2 / 2, 7},
		{"exponential", func(s float64) float64 { return math.Exp(20*s) - 10 }, math.Log(10) / 20, 16},
		{"flat", func(s float64) float64 { return math.Pow(s-0.4, 3) }, 0.4, 40},
		{"jump", func(s float64) float64 { return math.Copysign(1, s-0.123456) }, 0.123456, 24},
		{"jump from far", func(s float64) float64 {
			if s < 0.9 {
				return -1e300
			}
			return 1
		}, 0.9, 24},
		{"infinite", func(s float64) float64 {
			if s < 0.25 {
				return math.Inf(-1)
			}
			return s
		}, 0.25, 24},
	} {
		steps := 0
		got := root(c.g(0), c.g(1), func(s float64) float64 { steps++; return c.g(s) })
		if math.Abs(got-c.want) > 1e-6 || steps > c.steps {
			t.Errorf("%s: %v after %d steps, want %v after at most %d", c.name, got, steps, c.want, c.steps)
		}
	}
	// An infinite value puts the zero at the finite end, and the difference of two finite
	// values may overflow.
	inf, great := math.Inf(1), 1.7e308
	for _, c := range [][3]float64{{inf, -1, 1}, {-inf, 1, 1}, {-1, inf, 0}, {1, -inf, 0}, {-inf, inf, 0.5}, {-great, great, 0.5}, {-1, 3, 0.25}} {
		if got := secant(c[0], c[1]); got != c[2] {
			t.Errorf("secant(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
	// Without any value the secant's zero remains, here 1/4. A hole of NaN ends nothing: the
	// zero beside it is found, and if the sign changes within it, a point of the hole.
	square := func(s float64) float64 { return s*s - 0.5 } // the first secant step leads to ½
	for _, c := range []struct {
		name     string
		g        func(float64) float64
		lo, hi   float64 // of the hole
		from, to float64 // where the result may be
	}{
		{"no values", func(s float64) float64 { return 4*s - 1 }, 0, 1, 0.25, 0.25},
		{"one point", square, 0.5, 0.5, math.Sqrt2/2 - 1e-6, math.Sqrt2/2 + 1e-6},
		{"below the zero", square, 0.1, 0.7, math.Sqrt2/2 - 1e-6, math.Sqrt2/2 + 1e-6},
		{"above the zero", func(s float64) float64 { return s*s*s - 0.001 }, 0.11, 0.99, 0.1 - 1e-6, 0.1 + 1e-6},
		{"around the zero", square, 0.6, 0.8, 0.6, 0.8},
	} {
		steps := 0
		got := root(c.g(0), c.g(1), func(s float64) float64 {
			if steps++; s >= c.lo && s <= c.hi {
				return math.NaN()
			}
			return c.g(s)
		})
		if !(got >= c.from && got <= c.to) || steps > 80 {
			t.Errorf("%s: %v after %d steps, want %v to %v after at most 80", c.name, got, steps, c.from, c.to)
		}
	}
}

// x² - 0.3² on [-1, 1]² is curved within a cell. With F the lines are at the zero, to a
// millionth of an edge. Without F they are at the zero of the chord, which for nodes a and
// b is (0.09 + ab)/(a + b).
func TestWithAndWithoutFunction(t *testing.T) {
	f := func(x, y float64) float64 { return x*x - 0.09 }
	g := Sample(f, Range(-1, 1, 5), Range(-1, 1, 5)) // nodes at 0 and ½
	for _, p := range g.Lines(0) {
		for _, q := range p.Points {
			if math.Abs(math.Abs(q.X)-0.3) > 0.5e-6 {
				t.Errorf("with the function: x = %v, want ±0.3", q.X)
			}
		}
	}
	g.F = nil
	for _, p := range g.Lines(0) {
		for _, q := range p.Points {
			if math.Abs(math.Abs(q.X)-0.18) > 1e-15 {
				t.Errorf("without: x = %v, want ±0.18", q.X)
			}
		}
	}
}

// If nodes have the level's value, the line passes through them once. A single node that
// touches the level is no line. |x| = |y| crosses itself at a node.
func TestNodesOnTheLevel(t *testing.T) {
	g := Sample(func(x, y float64) float64 { return math.Abs(x) - math.Abs(y) }, Range(-2, 2, 5), Range(-2, 2, 5))
	for _, exact := range []bool{true, false} {
		if !exact {
			g.F = nil
		}
		on := map[Point]bool{}
		for _, p := range g.Lines(0) {
			for k, q := range p.Points {
				if math.Abs(q.X) != math.Abs(q.Y) {
					t.Errorf("(%v, %v) is not on the diagonals", q.X, q.Y)
				}
				if k > 0 && q == p.Points[k-1] {
					t.Errorf("(%v, %v) twice in succession", q.X, q.Y)
				}
				on[q] = true
			}
		}
		if len(on) != 9 {
			t.Errorf("%d nodes on the lines, want the 9 of the two diagonals", len(on))
		}
	}
	peak := Grid{X: Range(0, 2, 3), Y: Range(0, 2, 3), Z: []float64{-1, -1, -1, -1, 0, -1, -1, -1, -1}}
	if paths := peak.Lines(0); len(paths) != 0 {
		t.Errorf("a peak that touches the level: %v", paths)
	}
}

func BenchmarkLines(b *testing.B) {
	f := func(x, y float64) float64 { return math.Sin(2*x)*math.Cos(1.5*y) + 0.5*x*y - 0.3*x }
	g := Sample(f, Range(-2, 2, 400), Range(-2, 2, 400))
	for b.Loop() {
		g.Lines(0)
	}
}
