package datasets

import (
	"bytes"
	"math"
	"testing"
)

// Any bytes are read as an array of NumPy, or several, into a complete Dataset, or give an
// error. A header that claims much takes no memory.
func FuzzNumPy(f *testing.F) {
	x := npy(">i2", true, []int{2, 3}, []float64{1, 2, 3, 4, 5, 6})
	f.Add(x, uint8(0))
	f.Add(npyVersion(3, "<f8", false, []int{2, 2}, []float64{1, 2, math.NaN(), 4}), uint8(1))
	f.Add(npy("<f4", false, []int{16384, 16384}, nil), uint8(2))
	f.Add(npyVersion(2, "|b1", false, []int{1, 1 << 27, 2}, nil), uint8(0))
	f.Add([]byte(npyMagic+"\x02\x00\xff\xff\xff\xff{"), uint8(0))
	f.Add([]byte("PK\x03\x04"), uint8(3))
	column := npy("<f8", false, []int{2, 1}, []float64{1, 2})
	f.Add(archive(f, map[string][]byte{"X": column, "y": column}), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, missing uint8) {
		whole(t, len(data), func() (*Dataset, error) {
			return NumPy{Missing: Missing(missing % 4)}.Read(bytes.NewReader(data), "fuzz")
		})
	})
}

// Any bytes, compressed or not, are read into a consistent IDX, or give an error.
func FuzzIDX(f *testing.F) {
	header := "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03"
	f.Add([]byte(header + "abcdef"))
	f.Add([]byte(header + "abc"))
	f.Add([]byte("\x00\x00\x0e\x01\x00\x00\x00\x01\x7f\xf0\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\x0d\x04\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01"))
	f.Add([]byte("\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\xff\xff\x00\x00\xff\xff"))
	f.Add([]byte("\x00\x00\x08\xff\xff\xff\xff\xff"))
	f.Add(packed([]byte(header + "abcdef")))
	f.Fuzz(func(t *testing.T, data []byte) {
		bounded(t, len(data), func() {
			r, err := uncompressed(bytes.NewReader(data))
			if err != nil {
				return // not gzip, despite its first bytes
			}
			x, err := ReadIDX(r, "fuzz")
			if err != nil {
				placed(t, err)
				return
			}
			count := 1
			for _, n := range x.Shape {
				count *= n
			}
			if v := x.Float64s(); len(v) != count || len(x.Data) != count*x.Type.size() {
				t.Fatalf("%d numbers in %d bytes for shape %v", len(v), len(x.Data), x.Shape)
			}
		})
	})
}

// Any images with any labels are read into a complete Dataset, or give an error.
func FuzzMNIST(f *testing.F) {
	header := []byte("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x1c\x00\x00\x00\x1c")
	f.Add(append(header, make([]byte, 2*784)...), []byte{3, 8})
	f.Add(header, []byte{3, 8})
	f.Add([]byte("\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\xff\xff\x00\x00\xff\xff"), []byte{3})
	f.Fuzz(func(t *testing.T, images, labels []byte) {
		bounded(t, len(images)+784*len(labels), func() {
			if d, err := selectDigits(bytes.NewReader(images), labels, []int{3, 8}); err == nil {
				complete(t, d)
			}
		})
	})
}
