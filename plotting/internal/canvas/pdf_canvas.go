//go:build !minimal

package canvas

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas draws on a page. It writes lines, areas and transformations as PDF operators,
// whose origin and directions are those of package vg; fpdf handles fonts, images and the
// structure of the document. gonum/plot's own vgpdf supports only the characters of
// Windows-1252, which lacks γ.
//
// Source: ISO 32000-2:2020, Document management — Portable document format,
// 8.4.4 (graphics state), 8.5.2 and 8.5.3 (paths).
type pdfCanvas struct {
	doc    *fpdf.Fpdf
	w, h   vg.Length
	state  pdfState
	stack  []pdfState
	images int
	fonts  map[string]bool // names of the fonts in the document
}

// pdfState is the state that Push saves and Pop restores.
type pdfState struct {
	colour color.NRGBA
	width  vg.Length
}

var _ vg.Canvas = (*pdfCanvas)(nil)

// op writes an operator with its operands.
func (c *pdfCanvas) op(name string, operands ...float64) {
	var b []byte
	for _, x := range operands {
		b = append(strconv.AppendFloat(b, x, 'f', 4, 64), ' ')
	}
	c.doc.RawWriteStr(string(b) + name)
}

// Size implements vg.CanvasSizer.
func (c *pdfCanvas) Size() (w, h vg.Length) { return c.w, c.h }

func (c *pdfCanvas) SetLineWidth(w vg.Length) {
	c.state.width = w
	c.op("w", w.Points())
}

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	b := []byte("[")
	for _, l := range pattern {
		b = append(strconv.AppendFloat(b, l.Points(), 'f', 4, 64), ' ')
	}
	b = strconv.AppendFloat(append(b, "] "...), offset.Points(), 'f', 4, 64)
	c.doc.RawWriteStr(string(b) + " d")
}

func (c *pdfCanvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.state.colour = color.NRGBAModel.Convert(col).(color.NRGBA)
	r, g, b := float64(c.state.colour.R)/255, float64(c.state.colour.G)/255, float64(c.state.colour.B)/255
	c.op("RG", r, g, b)
	c.op("rg", r, g, b)
	c.doc.SetTextColor(int(c.state.colour.R), int(c.state.colour.G), int(c.state.colour.B))
	c.doc.SetAlpha(float64(c.state.colour.A)/255, "Normal")
}

func (c *pdfCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.op("cm", cos, sin, -sin, cos, 0, 0)
}

func (c *pdfCanvas) Translate(p vg.Point) { c.op("cm", 1, 0, 0, 1, p.X.Points(), p.Y.Points()) }

func (c *pdfCanvas) Scale(x, y float64) { c.op("cm", x, 0, 0, y, 0, 0) }

func (c *pdfCanvas) Push() {
	c.stack = append(c.stack, c.state)
	c.op("q")
}

func (c *pdfCanvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.op("Q")
	// Q restored the page's colours, but fpdf keeps the text colour itself.
	c.doc.SetTextColor(int(c.state.colour.R), int(c.state.colour.G), int(c.state.colour.B))
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.state.width > 0 {
		c.path(p)
		c.op("S")
	}
}

func (c *pdfCanvas) Fill(p vg.Path) {
	c.path(p)
	c.op("f")
}

func (c *pdfCanvas) path(p vg.Path) {
	var at vg.Point
	begun := false
	for _, comp := range p {
		x, y := comp.Pos.X.Points(), comp.Pos.Y.Points()
		switch comp.Type {
		case vg.MoveComp:
			c.op("m", x, y)
		case vg.LineComp:
			c.op("l", x, y)
		case vg.CurveComp:
			c.curve(at, comp)
		case vg.ArcComp:
			at = c.arc(comp, begun)
			begun = true
			continue
		case vg.CloseComp:
			c.op("h")
			continue
		default:
			panic(fmt.Sprintf("plotting: PDF: component %d of a path is unknown", comp.Type))
		}
		at, begun = comp.Pos, true
	}
}

// curve draws a quadratic or cubic Bézier curve. PDF has only cubic ones; their control
// points lie two thirds of the way from the ends to that of the quadratic one.
func (c *pdfCanvas) curve(from vg.Point, comp vg.PathComp) {
	a, b := comp.Control[0], comp.Control[len(comp.Control)-1]
	if len(comp.Control) == 1 {
		q := comp.Control[0]
		a = vg.Point{X: from.X + (q.X-from.X)*2/3, Y: from.Y + (q.Y-from.Y)*2/3}
		b = vg.Point{X: comp.Pos.X + (q.X-comp.Pos.X)*2/3, Y: comp.Pos.Y + (q.Y-comp.Pos.Y)*2/3}
	}
	c.op("c", a.X.Points(), a.Y.Points(), b.X.Points(), b.Y.Points(), comp.Pos.X.Points(), comp.Pos.Y.Points())
}

