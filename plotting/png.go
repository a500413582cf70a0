package plotting

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"math"
)

// encodePNG writes an opaque picture as a PNG file of dpi pixels an inch.
//
// The standard library's encoder tries five filters on every row and
// compresses hard, which takes longer than to draw the figure, and it says
// nothing of resolution. Lines and areas of one colour do as well with the
// difference to the row above and the fastest compression: on the pictures of
// the first lecture a third of the time, for files of about the same size. A
// shaded field has few colours in long runs, which the differences break up: as
// it is, and compressed harder, it takes half the room.
//
// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C
// 2025, sections 5 (chunks), 9.2 (filter types) and 11.3.4.3 (pHYs).
func encodePNG(img image.Image, dpi int) []byte {
	return assemble(img.Bounds().Size(), dpi, func(b *bytes.Buffer) { chunk(b, "IDAT", compress(img)) })
}

// embedPNG writes the picture of an image within a figure. One of a palette has its
// neighbouring colours side by side, so that differences to the row above are small
// numbers, which no encoder expects of a palette and which take a third of the room.
func embedPNG(img image.Image) []byte {
	o, ok := img.(interface{ Opaque() bool })
	opaque := ok && o.Opaque()
	r := img.Bounds()
	var b bytes.Buffer
	b.WriteString(signature)
	if p, ok := img.(*image.Paletted); ok && opaque {
		header(&b, r.Size(), 3)
		var colours []byte
		for _, c := range p.Palette {
			k := color.RGBAModel.Convert(c).(color.RGBA)
			colours = append(colours, k.R, k.G, k.B)
		}
		chunk(&b, "PLTE", colours)
		chunk(&b, "IDAT", deflate(r.Dx(), r.Dy(), filterUp, zlib.BestSpeed, func(dst []byte, y int) { copy(dst, p.Pix[y*p.Stride:]) }))
	} else if opaque {
		header(&b, r.Size(), 2)
		chunk(&b, "IDAT", compress(img))
	} else {
		header(&b, r.Size(), 6)
		chunk(&b, "IDAT", deflate(4*r.Dx(), r.Dy(), filterUp, zlib.BestSpeed, func(dst []byte, y int) {
			for x := range r.Dx() {
				c := color.NRGBAModel.Convert(img.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA)
				copy(dst[4*x:], []byte{c.R, c.G, c.B, c.A})
			}
		}))
	}
	chunk(&b, "IEND", nil)
	return b.Bytes()
}

const signature = "\x89PNG\r\n\x1a\n"

// header writes the size of a picture of eight bits a sample and of a type: 2 has red,
// green and blue, 3 a palette, 6 red, green, blue and opacity.
func header(b *bytes.Buffer, size image.Point, kind byte) {
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	chunk(b, "IHDR", append(head, 8, kind, 0, 0, 0)) // not interlaced
}

// assemble writes a file of the given size, with the chunks of the picture between head and end.
func assemble(size image.Point, dpi int, picture func(b *bytes.Buffer)) []byte {
	var b bytes.Buffer
	b.WriteString(signature)
	header(&b, size, 2)
	metre := uint32(math.Round(float64(dpi) / 0.0254))
	phys := binary.BigEndian.AppendUint32(nil, metre)
	phys = binary.BigEndian.AppendUint32(phys, metre)
	chunk(&b, "pHYs", append(phys, 1))
	picture(&b)
	chunk(&b, "IEND", nil)
	return b.Bytes()
}

func chunk(b *bytes.Buffer, name string, data []byte) {
	body := append([]byte(name), data...)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	b.Write(body)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// The filters of rows: as they are, and as differences to the row above.
const (
	filterNone = 0
	filterUp   = 2
)

// compress returns the rows of the picture.
func compress(img image.Image) []byte {
	r := img.Bounds()
	w, h := 3*r.Dx(), r.Dy()
	get := func(dst []byte, y int) { colours(dst, img, r.Min.Y+y) }
	if shaded(w, h, get) {
		return deflate(w, h, filterNone, 5, get)
	}
	return deflate(w, h, filterUp, zlib.BestSpeed, get)
}

// shaded reports whether the rows of a picture differ from those above in more than
// a sixteenth of their bytes, by every eighth row.
func shaded(w, h int, get func(dst []byte, y int)) bool {
	above, row := make([]byte, w), make([]byte, w)
	all, differ := 0, 0
	for y := 1; y < h; y += 8 {
		get(above, y-1)
		get(row, y)
		for i := range row {
			if row[i] != above[i] {
				differ++
			}
		}
		all += w
	}
	return 16*differ > all
}

// deflate compresses h rows of w bytes by one filter.
func deflate(w, h, filter, level int, get func(dst []byte, y int)) []byte {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		panic(fmt.Sprintf("plotting: PNG: %v", err)) // the level is one of the package's own
	}
	above, row := make([]byte, w), make([]byte, w)
	line := make([]byte, 1+w)
	line[0] = byte(filter)
	for y := range h {
		get(row, y)
		copy(line[1:], row)
		if filter == filterUp {
			for i := range row {
				line[1+i] -= above[i]
			}
		}
		z.Write(line) // to memory: it can't fail
		above, row = row, above
	}
	z.Close()
	return b.Bytes()
}

// colours puts the red, green and blue of row y of the picture into dst.
func colours(dst []byte, img image.Image, y int) {
	r := img.Bounds()
	if rgba, ok := img.(*image.RGBA); ok {
		pix := rgba.Pix[rgba.PixOffset(r.Min.X, y):]
		for i, j := 0, 0; i < len(dst); i, j = i+3, j+4 {
			dst[i], dst[i+1], dst[i+2] = pix[j], pix[j+1], pix[j+2]
		}
		return
	}
	for x := r.Min.X; x < r.Max.X; x++ {
		c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
		i := 3 * (x - r.Min.X)
		dst[i], dst[i+1], dst[i+2] = c.R, c.G, c.B
	}
}
