package pen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// At returns the words for a point: its coordinates, on axes of the given lengths. A coordinate
// below a billionth of its axis is rounding error, whose digits differ between processors. It
// is written as 0.
func At(coordinates, lengths []float64) string {
	var parts []string
	for k, v := range coordinates {
		if math.Abs(v) < 1e-9*lengths[k] {
			v = 0
		}
		parts = append(parts, Short(v))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Count returns a number with the word for one or for many.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Called returns a name in quotes for a text alternative, or nothing.
func Called(name string) string {
	if name == "" {
		return ""
	}
	return " “" + Spoken(name) + "”"
}

// Finite reports whether a number is neither NaN nor infinite.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Short formats a number for text alternatives, with up to four significant digits.
func Short(v float64) string { return brief(v, 4) }

func brief(v float64, digits int) string {
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', digits, 64), "-", "−")
}

// FromTo names a range, with as many digits as its length needs to be right to a tenth.
func FromTo(low, high float64) string {
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
