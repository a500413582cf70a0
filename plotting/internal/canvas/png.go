package canvas

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
)

// EncodePNG returns an opaque picture as a PNG file with dpi pixels per inch. The standard
// library's encoder writes no resolution: the chunk pHYs follows its header.
//
// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C
// 2025, sections 5 (chunks) and 11.3.4.3 (pHYs).
func EncodePNG(img image.Image, dpi int) []byte {
	file := embedPNG(img)
	metre := uint32(math.Round(float64(dpi) / 0.0254))
	var b bytes.Buffer
	b.Write(file[:headerEnd])
	chunk(&b, "pHYs", append(words(metre, metre), 1))
	b.Write(file[headerEnd:])
	return b.Bytes()
}

// embedPNG returns an image of a figure as a PNG file.
func embedPNG(img image.Image) []byte {
	p, indexed := img.(*image.Paletted)
	if indexed = indexed && p.Opaque(); indexed {
		img = &image.Gray{Pix: p.Pix, Stride: p.Stride, Rect: p.Rect}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("plotting: PNG: " + err.Error()) // an image without pixels, which no figure has
	}
	if indexed {
		return paletted(b.Bytes(), p.Palette)
	}
	return b.Bytes()
}

// paletted gives the shades of a grey picture the colours of a palette. In our paletted images
// similar colours have neighbouring indices, hence the differences to the row above compress to
// half the size. The standard library takes differences of shades and not of indices.
//
// Source: section 11.2.1 (IHDR) and 11.2.2 (PLTE) of the specification above.
func paletted(grey []byte, palette color.Palette) []byte {
	const begin, kind, indexed = 8 + 4 + 4, 9, 3
	head := bytes.Clone(grey[begin : headerEnd-4])
	head[kind] = indexed
	var colours []byte
	for _, c := range palette {
		k := color.RGBAModel.Convert(c).(color.RGBA)
		colours = append(colours, k.R, k.G, k.B)
	}
	var b bytes.Buffer
	b.Write(grey[:8])
	chunk(&b, "IHDR", head)
	chunk(&b, "PLTE", colours)
	b.Write(grey[headerEnd:])
	return b.Bytes()
}

// headerEnd is the length of the signature and the chunk IHDR, with which each file begins.
const headerEnd = 8 + 4 + 4 + 13 + 4

// chunk appends a chunk: its length, name, data and checksum.
func chunk(b *bytes.Buffer, name string, data []byte) {
	body := append([]byte(name), data...)
	b.Write(words(uint32(len(data))))
	b.Write(body)
	b.Write(words(crc32.ChecksumIEEE(body)))
}

// words returns numbers as PNG stores them.
func words(values ...uint32) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}
