package plotting

import (
	"fmt"
	"math"
	"runtime"
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

// Sign makes a Field of labels of a score: +1 where it is at least 0 and -1 below.
func Sign(score Field) Field {
	return func(x1, x2 float64) float64 {
		switch v := score(x1, x2); {
		case v >= 0:
			return 1
		case v < 0:
			return -1
		}
		return math.NaN()
	}
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

// Parallel lets a field be evaluated by as many goroutines as there are processors: it
// must then be safe to call from several at once, as the methods of mlkit's models are.
// The values, and so the picture, are the same.
func Parallel() Style { return func(l *look) { l.parallel = true } }

// sampled is a field with its values over the axes.
type sampled struct {
	look
	f    Field
	kept *kept
}

// kept is what a field's layer keeps during one drawing, in which it is drawn up to
// twice (see [view.freeCorner]), or during one Show, which draws each format (see
// [once]). It does not outlive it: what f computes may change.
type kept struct {
	axes  fieldAxes
	grid  isoline.Grid
	lines map[float64][]isoline.Path
}

// keeping is a layer that keeps something; fresh returns it with nothing kept.
type keeping interface{ fresh() Layer }

func (s sampled) anew() sampled {
	s.kept = new(kept)
	return s
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
	axes := axesOf(p)
	if s.kept != nil && s.kept.grid.Z != nil && s.kept.axes == axes {
		return s.kept.grid
	}
	n := s.samples
	if n == 0 {
		n = 200
	}
	X, Y := make([]float64, n), make([]float64, n)
	for i := range n {
		X[i], Y[i] = axes.at(float64(i)/float64(n-1), float64(i)/float64(n-1))
	}
	g := isoline.Grid{X: X, Y: Y, Z: make([]float64, n*n), F: s.f}
	workers := 1
	if s.parallel {
		workers = min(runtime.GOMAXPROCS(0), n)
	}
	shareRows(n, workers, func(j int) {
		for i, x := range X {
			g.Z[j*n+i] = s.f(x, Y[j])
		}
	})
	if s.kept != nil {
		*s.kept = kept{axes: axes, grid: g, lines: map[float64][]isoline.Path{}}
	}
	return g
}

// lines returns the lines on which the field has a value.
func (s *sampled) lines(p *plot.Plot, level float64) []isoline.Path {
	g := s.values(p)
	if s.kept == nil {
		return g.Lines(level)
	}
	paths, found := s.kept.lines[level]
	if !found {
		paths = g.Lines(level)
		s.kept.lines[level] = paths
	}
	return paths
}

// shareRows calls row for 0 to n-1, on several goroutines if there are to be more than
// one, each of which takes every so manieth. A panic in one is passed on to the caller.
func shareRows(n, workers int, row func(j int)) {
	if workers == 1 {
		for j := range n {
			row(j)
		}
		return
	}
	panics := make([]any, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer func() { panics[w] = recover() }()
			for j := w; j < n; j += workers {
				row(j)
			}
		})
	}
	wg.Wait()
	for _, v := range panics {
		if v != nil {
			panic(v)
		}
	}
}
