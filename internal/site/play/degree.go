package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/leastsquares"
	"marginalia/plotting"
)

// biasVariance is lecture 2's dilemma.
var biasVariance = &Playground{
	ID:      "degree",
	Title:   "Bias and variance by degree",
	Section: "02-least-squares#Bias and variance",
	About: "A polynomial through noisy values of a sine, dashed. Raise the degree: the curve comes nearer to the points, and shakes more when you drag one. " +
		"The bars say why: squared bias falls and variance rises. Both depend on where the points are along x, and not on their values.",
	Classes: []int{0},
	Knobs: []Knob{
		{Name: "degree", Label: "degree", Max: 12, Step: 1, Start: 3, Steps: true},
		{Name: "lambda", Label: "λ", Min: -7, Max: 2, Step: 0.25, Start: -7, Log: true, Zero: true},
	},
	Presets: []Preset{
		{Name: "ten", Label: "ten noisy points", Data: func() []Point { return sine(10, 3) }, X0: -1, X1: 1, Y0: -2, Y1: 2},
		{Name: "twenty", Label: "twenty noisy points", Data: func() []Point { return sine(20, 1) }, X0: -1, X1: 1, Y0: -2, Y1: 2},
		{Name: "nine", Label: "ten points, degree 9", Data: func() []Point { return sine(10, 3) }, X0: -1, X1: 1, Y0: -2, Y1: 2,
			Knobs: map[string]float64{"degree": 9}},
	},
	Draw: drawDegree,
}

// truth is the process of lecture 2.
var truth = eval.Process{F: func(x []float64) float64 { return math.Sin(math.Pi * x[0]) }, Sigma: 0.3}

// sine returns n evenly spaced points with noisy values of the truth.
func sine(n int, seed uint64) []Point {
	rng, ps := rand.New(rand.NewPCG(seed, 0)), make([]Point, n)
	for i, x := range floats.Span(make([]float64, n), -1, 1) {
		ps[i] = Point{x, truth.F([]float64{x}) + truth.Sigma*rng.NormFloat64(), 0}
	}
	return ps
}

// polynomial is a polynomial of one feature.
type polynomial struct {
	phi *feature.Polynomial
	*leastsquares.Model
}

func (p polynomial) Score(x []float64) float64 { return p.Model.Score(p.phi.TransformSample(nil, x)) }

func (p polynomial) Scores(dst []float64, X mat.Matrix) []float64 {
	return p.Model.Scores(dst, must(feature.Apply(p.phi, X)))
}

// fitPolynomial returns the least squares fit of polynomials of a degree.
func fitPolynomial(degree int, ridge float64) func(X *mat.Dense, y []float64) (polynomial, error) {
	phi := must(feature.NewPolynomial(1, degree))
	return func(X *mat.Dense, y []float64) (polynomial, error) {
		m, err := leastsquares.Regression{Bias: mlkit.NoBias, Lambda: ridge}.Fit(must(feature.Apply(phi, X)), y) // phi has the constant 1
		return polynomial{phi, m}, err
	}
}

func drawDegree(s *Scene) Picture {
	if len(s.Points) < 2 {
		return Picture{Figure: s.Free(), Note: "Place at least two points."}
	}
	degree, ridge := int(s.Knob("degree")), s.Knob("lambda")
	n := len(s.Points)
	X, xs, ys := mat.NewDense(n, 1, nil), make([]float64, n), make([]float64, n)
	for i, p := range s.Points {
		X.Set(i, 0, p.X)
		xs[i], ys[i] = p.X, p.Y
	}
	pic := Picture{}
	m, err := fitPolynomial(degree, ridge)(X, ys)
	places := floats.Span(make([]float64, 121), -1, 1)
	f := plotting.New("", plotting.Curve(func(x float64) float64 { return truth.F([]float64{x}) }, plotting.Dashed(), plotting.Color(plotting.Black), plotting.Name("the truth f")))
	if err != nil {
		pic.Note = says(err)
	} else {
		values := m.Scores(nil, mat.NewDense(len(places), 1, places))
		f.With(plotting.Line(places, values, plotting.Name(fmt.Sprintf("degree %d", degree))))
		pic.Numbers = append(pic.Numbers, number("mean squared error", m.MSE))
	}
	p := s.Preset
	pic.Figure = f.With(plotting.Points(xs, ys, plotting.Size(7), plotting.Color(plotting.Blue))).Range(p.X0, p.X1, p.Y0, p.Y1).Labels("x", "")
	var names []string
	var bias, variance []float64
	T := mat.NewDense(41, 1, floats.Span(make([]float64, 41), -1, 1))
	for d := range min(10, n) {
		parts, err := eval.SmootherBiasVariance(context.Background(), truth, fitPolynomial(d, ridge), X, T)
		if err != nil {
			break // too few different places for this degree
		}
		names, bias, variance = append(names, fmt.Sprint(d)), append(bias, parts.Bias2), append(variance, parts.Variance)
		if d == degree {
			pic.Numbers = append(pic.Numbers, number("bias²", parts.Bias2), number("variance", parts.Variance), number("noise", parts.Noise),
				number("sum", parts.Sum()))
		}
	}
	if len(names) > 0 {
		pic.Beside = []*plotting.Figure{plotting.New("", plotting.Bars(names, [][]float64{bias, variance}, plotting.Name("bias²", "variance"))).
			Labels("degree", "").Range(0.4, float64(len(names))+0.6, 0, 1)}
	}
	return pic
}
