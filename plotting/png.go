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

// encodePNG returns an opaque picture as a PNG file with dpi pixels per inch.
//
// The standard library's encoder tries five filters on every row and compresses hard,
// which takes longer than drawing the figure, and it doesn't write the resolution. For
// lines and areas of one colour, the difference to the row above and the fastest
// compression are as good: the figures of the first lecture took a third of the time for
// files of about the same size. A shaded field has few colours in long runs, which
// differences break up. Without a filter, and compressed harder, it takes half the space.
//
// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C
// 2025, sections 5 (chunks), 9.2 (filter types) and 11.3.4.3 (pHYs).
func encodePNG(img image.Image, dpi int) []byte {
	return assemble(img.Bounds().Size(), dpi, func(b *bytes.Buffer) { chunk(b, "IDAT", compress(img)) })
}

// embedPNG returns an image of a figure as a PNG file. In our paletted images similar
// colours have neighbouring indices, hence the differences to the row above are small
// numbers and compress to a third of the size. Other encoders don't filter palettes.
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

// header writes the IHDR chunk for a picture with 8 bits per sample. The colour type kind
// is 2 for RGB, 3 for a palette, 6 for RGBA.
func header(b *bytes.Buffer, size image.Point, kind byte) {
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	chunk(b, "IHDR", append(head, 8, kind, 0, 0, 0)) // not interlaced
}

// assemble returns a PNG file of the given size; picture writes the chunks of the image data.
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

// The filters of rows: none, and the difference to the row above.
const (
	filterNone = 0
	filterUp   = 2
)

// compress returns the filtered and compressed rows of the picture.
func compress(img image.Image) []byte {
	r := img.Bounds()
	w, h := 3*r.Dx(), r.Dy()
	get := func(dst []byte, y int) { colours(dst, img, r.Min.Y+y) }
	if shaded(w, h, get) {
		return deflate(w, h, filterNone, 6, get)
	}
	return deflate(w, h, filterUp, zlib.BestSpeed, get)
}

// shaded reports whether more than a sixteenth of the bytes differ from those in the row
// above, judged by every eighth row.
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

// deflate compresses h rows of w bytes with one filter.
func deflate(w, h, filter, level int, get func(dst []byte, y int)) []byte {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		panic(fmt.Sprintf("plotting: PNG: %v", err)) // our own level is always valid
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
		z.Write(line) // writing to memory can't fail
		above, row = row, above
	}
	z.Close()
	return b.Bytes()
}

// colours copies the red, green and blue values of row y into dst.
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
