package canvas

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
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

// embedPNG returns an image of a figure as a PNG file. Lines and areas of one colour need no more
// than the fastest compression.
func embedPNG(img image.Image) []byte {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, img); err != nil {
		panic("plotting: PNG: " + err.Error()) // an image without pixels, which no figure has
	}
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

// imageData returns the data of the chunks IDAT of a file, each of which begins with its length
// and its name and ends with a checksum.
func imageData(file []byte) (all [][]byte) {
	const head, sum = 4 + 4, 4
	for file = file[headerEnd:]; len(file) > 0; {
		n := head + int(binary.BigEndian.Uint32(file))
		if string(file[4:head]) == "IDAT" {
			all = append(all, file[head:n])
		}
		file = file[n+sum:]
	}
	return all
}
