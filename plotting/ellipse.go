package plotting

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// ellipse draws the density contours of a Gaussian.
type ellipse struct {
	pen.Look
	mean  [2]float64
	root  [2][2]float64 // lower triangular Cholesky factor of the covariance
	radii []float64
}

// Ellipse draws density contours of a Gaussian with the given mean and 2×2 covariance
// matrix, at the given Mahalanobis distances from the mean, and marks the mean. [Mass]
// converts probabilities to such distances. If radii is nil, they are 1 and 2, which
// contain 39 % and 86 % of the Gaussian. [Shade] tints the inside. If the matrix is not a
// covariance, because it has NaN or infinite entries or a negative variance in some
// direction, only the mean is drawn. The axes must be linear.
func Ellipse(mean []float64, covariance [][]float64, radii []float64, s ...EllipseStyle) Layer {
	if len(mean) != 2 {
		panic(fmt.Sprintf("plotting: Ellipse: a mean of %d elements, want 2", len(mean)))
	}
	if len(covariance) != 2 || len(covariance[0]) != 2 || len(covariance[1]) != 2 {
		panic(fmt.Sprintf("plotting: Ellipse: the covariance %v, want 2×2", covariance))
	}
	if radii == nil {
		radii = []float64{1, 2}
	}
	for i, r := range radii {
		if !(r > 0) || math.IsInf(r, 0) {
			panic(fmt.Sprintf("plotting: Ellipse: radii[%d] = %g, want more than 0", i, r))
		}
	}
	l := &ellipse{pen.NewLook("Ellipse", s), [2]float64{mean[0], mean[1]}, [2][2]float64{}, nil}
	if root, ok := cholesky(covariance); ok {
		l.root, l.radii = root, radii
	}
	return l
}

// Mass returns, for each probability p, the Mahalanobis distance r within which a
// Gaussian in the plane has mass p. Since r² follows a χ² distribution with two degrees
// of freedom, p = 1 − e^{−r²/2}.
func Mass(p ...float64) []float64 {
	radii := make([]float64, len(p))
	for i, p := range p {
		if !(p > 0 && p < 1) {
			panic(fmt.Sprintf("plotting: Mass: p[%d] = %g, want between 0 and 1", i, p))
		}
		radii[i] = math.Sqrt(-2 * math.Log1p(-p))
	}
	return radii
}

// cholesky returns the lower triangular factor of a covariance, and whether s is one. It
// may be singular. Rounding errors of an estimate are tolerated.
func cholesky(s [][]float64) (root [2][2]float64, ok bool) {
	a, b, d := s[0][0], s[1][0], s[1][1]
	const rounding = 1e-9
	if !pen.Finite(a) || !pen.Finite(b) || !pen.Finite(d) || a < 0 || d < 0 || math.Abs(b-s[0][1]) > rounding*math.Sqrt(a*d) {
		return root, false
	}
	if a == 0 {
		return [2][2]float64{{0, 0}, {0, math.Sqrt(d)}}, b == 0
	}
	l := b / math.Sqrt(a)
	rest := d - l*l
	if rest < -rounding*d {
		return root, false
	}
	return [2][2]float64{{math.Sqrt(a), 0}, {l, math.Sqrt(max(rest, 0))}}, true
}

func (l *ellipse) Traits() pen.Traits { return pen.Traits{Features: true} }

// outline returns the closed contour at distance r.
func (l *ellipse) outline(r float64) (xs, ys []float64) {
	const n = 180
	for k := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		xs = append(xs, l.mean[0]+r*l.root[0][0]*cos)
		ys = append(ys, l.mean[1]+r*(l.root[1][0]*cos+l.root[1][1]*sin))
	}
	return xs, ys
}

func (l *ellipse) coords() (xs, ys []float64) {
	xs, ys = []float64{l.mean[0]}, []float64{l.mean[1]}
	for _, r := range l.radii {
		x, y := l.outline(r)
		xs, ys = append(xs, x...), append(ys, y...)
	}
	return xs, ys
}

func (l *ellipse) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *ellipse) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *ellipse) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, r := range l.radii {
		xs, ys := l.outline(r)
		if l.Shade {
			c.FillPolygon(pen.Fade(l.Paint(pen.Blue), 0.1), c.ClipPolygonXY(onCanvas(c, p, xs, ys)))
		}
		lineAt(c, p, l.Line(pen.Blue, 1.4), xs, ys)
	}
	pen.Mark(&c, 5, vg.Point{X: tx(l.mean[0]), Y: ty(l.mean[1])}, l.Radius(7), l.Paint(pen.Blue))
}

func (l *ellipse) Entries() []pen.Entry { return l.Rules(l.Line(pen.Blue, 1.4)) }

func (l *ellipse) Alt() string {
	mean := fmt.Sprintf("(%s, %s)", pen.Short(l.mean[0]), pen.Short(l.mean[1]))
	if len(l.radii) == 0 {
		return "mean" + pen.Called(l.Name()) + " at " + mean + ", without ellipses"
	}
	var radii []string
	for _, r := range l.radii {
		radii = append(radii, pen.Short(r))
	}
	return fmt.Sprintf("%s%s around %s at Mahalanobis distance %s",
		pen.Count(len(l.radii), "ellipse", "ellipses"), pen.Called(l.Name()), mean, strings.Join(radii, ", "))
}
