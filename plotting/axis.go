package plotting

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// axis is one axis of a figure while it is drawn.
type axis struct {
	min, max float64
	log      bool
	whole    bool // all values are integers: no ticks between them
	exact    bool // the range is meant as it is, however short
	label    string
	ticks    []plot.Tick
	note     string    // what the numbers are multiplied by and what is added to them, if anything
	along    vg.Point  // the way from the lower to the upper end on paper
	widest   vg.Length // bounds the width of the labels if it is positive
	names    []string  // tick labels at 1, 2, 3, … or, on a vertical axis, at -1, -2, -3, …
	places   []float64 // where set, the positions of the names of a vertical axis
	slot     vg.Length // space per name
	slope    float64   // of the names, in radians
}

// length returns max − min, or the largest number if that is larger.
func (a *axis) length() float64 { return math.Min(a.max-a.min, math.MaxFloat64) }

func (a *axis) middle() float64 { return a.min/2 + a.max/2 }

// place returns the part of the axis below a value.
func (a *axis) place(v float64) float64 { return a.scale().Normalize(a.min, a.max, v) }

// farthest bounds the distance from an axis, in its lengths, at which something is drawn: well
// outside of the figure, but not so far that rounding errors reach into it.
const farthest = 1e6

func bounded(t float64) float64 { return math.Max(-farthest, math.Min(farthest, t)) }

// positioner is a scale that places a value without a bound.
type positioner interface {
	position(min, max, x float64) float64
}

// linearScale is plot.LinearScale for any range, and bounded.
type linearScale struct{}

func (s linearScale) Normalize(min, max, x float64) float64 { return bounded(s.position(min, max, x)) }

func (linearScale) position(min, max, x float64) float64 {
	if d := max - min; !math.IsInf(d, 0) && !math.IsInf(x-min, 0) {
		return (x - min) / d
	}
	return (x/4 - min/4) / (max/4 - min/4)
}

// logScale is a plot.Normalizer like plot.LogScale, except that it takes any range and is
// bounded, and that values without a logarithm lie slightly below the axis: a curve of errors
// that reaches 0 leaves the figure at the bottom.
type logScale struct{}

func (s logScale) Normalize(min, max, x float64) float64 { return bounded(s.position(min, max, x)) }

func (logScale) position(min, max, x float64) float64 {
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

func (a *axis) scale() plot.Normalizer {
	if a.log {
		return logScale{}
	}
	return linearScale{}
}

// pad widens the axis by a fraction of its length at both ends.
func (a *axis) pad(by float64) {
	if a.log {
		f := math.Pow(a.max/a.min, by)
		if math.IsInf(a.max/a.min, 0) {
			f = math.Exp(by * logRatio(a.min, a.max))
		}
		a.min, a.max = a.min/f, a.max*f
	} else {
		d := by * a.length()
		a.min, a.max = a.min-d, a.max+d
	}
	a.limit()
}

// limit keeps the ends finite, and those of a logarithmic axis positive.
func (a *axis) limit() {
	a.min, a.max = math.Max(a.min, -math.MaxFloat64), math.Min(a.max, math.MaxFloat64)
	if a.log {
		a.min = math.Max(a.min, math.SmallestNonzeroFloat64)
	}
}

// settle turns the range of the data into a usable one. An axis without data gets the
// range from lo to hi, or from 0.1 to 10 if it is logarithmic. A range of length 0 is
// widened, and so is one that may be rounding error. Integers have none.
func (a *axis) settle(lo, hi float64) {
	if a.min > a.max {
		a.min, a.max = lo, hi
	}
	if a.log && a.min <= 0 {
		a.min, a.max = 0.1, 10
	}
	if d := a.max - a.min; d > 1e-12*math.Max(math.Abs(a.min), math.Abs(a.max)) || a.exact && d > 0 || a.whole && d >= 1 {
		return
	}
	if a.log {
		a.min, a.max = a.min/2, a.max*2
	} else {
		d := math.Max(0.5, 0.5*math.Abs(a.min))
		a.min, a.max = a.min-d, a.max+d
	}
	a.limit()
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// short formats a number for text alternatives, with up to four significant digits.
func short(v float64) string { return brief(v, 4) }

func brief(v float64, digits int) string {
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', digits, 64), "-", "−")
}

// fromTo names a range, with as many digits as its length needs to be right to a tenth.
func fromTo(low, high float64) string {
	digits := 4
	for ; digits < 17; digits++ {
		round := func(v float64) float64 {
			r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
			return r / 4 // the difference may not overflow
		}
		if d := high/4 - low/4; math.Abs(round(high)-round(low)-d) <= 0.1*d {
			break
		}
	}
	return "from " + brief(low, digits) + " to " + brief(high, digits)
}
