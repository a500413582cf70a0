package notebook

import (
	"bytes"
	"image"
	imagedraw "image/draw"
	"image/png"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// still is the figure of a slider for programs that show only PNG, such as GitHub's renderer.
// Its PNG has a picture of the slider above the figure, with the value and a word on how to
// move it.
type still struct {
	Picture
	slider Slider
}

const stillWords = "Run this cell in JupyterLab to move the slider."

// stillHeight is the height of the slider's picture: 36 pixels on a screen. A page with a live
// slider cuts the picture off (figure.js in internal/install/lab).
const stillHeight vg.Length = 27

// PNG puts the pixels of the figure's own PNG below the slider: drawn at another height, the
// colours of a field would differ by rounding.
func (s still) PNG(dpi int) []byte {
	figure, err := png.Decode(bytes.NewReader(s.Picture.PNG(dpi)))
	if err != nil {
		panic("plotting: PNG: " + err.Error()) // we have just encoded it
	}
	w, _ := s.Picture.Extent()
	top := canvas.PaintImage(s.paint, w, stillHeight, dpi)
	above, size := top.Rect.Dy(), figure.Bounds().Size()
	whole := image.NewRGBA(image.Rect(0, 0, size.X, above+size.Y))
	imagedraw.Draw(whole, top.Rect, top, image.Point{}, imagedraw.Src)
	imagedraw.Draw(whole, image.Rect(0, above, size.X, above+size.Y), figure, image.Point{}, imagedraw.Src)
	return canvas.EncodePNG(whole, dpi)
}

// paint draws the slider.
func (s still) paint(c draw.Canvas) {
	const knob, gap, longest vg.Length = 4, 7, 110
	words := pen.Style(pen.LegendSize)
	words.XAlign = text.XLeft
	value := pen.Short(s.slider.Start)
	left, y := c.Min.X+pen.Border, c.Max.Y-9
	label := pen.Shorten(s.slider.Label, pen.LegendSize, (c.Max.X-c.Min.X)/2)
	from := left + words.Width(label) + gap + knob
	to := max(from, min(from+longest, c.Max.X-pen.Border-words.Width(value)-gap-knob))
	c.FillText(words, vg.Point{X: left, Y: y}, label)
	c.FillText(words, vg.Point{X: to + knob + gap, Y: y}, value)
	c.StrokeLine2(draw.LineStyle{Color: pen.Edge, Width: 1.5}, from, y, to, y)
	at := from + (to-from)*vg.Length((s.slider.Start-s.slider.Min)/(s.slider.Max-s.slider.Min))
	pen.Mark(&c, 0, vg.Point{X: at, Y: y}, knob, pen.Blue)
	words.Color, words.Font.Size = pen.Edge, 8
	c.FillText(words, vg.Point{X: left, Y: y - 12}, pen.Shorten(stillWords, 8, c.Max.X-left-pen.Border))
}
