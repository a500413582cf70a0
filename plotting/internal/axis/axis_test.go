package axis

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func ticksOf(a Axis, n int) string {
	a.SetTicks(n, vg.Point{X: 1000})
	var s []string
	for _, t := range a.Ticks {
		if !t.IsMinor() {
			s = append(s, fmt.Sprintf("%g:%s", t.Value, t.Label))
		}
	}
	return strings.Join(s, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		n        int
		whole    bool
		want     string
	}{
		{-1.1, 2.2, 5, false, "-1:−1 0:0 1:1 2:2"},
		{0, 1, 6, false, "0:0 0.2:0.2 0.4:0.4 0.6:0.6 0.8:0.8 1:1.0"},
		{0.8, 3.2, 10, true, "1:1 2:2 3:3"},
		{0, 60000, 4, false, "0:0 20000:20000 40000:40000 60000:60000"},
		{0, 3e6, 4, false, "0:0 1e+06:1×10^{6} 2e+06:2×10^{6} 3e+06:3×10^{6}"},
		{-2e-6, 2e-6, 3, false, "-2e-06:−2×10^{−6} 0:0 2e-06:2×10^{−6}"},
	} {
		if got := ticksOf(Axis{Min: c.min, Max: c.max, Whole: c.whole}, c.n); got != c.want {
			t.Errorf("%d ticks from %g to %g: %s, want %s", c.n, c.min, c.max, got, c.want)
		}
	}
	for _, c := range []struct {
		min, max float64
		n        int
		want     string
	}{
		{0.9, 1100, 5, "1:1 10:10 100:100 1000:1000"},
		{2, 30, 5, "2:2 5:5 10:10 20:20"},
		{1e-8, 1, 4, "1e-08:10^{−8} 1e-06:10^{−6} 0.0001:10^{−4} 0.01:10^{−2} 1:10^{0}"},
	} {
		if got := ticksOf(Axis{Min: c.min, Max: c.max, Log: true}, c.n); got != c.want {
			t.Errorf("%d ticks from %g to %g: %s, want %s", c.n, c.min, c.max, got, c.want)
		}
	}
}
