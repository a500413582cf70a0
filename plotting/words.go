package plotting

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
)

// at returns the words for a point: its coordinates, on axes of the given lengths. A coordinate
// below a billionth of its axis is rounding error, whose digits differ between processors. It
// is written as 0.
func at(coordinates, lengths []float64) string {
	var parts []string
	for k, v := range coordinates {
		if math.Abs(v) < 1e-9*lengths[k] {
			v = 0
		}
		parts = append(parts, short(v))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// lengths returns the lengths of both axes, 0 for one that is not linear.
func lengths(p *plot.Plot) []float64 {
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
