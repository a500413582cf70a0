package main

import (
	"marginalia/datasets"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
	"marginalia/plotting"
)

// kernelWidth is lecture 5's support vector machine with a kernel.
var kernelWidth = &Playground{
	ID:      "kernels",
	Title:   "Kernels and γ",
	Section: "05-kernels#Support vector machines with kernels",
	About: "The score of a support vector machine with a kernel, and its boundary; ringed points are support vectors. " +
		"A small γ makes the Gaussian kernel nearly linear, a large one gives each point an island of its own.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "kernel", Label: "kernel", Max: 4, Step: 1, Choices: []string{"Gaussian", "Laplace", "linear", "(1 + x·z)²", "(1 + x·z)³"}},
		{Name: "gamma", Label: "γ", Min: -1.8, Max: 2, Step: 0.05, Log: true},
		{Name: "C", Label: "C", Min: -2, Max: 3, Step: 0.05, Start: 1, Log: true},
	},
	Presets: []Preset{
		{Name: "moons", Label: "two moons", Data: func() []Point { return points(datasets.Must(datasets.Moons(100, 100, 0.2))) },
			X0: -1.8, X1: 2.8, Y0: -1.4, Y1: 1.9},
		{Name: "rings", Label: "two rings", Data: func() []Point { return points(datasets.Must(datasets.Rings(1, 80, 0.07))) },
			X0: -1.6, X1: 1.6, Y0: -1.4, Y1: 1.4},
		{Name: "xor", Label: "exclusive or", Data: func() []Point { return points(datasets.Xor()) }, X0: -1, X1: 2, Y0: -1, Y1: 2},
		{Name: "many", Label: "two hundred points", Data: func() []Point { return points(datasets.Must(datasets.Moons(200, 200, 0.2))) },
			X0: -1.8, X1: 2.8, Y0: -1.4, Y1: 1.9},
	},
	Draw: drawKernels,
}

func drawKernels(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	γ, C := s.Knob("gamma"), s.Knob("C")
	k := []kernel.Kernel{kernel.RBF{Gamma: γ}, kernel.Laplace{Gamma: γ}, kernel.Linear{},
		kernel.Polynomial{Degree: 2, Coef0: 1}, kernel.Polynomial{Degree: 3, Coef0: 1}}[int(s.Knob("kernel"))]
	fit, err := svm.Classifier{C: C, Kernel: k, Tol: 1e-10, MaxIter: patience}.Fit(X, y)
	m := best(fit, err)
	if m == nil {
		return Picture{Figure: s.Figure(s.classes()...), Note: says(err)}
	}
	score := once(plotting.Of(m.Score)) // for both layers
	pic := Picture{Coarse: true, Figure: s.Figure(plotting.Score(score, s.Samples()), plotting.Boundary(score, s.Samples())).
		With(s.classes()...).With(plotting.Ring(X, m.Support))}
	pic.Numbers = []Number{
		number("γ", γ), number("C", C), count("support vectors", len(m.Support)), count("of these at α = C", len(m.AtBound)),
		count("wrong", wrong(m, X, y)), number("margin in the feature space", m.Margin()),
	}
	if err != nil {
		pic.Note = "SMO stopped before it was within its tolerance: " + err.Error() + "."
	}
	return pic
}
