package main

import (
	"fmt"
	"math"
	"slices"

	"marginalia/datasets"
	"marginalia/plotting"
)

// gradientDescent goes downhill on the losses of lectures 2 to 4, one step at a time.
var gradientDescent = &Playground{
	ID:      "descent",
	Title:   "Gradient descent, step by step",
	Section: "03-logistic#Forget the clouds",
	About: "Each step moves w against the gradient of J, the mean loss of all points, by ρ times the gradient. The other panel has lines of equal J and the path of w so far. " +
		"Make ρ larger: at first w arrives sooner, then it zigzags across the valley, and in the end J rises.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "step", Label: "step", Max: downSteps, Step: 1, Start: downSteps, Steps: true},
		{Name: "rho", Label: "ρ", Min: -2, Max: 2, Step: 0.05, Log: true},
		{Name: "loss", Label: "loss", Max: 2, Step: 1, Choices: []string{"logistic", "squares", "hinge"}},
	},
	Presets: []Preset{
		{Name: "overlap", Label: "two clouds that overlap", Data: func() []Point { return points(overlap(5, 40, 1.6)) },
			X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5},
		{Name: "zigzag", Label: "x₂ in a larger unit, squares", Data: func() []Point { return flat(points(overlap(5, 40, 1.6))) },
			X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5, Knobs: map[string]float64{"rho": 0.2, "loss": 1}},
		{Name: "apart", Label: "two clouds apart", Data: func() []Point {
			return points(datasets.Must(datasets.Separable(3, 24, []float64{1, 2}, 0, 0.35)))
		}, X0: -4, X1: 4, Y0: -4, Y1: 4},
	},
	Draw: drawDescent,
}

// flat measures x₂ in a unit of four.
func flat(ps []Point) []Point {
	for i := range ps {
		ps[i].Y /= 4
	}
	return ps
}

const (
	downSteps = 100  // that the slider can show
	downEnd   = 1e-3 // of the gradient's length
	downFar   = 1e6  // from w = 0, where a descent that diverges ends
	downWide  = 4.0  // w₁ and w₂ are shown up to here, on both sides of 0
)

// downStart is where each descent begins.
var downStart = [2]float64{-3, 2}

// A margin loss is a function of m = y w·x, with its first two derivatives.
type marginLoss struct{ value, slope, bend func(m float64) float64 }

var marginLosses = []marginLoss{
	{func(m float64) float64 { return math.Log1p(math.Exp(-math.Abs(m))) + max(0, -m) },
		func(m float64) float64 { return -1 / (1 + math.Exp(m)) },
		func(m float64) float64 { return 1 / (2 + 2*math.Cosh(m)) }},
	{func(m float64) float64 { return (1 - m) * (1 - m) / 2 },
		func(m float64) float64 { return m - 1 },
		func(float64) float64 { return 1 }},
	{func(m float64) float64 { return max(0, 1-m) },
		func(m float64) float64 {
			if m < 1 {
				return -1
			}
			return 0
		},
		nil},
}

// An objective is J(w), the mean of a loss over the samples z = y x. There is no bias: w is all that is learnt.
type objective struct {
	marginLoss
	z [][2]float64
}

func objectiveOf(ps []Point, loss int) objective {
	o := objective{marginLoss: marginLosses[loss]}
	for _, p := range ps {
		y := float64(p.Class)
		o.z = append(o.z, [2]float64{y * p.X, y * p.Y})
	}
	return o
}

func dot(a, b [2]float64) float64 { return a[0]*b[0] + a[1]*b[1] }

func (o objective) at(w1, w2 float64) (J float64) {
	for _, z := range o.z {
		J += o.value(w1*z[0] + w2*z[1])
	}
	return J / float64(len(o.z))
}

func (o objective) gradient(w [2]float64) (g [2]float64) {
	for _, z := range o.z {
		s := o.slope(dot(w, z)) / float64(len(o.z))
		g[0], g[1] = g[0]+s*z[0], g[1]+s*z[1]
	}
	return g
}

// curvature returns the largest eigenvalue of the matrix of second derivatives.
func (o objective) curvature(w [2]float64) float64 {
	var a, b, c float64
	for _, z := range o.z {
		s := o.bend(dot(w, z)) / float64(len(o.z))
		a, b, c = a+s*z[0]*z[0], b+s*z[0]*z[1], c+s*z[1]*z[1]
	}
	return (a+c)/2 + math.Hypot((a-c)/2, b)
}

