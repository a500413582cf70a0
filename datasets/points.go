package datasets

import "gonum.org/v1/gonum/mat"

// CMUSix returns the six points of the perceptron example worked by hand, in the order in
// which the perceptron sees them. From w = (0, 0), predicting + iff w·x ≥ 0, the weights become (1, -2),
// (2, -1) and (3, 1), which classify all six correctly.
func CMUSix() *Dataset {
	return plane("CMU six points",
		"Carnegie Mellon University, machine learning lecture \"Perceptron: Geometric Margins, Kernel Methods, Support Vector Machines\", slide \"Perceptron Algorithm: Example\"",
		[]string{"-", "+"},
		point{-1, 2, -1},
		point{1, 0, +1},
		point{1, 1, +1},
		point{-1, 0, -1},
		point{-1, -2, -1},
		point{1, -1, +1},
	)
}

// TheodoridisFour returns the four points of example 3.2 in Theodoridis and Koutroumbas,
// Pattern Recognition, first the two of ω₁ (+1), then the two of ω₂ (-1). The reward and
// punishment form of the perceptron, with ρ = 1, w(0) = 0 and points extended by 1, ends
// at w = (-1, 1, 0) after 7 steps, 2 of them corrections.
func TheodoridisFour() *Dataset {
	return plane("Theodoridis example 3.2",
		"S. Theodoridis, K. Koutroumbas, Pattern Recognition, 4th edition, Academic Press 2009, example 3.2",
		[]string{"ω₂", "ω₁"},
		point{-1, 0, +1},
		point{0, 1, +1},
		point{0, -1, -1},
		point{1, 0, -1},
	)
}

// TheodoridisTen returns the ten points of the least-squares example, first the five of
// ω₁ (+1), then the five of ω₂ (-1). No line separates them. With points extended by 1
// the least-squares solution is (-3.218, 0.241, 1.431). The lecture prints (-3.13, 0.24,
// 1.34), which does not solve its own normal equations.
func TheodoridisTen() *Dataset {
	return plane("Theodoridis least squares",
		"S. Theodoridis, K. Koutroumbas, Pattern Recognition, 4th edition, Academic Press 2009, section 3.4.3, sum of error squares estimation",
		[]string{"ω₂", "ω₁"},
		point{0.4, 0.5, +1},
		point{0.6, 0.5, +1},
		point{0.1, 0.4, +1},
		point{0.2, 0.7, +1},
		point{0.3, 0.3, +1},
		point{0.4, 0.6, -1},
		point{0.6, 0.2, -1},
		point{0.7, 0.4, -1},
		point{0.8, 0.6, -1},
		point{0.7, 0.5, -1},
	)
}

// boolean is the source of the truth tables. Threshold units compute and, or and not, but
// not xor.
const boolean = "F. Fleuret, EE-559 Deep Learning, EPFL 2018, lecture 3a; the threshold unit is W. S. McCulloch, W. Pitts, A logical calculus of the ideas immanent in nervous activity, 1943"

// And returns the truth table of and: inputs 0 and 1, label +1 for true and -1 for
// false. The rows are (0,0), (0,1), (1,0), (1,1).
func And() *Dataset {
	return truth("and", point{0, 0, -1}, point{0, 1, -1}, point{1, 0, -1}, point{1, 1, +1})
}

// Or returns the truth table of or, in the form of [And].
func Or() *Dataset {
	return truth("or", point{0, 0, -1}, point{0, 1, +1}, point{1, 0, +1}, point{1, 1, +1})
}

// Xor returns the truth table of exclusive or, in the form of [And]. It is not linearly
// separable, but becomes so with the product of the inputs as a third feature.
func Xor() *Dataset {
	return truth("xor", point{0, 0, -1}, point{0, 1, +1}, point{1, 0, +1}, point{1, 1, -1})
}

// Not returns the truth table of not: one input, rows 0 and 1, label +1 for true.
func Not() *Dataset {
	return &Dataset{
		Name:     "not",
		X:        mat.NewDense(2, 1, []float64{0, 1}),
		Y:        []int{+1, -1},
		Source:   boolean,
		Labels:   []int{-1, +1},
		Classes:  []string{"false", "true"},
		Features: []string{"a"},
	}
}

func truth(name string, points ...point) *Dataset {
	d := plane(name, boolean, []string{"false", "true"}, points...)
	d.Features = []string{"a", "b"}
	return d
}

// A point is a point in the plane with its label, -1 or +1.
type point struct {
	x1, x2 float64
	y      int
}

// plane returns a Dataset of points; classes names label -1, then +1.
func plane(name, source string, classes []string, points ...point) *Dataset {
	d := &Dataset{
		Name:     name,
		X:        mat.NewDense(len(points), 2, nil),
		Y:        make([]int, len(points)),
		Source:   source,
		Labels:   []int{-1, +1},
		Classes:  classes,
		Features: []string{"x₁", "x₂"},
	}
	for i, p := range points {
		d.X.Set(i, 0, p.x1)
		d.X.Set(i, 1, p.x2)
		d.Y[i] = p.y
	}
	return d
}
