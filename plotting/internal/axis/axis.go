package axis

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// Axis is one axis of a figure while it is drawn.
type Axis struct {
	Min, Max float64
	Log      bool
	Whole    bool // all values are integers: no ticks between them
	Exact    bool // the range is meant as it is, however short
	Label    string
	Ticks    []plot.Tick
	Note     string    // what the numbers are multiplied by and what is added to them, if anything
	along    vg.Point  // the way from the lower to the upper end on paper
	Widest   vg.Length // bounds the width of the labels if it is positive
	Names    []string  // tick labels at 1, 2, 3, … or, on a vertical axis, at -1, -2, -3, …
	Places   []float64 // where set, the positions of the names of a vertical axis
	slot     vg.Length // space per name
	Slope    float64   // of the names, in radians
}

// Length returns max − min, or the largest number if that is larger.
func (a *Axis) Length() float64 { return math.Min(a.Max-a.Min, math.MaxFloat64) }

// Middle returns the value in the middle of the axis.
func (a *Axis) Middle() float64 { return a.Min/2 + a.Max/2 }

// Place returns the part of the axis below a value.
func (a *Axis) Place(v float64) float64 { return a.Scale().Normalize(a.Min, a.Max, v) }

// Farthest bounds the distance from an axis, in its lengths, at which something is drawn: well
// outside of the figure, but not so far that rounding errors reach into it.
const Farthest = 1e6

// Bounded returns the place nearest to t within the farthest distances.
func Bounded(t float64) float64 { return math.Max(-Farthest, math.Min(Farthest, t)) }

// A Positioner is a scale that places a value without a bound.
type Positioner interface {
	Position(min, max, x float64) float64
}

var _, _ Positioner = linearScale{}, LogScale{}

// linearScale is plot.LinearScale for any range, and bounded.
type linearScale struct{}

func (s linearScale) Normalize(min, max, x float64) float64 { return Bounded(s.Position(min, max, x)) }

func (linearScale) Position(min, max, x float64) float64 {
	if d := max - min; !math.IsInf(d, 0) && !math.IsInf(x-min, 0) {
		return (x - min) / d
	}
	return (x/4 - min/4) / (max/4 - min/4)
}

// LogScale is a plot.Normalizer like plot.LogScale, except that it takes any range and is
// bounded, and that values without a logarithm lie slightly below the axis: a curve of errors
// that reaches 0 leaves the figure at the bottom.
type LogScale struct{}

func (s LogScale) Normalize(min, max, x float64) float64 { return Bounded(s.Position(min, max, x)) }

func (LogScale) Position(min, max, x float64) float64 {
	if !(x > 0) {
		return -0.25
	}
	return logRatio(min, x) / logRatio(min, max)
}

// logRatio returns log(b/a) for a, b > 0. The ratio of close numbers is rounded to too few digits,
// that of distant ones overflows.
func logRatio(a, b float64) float64 {
	switch r := b / a; {
	case math.Abs(r-1) < 0.001:
		return math.Log1p((b - a) / a)
	case r > 1e-300 && !math.IsInf(r, 0):
		return math.Log(r)
	}
	return (log10(b) - log10(a)) * math.Ln10
}

// log10 is math.Log10, which some processors' instructions leave wrong below 2.2e-308.
func log10(x float64) float64 {
	if x < 1e-300 {
		return math.Log10(x*1e200) - 200
	}
	return math.Log10(x)
}

// Scale returns the scale of the axis.
func (a *Axis) Scale() plot.Normalizer {
	if a.Log {
		return LogScale{}
	}
	return linearScale{}
}

// Pad widens the axis by a fraction of its length at both ends.
func (a *Axis) Pad(by float64) {
	if a.Log {
		f := math.Pow(a.Max/a.Min, by)
		if math.IsInf(a.Max/a.Min, 0) {
			f = math.Exp(by * logRatio(a.Min, a.Max))
		}
		a.Min, a.Max = a.Min/f, a.Max*f
	} else {
		d := by * a.Length()
		a.Min, a.Max = a.Min-d, a.Max+d
	}
	a.Limit()
}

// Limit keeps the ends finite, and those of a logarithmic axis positive.
func (a *Axis) Limit() {
	a.Min, a.Max = math.Max(a.Min, -math.MaxFloat64), math.Min(a.Max, math.MaxFloat64)
	if a.Log {
		a.Min = math.Max(a.Min, math.SmallestNonzeroFloat64)
	}
}

// Settle turns the range of the data into a usable one. An axis without data gets the
// range from lo to hi, or from 0.1 to 10 if it is logarithmic. A range of length 0 is
// widened, and so is one that may be rounding error. Integers have none.
func (a *Axis) Settle(lo, hi float64) {
	if a.Min > a.Max {
		a.Min, a.Max = lo, hi
	}
	if a.Log && a.Min <= 0 {
		a.Min, a.Max = 0.1, 10
	}
	if d := a.Max - a.Min; d > 1e-12*math.Max(math.Abs(a.Min), math.Abs(a.Max)) || a.Exact && d > 0 || a.Whole && d >= 1 {
		return
	}
	if a.Log {
		a.Min, a.Max = a.Min/2, a.Max*2
	} else {
		d := math.Max(0.5, 0.5*math.Abs(a.Min))
		a.Min, a.Max = a.Min-d, a.Max+d
	}
	a.Limit()
}

// Lengths returns the lengths of both axes, 0 for one that is not linear.
func Lengths(p *plot.Plot) []float64 {
	var all []float64
	for _, a := range []plot.Axis{p.X, p.Y} {
		length := 0.0
		switch a.Scale.(type) {
		case plot.LinearScale, linearScale:
			length = math.Min(a.Max-a.Min, math.MaxFloat64)
		}
		all = append(all, length)
	}
	return all
}

// Alt names the axis and its range. which names an axis without a label.
func (a *Axis) Alt(which string) string {
	s := which
	if a.Label != "" {
		s = pen.Spoken(a.Label)
	}
	s += " " + pen.FromTo(a.Min, a.Max)
	if a.Log {
		s += " (logarithmic)"
	}
	return s
}

// Include widens an axis to a value, if the axis can show it.
func (a *Axis) Include(v float64) {
	if !pen.Finite(v) || a.Log && v <= 0 {
		return
	}
	a.Min, a.Max = math.Min(a.Min, v), math.Max(a.Max, v)
	// On some processors rounding errors leave an integer off by a last bit.
	a.Whole = a.Whole && math.Abs(v-math.Round(v)) <= math.Max(1e-9, 1e-15*math.Abs(v))
}

// NoteHeight returns the height of the line of an axis' note.
func (a *Axis) NoteHeight() vg.Length {
	if a.Note == "" {
		return 0
	}
	return pen.Style(pen.TickSize).Height(a.Note) + pen.LabelGap
}

// LabelWidth returns the width of the widest label.
func (a *Axis) LabelWidth() vg.Length { return widestLabel(a.Ticks) }

// widestLabel returns the width of the widest label.
func widestLabel(ticks []plot.Tick) (w vg.Length) {
	sty := pen.Style(pen.TickSize)
	for _, t := range ticks {
		w = max(w, sty.Width(t.Label))
	}
	return w
}
