package plotting

import (
	"cmp"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// margins are the distances from the edge of the canvas to the data.
type margins struct{ left, right, bottom, top vg.Length }

func (m margins) max(n margins) margins {
	return margins{max(m.left, n.left), max(m.right, n.right), max(m.bottom, n.bottom), max(m.top, n.top)}
}

// hold reports whether there is room for other margins within these, up to a point.
func (m margins) hold(n margins) bool {
	return n.left <= m.left+1 && n.right <= m.right+1 && n.bottom <= m.bottom+1 && n.top <= m.top+1
}

// crowded reports whether labels touch on axes of the given size, or an axis has none yet.
func (v *view) crowded(box vg.Point) bool {
	touch := func(a *axis, along vg.Point) bool { return a.names == nil && !a.apart(a.ticks, along) }
	return !v.traits.image && touch(&v.x, vg.Point{X: box.X}) || touch(&v.y, vg.Point{Y: box.Y}) ||
		v.bar != nil && touch(&v.bar.axis, vg.Point{Y: box.Y})
}

// notesAbove returns the height of the notes of the vertical axis and of the colour bar.
func (v *view) notesAbove() (h vg.Length) {
	if !v.bare {
		h = v.y.noteHeight()
	}
	if v.bar != nil {
		h += v.bar.noteHeight()
	}
	return h
}

// noteHeight returns the height of the line of an axis' note.
func (a *axis) noteHeight() vg.Length {
	if a.note == "" {
		return 0
	}
	return style(tickSize).Height(a.note) + labelGap
}

func (a *axis) labelWidth() vg.Length { return widestLabel(a.ticks) }

// widestLabel returns the width of the widest label.
func widestLabel(ticks []plot.Tick) (w vg.Length) {
	sty := style(tickSize)
	for _, t := range ticks {
		w = max(w, sty.Width(t.Label))
	}
	return w
}

// The title and the labels of the axes, broken into lines that fit the canvas.
func (v *view) heading() string {
	room := v.room.X
	if v.outer { // beside the legend, and little wider than the axes
		left, right := v.sides()
		room = 1.2 * (room + 2*border - left - right)
	}
	high := 0.4 * v.room.Y
	if high <= 0 { // not known yet
		high = 0.4 * v.room.X
	}
	return v.text(v.title, titleSize, min(room, v.room.X), high, noTitle)
}
func (v *view) below() string { return v.text(v.x.label, labelSize, v.room.X, 0.25*v.room.Y, noLabels) }
func (v *view) beside() string {
	return v.text(v.y.label, labelSize, cmp.Or(v.long, v.room.Y), 0.25*v.room.X, noLabels)
}

// setLong settles how long the label of the y axis may be.
func (v *view) setLong(r, box vg.Rectangle) {
	low, high := v.between(r, box)
	v.long = max(high-low, 1)
}

// between returns the ends of the room for the label of the y axis: beside the numbers of the axes,
// and up to the border where there is no title or no label of the x axis and no legend below it.
func (v *view) between(r, box vg.Rectangle) (low, high vg.Length) {
	low, high = r.Min.Y+border, r.Max.Y-border
	if v.heading() != "" {
		high = min(high, box.Max.Y+titleGap/2)
	}
	if v.below() != "" || v.under {
		low = max(low, box.Min.Y-v.numbersHeight())
	}
	return low, high
}

// numbersHeight returns the height of the numbers below the axes, with their ticks.
func (v *view) numbersHeight() vg.Length {
	if v.bare || len(v.x.ticks) == 0 {
		return 0
	}
	return v.x.labelHeight() + tickGap + tickLength
}

// What a figure leaves out for lack of room. Its text alternative has all.
const (
	oneLine   = 1 // all but a line of the title and of the labels of the axes
	noLabels  = 2 // these labels
	noTitle   = 3 // the title too
	noNumbers = 4 // and the numbers
)

// text fits the title or the label of an axis, which is left out at the given level.
func (v *view) text(txt string, size float64, width, height vg.Length, leftOut int) string {
	switch {
	case v.tight >= leftOut:
		return ""
	case v.tight >= oneLine:
		return shorten(txt, size, width)
	}
	key := fitting{txt, size, width, height}
	if _, known := v.fits[key]; !known {
		v.fits[key] = fitted(txt, size, width, height)
	}
	return v.fits[key]
}

// fitting is the key under which a fitted text is kept.
type fitting struct {
	text          string
	size          float64
	width, height vg.Length
}

// margins returns the room for the title, labels, tick labels and legend. It depends on
// the ticks.
func (v *view) margins() margins {
	m := margins{bottom: border, top: border}
	m.left, m.right = v.sides()
	label := style(labelSize)
	if heading := v.heading(); heading != "" {
		m.top += style(titleSize).Height(heading) + titleGap
	}
	if below := v.below(); below != "" {
		m.bottom += label.Height(below) + labelGap
	}
	if !v.bare {
		m.bottom += v.numbersHeight()
		m.top += style(tickSize).Height("0") / 3
		m.bottom += v.x.noteHeight()
	}
	m.top += v.notesAbove()
	if v.under {
		m.bottom += keyGap + v.rowsHeight()
	}
	return m
}

// rowsHeight returns the height of a legend below the axes.
func (v *view) rowsHeight() vg.Length {
	return vg.Length(len(keyRows(v.keys, v.room.X))) * lineOf(v.keys)
}

// sides returns the left and the right margin.
func (v *view) sides() (left, right vg.Length) {
	left, right = border, border
	if beside := v.beside(); beside != "" {
		left += style(labelSize).Height(beside) + labelGap
	}
	if !v.bare {
		left += v.y.labelWidth() + tickGap + tickLength
		// Half of the last number may overhang.
		if n := len(v.x.ticks); n > 0 {
			right += max(style(tickSize).Width(v.x.ticks[n-1].Label)/2, v.x.overhang(1))
		}
		left = max(left, border+v.x.overhang(0))
	}
	if v.bar != nil {
		right = border + v.bar.width()
	}
	right += v.endWidth()
	if v.outer {
		right += keyGap + columnsSize(v.keys, v.columns).X
	}
	return left, right
}

// box returns the data rectangle within the canvas. Fixed ranges at equal scales make it
// smaller than the room left.
func (v *view) box(r vg.Rectangle, m margins) vg.Rectangle {
	b := vg.Rectangle{
		Min: vg.Point{X: r.Min.X + m.left, Y: r.Min.Y + m.bottom},
		Max: vg.Point{X: r.Max.X - m.right, Y: r.Max.Y - m.top},
	}
	b.Max.X, b.Max.Y = max(b.Max.X, b.Min.X+1), max(b.Max.Y, b.Min.Y+1)
	if !v.equal {
		return b
	}
	size := b.Size()
	want := vg.Length(v.y.length() / v.x.length())
	switch have := size.Y / size.X; {
	case want < have:
		d := (size.Y - size.X*want) / 2
		b.Min.Y, b.Max.Y = b.Min.Y+d, b.Max.Y-d
	case want > have:
		d := (size.X - size.Y/want) / 2
		b.Min.X, b.Max.X = b.Min.X+d, b.Max.X-d
	}
	return b
}

// fit chooses the ticks and the place of the legend for a canvas, and widens the ranges
// at equal scales. Ticks and margins depend on each other, hence the two rounds.
// Text is shortened and in the end left out if the axes would get too small.
func (v *view) fit(r vg.Rectangle) {
	v.room = r.Size().Sub(vg.Point{X: 2 * border, Y: 2 * border})
	v.ticksFor(r.Size())
	for range 2 {
		v.setLong(r, v.box(r, v.margins()))
		v.widen(r, v.margins())
		v.ticksFor(v.box(r, v.margins()).Size())
	}
	for i := range 5 {
		box := v.box(r, v.margins()).Size()
		if !v.crowded(box) {
			break
		}
		v.ticksFor(box.Scale(1 - 0.03*vg.Length(i))) // other labels may need wider margins
	}
	if v.endsToKeys(v.box(r, v.margins()).Size().Y) {
		v.fit(r)
		return
	}
	if v.legend == nil && !v.outer && !v.under && len(v.keys) > 0 {
		b := v.box(r, v.margins())
		if v.legend = v.freeCorner(b); v.legend == nil {
			v.moveOut(r)
			v.fit(r)
			return
		}
	}
	if v.tight < noNumbers && !v.holds(r, leastAxes) {
		v.tight++
		if v.tight == noNumbers {
			v.bare, v.bar = true, nil
		}
		v.fit(r)
	}
}

// widen makes free ranges at equal scales fill the box.
func (v *view) widen(r vg.Rectangle, m margins) {
	if !v.equal || v.fixed || v.traits.image {
		return
	}
	size := vg.Point{X: r.Max.X - r.Min.X - m.left - m.right, Y: r.Max.Y - r.Min.Y - m.bottom - m.top}
	if size.X <= 0 || size.Y <= 0 {
		return
	}
	// Start from the original ranges: an earlier call may have widened them for another box.
	if v.free == nil {
		v.free = &[4]float64{v.x.min, v.x.max, v.y.min, v.y.max}
	}
	v.x.min, v.x.max, v.y.min, v.y.max = v.free[0], v.free[1], v.free[2], v.free[3]
	dx, dy := v.x.length(), v.y.length()
	unit := math.Max(dx/float64(size.X), dy/float64(size.Y))
	ex, ey := (unit*float64(size.X)-dx)/2, (unit*float64(size.Y)-dy)/2
	v.x.min, v.x.max = v.x.min-ex, v.x.max+ex
	v.y.min, v.y.max = v.y.min-ey, v.y.max+ey
	v.x.limit()
	v.y.limit()
}

func (v *view) ticksFor(box vg.Point) {
	v.y.widest = max(36, v.room.X/5)
	if v.bar != nil {
		v.bar.widest = v.y.widest
	}
	switch {
	case v.x.names != nil:
		v.x.setNames(box.X)
	case v.traits.image:
		v.x.ticks = nil
	default:
		v.x.setTicks(2+int(box.X/48), vg.Point{X: box.X})
	}
	if v.y.names != nil {
		v.y.nameRows(box.Y)
	} else {
		v.y.setTicks(2+int(box.Y/36), vg.Point{Y: box.Y})
	}
	if v.equal && !v.bare {
		v.matchTicks()
	}
	if v.bar != nil {
		v.bar.setTicks(2+int(box.Y/36), vg.Point{Y: box.Y})
		v.bar.label = v.text(v.barLabel, labelSize, box.Y, 0.2*v.room.X, noLabels)
	}
	v.shortenNames()
}

// shortenNames shortens the names of categories that would take too much room from the data.
func (v *view) shortenNames() {
	if v.room.X <= 0 {
		return
	}
	high := v.room.Y
	if high <= 0 { // not known yet
		high = v.room.X
	}
	names := func(a *axis, width vg.Length) {
		for i := range a.ticks {
			a.ticks[i].Label = shorten(a.ticks[i].Label, tickSize, width)
		}
	}
	across, up := 0.4*v.room.X, 0.3*high
	if v.tight >= oneLine {
		across, up = across/2, up/2
	}
	if v.y.names != nil {
		names(&v.y, across)
	}
	if v.x.names != nil && v.x.slope > 0 {
		names(&v.x, min(up, across)/vg.Length(math.Sin(v.x.slope)))
	}
}

// matchTicks gives both axes at equal scales the wider of the two steps, which makes the
// grid square.
func (v *view) matchTicks() {
	if v.x.names != nil || len(v.x.ticks) < 2 || len(v.y.ticks) < 2 {
		return
	}
	sx := v.x.ticks[1].Value - v.x.ticks[0].Value
	sy := v.y.ticks[1].Value - v.y.ticks[0].Value
	fit := func(a *axis, step float64) {
		n := int(a.length()/step*(1+1e-9)) + 1
		for _, s := range a.steps(n, a.whole) {
			if len(s.at) <= n && a.take(s, 1, false) {
				return
			}
		}
	}
	if sx < sy*(1-1e-9) {
		fit(&v.x, sy)
	} else if sy < sx*(1-1e-9) {
		fit(&v.y, sx)
	}
}