// A downPlace is where w is after a number of steps.
type downPlace struct {
	w, gradient [2]float64
	J           float64
}

// descend returns the places of a descent with steps of ρ times the gradient, the start among them.
func (o objective) descend(ρ float64) (way []downPlace) {
	for w := downStart; ; {
		p := downPlace{w, o.gradient(w), o.at(w[0], w[1])}
		way = append(way, p)
		if len(way) > downSteps || math.Sqrt(dot(p.gradient, p.gradient)) < downEnd || dot(w, w) > downFar*downFar {
			return way
		}
		w[0], w[1] = w[0]-ρ*p.gradient[0], w[1]-ρ*p.gradient[1]
	}
}

// A valley is an objective with the lines of equal J in its figure, which take longer than a step:
// it is kept while the reader goes through the steps.
type valley struct {
	points []Point
	loss   int
	field  plotting.Field
	levels []float64
}

var lastValley valley

func valleyOf(ps []Point, loss int, o objective) valley {
	if lastValley.loss == loss && lastValley.field != nil && slices.Equal(lastValley.points, ps) {
		return lastValley
	}
	v := valley{points: slices.Clone(ps), loss: loss, field: once(o.at)}
	low, high := math.Inf(1), o.at(downStart[0], downStart[1])
	for i := range 33 {
		for k := range 33 {
			low = min(low, o.at(downWide*(float64(i)/16-1), downWide*(float64(k)/16-1)))
		}
	}
	for _, share := range []float64{0.02, 0.08, 0.2, 0.4, 0.7, 1, 1.4, 2} {
		v.levels = append(v.levels, low+share*(high-low))
	}
	lastValley = v
	return v
}

func drawDescent(s *Scene) Picture {
	_, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	loss := int(s.Knob("loss"))
	o := objectiveOf(s.Points, loss)
	way := o.descend(s.Knob("rho"))
	last := len(way) - 1
	t := min(int(s.Knob("step")), last)
	now, v := way[t], valleyOf(s.Points, loss, o)
	var w1, w2 []float64
	for _, p := range way[:t+1] {
		w1, w2 = append(w1, p.w[0]), append(w2, p.w[1])
	}
	down := plotting.New("", plotting.Contour(v.field, v.levels, plotting.Samples(60), plotting.Alpha(0.35), plotting.Width(1)),
		plotting.Line(w1, w2, plotting.Color(plotting.Blue), plotting.Width(1.2), plotting.Size(3)),
		plotting.Points(w1[t:], w2[t:], plotting.Color(plotting.Vermilion), plotting.Size(8))).
		Labels("w₁", "w₂").Range(-downWide, downWide, -downWide, downWide).Equal()
	pic := Picture{Figure: s.Figure(plotting.Plane(now.w[:], 0, plotting.Shade())).With(s.classes()...), Beside: []*plotting.Figure{down},
		Most: map[string]float64{"step": float64(last)}}
	missed := 0
	for _, z := range o.z {
		if dot(now.w, z) <= 0 {
			missed++
		}
	}
	length := math.Sqrt(dot(now.gradient, now.gradient))
	pic.Numbers = append(vector("w", now.w[:]), number("J", now.J), number("length of the gradient", length), count("points on the wrong side", missed))
	if o.bend != nil {
		pic.Numbers = append(pic.Numbers, number("limit for ρ, 2/curvature", 2/o.curvature(now.w)))
	}
	switch {
	case t == 0:
		pic.Note = "Before the first step."
	case now.J > way[t-1].J:
		pic.Note = fmt.Sprintf("Step %d went uphill, from J = %s to %s.", t, number("", way[t-1].J).Text, number("", now.J).Text)
	case length < downEnd:
		pic.Note = fmt.Sprintf("After %d steps the gradient is shorter than %g: w has arrived.", t, downEnd)
	case dot(now.gradient, way[t-1].gradient) < 0:
		pic.Note = fmt.Sprintf("Step %d crossed the valley: the gradient now points back.", t)
	case t == downSteps:
		pic.Note = fmt.Sprintf("After %d steps w is still on its way.", t)
	}
	return pic
}
