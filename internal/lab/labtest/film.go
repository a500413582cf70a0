package labtest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"maps"
	"slices"
)

// Film encodes frames of one size as a GIF that is played again and again: each is shown
// for a time in hundredths of a second. Of the colours that the frames have it keeps the
// 256 most frequent, without dithering, which a figure's few colours do without. A frame
// holds only the rectangle in which it differs from the one before.
func Film(frames []image.Image, delay int) ([]byte, error) {
	counts := map[color.RGBA]int{}
	for _, frame := range frames {
		r := frame.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				counts[color.RGBAModel.Convert(frame.At(x, y)).(color.RGBA)]++
			}
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(256, len(colours))] {
		palette = append(palette, c)
	}
	var film gif.GIF
	var before *image.Paletted
	for _, frame := range frames {
		m := image.NewPaletted(frame.Bounds(), palette)
		draw.Draw(m, m.Rect, frame, m.Rect.Min, draw.Src)
		film.Image = append(film.Image, changed(before, m))
		film.Delay = append(film.Delay, delay)
		before = m
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &film)
	return b.Bytes(), err
}

// changed returns the part of m that differs from what was there before, at least a pixel.
func changed(before, m *image.Paletted) *image.Paletted {
	if before == nil {
		return m
	}
	var r image.Rectangle
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if m.ColorIndexAt(x, y) != before.ColorIndexAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if r.Empty() {
		r = image.Rectangle{Min: m.Rect.Min, Max: m.Rect.Min.Add(image.Pt(1, 1))}
	}
	return m.SubImage(r).(*image.Paletted)
}
