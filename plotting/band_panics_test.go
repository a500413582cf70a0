package plotting

import (
	"math"
	"testing"
)

func TestBandPanics(t *testing.T) {
	one, two := []float64{1}, []float64{1, 2}
	panics(t, "plotting: Band: 1 xs, 2 ys", func() { Band(one, nil, two, two) })
	panics(t, "plotting: Band: 1 ys, 2 lower and 2 upper values", func() { Band(nil, one, two, two) })
	panics(t, "plotting: ErrorBars: 0 ys, 1 lower and 2 upper values", func() { ErrorBars(nil, []float64{}, one, two) })
	panics(t, "plotting: ErrorBars: no ys", func() { ErrorBars(nil, nil, one, one) })
	panics(t, "plotting: Band: lo[1] = 2, hi[1] = 1, want lo ≤ hi", func() { Band(nil, nil, two, []float64{1, 1}) })
	// NaN and infinite coordinates are left out, wherever they occur.
	nan := []float64{math.NaN(), math.NaN()}
	for _, l := range []Layer{Band(nan, two, two, two), Band(two, nan, two, two), Band(two, nil, nan, two), ErrorBars(two, two, two, nan)} {
		l := l.(*band)
		if l.drawn(0) || l.drawn(1) {
			t.Errorf("%s draws a sample that is not a number", l.what)
		}
		New("", l).PNG(50)
	}
}
