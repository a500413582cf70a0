package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
	"marginalia/plotting/isoline"
)

// posteriors tints the plane by the most probable of many classes.
type posteriors struct {
	pen.Look
	f      func(dst, x []float64) []float64
	labels []int
	kinds  []int
	kept   *keptPosteriors
}

// keptPosteriors caches the nodes of a grid; see [kept].
type keptPosteriors struct {
	axes fieldAxes
	X, Y []float64
	p    [][]float64 // by class and node, row by row
}

// Posteriors tints each point of the plane in the colour of its most probable class, deeper
// where the probability is higher, and draws the borders between classes. f returns the
// probabilities of the classes at x, and may use dst, as the method Posterior of mlkit's
// models does. labels are the classes in that order, nil for 0, 1, 2, …; they have the
// colours that [Classes] gives them, and the stripes of [Regions], which shows the classes
// alone.
//
//	plotting.New("", plotting.Posteriors(m.Posterior, m.Classes), plotting.Classes(X, y))
func Posteriors(f func(dst, x []float64) []float64, labels []int, s ...PosteriorsStyle) Layer {
	l := &posteriors{Look: pen.NewLook("Posteriors", s), f: f, labels: labels}
	if labels != nil {
		l.kinds = pen.KindsOf(labels)
	}
	return l
}

func (l *posteriors) thin() bool { return thinned(&l.Look) }

func (l *posteriors) fresh() Layer {
	t := *l
	t.kept = new(keptPosteriors)
	return &t
}

func (l *posteriors) Traits() pen.Traits { return pen.Traits{Features: true} }

// at returns the probabilities at a point, and panics if there are not as many as labels.
func (l *posteriors) at(x, y float64) []float64 {
	p := l.f(nil, []float64{x, y})
	if l.labels != nil && len(p) != len(l.labels) {
		panic(fmt.Sprintf("plotting: Posteriors: %d probabilities, %d labels", len(p), len(l.labels)))
	}
	return p
}

// nodes returns the probabilities on a grid over the axes.
func (l *posteriors) nodes(p *plot.Plot) *keptPosteriors {
	axes := axesOf(p)
	if l.kept != nil && l.kept.p != nil && l.kept.axes == axes {
		return l.kept
	}
	g := gridOf(&l.Look, axes)
	rows := make([][][]float64, len(g.Y))
	shareRows(&l.Look, len(g.Y), func(j int) {
		for _, x := range g.X {
			rows[j] = append(rows[j], l.at(x, g.Y[j]))
		}
	})
	k := &keptPosteriors{axes: axes, X: g.X, Y: g.Y, p: make([][]float64, len(rows[0][0]))}
	for _, row := range rows {
		for _, node := range row {
			for c := range k.p {
				k.p[c] = append(k.p[c], node[c])
			}
		}
	}
	if l.kept != nil {
		*l.kept = *k
	}
	return k
}

// depths is the number of tints of a class.
const depths = 31

func (l *posteriors) Plot(c draw.Canvas, p *plot.Plot) {
	g := l.nodes(p)
	kinds := l.kinds
	for k := len(kinds); k < len(g.p); k++ {
		kinds = append(kinds[:k:k], k%pen.ClassLooks)
	}
	palette := []color.NRGBA{pen.Mix(pen.Paper, pen.Paper, 0)}
	for _, h := range pen.Hues {
		for d := range depths {
			palette = append(palette, pen.Mix(pen.Paper, h, tintOf(h)*l.Alpha*float64(d)/(depths-1)))
		}
	}
	nx, ny := len(g.X), len(g.Y)
	between := make([][]float64, len(g.p))
	size := c.Size()
	paintRows(c, max(400, nx), palette, func(v float64, us []float64, dst []uint8) {
		j, t := gridCell(v, ny)
		for k, z := range g.p {
			between[k] = between[k][:0]
			for i := range nx {
				between[k] = append(between[k], z[j*nx+i]*(1-t)+z[(j+1)*nx+i]*t)
			}
		}
		for x, u := range us {
			i, s := gridCell(u, nx)
			best, most := -1, math.Inf(-1)
			for k, b := range between {
				if v := b[i]*(1-s) + b[i+1]*s; v > most {
					best, most = k, v
				}
			}
			if dst[x] = 0; best >= 0 {
				depth := l.depth(most, len(g.p))
				if stripe(kinds[best], u*size.X.Points(), v*size.Y.Points()) {
					depth = int(math.Round(striped * float64(depth)))
				}
				dst[x] = uint8(1 + depths*pen.ClassHue(kinds[best]) + depth)
			}
		}
	})
	for k := range len(g.p) - 1 {
		for _, path := range l.border(g, k) {
			xs, ys := coordinates(path)
			lineAt(c, p, draw.LineStyle{Color: pen.Fade(pen.Edge, l.Alpha), Width: 0.9}, xs, ys)
		}
	}
}

// depth returns the tint of a probability of k classes: none at 1/k, the full one at 1.
func (l *posteriors) depth(p float64, k int) int {
	if k < 2 {
		return depths - 1
	}
	even := 1 / float64(k)
	return int(math.Round(share((p-even)/(1-even)) * (depths - 1)))
}

// border returns the lines along which class k is as probable as the best of the others.
func (l *posteriors) border(g *keptPosteriors, k int) []isoline.Path {
	lead := func(at func(k int) float64) float64 {
		others := math.Inf(-1)
		for j := range g.p {
			if j != k {
				others = math.Max(others, at(j)) // NaN stays
			}
		}
		return at(k) - others
	}
	b := isoline.Grid{X: g.X, Y: g.Y, Z: make([]float64, len(g.p[k])), F: func(x, y float64) float64 {
		p := l.at(x, y)
		return lead(func(j int) float64 { return p[j] })
	}}
	for i := range b.Z {
		b.Z[i] = lead(func(j int) float64 { return g.p[j][i] })
	}
	return b.Lines(0)
}

func (l *posteriors) Alt() string {
	return "the plane tinted by the most probable class, deeper where it is surer"
}
