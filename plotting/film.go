package plotting

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
func (f *Film) SVG() []byte { return toSVG(f) }

// PDF returns the last frame as a PDF document.
func (f *Film) PDF() []byte { return toPDF(f) }

// Alt describes the last frame and gives the number of frames.
func (f *Film) Alt() string {
	return fmt.Sprintf("Film of %d frames, here the last one. %s", len(f.frames), f.last().Alt())
}

// PNG returns the film as an animated PNG file with dpi pixels per inch. Each frame
// holds only the rectangle in which it differs from the previous one.
//
// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C 2025,
// section 11.3.6 (acTL, fcTL, fdAT). The default image is the last frame and not part
// of the animation.
func (f *Film) PNG(dpi int) []byte {
	w, h := f.Extent()
	pictures := make([]*image.RGBA, len(f.frames))
	for i, d := range f.frames {
		pictures[i] = toImage(d.Draw, w, h, dpi)
	}
	full := pictures[0].Rect
	file := encodePNG(pictures[len(pictures)-1], dpi)
	start := bytes.Index(file, []byte("IDAT")) - 4 // the pictures begin
	end := len(file) - 12                          // the chunk IEND begins
	var b bytes.Buffer
	b.Write(file[:start])
	chunk(&b, "acTL", words(uint32(len(pictures)), plays))
	b.Write(file[start:end])
	sequence := uint32(0)
	for i, p := range pictures {
		r := full
		if i > 0 {
			r = changed(pictures[i-1], p)
		}
		ms := math.Round(1000 * f.seconds)
		if i == len(pictures)-1 {
			ms *= 4
		}
		control := words(sequence, uint32(r.Dx()), uint32(r.Dy()), uint32(r.Min.X), uint32(r.Min.Y))
		control = binary.BigEndian.AppendUint16(control, uint16(min(ms, math.MaxUint16)))
		control = binary.BigEndian.AppendUint16(control, 1000)
		chunk(&b, "fcTL", append(control, 0, 0)) // keep the frame, draw the next over it
		sequence++
		for _, data := range imageData(encodePNG(p.SubImage(r), dpi)) {
			chunk(&b, "fdAT", append(words(sequence), data...))
			sequence++
		}
	}
	b.Write(file[end:])
	return b.Bytes()
}

// plays is the number of times a film is played.
const plays = 3

// changed returns the smallest rectangle outside which two pictures are equal, one
// pixel if they are equal everywhere.
func changed(a, b *image.RGBA) image.Rectangle {
	r := image.Rectangle{}
	for y := range a.Rect.Dy() {
		i, j := y*a.Stride, y*b.Stride
		rowA, rowB := a.Pix[i:i+4*a.Rect.Dx()], b.Pix[j:j+4*a.Rect.Dx()]
		if bytes.Equal(rowA, rowB) {
			continue
		}
		first, last := 0, len(rowA)-1
		for rowA[first] == rowB[first] {
			first++
		}
		for rowA[last] == rowB[last] {
			last--
		}
		r = r.Union(image.Rect(first/4, y, last/4+1, y+1))
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}
