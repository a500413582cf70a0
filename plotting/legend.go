package plotting

import (
	"image"
	imagedraw "image/draw"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// The legend's measures in points.
const (
	keyPad  vg.Length = 5  // between the legend's border and its content
	keyLine vg.Length = 14 // from line to line
	keyGap  vg.Length = 8  // between the frame and the legend
)

// lineOf returns the distance between the lines of a legend.
func lineOf(keys []pen.Entry) vg.Length {
	if len(keys) == 0 {
		return 0
	}
	return keyLine * keys[0].Scale()
}

// keySize returns the size of a legend of one column.
func keySize(keys []pen.Entry) vg.Point { return columnsSize(keys, 1) }

// columnsSize returns the size of a legend of several columns.
func columnsSize(keys []pen.Entry, columns int) vg.Point {
	size := vg.Point{X: 2 * keyPad, Y: 2*keyPad - 2 + vg.Length(perColumn(keys, columns))*lineOf(keys)}
	for i, column := range columnsOf(keys, columns) {
		if i > 0 {
			size.X += keyApart / 2
		}
		size.X += widest(column)
	}
	return size
}

func perColumn(keys []pen.Entry, columns int) int { return (len(keys) + columns - 1) / columns }

func columnsOf(keys []pen.Entry, columns int) [][]pen.Entry {
	return slices.Collect(slices.Chunk(keys, max(1, perColumn(keys, columns))))
}

func widest(keys []pen.Entry) (w vg.Length) {
	for _, k := range keys {
		w = max(w, k.Width())
	}
	return w
}

// drawKeys draws the legend in columns, with its lower left corner at a point.
func drawKeys(c draw.Canvas, at vg.Point, keys []pen.Entry, columns int) {
	size := columnsSize(keys, columns)
	ground := vg.Rectangle{Min: at, Max: at.Add(size)}
	c.SetColor(pen.Paper)
	c.Fill(ground.Path())
	c.SetLineStyle(draw.LineStyle{Color: pen.Zero, Width: 0.5})
	c.Stroke(ground.Path())
	x := at.X + keyPad
	for _, column := range columnsOf(keys, columns) {
		for i, k := range column {
			drawKey(c, vg.Point{X: x, Y: ground.Max.Y - keyPad + 1 - (vg.Length(i)+0.5)*lineOf(keys)}, k)
		}
		x += widest(column) + keyApart/2
	}
}

func drawKey(c draw.Canvas, at vg.Point, k pen.Entry) {
	s := k.Scale()
	k.Sign(&c, vg.Point{X: at.X + s*pen.KeySign/2, Y: at.Y}, s*pen.KeySign)
	sty := k.Style()
	sty.XAlign = draw.XLeft
	c.FillText(sty, vg.Point{X: at.X + s*(pen.KeySign+pen.KeyText), Y: at.Y}, k.Name)
}

// keyApart is the space between the entries of a row.
const keyApart = 16

func rowWidth(keys []pen.Entry) vg.Length {
	width := -apart(keys)
	for _, k := range keys {
		width += k.Width() + apart(keys)
	}
	return width
}

func apart(keys []pen.Entry) vg.Length {
	if len(keys) == 0 || keys[0].Scale() == 1 {
		return keyApart
	}
	return keyApart / 2 * keys[0].Scale()
}

// keyRows breaks a legend into rows of at most the given width.
func keyRows(keys []pen.Entry, width vg.Length) (rows [][]pen.Entry) {
	for _, k := range keys {
		if n := len(rows) - 1; n >= 0 && rowWidth(rows[n])+apart(keys)+rowWidth([]pen.Entry{k}) <= width {
			rows[n] = append(rows[n], k)
			continue
		}
		rows = append(rows, []pen.Entry{k})
	}
	return rows
}

// drawKeyRows draws the rows of a legend upwards from the height low, as a block centred on
// the canvas.
func drawKeyRows(c draw.Canvas, rows [][]pen.Entry, low vg.Length) {
	var width vg.Length
	for _, row := range rows {
		width = max(width, rowWidth(row))
	}
	for i, row := range rows {
		at := vg.Point{X: (c.Min.X + c.Max.X - width) / 2, Y: low + (vg.Length(len(rows)-i)-0.5)*lineOf(row)}
		for _, k := range row {
			drawKey(c, at, k)
			at.X += k.Width() + apart(row)
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
		if !traitsOf(l).Ground {
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
		imagedraw.Draw(k.cv.Image(), place, image.NewUniform(pen.Paper), image.Point{}, imagedraw.Src) // earlier tries may have left ink
		k.cv.Push()
		defer k.cv.Pop()
		c := draw.Canvas{Canvas: &canvas.Clipping{Canvas: k.cv, Only: canvas.Grown(vg.Rectangle{Min: at, Max: at.Add(key)}, 2+2*vg.Inch/dpi)}, Rectangle: k.c.Rectangle}
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
