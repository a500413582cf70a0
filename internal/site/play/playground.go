package main

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/plotting"
)

// A Playground is a figure whose points and settings the reader changes.
type Playground struct {
	ID      string // in links and names of files
	Title   string
	Section string   // of the lecture that links to it, as in "01-perceptron#Why it stops"
	About   string   // what to try, and what to look at
	Classes []int    // the labels that points may have; one if they have none
	Knobs   []Knob   // the settings
	Presets []Preset // the first is what the reader sees at first
	Draw    func(s *Scene) Picture
}

// playgrounds are all playgrounds, in the order of the lectures.
var playgrounds = []*Playground{
	perceptronSteps, pocketAverage, leastOutlier, biasVariance, gradientDescent, ldaLogistic, softMargin, smoSteps, kernelWidth, kMeans, spectralGraph,
}

// A Knob is a setting: a slider, or a choice if it has Choices.
type Knob struct {
	Name           string // in links
	Label          string
	Min, Max, Step float64
	Start          float64
	Log            bool     // the slider moves log₁₀ of the setting
	Zero           bool     // the lowest position of a Log means 0
	Steps          bool     // the positions are steps, which a player goes through
	Choices        []string // names of the values 0, 1, 2, …
}

// value returns the setting for a position of the slider.
func (k *Knob) value(position float64) float64 {
	switch {
	case k.Zero && position == k.Min:
		return 0
	case k.Log:
		return math.Pow(10, position)
	}
	return position
}

// admits reports whether the slider has the position, or the choice.
func (k *Knob) admits(position float64) bool {
	return position >= k.Min && position <= k.Max && (k.Choices == nil || position == math.Trunc(position))
}

// A Preset is where a reader begins: points on given axes, with settings.
type Preset struct {
	Name   string // in links
	Label  string
	Data   func() []Point
	X0, X1 float64
	Y0, Y1 float64
	Knobs  map[string]float64 // positions that differ from the start
}

// A Point is a sample with its label.
type Point struct {
	X, Y  float64
	Class int
}

// points returns the samples of a data set in the plane.
func points(d *datasets.Dataset) []Point {
	ps := make([]Point, d.Len())
	for i := range ps {
		ps[i] = Point{d.X.At(i, 0), d.X.At(i, 1), d.Y[i]}
	}
	return ps
}

// A Scene is what a picture is drawn of.
type Scene struct {
	Points []Point
	Preset *Preset
	Coarse bool // fields may use fewer samples: the reader is dragging
	Narrow bool // there is no room for text beside points

	knobs     []Knob
	positions map[string]float64
}

// Knob returns a setting.
func (s *Scene) Knob(name string) float64 {
	for i := range s.knobs {
		if k := &s.knobs[i]; k.Name == name {
			return k.value(s.positions[name])
		}
	}
	panic("play: there is no knob " + name)
}

// Data returns the points as X, n×2, and their labels. X is nil if there are no points.
func (s *Scene) Data() (X *mat.Dense, y []int) {
	if len(s.Points) == 0 {
		return nil, nil
	}
	X, y = mat.NewDense(len(s.Points), 2, nil), make([]int, len(s.Points))
	for i, p := range s.Points {
		X.SetRow(i, []float64{p.X, p.Y})
		y[i] = p.Class
	}
	return X, y
}

// Figure returns a figure of layers on the axes of the preset, with equal scales.
func (s *Scene) Figure(layers ...plotting.Layer) *plotting.Figure {
	return s.Free(layers...).Equal()
}

// Free is Figure with scales that need not be equal.
func (s *Scene) Free(layers ...plotting.Layer) *plotting.Figure {
	p := s.Preset
	return plotting.New("", layers...).Range(p.X0, p.X1, p.Y0, p.Y1)
}

// Samples returns the number of samples of a field along each axis.
func (s *Scene) Samples() plotting.SampledStyle {
	if s.Coarse {
		return plotting.Samples(coarse)
	}
	return plotting.Samples(fine)
}

// A field has fine² samples, and coarse² while the reader drags.
const fine, coarse = 80, 25

// A Picture is what a reader sees.
type Picture struct {
	Figure  *plotting.Figure   // with the points that can be dragged
	Beside  []*plotting.Figure // others
	Numbers []Number
	Note    string             // why there is no model, or what to know of it
	Most    map[string]float64 // the last positions of knobs whose end depends on the points
	Coarse  bool               // a field has fewer samples than it will have at rest
}

// A Number is one line beside the figure.
type Number struct {
	Label string
	Value float64
	Text  string
}

// number returns a number with four significant digits.
func number(label string, v float64) Number {
	return Number{label, v, minus(strconv.FormatFloat(v, 'g', 4, 64))}
}

// count returns a whole number.
func count(label string, n int) Number {
	return Number{label, float64(n), minus(strconv.Itoa(n))}
}

// vector returns one number for each component, under one label in the text of the first.
func vector(label string, v []float64) []Number {
	var all []Number
	for i, x := range v {
		all = append(all, number(label+subscript(i+1), x))
	}
	return all
}

// subscript returns a digit below the line.
func subscript(i int) string { return string(rune('₀' + i)) }

// minus writes a minus sign for a hyphen at the front and in the exponent.
func minus(text string) string {
	var out []rune
	for _, r := range text {
		if r == '-' {
			r = '−'
		}
		out = append(out, r)
	}
	return string(out)
}
