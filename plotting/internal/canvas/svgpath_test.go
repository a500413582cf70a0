package canvas

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

// The pieces of an arc begin and end where the arc does and stay on its circle. A cubic for
// a quarter circle deviates by at most 2.7e-4 of the radius (M. Goldapp, Approximation of
// circular arcs by cubic polynomials, 1991).
func TestArc(t *testing.T) {
	for _, turn := range []float64{0.3, -1, math.Pi, -1.5 * math.Pi, 2 * math.Pi} {
		comp := vg.PathComp{Type: vg.ArcComp, Pos: vg.Point{X: 3, Y: -2}, Radius: 10, Start: 0.7, Angle: turn}
		at, pieces := arc(comp)
		swept := 0.0
		for _, q := range pieces {
			before := math.Atan2(float64(at.Y+2), float64(at.X-3))
			for k := range 11 {
				s := vg.Length(k) / 10
				p := at.Scale((1 - s) * (1 - s) * (1 - s)).Add(q[0].Scale(3 * s * (1 - s) * (1 - s))).Add(q[1].Scale(3 * s * s * (1 - s))).Add(q[2].Scale(s * s * s))
				if r := math.Hypot(float64(p.X-3), float64(p.Y+2)); math.Abs(r-10) > 2.8e-3 {
					t.Errorf("arc of %v: %v from its centre, want 10", turn, r)
				}
			}
			at = q[2]
			swept += math.Remainder(math.Atan2(float64(at.Y+2), float64(at.X-3))-before, 2*math.Pi)
		}
		if math.Abs(swept-turn) > 1e-9 {
			t.Errorf("an arc of %v turns by %v", turn, swept)
		}
	}
}

func TestSVGNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -0.004: "0", 1.005: "1", 1.006: "1.01", -12.5: "-12.5", 0.07: "0.07", 100: "100", -0.25: "-0.25", 1.999: "2"} {
		if got := svgNumber(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}
