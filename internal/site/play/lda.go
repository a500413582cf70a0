package main

import (
	"errors"
	"math"
	"math/rand/v2"

	"marginalia/mlkit"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/logistic"
	"marginalia/plotting"
)

// ldaLogistic is lecture 3's comparison of the two ways to a posterior.
var ldaLogistic = &Playground{
	ID:      "lda",
	Title:   "LDA and logistic regression",
	Section: "03-logistic#LDA or logistic?",
	About: "LDA takes both classes for Gaussians with one covariance, drawn as ellipses; logistic regression looks at the boundary alone. " +
		"Drag a few vermilion points far out, where nobody doubts their class: one of the lines follows them.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "prior", Label: "P(Y = +1) of LDA", Max: 1, Step: 1, Choices: []string{"share of the points", "one half"}},
		{Name: "l2", Label: "penalty on ‖w‖²", Min: -4, Max: 3, Step: 0.1, Start: -4, Log: true, Zero: true},
	},
	Presets: []Preset{
		{Name: "far", Label: "a fifth of one class far out", Data: func() []Point { return gaussians(1, 120, 5) }, X0: -5, X1: 14, Y0: -11, Y1: 5},
		{Name: "even", Label: "two Gaussians", Data: func() []Point { return gaussians(1, 120, 0) }, X0: -5, X1: 7, Y0: -3, Y1: 5},
		{Name: "petals", Label: "petals of versicolor and virginica", Data: func() []Point { return points(petals()) },
			X0: 2.5, X1: 7.5, Y0: 0.6, Y1: 2.8},
	},
	Draw: drawLDA,
}

// gaussians returns n points of the two populations of lecture 3: Gaussians with means (0, 1) and
// (2, 1), and covariance (2 1; 1 1). If far is not 0, every far-th point of class +1 is 8 further
// to the right and down, as there.
func gaussians(seed uint64, n, far int) []Point {
	rng := rand.New(rand.NewPCG(seed, 0))
	ps := make([]Point, n)
	for i := range ps {
		u, v := rng.NormFloat64(), rng.NormFloat64()
		ps[i] = Point{math.Sqrt2 * u, 1 + (u+v)/math.Sqrt2, -1} // the covariance is LLᵀ with L = (√2 0; 1/√2 1/√2)
		if i%2 == 1 {
			ps[i].X, ps[i].Class = ps[i].X+2, 1
			if far > 0 && i/2%far == 0 {
				ps[i].X, ps[i].Y = ps[i].X+8, ps[i].Y-8
			}
		}
	}
	return ps
}

func drawLDA(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	pic := Picture{Figure: s.Free(s.classes(plotting.Alpha(0.7))...)}
	a := discriminant.LDA{}
	if s.Knob("prior") == 1 {
		a.Priors = []float64{0.5, 0.5}
	}
	lda, err := a.Fit(X, y)
	if err != nil {
		pic.Note = says(err)
		return pic
	}
	for k, colour := range []plotting.Hue{plotting.Blue, plotting.Vermilion} {
		pic.Figure.With(plotting.Ellipse(lda.Means[k], lda.Covariance, nil, plotting.Color(colour)))
	}
	h := lda.Between(1, 0)
	pic.Figure.With(plotting.Plane(h.W, h.B, plotting.Dashed(), plotting.Color(plotting.Black), plotting.Name("LDA")))
	pic.Numbers = append(direction("LDA", h), count("wrong with LDA", wrong(lda, X, y)))
	m, err := logistic.Regression{L2: s.Knob("l2")}.Fit(X, y)
	var separable *logistic.SeparableError
	switch {
	case err == nil:
		h := m.Between(1, 0)
		pic.Figure.With(plotting.Plane(h.W, h.B, plotting.Color(plotting.Green), plotting.Width(2.5), plotting.Name("logistic")))
		pic.Numbers = append(pic.Numbers, direction("logistic", h)...)
		pic.Numbers = append(pic.Numbers, count("wrong with logistic", wrong(m, X, y)), number("log-likelihood", m.LogLikelihood))
	case errors.As(err, &separable):
		pic.Note = "A line separates the classes, so the likelihood has no maximum: w grows without end. A penalty on ‖w‖² stops it."
	default:
		pic.Note = says(err)
	}
	return pic
}

// direction returns the angle of the normal in degrees, and its length.
func direction(of string, h mlkit.Hyperplane) []Number {
	return []Number{
		number("direction of w, "+of+" (degrees)", math.Atan2(h.W[1], h.W[0])*180/math.Pi), number("‖w‖, "+of, h.Norm()),
	}
}
