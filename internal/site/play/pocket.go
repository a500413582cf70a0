package main

import (
	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
	"marginalia/plotting"
)

// pocketAverage is lecture 1 on classes that overlap.
var pocketAverage = &Playground{
	ID:      "pocket",
	Title:   "Pocket and average",
	Section: "01-perceptron#When there is no line",
	About: "No line separates these classes, so the perceptron never stops. Its last line depends on when you look: change the number of passes. " +
		"The pocket keeps the best line so far, and the average smooths over all of them.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "passes", Label: "passes", Min: 1, Max: 60, Step: 1, Start: 20, Steps: true},
		{Name: "seed", Label: "order", Min: 1, Max: 20, Step: 1, Start: 1},
	},
	Presets: []Preset{
		{Name: "petals", Label: "petals of versicolor and virginica", Data: func() []Point { return points(petals()) },
			X0: 2.5, X1: 7.5, Y0: 0.6, Y1: 2.8},
		{Name: "overlap", Label: "two clouds that overlap", Data: func() []Point { return points(overlap(5, 40, 0.7)) },
			X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5},
		{Name: "xor", Label: "exclusive or", Data: func() []Point { return points(datasets.Xor()) }, X0: -1, X1: 2, Y0: -1, Y1: 2},
	},
	Draw: drawPocket,
}

// petals returns length and width of the petals of versicolor (-1) and virginica (+1).
func petals() *datasets.Dataset {
	return datasets.Must(datasets.Must(datasets.Iris().Binary(1, 2)).Columns(2, 3))
}

func drawPocket(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	passes, seed := int(s.Knob("passes")), uint64(s.Knob("seed"))
	var last mlkit.Hyperplane
	p := perceptron.Perceptron{Bias: mlkit.RadiusBias, Shuffle: true, Seed: seed, MaxIter: passes}
	p.TraceEpoch = func(e perceptron.Epoch) bool {
		last = e.Hyperplane
		return true
	}
	m, err := p.Fit(X, y)
	pocket, errPocket := perceptron.Pocket{Bias: mlkit.RadiusBias, Seed: seed, Epochs: passes}.Fit(X, y)
	average, errAverage := perceptron.Averaged{Bias: mlkit.RadiusBias, Shuffle: true, Seed: seed, Epochs: passes}.Fit(X, y)
	if best(m, err) == nil || errPocket != nil || errAverage != nil {
		return Picture{Figure: s.Free(s.classes()...), Note: says(err)}
	}
	pic := Picture{Figure: s.Free(
		plotting.Plane(last.W, last.B, plotting.Dashed(), plotting.Color(plotting.Black), plotting.Alpha(0.6), plotting.Name("last w")),
		plotting.Plane(pocket.W, pocket.B, plotting.Color(plotting.Green), plotting.Width(2.5), plotting.Name("pocket")),
		plotting.Plane(average.W, average.B, plotting.Color(plotting.Purple), plotting.Width(2.5), plotting.Name("average")),
	).With(s.classes()...)}
	pic.Numbers = []Number{
		count("wrong with the last w", wrong(last, X, y)), count("wrong with the pocket", wrong(pocket, X, y)),
		count("wrong with the average", wrong(average, X, y)), count("mistakes on the way", average.Mistakes),
	}
	if err == nil {
		pic.Note = "A line separates these classes, and the perceptron has found one."
	}
	return pic
}
