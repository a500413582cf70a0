package plotting

import (
	"fmt"
	"image"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
)

// A Film is a sequence of drawings shown one after the other. [Play] makes one.
type Film struct {
	seconds float64
	frames  []drawing
}

// Play returns a film that shows each frame for the given number of seconds, the last
// one four times as long. It plays three times and stops on the last frame: nothing
// moves next to a text for long.
//
//	var frames []plotting.Drawing
//	p := perceptron.Perceptron{Trace: func(s perceptron.Step) bool {
//		frames = append(frames, plotting.New("", plotting.Plane(s.W, s.B), plotting.Classes(X, y)).Range(-3, 3, -3, 3))
//		return true
//	}}
//	…
//	plotting.Show("steps", plotting.Play(0.8, frames...))
//
// As PNG the film is animated, and browsers play it. A program that doesn't know
// animated PNG shows the last frame, and so does every other format. All frames get the
// size of the largest. Give them the same Range, or the axes will move too.
func Play(seconds float64, frames ...Drawing) *Film {
	if len(frames) == 0 {
		panic("plotting: Play: no frames")
	}
	if !(seconds >= 0.02 && seconds <= 60) {
		panic(fmt.Sprintf("plotting: Play: %g seconds a frame, want 0.02 to 60", seconds))
	}
	film := &Film{seconds: seconds}
	for i, f := range frames {
		if f == nil {
			panic(fmt.Sprintf("plotting: Play: frame %d is nil", i))
		}
		film.frames = append(film.frames, complete(f))
	}
	return film
}

func (f *Film) last() drawing { return f.frames[len(f.frames)-1] }

// Extent returns the size of the largest frame.
func (f *Film) Extent() (w, h vg.Length) {
	for _, d := range f.frames {
		dw, dh := d.Extent()
		w, h = max(w, dw), max(h, dh)
	}
	return w, h
}

// Resized returns a film of the resized frames; see [Figure.Resized].
func (f *Film) Resized(w vg.Length) *Film {
	g := &Film{seconds: f.seconds}
	for _, d := range f.frames {
		g.frames = append(g.frames, d.column(w))
	}
	return g
}

// Draw draws the last frame.
func (f *Film) Draw(c draw.Canvas) { f.last().Draw(c) }

// SVG returns the last frame as an SVG document.
func (f *Film) SVG() []byte { return newOnce(f).SVG() }

// PDF returns the last frame as a PDF document.
func (f *Film) PDF() []byte { return newOnce(f).PDF() }

// Alt describes the last frame and gives the number of frames.
func (f *Film) Alt() string {
	return fmt.Sprintf("Film of %d frames, here the last one. %s", len(f.frames), f.last().Alt())
}

// PNG returns the film as an animated PNG file with dpi pixels per inch.
func (f *Film) PNG(dpi int) []byte {
	w, h := f.Extent()
	pictures := make([]*image.RGBA, len(f.frames))
	for i, d := range f.frames {
		pictures[i] = canvas.PaintImage(d.Draw, w, h, dpi)
	}
	return canvas.EncodeFilm(pictures, f.seconds, dpi)
}
