package plotting

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// still is the figure of a slider for programs that show PNG alone, such as GitHub's
// renderer. Above it a picture of the slider tells the value, and how it would move.
type still struct {
	drawing
	slider Slider
}

const stillWords = "Run this cell in JupyterLab to move the slider."

// stillHeight is the height of the slider's picture: 36 pixels on a screen. A page that shows
// a slider of its own cuts it off (figure.js in internal/lab).
const stillHeight vg.Length = 27

func (s still) Extent() (w, h vg.Length) {
	w, h = s.drawing.Extent()
	return w, h + stillHeight
}

func (s still) PNG(dpi int) []byte {
	w, h := s.Extent()
	return toPNG(s.Draw, w, h, dpi)
}

func (s still) Draw(c draw.Canvas) {
	s.drawing.Draw(draw.Crop(c, 0, 0, 0, -stillHeight))
	ground(draw.Crop(c, 0, 0, c.Max.Y-c.Min.Y-stillHeight, 0))
	const knob, gap, longest vg.Length = 4, 7, 110
	words := style(legendSize)
	words.XAlign = text.XLeft
	value := short(s.slider.Start)
	left, y := c.Min.X+border, c.Max.Y-9
	from := left + words.Width(s.slider.Label) + gap + knob
	to := max(from, min(from+longest, c.Max.X-border-words.Width(value)-gap-knob))
	c.FillText(words, vg.Point{X: left, Y: y}, s.slider.Label)
	c.FillText(words, vg.Point{X: to + knob + gap, Y: y}, value)
	c.StrokeLine2(draw.LineStyle{Color: edge, Width: 1.5}, from, y, to, y)
	at := from + (to-from)*vg.Length((s.slider.Start-s.slider.Min)/(s.slider.Max-s.slider.Min))
	c.SetColor(Blue)
	var circle vg.Path
	circle.Move(vg.Point{X: at + knob, Y: y})
	circle.Arc(vg.Point{X: at, Y: y}, knob, 0, 2*math.Pi)
	circle.Close()
	c.Fill(circle)
	words.Color, words.Font.Size = edge, 8
	c.FillText(words, vg.Point{X: left, Y: y - 12}, stillWords)
}
