package notebooks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/plot/vg"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/svm"
	"marginalia/plotting"
	"marginalia/plotting/space"
)

// A figure is a drawing of plotting's own, which knows its size.
type figure interface {
	plotting.Drawing
	Extent() (w, h vg.Length)
	PNG(dpi int) []byte
}

// Figures of the lectures, as their cells draw them. Every number of their data goes
// through v. TestDrawn holds them against the pictures in the notebooks.
var drawn = map[string]func(v func(float64) float64) figure{
	"01-perceptron#signed-distance": func(v func(float64) float64) figure {
		w, b, x := []float64{v(3), v(4)}, v(-5), []float64{v(4), v(2)}
		return plotting.New("how far is x from the boundary?",
			plotting.Plane(w, b, plotting.Shade(), plotting.Name("3x₁ + 4x₂ − 5 = 0")),
			plotting.Perpendicular(w, b, x, "(w·x + b)/‖w‖ = 3"),
			plotting.Arrow(-1, 2, -1+w[0]/5, 2+w[1]/5, "w/‖w‖"),
			plotting.Points([]float64{x[0]}, []float64{x[1]}, plotting.Colour(plotting.Vermilion), plotting.Size(8)),
			plotting.Note(4.3, 2.15, "x"),
			plotting.Note(0.9, 2.6, "w·x + b > 0", plotting.Colour(plotting.Vermilion)),
			plotting.Note(-0.6, -0.6, "w·x + b < 0", plotting.Colour(plotting.Blue)),
		).Range(-2, 5, -1.5, 3.2)
	},
	"01-perceptron#threshold-units": func(v func(float64) float64) figure {
		gate := func(title string, d *datasets.Dataset, layers ...plotting.Layer) *plotting.Figure {
			points := plotting.Classes(each(d.X, v), d.Y, plotting.Size(9), plotting.Name("false", "true"))
			return plotting.New(title, layers...).With(points).Range(-0.5, 1.5, -0.5, 1.5).Labels("a", "b").Equal()
		}
		return plotting.Tile(3,
			gate("a or b", datasets.Or(), plotting.Plane([]float64{v(1), v(1)}, v(-0.5), plotting.Shade())),
			gate("a and b", datasets.And(), plotting.Plane([]float64{v(1), v(1)}, v(-1.5), plotting.Shade())),
			gate("a xor b", datasets.Xor(), plotting.Note(v(0.5), v(0.5), "?", plotting.Size(22))))
	},
	"02-least-squares#ten-points": func(v func(float64) float64) figure {
		ten := datasets.TheodoridisTen()
		return plotting.New("ten points, two classes",
			plotting.Classes(each(ten.X, v), ten.Y, plotting.Name("ω₂ (−1)", "ω₁ (+1)"), plotting.Size(8)),
		).Equal()
	},
	"02-least-squares#projection": func(v func(float64) float64) figure {
		point := func(x, y, z float64) []float64 { return []float64{v(x), v(y), v(z)} }
		a, b, y, foot, r := point(0, 1, 2), point(1, 1, 1), point(2, 0, 4), point(1, 2, 3), point(1, -2, 1)
		origin, back := []float64{0, 0, 0}, point(-1, -2, -3)
		return plotting.New("least squares is a projection", space.New(
			space.View{Azimuth: -10, Elevation: 25, Labels: [3]string{"y₁", "y₂", "y₃"}},
			space.Plane(r, 0),
			space.Arrow(origin, a, "a"), space.Arrow(origin, b, "b"),
			space.Segment(a, foot, "", plotting.Dashed()), space.Segment(b, foot, "", plotting.Dashed()),
			space.Arrow(origin, y, "y", plotting.Colour(plotting.Vermilion)),
			space.Arrow(origin, foot, "Xw", plotting.Colour(plotting.Blue)),
			space.Segment(foot, y, ""),
			space.RightAngle(foot, r, back)))
	},
	"03-logistic#logistic-loss": func(v func(float64) float64) figure {
		return plotting.New("what a margin costs",
			plotting.Curve(func(m float64) float64 { return v(math.Log1p(math.Exp(-m))) }, plotting.Name("logistic")),
			plotting.Curve(func(m float64) float64 { return v((1 - m) * (1 - m)) }, plotting.Name("least squares"), plotting.Dashed()),
			plotting.Curve(func(m float64) float64 { return v(max(0, -m)) }, plotting.Name("perceptron"), plotting.Dashed()),
		).Labels("m = y(w·x + b)", "cost").Range(-4, 4, -0.2, 5)
	},
	"03-logistic#posterior-of-gaussians": func(v func(float64) float64) figure {
		w, b := []float64{v(2), v(-2)}, v(math.Log(0.25/0.75))
		f := plotting.New("P(Y = 1 | x) for P(Y = 1) = 0.25",
			plotting.Probability(func(x1, x2 float64) float64 { return v(1 / (1 + math.Exp(-w[0]*x1-w[1]*x2-b))) }, plotting.Bar("P(Y = 1 | x)")),
			plotting.Plane(w, b),
			plotting.Arrow(v(0), v(1), v(2), v(1), "", plotting.Colour(plotting.Black)),
			plotting.Note(v(-0.7), v(0.8), "m₀"), plotting.Note(v(2.55), v(0.95), "m₁"),
			plotting.Arrow(v(1), v(0), v(2), v(-1), "w/2"))
		return f.With(ellipses(v)...).Range(-4, 6, -3, 5)
	},
	"03-logistic#same-shape": func(v func(float64) float64) figure {
		X, y := sameShape(v)
		return plotting.New("two Gaussians, one covariance",
			plotting.Classes(X, y, plotting.Alpha(0.5), plotting.Size(4))).With(ellipses(v)...).Equal()
	},
	"04-margins#widest-street": func(v func(float64) float64) figure {
		clouds := must(datasets.Separable(3, 24, []float64{1, 2}, -1, 0.35))
		m := must(svm.Classifier{C: math.Inf(1), Tol: 1e-9}.Fit(clouds.X, clouds.Y))
		X := each(clouds.X, v)
		return plotting.New(fmt.Sprintf("w = (%.2f, %.2f), b = %.2f", m.W[0], m.W[1], m.B),
			plotting.Margin([]float64{v(m.W[0]), v(m.W[1])}, v(m.B), "2/‖w‖", plotting.Shade()),
			plotting.Classes(X, clouds.Y), plotting.Ring(X, m.Support))
	},
	"06-spectral-clustering#fiedler": func(v func(float64) float64) figure {
		var e mat.EigenSym
		var U mat.Dense
		e.Factorize(mat.NewSymDense(6, []float64{
			2, -1, -1, 0, 0, 0,
			-1, 2, -1, 0, 0, 0,
			-1, -1, 3, -1, 0, 0,
			0, 0, -1, 3, -1, -1,
			0, 0, 0, -1, 2, -1,
			0, 0, 0, -1, -1, 2,
		}), true)
		e.VectorsTo(&U)
		f := mat.Col(nil, 1, &U)
		if f[0] < 0 {
			floats.Scale(-1, f)
		}
		fig := plotting.New("the second eigenvector on the graph")
		x, y := []float64{v(0), v(0), v(1), v(2), v(3), v(3)}, []float64{v(1), v(-1), v(0), v(0), v(1), v(-1)}
		label := []float64{0, 0, 1.2, 1.8, 3, 3}
		for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}} {
			fig.With(plotting.Segment(x[e[0]], y[e[0]], x[e[1]], y[e[1]], "", plotting.Colour(plotting.Black), plotting.Alpha(0.4)))
		}
		for i := range f {
			hue := map[bool]plotting.Hue{true: plotting.Blue, false: plotting.Vermilion}[f[i] < 0]
			fig.With(plotting.Points(x[i:i+1], y[i:i+1], plotting.Size(14), plotting.Colour(hue)),
				plotting.Note(v(label[i]), v(y[i]+math.Copysign(0.3, y[i])), strings.ReplaceAll(fmt.Sprintf("%+.2f", f[i]), "-", "−")))
		}
		return fig.Range(-0.5, 3.5, -1.5, 1.6).Equal().NoTicks().Size(300, 240)
	},
	"06-spectral-clustering#eigenvector-signs": func(v func(float64) float64) figure {
		d, u := byMoon(4)
		var panels []*plotting.Figure
		for k := 1; k < 4; k++ {
			var points, xs, ys []float64
			var signs []int
			for i, value := range u[k] {
				x, y := v(d.X.At(i, 0)), v(d.X.At(i, 1))
				if math.Abs(value) > 0.02 {
					points, signs = append(points, x, y), append(signs, int(math.Copysign(1, value)))
				} else {
					xs, ys = append(xs, x), append(ys, y)
				}
			}
			panels = append(panels, plotting.New(fmt.Sprintf("u_{%d}", k+1),
				plotting.Classes(mat.NewDense(len(signs), 2, points), signs, plotting.Size(4), plotting.Name("negative", "positive")),
				plotting.Points(xs, ys, plotting.Size(2.5), plotting.Colour(plotting.Black), plotting.Name("near 0"))))
		}
		return plotting.Tile(3, panels...).SameAxes()
	},
	"09-errata#annulus": func(v func(float64) float64) figure {
		d := must(datasets.Rings(1, 80, 0.03))
		return plotting.New("the lines x₁² − x₂² = −0.5, 0, 0.5",
			plotting.Contour(func(x1, x2 float64) float64 { return v(x1*x1 - x2*x2) }, []float64{-0.5, 0, 0.5}, plotting.Labelled()),
			plotting.Classes(each(d.X, v), d.Y, plotting.Name("annulus", "clump")),
		).Range(-1.3, 1.3, -1.3, 1.3).Equal()
	},
}

