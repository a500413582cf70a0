package plotting

import (
	"math"
	"testing"
)

func TestStylePanics(t *testing.T) {
	panics(t, "plotting: Points: 2 names, want 1", func() { Points(nil, nil, Name("a", "b")) })
	panics(t, "plotting: Points: style 1 is nil", func() { Points(nil, nil, Name("a"), nil) })
	panics(t, "plotting: Width: 0 points, want a positive number", func() { Width(0) })
	panics(t, "plotting: Size: NaN points, want a positive number", func() { Size(math.NaN()) })
}
