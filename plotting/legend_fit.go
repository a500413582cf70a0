package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// leastAxes is the share of a figure's width and of its height that the axes keep.
const leastAxes = 0.25

// holds reports whether the legend fits the canvas and the axes keep a share of it.
func (v *view) holds(r vg.Rectangle, share vg.Length) bool {
	v.setLong(r, v.box(r, v.margins()))
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
	if !v.moveWhole(r) {
		v.crowd(r)
	}
}

// moveWhole moves the legend out as it is, and reports whether it holds.
func (v *view) moveWhole(r vg.Rectangle) bool {
	v.outer, v.under, v.columns = true, false, 1
	if m := v.margins(); r.Size().X-m.left-m.right < max(r.Size().X/2, 2.5*vg.Inch) {
		v.outer, v.under = false, true
	}
	return v.holds(r, leastAxes)
}

// crowd finds the most legible legend that holds. Of all that do, it takes the one with the longest
// names, and of these the one with the largest letters, below the axes or in columns beside them. If
// there is none, the title and the labels of the axes get one line each, then the labels none, then
// the title. If the figure is too small even for that, names may look the same, and in the end the
// legend says how many entries it leaves out.
func (v *view) crowd(r vg.Rectangle) {
	all := v.keys
	for _, same := range []bool{false, true} {
		for v.tight = 0; v.tight <= noTitle; v.tight++ {
			for _, width := range keyWidths(v.room.X) {
				for _, small := range []vg.Length{1, 0.85, 0.7} {
					if v.keys = shrunk(all, small, width); (same || distinct(v.keys, all)) && v.place(r) {
						return
					}
				}
			}
		}
	}
	v.tight = noTitle
	for n := len(all) - 1; n > 0; n-- {
		rest := pen.Entry{Name: fmt.Sprintf("+%d", len(all)-n), Sign: func(*draw.Canvas, vg.Point, vg.Length) {}}
		rest.Small = 0.7
		if v.keys = append(shrunk(all[:n], 0.7, 12), rest); v.place(r) {
			return
		}
	}
	v.keys, v.outer, v.under = nil, false, false
}

// keyWidths returns the widths that entries of a legend may have, from the room that there is.
func keyWidths(room vg.Length) []vg.Length { return []vg.Length{room, 100, 60, 36, 20, 12} }

// place puts the legend below the axes or in columns beside them. It reports whether it holds.
func (v *view) place(r vg.Rectangle) bool {
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

// shrunk returns a legend at a scale, with entries no wider than width. Names lose their ends or, if
// they would look the same then, their beginnings.
func shrunk(keys []pen.Entry, small, width vg.Length) []pen.Entry {
	size := pen.LegendSize * float64(small)
	room := max(width-small*(pen.KeySign+pen.KeyText), 12*small)
	with := func(cut func(string, float64, vg.Length) string) (less []pen.Entry) {
		for _, k := range keys {
			k.Small = small
			if k = k.Measured(k.Name); k.Wide > room {
				k = k.Measured(cut(k.Name, size, room))
			}
			less = append(less, k)
		}
		return less
	}
	less := with(pen.Cut)
	if !distinct(less, keys) {
		if other := with(pen.CutFront); distinct(other, keys) {
			return other
		}
	}
	return less
}

// distinct reports whether names that differ in a whole legend still differ in a shrunk one.
func distinct(less, whole []pen.Entry) bool {
	from := map[string]string{}
	for i, k := range less {
		if name, known := from[k.Name]; known && name != whole[i].Name {
			return false
		}
		from[k.Name] = whole[i].Name
	}
	return true
}
