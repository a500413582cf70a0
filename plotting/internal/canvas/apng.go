package canvas

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
)

// EncodeFilm returns opaque pictures of one size as an animated PNG file with dpi pixels per inch.
// It shows each for the given seconds, and the last one four times as long. Each frame holds
// only the rectangle in which it differs from the previous one.
//
// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C 2025,
// section 11.3.6 (acTL, fcTL, fdAT). The default image is the last frame and not part
// of the animation.
func EncodeFilm(pictures []*image.RGBA, seconds float64, dpi int) []byte {
	full := pictures[0].Rect
	file := EncodePNG(pictures[len(pictures)-1], dpi)
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
		ms := math.Round(1000 * seconds)
		if i == len(pictures)-1 {
			ms *= 4
		}
		control := words(sequence, uint32(r.Dx()), uint32(r.Dy()), uint32(r.Min.X), uint32(r.Min.Y))
		control = binary.BigEndian.AppendUint16(control, uint16(min(ms, math.MaxUint16)))
		control = binary.BigEndian.AppendUint16(control, 1000)
		chunk(&b, "fcTL", append(control, 0, 0)) // keep the frame, draw the next over it
		sequence++
		for _, data := range imageData(EncodePNG(p.SubImage(r), dpi)) {
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
