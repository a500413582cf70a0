package main

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/plotting"
)

// kMeans is lecture 6's k-means, one iteration at a time.
var kMeans = &Playground{
	ID:      "k-means",
	Title:   "k-means, iteration by iteration",
	Section: "06-spectral-clustering#Round clusters, and others",
	About: "Each iteration gives every point to the nearest centre, and moves each centre to the mean of its points. " +
		"With the first points as centres, J often ends in a poor minimum: compare with the best of ten k-means++ starts.",
	Classes: []int{0},
	Knobs: []Knob{
		{Name: "k", Label: "clusters", Min: 2, Max: 6, Step: 1, Start: 3},
		{Name: "step", Label: "iteration", Max: 300, Step: 1, Start: 300, Steps: true},
		{Name: "start", Label: "start", Max: 1, Step: 1, Choices: []string{"the first points", "k-means++, best of ten"}},
	},
	Presets: []Preset{
		{Name: "petals", Label: "petals of 150 irises", Data: func() []Point { return unlabelled(datasets.Must(datasets.Iris().Columns(2, 3))) },
			X0: 0, X1: 8, Y0: -0.5, Y1: 3},
		{Name: "rings", Label: "two rings", Data: func() []Point { return unlabelled(datasets.Must(datasets.Rings(1, 200, 0.04))) },
			X0: -1.6, X1: 1.6, Y0: -1.3, Y1: 1.3, Knobs: map[string]float64{"k": 2}},
		{Name: "moons", Label: "two moons", Data: func() []Point { return unlabelled(datasets.Must(datasets.Moons(1, 200, 0.06))) },
			X0: -1.5, X1: 2.5, Y0: -1, Y1: 1.5, Knobs: map[string]float64{"k": 2}},
	},
	Draw: drawKMeans,
}

// unlabelled returns the samples of a data set with label 0.
func unlabelled(d *datasets.Dataset) []Point {
	ps := points(d)
	for i := range ps {
		ps[i].Class = 0
	}
	return ps
}

func drawKMeans(s *Scene) Picture {
	X, _ := s.Data()
	k := int(s.Knob("k"))
	if len(s.Points) < k {
		return Picture{Figure: s.Free(s.classes()...), Note: "Place more points than clusters."}
	}
	km := cluster.KMeans{K: k, Seed: 1}
	if s.Knob("start") == 0 {
		km.Start = distinct(X, k)
		if km.Start == nil {
			return Picture{Figure: s.Free(s.classes()...), Note: "Place more points in different places than clusters."}
		}
	}
	var runs [][]cluster.KMeansStep
	km.Trace = func(t cluster.KMeansStep) bool {
		if t.Restart == len(runs) {
			runs = append(runs, nil)
		}
		centres := make([][]float64, k)
		for j, c := range t.Centers {
			centres[j] = append([]float64(nil), c...)
		}
		t.Centers, t.Labels = centres, append([]int(nil), t.Labels...)
		runs[t.Restart] = append(runs[t.Restart], t)
		return true
	}
	fit, err := km.Fit(X)
	m := best(fit, err)
	if m == nil {
		return Picture{Figure: s.Free(s.classes()...), Note: says(err)}
	}
	run := runs[m.Restart]
	t := run[min(int(s.Knob("step")), len(run)-1)]
	pic := Picture{Most: map[string]float64{"step": float64(len(run) - 1)}}
	pic.Figure = s.Free(plotting.Classes(X, t.Labels, plotting.Size(5)), centres(t.Centers))
	pic.Numbers = []Number{
		number("J", t.Inertia), count("iteration", t.Iteration), count("points that changed clusters", t.Changed), number("J at the end", m.Inertia),
	}
	for j, c := range t.Centers {
		pic.Numbers = append(pic.Numbers, vector("centre "+number("", float64(j)).Text+", x", c)...)
	}
	return pic
}

// centres circles the centres of clusters.
func centres(c [][]float64) plotting.Layer {
	X, rows := mat.NewDense(len(c), 2, nil), make([]int, len(c))
	for j := range c {
		X.SetRow(j, c[j])
		rows[j] = j
	}
	return plotting.Ring(X, rows, plotting.Width(2), plotting.Name("centre"))
}

// distinct returns the first k distinct rows of X, nil if there are fewer.
func distinct(X *mat.Dense, k int) *mat.Dense {
	out, seen := mat.NewDense(k, 2, nil), map[[2]float64]bool{}
	n, _ := X.Dims()
	for i := 0; i < n && len(seen) < k; i++ {
		p := [2]float64{X.At(i, 0), X.At(i, 1)}
		if !seen[p] {
			out.SetRow(len(seen), p[:])
			seen[p] = true
		}
	}
	if len(seen) < k {
		return nil
	}
	return out
}
