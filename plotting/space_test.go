package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"

	"marginalia/plotting/space"
)

// featureMap shows a statement of the CMU lecture on the kernel (x·z)²: classes separated by
// a circle in the plane become separable by a plane after (x₁, x₂) → (x₁², √2 x₁x₂, x₂²),
// since x₁² + x₂² = 1 is linear in the first and the third feature.
func featureMap() figure {
	const n = 60
	x, z, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		r := 0.2 + 0.6*math.Mod(float64(i)*0.754878, 1)
		y[i] = -1
		if i%2 == 1 {
			r, y[i] = r+0.95, 1
		}
		sin, cos := math.Sincos(2 * math.Pi * math.Mod(float64(i)*0.569840, 1))
		x.SetRow(i, []float64{r * cos, r * sin})
		z.SetRow(i, []float64{r * r * cos * cos, math.Sqrt2 * r * r * cos * sin, r * r * sin * sin})
	}
	return Tile(2,
		New("x", Classes(x, y)).Equal(),
		New("φ(x)", space.New(space.View{Azimuth: -76, Elevation: 12, Labels: [3]string{"x₁²", "√2 x₁x₂", "x₂²"}},
			space.Plane([]float64{1, 0, 1}, -1, Name("z₁ + z₃ = 1")),
			space.Classes(z, y),
		)),
	)
}

// projection shows the geometry of least squares: of all Xw, Xŵ is nearest to y, and the
// residual is perpendicular to both columns of X. Here the columns are (2, 0, 0.5) and
// (0.5, 2, 0), and the residual is along their cross product, (−1, 0.25, 4).
func projection() figure {
	p, q, n := []float64{2, 0, 0.5}, []float64{0.5, 2, 0}, []float64{-1, 0.25, 4}
	fit := []float64{1.6, 1.2, 0.325} // 0.65p + 0.6q
	y := make([]float64, 3)
	for k := range y {
		y[k] = fit[k] + 0.4*n[k]
	}
	o := make([]float64, 3)
	return New("least squares as projection", space.New(space.View{Azimuth: -70, Elevation: 32},
		space.Plane(n, 0, Name("all Xw")),
		space.Arrow(o, p, "x^{(1)}", Color(Blue)),
		space.Arrow(o, q, "x^{(2)}", Color(Blue)),
		space.Arrow(o, y, "y", Color(Vermilion)),
		space.Arrow(o, fit, "Xŵ"),
		space.Drops(mat.NewDense(1, 3, y), n, 0, Name("residual")),
		space.RightAngle(fit, n, fit),
	))
}

// helix draws a helix through two crossing planes. Each plane hides part of the other.
func helix() figure {
	const n = 240
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		sin, cos := math.Sincos(6 * math.Pi * float64(i) / (n - 1))
		x.SetRow(i, []float64{cos, sin, 2*float64(i)/(n-1) - 1})
	}
	var panels []*Figure
	for _, v := range []space.View{{Azimuth: -60, Elevation: 25}, {Azimuth: 30, Elevation: 60}, {Azimuth: 120, Elevation: -25}, {Azimuth: -90, Elevation: 0}} {
		panels = append(panels, New(fmt.Sprintf("azimuth %g°, elevation %g°", v.Azimuth, v.Elevation), space.New(
			space.View{Azimuth: v.Azimuth, Elevation: v.Elevation, Labels: [3]string{"x₁", "x₂", "x₃"}},
			space.Plane([]float64{1, 1, 0}, 0, Color(Sky)), space.Plane([]float64{1, -1, 1}, 0, Color(Orange)), space.Curve(x, Color(Black)),
		)))
	}
	return Tile(2, panels...)
}
