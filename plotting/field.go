package plotting

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/plot"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
	"marginalia/plotting/isoline"
)

// Field is a function of two features: a score, a probability or a label. Apart
// from the weights of a hyperplane, a figure needs nothing else of a model.
type Field func(x1, x2 float64) float64

// Of makes a Field from a method such as a model's Score or Prob.
func Of(f func(x []float64) float64) Field {
	return func(x1, x2 float64) float64 { return f([]float64{x1, x2}) }
}

// OfLabels makes a Field from a method such as a model's Predict.
func OfLabels(f func(x []float64) int) Field {
	return func(x1, x2 float64) float64 { return float64(f([]float64{x1, x2})) }
}

// Sign makes a Field of labels from a score: +1 where it is at least 0, -1 below,
// NaN where it is NaN.
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

// Samples sets the number of grid points along each axis at which a field is
// evaluated; the default is 200. Lines and borders between grid points are
// accurate to much less than a pixel.
func Samples(n int) SampledStyle {
	if n < 2 || n > 4000 {
		panic(fmt.Sprintf("plotting: Samples: %d, want 2 to 4000", n))
	}
	return option(func(l *pen.Look) { l.Samples = n })
}

// Parallel evaluates a field on GOMAXPROCS goroutines. The field must be safe for
// concurrent calls, as the methods of mlkit's models are. The values, and hence
// the figure, stay the same.
func Parallel() SampledStyle { return option(func(l *pen.Look) { l.Parallel = true }) }

// sampled is a field with its values on a grid over the axes.
type sampled struct {
	pen.Look
	f    Field
	kept *kept
}

// kept caches the values of a field during one drawing, which draws the layer up to
// twice (see [view.freeCorner]), or during one Show, which draws every format (see
// [once]). It is dropped after that, since the result of f may change.
type kept struct {
	axes  fieldAxes
	grid  isoline.Grid
	lines map[float64][]isoline.Path
}

// keeping is a layer of a field. fresh returns it with an empty cache, and thin leaves it fewer
// samples, if it has many.
type keeping interface {
	fresh() Layer
	thin() bool
}

// thinned leaves a field a third of its samples along each axis while the reader drags, but no fewer than 25,
// and reports whether it had more. Its isolines connect the samples directly: locating the crossings between them takes as long as
// evaluating all samples.
func thinned(l *pen.Look) bool {
	n := cmp.Or(l.Samples, samplesByDefault)
	l.Samples = max(min(n, 25), n/3)
	l.Rough = l.Samples < n
	return l.Rough
}

func (s *sampled) thin() bool { return thinned(&s.Look) }

// samplesByDefault is the number of grid points along each axis.
const samplesByDefault = 200

func (s sampled) anew() sampled {
	s.kept = new(kept)
	return s
}

// fieldAxes are the ranges and the scales of both axes.
type fieldAxes struct {
	x0, x1, y0, y1 float64
	logX, logY     bool
}

func axesOf(p *plot.Plot) fieldAxes {
	_, logX := p.X.Scale.(axis.LogScale)
	_, logY := p.Y.Scale.(axis.LogScale)
	return fieldAxes{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, logX, logY}
}

// at returns the point at the fractions u and v of the axes.
func (a fieldAxes) at(u, v float64) (x, y float64) {
	return between(a.x0, a.x1, u, a.logX), between(a.y0, a.y1, v, a.logY)
}

func between(lo, hi, t float64, log bool) float64 {
	switch {
	case log && math.IsInf(hi/lo, 0):
		return math.Exp(math.Log(lo)*(1-t) + math.Log(hi)*t)
	case log:
		return lo * math.Pow(hi/lo, t)
	}
	return lo*(1-t) + hi*t
}

// grid returns a grid that divides each axis evenly from end to end.
func gridOf(l *pen.Look, axes fieldAxes) isoline.Grid {
	n := cmp.Or(l.Samples, samplesByDefault)
	g := isoline.Grid{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n*n)}
	for i := range n {
		g.X[i], g.Y[i] = axes.at(float64(i)/float64(n-1), float64(i)/float64(n-1))
	}
	return g
}

// values returns the field on a grid over the axes.
func (s *sampled) values(p *plot.Plot) isoline.Grid {
	axes := axesOf(p)
	if s.kept != nil && s.kept.grid.Z != nil && s.kept.axes == axes {
		return s.kept.grid
	}
	g := gridOf(&s.Look, axes)
	if !s.Rough {
		g.F = s.f
	}
	n := len(g.X)
	shareRows(&s.Look, n, func(j int) {
		for i, x := range g.X {
			g.Z[j*n+i] = s.f(x, g.Y[j])
		}
	})
	if s.kept != nil {
		*s.kept = kept{axes: axes, grid: g, lines: map[float64][]isoline.Path{}}
	}
	return g
}

// lines returns the isolines of the field at a level.
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

// shareRows calls row(0), …, row(n-1), with [Parallel] on several workers. Worker w takes
// every workers-th row, from w on. A panic in a worker reaches the caller.
func shareRows(l *pen.Look, n int, row func(j int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if !l.Parallel || workers == 1 {
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
