package plotting

import (
	"image"
	imagedraw "image/draw"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is an entry of the legend: a name and a thumbnail, drawn around a point and at
// most w wide.
type entry struct {
	name string
	sign func(c *draw.Canvas, at vg.Point, w vg.Length)
}

// named returns the entry of a layer, or none if name is empty.
func named(name string, sign func(*draw.Canvas, vg.Point, vg.Length)) []entry {
	if name == "" {
		return nil
	}
	return []entry{{name: name, sign: sign}}
}

// The legend's measures in points.
const (
	keyPad  vg.Length = 5  // between the legend's border and its content
	keySign vg.Length = 18 // width of a thumbnail
	keyMark vg.Length = 2  // minimum radius of a glyph, for its colour and shape to be visible
	keyText vg.Length = 5  // between thumbnail and name
	keyLine vg.Length = 14 // from line to line
	keyGap  vg.Length = 8  // between the frame and the legend
)

func keySize(keys []entry) vg.Point {
	var w vg.Length
	sty := style(legendSize)
	for _, k := range keys {
		w = max(w, sty.Width(k.name))
	}
	return vg.Point{X: 2*keyPad + keySign + keyText + w, Y: 2*keyPad - 2 + vg.Length(len(keys))*keyLine}
}

// drawKeys draws the legend with its lower left corner at a point.
func drawKeys(c draw.Canvas, at vg.Point, keys []entry) {
	size := keySize(keys)
	ground := vg.Rectangle{Min: at, Max: at.Add(size)}
	c.SetColor(paper)
	c.Fill(ground.Path())
	c.SetLineStyle(draw.LineStyle{Color: zero, Width: 0.5})
	c.Stroke(ground.Path())
	for i, k := range keys {
		y := ground.Max.Y - keyPad + 1 - (vg.Length(i)+0.5)*keyLine
		drawKey(c, vg.Point{X: at.X + keyPad, Y: y}, k)
	}
}

func drawKey(c draw.Canvas, at vg.Point, k entry) {
	k.sign(&c, vg.Point{X: at.X + keySign/2, Y: at.Y}, keySign)
	sty := style(legendSize)
	sty.XAlign = draw.XLeft
	c.FillText(sty, vg.Point{X: at.X + keySign + keyText, Y: at.Y}, k.name)
}

// keyApart is the space between the entries of a row.
const keyApart = 16

func rowWidth(keys []entry) vg.Length {
	sty := style(legendSize)
	width := -vg.Length(keyApart)
	for _, k := range keys {
		width += keySign + keyText + sty.Width(k.name) + keyApart
	}
	return width
}

// keyRows breaks a legend into rows of at most the given width.
func keyRows(keys []entry, width vg.Length) (rows [][]entry) {
	for _, k := range keys {
		if n := len(rows) - 1; n >= 0 && rowWidth(rows[n])+keyApart+rowWidth([]entry{k}) <= width {
			rows[n] = append(rows[n], k)
			continue
		}
		rows = append(rows, []entry{k})
	}
	return rows
}

// drawKeyRows draws the rows of a legend upwards from the height low, as a block centred on
// the canvas.
func drawKeyRows(c draw.Canvas, rows [][]entry, low vg.Length) {
	var width vg.Length
	for _, row := range rows {
		width = max(width, rowWidth(row))
	}
	sty := style(legendSize)
	for i, row := range rows {
		at := vg.Point{X: (c.Min.X + c.Max.X - width) / 2, Y: low + (vg.Length(len(rows)-i)-0.5)*keyLine}
		for _, k := range row {
			drawKey(c, at, k)
			at.X += keySign + keyText + sty.Width(k.name) + keyApart
		}
	}
}

// freeCorner returns a place for the legend, relative to the data rectangle, where it
// hides nothing, or nil if there is none. It draws the layers small and looks for ink,
// which works for any plotter. For each place it draws only what reaches there: most
// figures have room in one of the first, and painting pixels takes longer than all else.
// It tries the last three layers alone first: nothing covers them, and points and rings soon
// rule out a place.
func (v *view) freeCorner(box vg.Rectangle) *vg.Point {
	const dpi, inset = inkDPI, vg.Length(6)
	size, key := box.Size(), keySize(v.keys)
	if size.X < key.X+2*inset || size.Y < key.Y+2*inset || size.X < 20 || size.Y < 20 {
		return nil
	}
	v.settle(size)
	p := v.plot()
	var over []Layer
	for _, l := range v.layers {
		if !traitsOf(l).ground {
			over = append(over, l)
		}
	}
	top := over[max(0, len(over)-3):]
	k := newInk(size)
	free := func(at vg.Point, layers []Layer) bool {
		place := image.Rect(
			int((at.X - 2).Dots(dpi)), int((size.Y - at.Y - key.Y - 2).Dots(dpi)),
			int((at.X+key.X+2).Dots(dpi))+1, int((size.Y-at.Y+2).Dots(dpi))+1,
		)
		imagedraw.Draw(k.cv.Image(), place, image.NewUniform(paper), image.Point{}, imagedraw.Src) // earlier tries may have left ink
		k.cv.Push()
		defer k.cv.Pop()
		c := draw.Canvas{Canvas: &clipping{Canvas: k.cv, only: grown(vg.Rectangle{Min: at, Max: at.Add(key)}, 2+2*vg.Inch/dpi)}, Rectangle: k.c.Rectangle}
		for _, l := range layers {
			l.Plot(c, p)
		}
		return blank(k.cv.Image(), place)
	}
	left, right, middle := inset, size.X-key.X-inset, (size.X-key.X)/2
	low, high, centre := inset, size.Y-key.Y-inset, (size.Y-key.Y)/2
	for _, at := range []vg.Point{
		{X: right, Y: high}, {X: left, Y: high}, {X: right, Y: low}, {X: left, Y: low},
		{X: right, Y: centre}, {X: left, Y: centre}, {X: middle, Y: high}, {X: middle, Y: low},
	} {
		if free(at, top) && (len(top) == len(over) || free(at, over)) {
			return &at
		}
	}
	return nil
}

// blank reports whether a part of an image has no ink. Tints of areas don't count as
// ink, nor does the faint edge of a line nearby.
func blank(img image.Image, r image.Rectangle) bool {
	r = r.Intersect(img.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if 2126*r+7152*g+722*b < 10000*0xFFFF/100*88 {
				return false
			}
		}
	}
	return true
}
