package datasets

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

func TestIDX(t *testing.T) {
	tests := []struct {
		name  string
		file  string
		shape []int
		want  []float64
	}{
		{"bytes 2×3", "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x01\x02\x80\xfe\xff", []int{2, 3}, []float64{0, 1, 2, 128, 254, 255}},
		{"signed bytes", "\x00\x00\x09\x01\x00\x00\x00\x02\x7f\x80", []int{2}, []float64{127, -128}},
		{"16 bits", "\x00\x00\x0b\x01\x00\x00\x00\x02\x01\x00\xff\xff", []int{2}, []float64{256, -1}},
		{"32 bits", "\x00\x00\x0c\x01\x00\x00\x00\x01\xff\xff\xff\xfe", []int{1}, []float64{-2}},
		{"float", "\x00\x00\x0d\x01\x00\x00\x00\x01\xc0\x20\x00\x00", []int{1}, []float64{-2.5}},
		{"double", "\x00\x00\x0e\x01\x00\x00\x00\x01\x3f\xe0\x00\x00\x00\x00\x00\x00", []int{1}, []float64{0.5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := must.Get(ReadIDX(strings.NewReader(tt.file), "t")).Or(t)
			if got := x.Float64s(); !slices.Equal(got, tt.want) || !slices.Equal(x.Shape, tt.shape) {
				t.Errorf("got %v of shape %v, want %v of shape %v", got, x.Shape, tt.want, tt.shape)
			}
			// A file truncated anywhere is an error that says so.
			for n := range len(tt.file) {
				if _, err := ReadIDX(strings.NewReader(tt.file[:n]), "t"); err == nil || !strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) {
					t.Errorf("first %d bytes: error %v", n, err)
				}
			}
		})
	}
}

func TestIDXErrors(t *testing.T) {
	const good = "\x00\x00\x08\x01\x00\x00\x00\x02ab"
	tests := []struct{ file, want string }{
		{good + "c", "datasets: t: more data than the dimensions say"},
		{"\x01\x00\x08\x01", "datasets: t: not an IDX file: magic number 01 00 08 01"},
		{"\x00\x00\x0a\x01", "magic number 00 00 0a 01"},
		{"<htm", "magic number 3c 68 74 6d"},
		{"\x1f\x8b\x08\x00", "still compressed"},
		{"\x00\x00\x08\x00", "without dimensions"},
		{"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x00", "dimension 2 of 2 is 0"},
		{"\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00", "ends in dimension 2 of 3"},
		{good[:9], "data end after 1 of 2 bytes"},
		{"\x00\x00\x08\x02\xff\xff\xff\xff\xff\xff\xff\xff", "more than 16 GiB"},
		{"\x00\x00\x08\x01\xff\xff\xff\xff", "data end after 0 of 4294967295 bytes"},
	}
	for _, tt := range tests {
		if x, err := ReadIDX(strings.NewReader(tt.file), "t"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("% x: got %v, error %v, want %q", tt.file, x, err, tt.want)
		}
	}
}

func TestOpenIDX(t *testing.T) {
	plain := []byte("\x00\x00\x08\x01\x00\x00\x00\x02ab")
	whole := packed(plain)
	for name, data := range map[string][]byte{"a": plain, "a.gz": whole} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, data, 0o644))
		x := must.Get(OpenIDX(path)).Or(t)
		if string(x.Data) != "ab" {
			t.Errorf("%s: data %q", name, x.Data)
		}
	}
	damaged := filepath.Join(t.TempDir(), "damaged.gz")
	must.Do(t, os.WriteFile(damaged, whole[:len(whole)-6], 0o644))
	if _, err := OpenIDX(damaged); err == nil || !strings.Contains(err.Error(), "damaged.gz") {
		t.Errorf("gzip cut short: %v", err)
	}
}
