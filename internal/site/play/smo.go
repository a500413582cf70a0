package main

import (
	"fmt"

	"marginalia/datasets"
	"marginalia/mlkit/svm"
	"marginalia/plotting"
)

// smoSteps is the optimiser of lecture 4, one pair of multipliers at a time.
var smoSteps = &Playground{
	ID:      "smo",
	Title:   "SMO, pair by pair",
	Section: "04-margins#The dual",
	About: "Each step of sequential minimal optimisation changes the multipliers of two points, ringed in purple, and leaves all others. " +
		"Rings mark the points with α > 0. Go through the steps: most of the way is done in the first few.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "step", Label: "step", Max: smoShown, Step: 1, Start: smoShown, Steps: true},
		{Name: "C", Label: "C", Min: -2, Max: 3, Step: 0.05, Start: 1, Log: true},
	},
	Presets: []Preset{
		{Name: "clouds", Label: "two clouds apart", Data: func() []Point {
			return points(datasets.Must(datasets.Separable(3, 24, []float64{1, 2}, -1, 0.35)))
		}, X0: -4, X1: 4, Y0: -4, Y1: 4},
		{Name: "overlap", Label: "two clouds that overlap", Data: func() []Point { return points(overlap(5, 40, 0.7)) },
			X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5, Knobs: map[string]float64{"C": 0}},
	},
	Draw: drawSMO,
}

// smoShown is the number of steps that the slider can show.
const smoShown = 500

func drawSMO(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	wanted, steps := int(s.Knob("step")), 0
	alpha, last := make([]float64, len(y)), svm.Step{I: -1, J: -1}
	var primal, dual []float64
	c := svm.Classifier{C: s.Knob("C"), Tol: 1e-6, MaxIter: patience, Trace: func(t svm.Step) bool {
		steps = t.Iteration
		if t.Iteration > 0 {
			primal, dual = append(primal, t.Primal), append(dual, t.Dual)
		}
		if t.Iteration <= wanted {
			last = t
			if t.I >= 0 {
				alpha[t.I], alpha[t.J] = t.AlphaI, t.AlphaJ
			}
		}
		return t.Iteration < smoShown
	}}
	m, err := c.Fit(X, y)
	if best(m, err) == nil {
		return Picture{Figure: s.Figure(s.classes()...), Note: says(err)}
	}
	w, active := []float64{0, 0}, []int{}
	for i, a := range alpha {
		x := X.RawRowView(i)
		w[0], w[1] = w[0]+a*float64(y[i])*x[0], w[1]+a*float64(y[i])*x[1]
		if a > 0 {
			active = append(active, i)
		}
	}
	pic := Picture{Figure: s.Figure(), Most: map[string]float64{"step": float64(steps)}}
	if w[0] != 0 || w[1] != 0 {
		pic.Figure.With(plotting.Margin(w, last.B, "", plotting.Shade()))
	}
	pic.Figure.With(s.classes()...).With(plotting.Ring(X, active))
	if last.I >= 0 {
		pic.Figure.With(plotting.Ring(X, []int{last.I, last.J}, plotting.Color(plotting.Purple), plotting.Size(14), plotting.Width(2)))
	}
	if len(primal) > 1 {
		at := float64(max(last.Iteration, 1))
		pic.Beside = []*plotting.Figure{plotting.New("", plotting.Line(nil, primal, plotting.Name("primal")), plotting.Line(nil, dual, plotting.Name("dual"), plotting.Dashed()),
			plotting.Points([]float64{at, at}, []float64{last.Primal, last.Dual}, plotting.Size(7))).Labels("step", "").LogX()}
	}
	pic.Numbers = append(vector("w", w), number("b", last.B), count("points with α > 0", len(active)),
		number("primal", last.Primal), number("dual", last.Dual), number("gap", last.Gap), number("violation m − M", last.Violation))
	switch {
	case last.I >= 0:
		pic.Note = fmt.Sprintf("Step %d of %d: points %d and %d, α = %s and %s.", last.Iteration, steps, last.I+1, last.J+1,
			number("", last.AlphaI).Text, number("", last.AlphaJ).Text)
	default:
		pic.Note = "Before the first step all multipliers are 0."
	}
	return pic
}
