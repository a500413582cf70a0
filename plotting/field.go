package plotting

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/plot"

	"marginalia/plotting/isoline"
)

// Field is a function of two features: a score, a probability or a label. With the
// weights of a hyperplane it is all that a figure needs of a model.
type Field func(x1, x2 float64) float64

// Of makes a Field of a method such as a model's Score or Prob.
func Of(f func(x []float64) float64) Field {
	return func(x1, x2 float64) float64 { return f([]float64{x1, x2}) }
}

// OfLabels makes a Field of a method such as a model's Predict.
func OfLabels(f func(x []float64) int) Field {
	return func(x1, x2 float64) float64 { return float64(f([]float64{x1, x2})) }
}

// Samples sets the number of values along each axis that a field is evaluated at;
// without it there are 200. Lines and borders are found between them to much less than
// a pixel.
func Samples(n int) Style {
	if n < 2 || n > 4000 {
		panic(fmt.Sprintf("plotting: Samples: %d, want 2 to 4000", n))
	}
	return func(l *look) { l.samples = n }
}

// sampled is a field with its values over the axes, which are kept as long as the
// axes stay: a figure is drawn several times.
type sampled struct {
	look
	f Field

	mu   sync.Mutex
	axes fieldAxes
	grid isoline.Grid
}

// fieldAxes are ranges of axes.
type fieldAxes struct {
	x0, x1, y0, y1 float64
	logX, logY     bool
}

func axesOf(p *plot.Plot) fieldAxes {
	_, logX := p.X.Scale.(logScale)
	_, logY := p.Y.Scale.(logScale)
	return fieldAxes{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, logX, logY}
}

// at returns the point at the shares u and v of the axes.
func (a fieldAxes) at(u, v float64) (x, y float64) {
	return between(a.x0, a.x1, u, a.logX), between(a.y0, a.y1, v, a.logY)
}

func between(lo, hi, t float64, log bool) float64 {
	if log {
		return lo * math.Pow(hi/lo, t)
	}
	return lo*(1-t) + hi*t
}

// values returns the field's values at equal shares of the axes, from end to end.
func (s *sampled) values(p *plot.Plot) isoline.Grid {
	s.mu.Lock()
	defer s.mu.Unlock()
	axes := axesOf(p)
	if s.grid.Z != nil && s.axes == axes {
		return s.grid
	}
	n := s.samples
	if n == 0 {
		n = 200
	}
	X, Y := make([]float64, n), make([]float64, n)
	for i := range n {
		X[i], Y[i] = axes.at(float64(i)/float64(n-1), float64(i)/float64(n-1))
	}
	s.axes, s.grid = axes, isoline.Sample(s.f, X, Y)
	return s.grid
}

// smooth returns a function that interpolates a grid's values at shares of its axes.
func smooth(g isoline.Grid) func(u, v float64) float64 {
	nx, ny := len(g.X), len(g.Y)
	return func(u, v float64) float64 {
		x, y := u*float64(nx-1), v*float64(ny-1)
		i, j := min(int(x), nx-2), min(int(y), ny-2)
		s, t := x-float64(i), y-float64(j)
		z := g.Z[j*nx+i:]
		return (z[0]*(1-s)+z[1]*s)*(1-t) + (z[nx]*(1-s)+z[nx+1]*s)*t
	}
}
