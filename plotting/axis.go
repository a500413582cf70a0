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
	label    string
	ticks    []plot.Tick
	names    []string  // tick labels at 1, 2, 3, … or, on a vertical axis, at -1, -2, -3, …
	places   []float64 // where set, the positions of the names of a vertical axis
	slot     vg.Length // space per name
	slope    float64   // of the names, in radians
}

// logScale is a plot.Normalizer like plot.LogScale, except that values without a
// logarithm lie slightly below the axis: a curve of errors that reaches 0 leaves the
// figure at the bottom.
type logScale struct{}

func (logScale) Normalize(min, max, x float64) float64 {
	if !(x > 0) {
		return -0.25
	}
	return math.Log(x/min) / math.Log(max/min)
}

func (a *axis) scale() plot.Normalizer {
	if a.log {
		return logScale{}
	}
	return plot.LinearScale{}
}

// pad widens the axis by a fraction of its length at both ends.
func (a *axis) pad(by float64) {
	if a.log {
		f := math.Pow(a.max/a.min, by)
		a.min, a.max = a.min/f, a.max*f
		return
	}
	d := by * (a.max - a.min)
	a.min, a.max = a.min-d, a.max+d
}

// settle turns the range of the data into a usable one. An axis without data gets the
// range from lo to hi, or from 0.1 to 10 if it is logarithmic. A range of length 0 is
// widened.
func (a *axis) settle(lo, hi float64) {
	if a.min > a.max {
		a.min, a.max = lo, hi
	}
	if a.log && a.min <= 0 {
		a.min, a.max = 0.1, 10
	}
	if a.max-a.min > 1e-12*math.Max(math.Abs(a.min), math.Abs(a.max)) {
		return
	}
	if a.log {
		a.min, a.max = a.min/2, a.max*2
		return
	}
	d := math.Max(0.5, 0.5*math.Abs(a.min))
	a.min, a.max = a.min-d, a.max+d
}

// setTicks chooses about n labelled ticks.
func (a *axis) setTicks(n int) {
	if a.log {
		a.ticks = logTicks(a.min, a.max, n)
		return
	}
	a.ticks = linearTicks(a.min, a.max, n, a.whole)
}

// linearTicks returns at most n ticks at the multiples of a step: the smallest step of the
// form 1, 2 or 5 times a power of ten that allows it.
func linearTicks(min, max float64, n int, whole bool) []plot.Tick {
	if n < 2 {
		n = 2
	}
	exp := int(math.Floor(math.Log10((max - min) / float64(n))))
	if whole && exp < 0 {
		exp = 0
	}
	for ; ; exp++ {
		for _, m := range []float64{1, 2, 5} {
			first := math.Ceil(min/m/math.Pow10(exp)-1e-9) + 0 // no -0
			last := math.Floor(max/m/math.Pow10(exp) + 1e-9)
			if int(last-first)+1 > n {
				continue
			}
			var ticks []plot.Tick
			for k := first; k <= last; k++ {
				ticks = append(ticks, plot.Tick{Value: k * m * math.Pow10(exp), Label: number(k*m, exp)})
			}
			return ticks
		}
	}
}

// number formats m·10^exp, with a true minus sign.
func number(m float64, exp int) string {
	v := m * math.Pow10(exp)
	if m == 0 {
		return "0"
	}
	var s string
	switch {
	case exp >= 5:
		lead := strconv.FormatFloat(m, 'f', -1, 64)
		zeros := len(lead) - len(strings.TrimRight(lead, "0"))
		s = lead[:len(lead)-zeros] + "×10^{" + strconv.Itoa(exp+zeros) + "}"
	case exp < -4:
		s = strconv.FormatFloat(m, 'f', -1, 64) + "×10^{−" + strconv.Itoa(-exp) + "}"
	default:
		s = strconv.FormatFloat(v, 'f', max(0, -exp), 64)
	}
	return strings.Replace(s, "-", "−", 1)
}

// logTicks labels the powers of ten, only every second or third if there are many, and
// adds unlabelled ticks at their multiples. Over less than a decade and a half it also
// labels the multiples by 2 and 5.
func logTicks(min, max float64, n int) []plot.Tick {
	lo, hi := int(math.Floor(math.Log10(min))), int(math.Ceil(math.Log10(max)))
	every := 1 + (hi-lo)/(n+1)
	fine := math.Log10(max/min) < 1.5
	var ticks []plot.Tick
	for e := lo; e <= hi; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(e)
			if v < min*(1-1e-9) || v > max*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			switch {
			case m == 1 && e%every == 0 && (lo < -3 || hi > 4):
				t.Label = "10^{" + strings.Replace(strconv.Itoa(e), "-", "−", 1) + "}"
			case m == 1 && e%every == 0, fine && (m == 2 || m == 5):
				t.Label = number(m, e)
			case every > 1:
				continue
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// short formats a number for text alternatives, with up to four significant digits.
func short(v float64) string {
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 4, 64), "-", "−")
}