// must returns what a fit of good data has found.
func must[T any](found T, err error) T {
	if err != nil {
		panic(err)
	}
	return found
}

// each returns v of every element.
func each(x mat.Matrix, v func(float64) float64) *mat.Dense {
	var y mat.Dense
	y.Apply(func(_, _ int, x float64) float64 { return v(x) }, x)
	return &y
}

// byMoon returns the moons of the lecture, the upper one first, each from left to
// right, and k eigenvectors over them.
func byMoon(k int) (d *datasets.Dataset, u [][]float64) {
	d = must(datasets.Moons(1, 200, 0.06))
	rows := make([]int, d.Len())
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int { return d.Y[i] - d.Y[j] })
	d = must(d.Subset(rows))
	floats.Argsort(mat.Col(nil, 0, d.X), rows)
	slices.SortStableFunc(rows, func(i, j int) int { return d.Y[i] - d.Y[j] })
	d = must(d.Subset(rows))
	m := must(cluster.Spectral{K: k, Gamma: 50, Laplacian: cluster.RandomWalk}.Fit(d.X))
	for j := range k {
		u = append(u, nil)
		for _, row := range m.Embedding {
			u[j] = append(u[j], row[j])
		}
	}
	return d, u
}

// sameShape returns 300 samples of two Gaussians with means (0, 1) and (2, 1).
func sameShape(v func(float64) float64) (X *mat.Dense, y []int) {
	source := rand.NewPCG(1, 0)
	chance := distuv.Uniform{Max: 1, Src: source}
	shape := mat.NewSymDense(2, []float64{2, 1, 1, 1})
	var class [2]*distmv.Normal
	for k, mean := range [][]float64{{0, 1}, {2, 1}} {
		class[k], _ = distmv.NewNormal(mean, shape, source)
	}
	X, y = mat.NewDense(300, 2, nil), make([]int, 300)
	for i := range y {
		k := 0
		if chance.Rand() < 0.25 {
			k = 1
		}
		y[i] = 2*k - 1
		class[k].Rand(X.RawRowView(i))
	}
	return each(X, v), y
}

// ellipses are the lines of equal density of those Gaussians.
func ellipses(v func(float64) float64) []plotting.Layer {
	shape := [][]float64{{v(2), v(1)}, {v(1), v(1)}}
	return []plotting.Layer{
		plotting.Ellipse([]float64{v(0), v(1)}, shape, nil, plotting.Colour(plotting.Blue)),
		plotting.Ellipse([]float64{v(2), v(1)}, shape, nil, plotting.Colour(plotting.Vermilion)),
	}
}
