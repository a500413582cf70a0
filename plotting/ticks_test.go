package plotting

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// axisRanges returns ranges of every magnitude, as far from 0 as 10¹⁶ of their lengths. Those of
// logarithmic axes are positive, from two neighbouring numbers to 616 decades.
func axisRanges(t *testing.T, log bool) [][2]float64 {
	all := [][2]float64{
		{1700000000, 1700007200}, {1e9, 1e9 + 3}, {0.6e6, 1.4e6}, {1e-12, 3e-12}, {0.45, 0.46}, {1.01, 1.05}, {0.41, 0.53},
		{1e-300, 1e300}, {4e-16, math.MaxFloat64}, {1, math.Nextafter(1, 2)}, {0.1, math.Nextafter(0.1, 1)}, {0.3, math.Nextafter(0.3, 1)},
		{1e16, 1e16 + 4}, {1e308, math.MaxFloat64}, {1e-300, 1.0000001e-300}, {5e-324, 1e-322}, {5e-324, math.MaxFloat64}, {9.5, 10.5}, {99, 101},
	}
	if !log {
		all = append(all, [][2]float64{{-math.MaxFloat64, math.MaxFloat64}, {-9e307, 9e307}, {0, 5e-324}, {-3e-12, 1e-12}, {0, 1e-300}, {-1700007200, -1700000000}}...)
	}
	rng := rand.New(rand.NewPCG(7, 2))
	n := 30
	if tier.IsLong(t) {
		n = 3000
	}
	for range n {
		span := math.Pow(10, -300+600*rng.Float64())
		low := span * math.Pow(10, 16*rng.Float64())
		switch kind := rng.IntN(4); {
		case log && kind < 2:
			low = span
			span *= math.Pow(10, math.Min(600*rng.Float64()*rng.Float64(), 308-math.Log10(low)))
		case kind == 0:
			low = -low
		case kind == 1:
			low = span * (rng.Float64() - 0.5)
		}
		if low < low+span && !math.IsInf(low+span, 0) {
			all = append(all, [2]float64{low, low + span})
		}
	}
	return all
}

// numberOf returns the number that a tick label and the note of its axis say, exactly.
func numberOf(t *testing.T, label, note string) *big.Rat {
	power := func(s string) *big.Rat { // a×10^{b}
		s = strings.ReplaceAll(strings.NewReplacer("−", "-", "×10^{", "e", "10^{", "1e", "}", "").Replace(s), "+", "")
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is no number", s)
		}
		return r
	}
	v := power(label)
	if strings.HasPrefix(note, "×") {
		end := strings.Index(note, "}") + 1
		v.Mul(v, power("1"+note[:end]))
		note = note[end:]
	}
	if note != "" {
		v.Add(v, power(note))
	}
	return v
}

// Every axis of a figure at least two inches wide and high has two to ten numbers. They don't
// touch, they are what the axis has at their places, and they are written in one notation.
func TestEveryAxisHasNumbers(t *testing.T) {
	sizes := []vg.Point{{X: 360, Y: 245}, {X: 144, Y: 144}, {X: 720, Y: 500}, {X: 230, Y: 160}}
	for _, log := range []bool{false, true} {
		for i, r := range axisRanges(t, log) {
			for j, size := range sizes {
				if (i+j)%4 > 0 && i > 10 && !tier.IsLong(t) {
					continue
				}
				f := New("title").Labels("label", "label").Range(r[0], r[1], r[0], r[1])
				if log {
					f.LogX().LogY()
				}
				v, box := fitted(f, size.X, size.Y)
				for name, a := range map[string]*axis.Axis{"x": &v.x, "y": &v.y} {
					along := vg.Point{X: box.Size().X}
					if name == "y" {
						along = vg.Point{Y: box.Size().Y}
					}
					checkNumbers(t, fmt.Sprintf("%s from %v to %v, log %v, %v", name, r[0], r[1], log, size), a, along)
				}
			}
		}
	}
}

func checkNumbers(t *testing.T, name string, a *axis.Axis, along vg.Point) {
	t.Helper()
	n, end := 0, vg.Length(math.Inf(-1))
	powers := map[string]bool{}
	for _, tick := range a.Ticks {
		if at := a.Place(tick.Value); at < -1e-6 || at > 1+1e-6 {
			t.Errorf("%s: the tick %v is off the axis", name, tick.Value)
		}
		if tick.Label == "" {
			continue
		}
		n++
		half, gap := pen.Style(pen.TickSize).Width(tick.Label)/2, vg.Length(3)
		at := vg.Length(a.Place(tick.Value)) * (along.X + along.Y)
		if along.X == 0 {
			half, gap = pen.Style(pen.TickSize).Height("0")/2, 0.5
		}
		if at-half < end+gap {
			t.Errorf("%s: %q touches the number before it", name, tick.Label)
		}
		end = at + half
		// The tick is the number nearest to what the label says.
		if v, _ := numberOf(t, tick.Label, a.Note).Float64(); v != tick.Value {
			t.Errorf("%s: %q with the note %q is %v, and stands at %v", name, tick.Label, a.Note, v, tick.Value)
		}
		if _, power, ok := strings.Cut(tick.Label, "×"); ok && !a.Log {
			powers[power] = true
		}
	}
	if n < 2 || n > 10 {
		t.Errorf("%s has %d numbers on %v points", name, n, along)
	}
	if len(powers) > 1 {
		t.Errorf("%s has several powers of ten", name)
	}
}
