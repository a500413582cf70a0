package plotting

import (
	"cmp"
	"math"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
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
	touch := func(a *axis.Axis, along vg.Point) bool { return a.Names == nil && !a.Apart(a.Ticks, along) }
	return !v.traits.Image && touch(&v.x, vg.Point{X: box.X}) || touch(&v.y, vg.Point{Y: box.Y}) ||
		v.bar != nil && touch(&v.bar.Axis, vg.Point{Y: box.Y})
}

// notesAbove returns the height of the notes of the vertical axis and of the colour bar.
func (v *view) notesAbove() (h vg.Length) {
	if !v.bare {
		h = v.y.NoteHeight()
	}
	if v.bar != nil {
		h += v.bar.NoteHeight()
	}
	return h
}

// The title and the labels of the axes, broken into lines that fit the canvas.
func (v *view) heading() string {
	room := v.room.X
	if v.outer { // beside the legend, and little wider than the axes
		left, right := v.sides()
		room = 1.2 * (room + 2*pen.Border - left - right)
	}
	high := 0.4 * v.room.Y
	if high <= 0 { // not known yet
		high = 0.4 * v.room.X
	}
	return v.text(v.title, pen.TitleSize, min(room, v.room.X), high, noTitle)
}
func (v *view) below() string {
	return v.text(v.x.Label, pen.LabelSize, v.room.X, 0.25*v.room.Y, noLabels)
}
func (v *view) beside() string {
	return v.text(v.y.Label, pen.LabelSize, cmp.Or(v.long, v.room.Y), 0.25*v.room.X, noLabels)
}

// setLong settles how long the label of the y axis may be.
func (v *view) setLong(r, box vg.Rectangle) {
	low, high := v.between(r, box)
	v.long = max(high-low, 1)
}

// between returns the ends of the room for the label of the y axis: beside the numbers of the axes,
// and up to the border where there is no title or no label of the x axis and no legend below it.
func (v *view) between(r, box vg.Rectangle) (low, high vg.Length) {
	low, high = r.Min.Y+pen.Border, r.Max.Y-pen.Border
	if v.heading() != "" {
		high = min(high, box.Max.Y+pen.TitleGap/2)
	}
	if v.below() != "" || v.under {
		low = max(low, box.Min.Y-v.numbersHeight())
	}
	return low, high
}

// numbersHeight returns the height of the numbers below the axes, with their ticks.
func (v *view) numbersHeight() vg.Length {
	if v.bare || len(v.x.Ticks) == 0 {
		return 0
	}
	return v.x.LabelHeight() + pen.TickGap + pen.TickLength
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
		return pen.Shorten(txt, size, width)
	}
	key := fitting{txt, size, width, height}
	if _, known := v.fits[key]; !known {
		v.fits[key] = pen.Fitted(txt, size, width, height)
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
	m := margins{bottom: pen.Border, top: pen.Border}
	m.left, m.right = v.sides()
	label := pen.Style(pen.LabelSize)
	if heading := v.heading(); heading != "" {
		m.top += pen.Style(pen.TitleSize).Height(heading) + pen.TitleGap
	}
	if below := v.below(); below != "" {
		m.bottom += label.Height(below) + pen.LabelGap
	}
	if !v.bare {
		m.bottom += v.numbersHeight()
		m.top += pen.Style(pen.TickSize).Height("0") / 3
		m.bottom += v.x.NoteHeight()
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
	left, right = pen.Border, pen.Border
	if beside := v.beside(); beside != "" {
		left += pen.Style(pen.LabelSize).Height(beside) + pen.LabelGap
	}
	if !v.bare {
		left += v.y.LabelWidth() + pen.TickGap + pen.TickLength
		// Half of the last number may overhang.
		if n := len(v.x.Ticks); n > 0 {
			right += max(pen.Style(pen.TickSize).Width(v.x.Ticks[n-1].Label)/2, v.x.Overhang(1))
		}
		left = max(left, pen.Border+v.x.Overhang(0))
	}
	if v.bar != nil {
		right = pen.Border + v.bar.width()
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
	want := vg.Length(v.y.Length() / v.x.Length())
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
	v.room = r.Size().Sub(vg.Point{X: 2 * pen.Border, Y: 2 * pen.Border})
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
	if !v.equal || v.fixed || v.traits.Image {
		return
	}
	size := vg.Point{X: r.Max.X - r.Min.X - m.left - m.right, Y: r.Max.Y - r.Min.Y - m.bottom - m.top}
	if size.X <= 0 || size.Y <= 0 {
		return
	}
	// Start from the original ranges: an earlier call may have widened them for another box.
	if v.free == nil {
		v.free = &[4]float64{v.x.Min, v.x.Max, v.y.Min, v.y.Max}
	}
	v.x.Min, v.x.Max, v.y.Min, v.y.Max = v.free[0], v.free[1], v.free[2], v.free[3]
	dx, dy := v.x.Length(), v.y.Length()
	unit := math.Max(dx/float64(size.X), dy/float64(size.Y))
	ex, ey := (unit*float64(size.X)-dx)/2, (unit*float64(size.Y)-dy)/2
	v.x.Min, v.x.Max = v.x.Min-ex, v.x.Max+ex
	v.y.Min, v.y.Max = v.y.Min-ey, v.y.Max+ey
	v.x.Limit()
	v.y.Limit()
}

func (v *view) ticksFor(box vg.Point) {
	v.y.Widest = max(36, v.room.X/5)
	if v.bar != nil {
		v.bar.Widest = v.y.Widest
	}
	switch {
	case v.x.Names != nil:
		v.x.SetNames(box.X)
	case v.traits.Image:
		v.x.Ticks = nil
	default:
		v.x.SetTicks(2+int(box.X/48), vg.Point{X: box.X})
	}
	if v.y.Names != nil {
		v.y.NameRows(box.Y)
	} else {
		v.y.SetTicks(2+int(box.Y/36), vg.Point{Y: box.Y})
	}
	if v.equal && !v.bare {
		v.matchTicks()
	}
	if v.bar != nil {
		v.bar.SetTicks(2+int(box.Y/36), vg.Point{Y: box.Y})
		v.bar.Label = v.text(v.barLabel, pen.LabelSize, box.Y, 0.2*v.room.X, noLabels)
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
	names := func(a *axis.Axis, width vg.Length) {
		for i := range a.Ticks {
			a.Ticks[i].Label = pen.Shorten(a.Ticks[i].Label, pen.TickSize, width)
		}
	}
	across, up := 0.4*v.room.X, 0.3*high
	if v.tight >= oneLine {
		across, up = across/2, up/2
	}
	if v.y.Names != nil {
		names(&v.y, across)
	}
	if v.x.Names != nil && v.x.Slope > 0 {
		names(&v.x, min(up, across)/vg.Length(math.Sin(v.x.Slope)))
	}
}

// matchTicks gives both axes at equal scales the wider of the two steps, which makes the
// grid square.
func (v *view) matchTicks() {
	if v.x.Names != nil || len(v.x.Ticks) < 2 || len(v.y.Ticks) < 2 {
		return
	}
	sx := v.x.Ticks[1].Value - v.x.Ticks[0].Value
	sy := v.y.Ticks[1].Value - v.y.Ticks[0].Value
	fit := func(a *axis.Axis, step float64) {
		n := int(a.Length()/step*(1+1e-9)) + 1
		for _, s := range a.Steps(n, a.Whole) {
			if len(s.At) <= n && a.Take(s, 1, false) {
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
