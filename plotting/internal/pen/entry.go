package pen

import (
	"cmp"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry is an entry of the legend: a name and a thumbnail, drawn around a point and at
// most w wide.
type Entry struct {
	Name  string
	Sign  func(c *draw.Canvas, at vg.Point, w vg.Length)
	Small vg.Length // its scale in a crowded figure; 0 is 1
	Wide  vg.Length // the width of the name, or 0 if it is not measured yet
}

// Named returns the entry of a layer, or none if name is empty.
func Named(name string, sign func(*draw.Canvas, vg.Point, vg.Length)) []Entry {
	if name == "" {
		return nil
	}
	return []Entry{{Name: name, Sign: sign}}
}

// The measures of an entry in points.
const (
	KeySign vg.Length = 18 // width of a thumbnail
	KeyMark vg.Length = 2  // minimum radius of a glyph, for its colour and shape to be visible
	KeyText vg.Length = 5  // between thumbnail and name
)

// Scale returns the scale of an entry, and of the legend to which it belongs.
func (k Entry) Scale() vg.Length { return cmp.Or(k.Small, 1) }

// Style is that of the name.
func (k Entry) Style() text.Style { return Style(LegendSize * float64(k.Scale())) }

// Measured returns the entry with another name, measured.
func (k Entry) Measured(name string) Entry {
	k.Name = name
	k.Wide = k.Style().Width(name)
	return k
}

// Width returns the width of an entry's thumbnail and name.
func (k Entry) Width() vg.Length {
	if k.Wide == 0 {
		k = k.Measured(k.Name)
	}
	return k.Scale()*(KeySign+KeyText) + k.Wide
}
