package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The axes of a figure keep at least a quarter of its width and of its height.
const leastAxes = 0.25

// holds reports whether all text fits the canvas and the axes keep a share of it.
func (v *view) holds(r vg.Rectangle, share vg.Length) bool {
	v.setLong(r)
	m, size := v.margins(), r.Size()
	across, up := size.X-m.left-m.right, size.Y+v.more-m.bottom-m.top
	if across < share*size.X || up < share*size.Y {
		return false
	}
	switch {
	case v.under:
		return widest(v.keys) <= v.room.X
	case v.outer:
		return columnsSize(v.keys, v.columns).Y <= up
	}
	return true
}

// moveOut puts a legend without a free corner beside the axes, or below them if they would keep
// less than half of the width or less than two and a half inches. If that doesn't hold, the legend
// becomes smaller.
func (v *view) moveOut(r vg.Rectangle) {
	v.outer, v.under, v.columns = true, false, 1
	if m := v.margins(); r.Size().X-m.left-m.right < max(r.Size().X/2, 2.5*vg.Inch) {
		v.outer, v.under = false, true
	}
	if !v.holds(r, leastAxes) {
		v.crowd(r)
	}
}

// crowd finds the most legible legend that holds. Of all that do, it takes the one with the largest
// letters, and of these the one with the longest names, below the axes or in columns beside them. If
// there is none, the title and the names of the axes get one line each, then none; and if the figure
// is too small even for that, the legend ends with the number of entries left out.
func (v *view) crowd(r vg.Rectangle) {
	all := v.keys
	place := func() bool {
		v.outer, v.under = false, true
		if v.holds(r, leastAxes) {
			return true
		}
		v.outer, v.under = true, false
		for v.columns = 1; v.columns <= min(5, len(v.keys)); v.columns++ {
			if v.holds(r, leastAxes) {
				return true
			}
		}
		return false
	}
	for ; v.tight <= noNames; v.tight++ {
		for _, small := range []vg.Length{1, 0.85, 0.7} {
			for _, width := range []vg.Length{v.room.X, 100, 60, 36, 20, 12} {
				if v.keys = shrunk(all, small, width); place() {
					return
				}
			}
		}
	}
	v.tight = noNames
	for n := len(all) - 1; n > 0; n-- {
		rest := entry{name: fmt.Sprintf("+%d", len(all)-n), sign: func(*draw.Canvas, vg.Point, vg.Length) {}}
		if v.keys = shrunk(append(all[:n:n], rest), 0.7, 12); place() {
			return
		}
	}
	v.keys, v.outer, v.under = nil, false, false
}

// shrunk returns a legend at a scale, with names no wider than width and entries no wider than that
// in all.
func shrunk(keys []entry, small, width vg.Length) (less []entry) {
	for _, k := range keys {
		k.small = small
		less = append(less, k.measured(shorten(k.name, legendSize*float64(small), max(width-small*(keySign+keyText), 12*small))))
	}
	return less
}
