package plotting

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
)

func steps(n int) (frames []Drawing) {
	for i := range n {
		frames = append(frames, New("", Plane([]float64{1, float64(i)}, 0), Arrow(0, 0, 1, float64(i), "w")).Range(-3, 3, -3, 3))
	}
	return frames
}

// chunks returns the names and contents of the chunks of a PNG file.
func chunks(t *testing.T, file []byte) (names []string, data [][]byte) {
	t.Helper()
	for b := file[8:]; len(b) > 0; {
		n := binary.BigEndian.Uint32(b)
		names, data = append(names, string(b[4:8])), append(data, b[8:8+n])
		b = b[12+n:]
	}
	return names, data
}

func TestFilm(t *testing.T) {
	film := Play(0.5, steps(3)...)
	file := film.PNG(48)
	names, data := chunks(t, file)
	want := []string{"IHDR", "pHYs", "acTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"}
	if !slices.Equal(names, want) {
		t.Fatalf("chunks %v, want %v", names, want)
	}
	if got := data[2]; !bytes.Equal(got, []byte{0, 0, 0, 3, 0, 0, 0, 3}) { // three frames, three times
		t.Errorf("acTL % x", got)
	}
	still := decoded(t, file)
	last := decoded(t, film.frames[2].PNG(48))
	if !bytes.Equal(still.(*image.RGBA).Pix, last.(*image.RGBA).Pix) {
		t.Fatal("the still picture is not the last frame")
	}

	// Played back, each frame composed over the previous ones equals the frame alone.
	screen := still.(*image.RGBA)
	clear(screen.Pix)
	for k := range 3 {
		control, body := data[4+2*k], data[5+2*k]
		if n := binary.BigEndian.Uint32(control); n != uint32(2*k) || binary.BigEndian.Uint32(body) != n+1 {
			t.Errorf("frame %d has number %d", k, n)
		}
		w, h := int(binary.BigEndian.Uint32(control[4:])), int(binary.BigEndian.Uint32(control[8:]))
		x, y := int(binary.BigEndian.Uint32(control[12:])), int(binary.BigEndian.Uint32(control[16:]))
		var b bytes.Buffer
		b.WriteString("\x89PNG\r\n\x1a\n")
		chunk := func(name string, data ...byte) {
			data = append([]byte(name), data...)
			b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data)-4)))
			b.Write(binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data)))
		}
		size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
		chunk("IHDR", append(size, 8, 2, 0, 0, 0)...)
		chunk("IDAT", body[4:]...)
		chunk("IEND")
		piece, err := png.Decode(&b)
		if err != nil {
			t.Fatalf("frame %d: %v", k, err)
		}
		for j := range h {
			for i := range w {
				screen.Set(x+i, y+j, piece.At(i, j))
			}
		}
		alone := decoded(t, film.frames[k].PNG(48))
		if !bytes.Equal(screen.Pix, alone.(*image.RGBA).Pix) {
			t.Errorf("frame %d is not what it is alone", k)
		}
		// Half a second, and four times that for the last frame, as Play says.
		if ms := binary.BigEndian.Uint16(control[20:]); int(ms) != []int{500, 500, 2000}[k] {
			t.Errorf("frame %d is seen for %d ms", k, ms)
		}
	}
	if !bytes.Equal(file, Play(0.5, steps(3)...).PNG(48)) {
		t.Error("the same film, other bytes")
	}
	if w, h := film.Resized(216).Extent(); w != 216 || h <= 0 { // 3 inches
		t.Errorf("resized to 3 inches: %v×%v", w, h)
	}
	if !strings.HasPrefix(film.Alt(), "Film of 3 frames") || !strings.Contains(string(film.SVG()), "Film of 3 frames") {
		t.Errorf("alt %q", film.Alt())
	}
}
