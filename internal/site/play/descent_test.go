package main

import (
	"math"
	"strings"
	"testing"
)

// The gradient and the curvature are those of J, by differences of second order over 2h: they are off by about h² and,
// from rounding, by 10⁻¹⁶/h.
func TestDerivatives(t *testing.T) {
	const h = 1e-5
	ps := points(overlap(5, 40, 1.6))
	for loss := range marginLosses {
		o := objectiveOf(ps, loss)
		for _, w := range [][2]float64{downStart, {0.3, -0.7}, {2, 1}} {
			g := o.gradient(w)
			measured := [2]float64{(o.at(w[0]+h, w[1]) - o.at(w[0]-h, w[1])) / (2 * h), (o.at(w[0], w[1]+h) - o.at(w[0], w[1]-h)) / (2 * h)}
			if math.Hypot(g[0]-measured[0], g[1]-measured[1]) > 1e-8 {
				t.Errorf("loss %d at %v: gradient %v, measured %v", loss, w, g, measured)
			}
			if o.bend == nil {
				continue
			}
			steepest := 0.0 // second derivatives along lines in all directions
			for k := range 1000 {
				sin, cos := math.Sincos(math.Pi * float64(k) / 1000)
				a, b := o.gradient([2]float64{w[0] + h*cos, w[1] + h*sin}), o.gradient([2]float64{w[0] - h*cos, w[1] - h*sin})
				steepest = max(steepest, ((a[0]-b[0])*cos+(a[1]-b[1])*sin)/(2*h))
			}
			if c := o.curvature(w); math.Abs(c-steepest) > 1e-5*c { // a thousandth of a half turn from the steepest at most
				t.Errorf("loss %d at %v: curvature %v, measured %v", loss, w, c, steepest)
			}
		}
	}
}

// On a quadratic, descent arrives if ρ is below 2/curvature, and diverges above it (Boris Polyak, "Introduction to
// Optimization", 1987, section 1.4).
func TestLimitOfTheStep(t *testing.T) {
	const squares = 1
	for _, ps := range [][]Point{points(overlap(5, 40, 1.6)), flat(points(overlap(5, 40, 1.6)))} {
		o := objectiveOf(ps, squares)
		limit := 2 / o.curvature(downStart)
		for share, arrives := range map[float64]bool{0.5: true, 0.9: true, 1.1: false, 2: false} {
			way := o.descend(share * limit)
			first, last := way[0], way[len(way)-1]
			if got := math.Sqrt(dot(last.gradient, last.gradient)) < downEnd; got != arrives || (last.J > first.J) == arrives {
				t.Errorf("%g of the limit: J from %g to %g in %d steps, arrived %v", share, first.J, last.J, len(way)-1, got)
			}
		}
	}
}

// The note tells the three ways of a descent apart, and the lines of equal J follow the points.
func TestDescentSays(t *testing.T) {
	for link, want := range map[string]string{
		"#descent&preset=overlap&rho=0":          "w has arrived",
		"#descent&preset=overlap&rho=0&step=0":   "Before the first step",
		"#descent&preset=zigzag&step=2":          "crossed the valley",
		"#descent&preset=zigzag&rho=0.3&step=9":  "went uphill",
		"#descent&preset=apart&rho=0":            "still on its way",   // there is no minimum
		"#descent&preset=overlap&rho=0&loss=2":   "crossed the valley", // a subgradient does not fade
		"#descent&preset=overlap&rho=-2&step=50": "",
	} {
		if _, a := opened("descent", link); !strings.Contains(a.Note, want) || want == "" && a.Note != "" {
			t.Errorf("%s: %q, want %q", link, a.Note, want)
		}
	}
	s, a := opened("descent", "")
	before := len(lastValley.points)
	if s.Handle(Event{Do: "add"}); len(lastValley.points) != before+1 || a.SVG == s.answer(false, "").SVG {
		t.Error("the lines of equal J are those without the point that was added")
	}
}
