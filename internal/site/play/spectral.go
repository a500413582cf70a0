package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/plotting"
)

// spectralGraph is lecture 6's spectral clustering, with the graph that it cuts.
var spectralGraph = &Playground{
	ID:      "spectral",
	Title:   "Spectral clustering and its graph",
	Section: "06-spectral-clustering#The algorithm",
	About: "Each point is linked with its nearest neighbours, and spectral clustering cuts the graph where few links are. " +
		"Drag one point between the rings: a bridge of a link or two changes λ₂, and the cut still finds it.",
	Classes: []int{0},
	Knobs: []Knob{
		{Name: "nearest", Label: "neighbours", Min: 2, Max: 20, Step: 1, Start: 9, Steps: true},
		{Name: "k", Label: "clusters", Min: 2, Max: 5, Step: 1, Start: 2},
		{Name: "links", Label: "linked", Max: 1, Step: 1, Choices: []string{"if either is a neighbour", "if both are"}},
	},
	Presets: []Preset{
		{Name: "rings", Label: "two rings", Data: func() []Point { return unlabelled(datasets.Must(datasets.Rings(1, 200, 0.04))) },
			X0: -1.6, X1: 1.6, Y0: -1.3, Y1: 1.3},
		{Name: "moons", Label: "two moons", Data: func() []Point { return unlabelled(datasets.Must(datasets.Moons(1, 200, 0.06))) },
			X0: -1.5, X1: 2.5, Y0: -1, Y1: 1.5},
		{Name: "few", Label: "forty points on two moons", Data: func() []Point { return unlabelled(datasets.Must(datasets.Moons(1, 40, 0.06))) },
			X0: -1.5, X1: 2.5, Y0: -1, Y1: 1.5, Knobs: map[string]float64{"nearest": 4}},
	},
	Draw: drawSpectral,
}

func drawSpectral(s *Scene) Picture {
	X, _ := s.Data()
	k := int(s.Knob("k"))
	if len(s.Points) <= k {
		return Picture{Figure: s.Figure(s.classes()...), Note: "Place more points than clusters."}
	}
	edges := links(X, int(s.Knob("nearest")), s.Knob("links") == 1)
	var xs, ys []float64
	for _, e := range edges {
		p, q := s.Points[e.I], s.Points[e.J]
		xs, ys = append(xs, p.X, q.X, math.NaN()), append(ys, p.Y, q.Y, math.NaN())
	}
	pic := Picture{Figure: s.Figure()}
	if len(xs) > 0 {
		pic.Figure.With(plotting.Line(xs, ys, plotting.Color(plotting.Hue(0x9E9E9E)), plotting.Width(0.7)))
	}
	graph, err := cluster.NewGraph(len(s.Points), edges)
	if err != nil {
		pic.Figure.With(s.classes()...)
		pic.Note = says(err)
		return pic
	}
	fit, err := cluster.Spectral{K: k, Laplacian: cluster.RandomWalk, Seed: 1}.FitGraph(graph)
	pic.Numbers = []Number{count("links", len(edges))}
	m := best(fit, err)
	var parts *cluster.DisconnectedError
	switch {
	case errors.As(err, &parts):
		pic.Figure.With(plotting.Points(mat.Col(nil, 0, X), mat.Col(nil, 1, X), plotting.Size(5), plotting.Color(plotting.Black)))
		pic.Numbers = append(pic.Numbers, count("parts of the graph", parts.Count))
		pic.Note = fmt.Sprintf("The graph has %d parts, and nothing in it says which of them belong together.", parts.Count)
	case m == nil || m.Labels == nil:
		pic.Figure.With(s.classes()...)
		pic.Note = says(err)
	default:
		pic.Figure.With(plotting.Classes(X, m.Labels, plotting.Size(5)))
		pic.Numbers = append(pic.Numbers, count("parts of the graph", 1+slices.Max(m.ComponentLabels)))
		for j, v := range m.Eigenvalues[:k] {
			pic.Numbers = append(pic.Numbers, number("λ"+subscript(j+1), v))
		}
		for c := range k {
			n := 0
			for _, label := range m.Labels {
				if label == c {
					n++
				}
			}
			pic.Numbers = append(pic.Numbers, count(fmt.Sprintf("points in cluster %d", c), n))
		}
	}
	return pic
}

// links returns the links of each row of X with its nearest rows, of weight 1: those that either
// end asks for or, if mutual, both.
func links(X *mat.Dense, nearest int, mutual bool) (edges []cluster.Edge) {
	n, _ := X.Dims()
	asked := make([]uint8, n*n) // at i·n + j for i < j, how many of the two ends ask for the link
	type neighbour struct {
		row     int
		squared float64 // distance
	}
	for i := range n {
		var near []neighbour // those found so far, at most nearest, in the order of their distances
		for j := range n {
			dx, dy := X.At(i, 0)-X.At(j, 0), X.At(i, 1)-X.At(j, 1)
			d := dx*dx + dy*dy
			if j == i || len(near) == nearest && d >= near[nearest-1].squared {
				continue
			}
			k := sort.Search(len(near), func(k int) bool { return near[k].squared > d })
			near = slices.Insert(near[:min(len(near), nearest-1)], k, neighbour{j, d})
		}
		for _, q := range near {
			asked[min(i, q.row)*n+max(i, q.row)]++
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if ends := asked[i*n+j]; ends == 2 || ends == 1 && !mutual {
				edges = append(edges, cluster.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	return edges
}