// arc draws a circular arc and returns its end. Each piece is a cubic Bézier curve of at
// most a quarter circle, with control points 4/3·tan(angle/4) of the radius along the
// tangents.
func (c *pdfCanvas) arc(comp vg.PathComp, begun bool) vg.Point {
	r, x, y := comp.Radius.Points(), comp.Pos.X.Points(), comp.Pos.Y.Points()
	n := max(1, math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9))
	step := comp.Angle / n
	k := 4.0 / 3 * math.Tan(step/4)
	sin, cos := math.Sincos(comp.Start)
	if begun {
		c.op("l", x+r*cos, y+r*sin)
	} else {
		c.op("m", x+r*cos, y+r*sin)
	}
	for i := range int(n) {
		sin1, cos1 := math.Sincos(comp.Start + float64(i+1)*step)
		c.op("c", x+r*(cos-k*sin), y+r*(sin+k*cos), x+r*(cos1+k*sin1), y+r*(sin1-k*cos1), x+r*cos1, y+r*sin1)
		sin, cos = sin1, cos1
	}
	return vg.Point{X: vg.Points(x + r*cos), Y: vg.Points(y + r*sin)}
}

// FillString writes text in a font and embeds the font. Text with characters above U+FFFF, which
// fpdf can't write, becomes outlines.
func (c *pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	text = Legible(text)
	if f.Font.Size == 0 || text == "" {
		return
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > 0xFFFF }) {
		for _, r := range text {
			c.Fill(outline(f, r, at))
			at.X += f.Width(string(r))
		}
		return
	}
	name := f.Name()
	if !c.fonts[name] {
		var file bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &file); err != nil {
			panic(fmt.Sprintf("plotting: PDF: font %s: %v", name, err)) // only for a font that is read on demand
		}
		c.doc.AddUTF8FontFromBytes(name, "", file.Bytes())
		c.fonts[name] = true
	}
	// fpdf remembers the font it set last and skips a repeated one, but Pop restores an
	// older font. A change of size makes fpdf write the font again.
	c.doc.SetFont(name, "", f.Font.Size.Points()+1)
	c.doc.SetFontSize(f.Font.Size.Points())
	c.doc.Text(at.X.Points(), c.h.Points()-at.Y.Points(), text)
}

// outline returns the outline of a glyph, and nothing for a character that the font lacks.
func outline(f font.Face, r rune, at vg.Point) (p vg.Path) {
	em := fixed.Int26_6(f.Face.UnitsPerEm())
	i, err := f.Face.GlyphIndex(nil, r)
	if err != nil || i == 0 {
		return nil
	}
	segments, err := f.Face.LoadGlyph(new(sfnt.Buffer), i, em, nil)
	if err != nil {
		return nil
	}
	unit := f.Font.Size / vg.Length(em)
	to := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(q.X)*unit, Y: at.Y - vg.Length(q.Y)*unit} // in fonts y points down
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.Move(to(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.Line(to(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.QuadTo(to(s.Args[0]), to(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.CubeTo(to(s.Args[0]), to(s.Args[1]), to(s.Args[2]))
		}
	}
	return p
}

// DrawImage draws an image into the rectangle, with its pixels unchanged.
func (c *pdfCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	if img.Bounds().Empty() {
		return
	}
	c.images++
	name, o := strconv.Itoa(c.images), fpdf.ImageOptions{ImageType: "png"}
	if err := order(c.doc.RegisterImageOptionsReader(name, o, bytes.NewReader(embedPNG(img))), c.images); err != nil {
		panic(fmt.Sprintf("plotting: PDF: %v", err))
	}
	size := r.Size()
	c.doc.ImageOptions(name, r.Min.X.Points(), c.h.Points()-r.Max.Y.Points(), size.X.Points(), size.Y.Points(), false, o, 0, "")
}

// order fixes the place of image number i in the document. fpdf keeps images in a map and
// sorts them only by width, hence images of equal width come in random order. It writes
// the width as an integer but compares it as a float64. The image's gob encoding gives
// access to the width, and order adds a fraction to it.
func order(info *fpdf.ImageInfoType, i int) error {
	old, err := info.GobEncode()
	if err != nil {
		return err
	}
	var (
		data, smask, pal []byte
		n, bits          int
		w, h, scale, dpi float64
		cs, filter, dp   string
		trns             []int
	)
	fields := []any{&data, &smask, &n, &w, &h, &cs, &pal, &bits, &filter, &dp, &trns, &scale, &dpi}
	dec := gob.NewDecoder(bytes.NewReader(old))
	for _, f := range fields {
		if err := dec.Decode(f); err != nil {
			return err
		}
	}
	w += float64(i) / (1 << 20)
	var b bytes.Buffer
	enc := gob.NewEncoder(&b)
	for _, f := range fields {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return info.GobDecode(b.Bytes())
}
