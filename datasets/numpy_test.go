package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
)

// npy returns a file of version 1 as numpy.save writes it, from the elements in C order. The
// layout is that of NumPy enhancement proposal 1.
func npy(dtype string, fortran bool, shape []int, values []float64) []byte {
	return npyVersion(1, dtype, fortran, shape, values)
}

func npyVersion(version byte, dtype string, fortran bool, shape []int, values []float64) []byte {
	var dims strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&dims, "%d, ", n)
	}
	text := map[bool]string{false: "False", true: "True"}[fortran]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", dtype, text, strings.TrimSuffix(dims.String(), " "))
	b := append([]byte(npyMagic), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	b = append(b, header...)
	var order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	} = binary.LittleEndian
	if dtype[0] == '>' {
		order = binary.BigEndian
	}
	element := func(v float64) {
		switch dtype[1:] {
		case "b1", "u1", "i1":
			b = append(b, byte(int(v)))
		case "i2", "u2":
			b = order.AppendUint16(b, uint16(int(v)))
		case "i4", "u4":
			b = order.AppendUint32(b, uint32(int(v)))
		case "i8", "u8":
			b = order.AppendUint64(b, uint64(int(v)))
		case "f4":
			b = order.AppendUint32(b, math.Float32bits(float32(v)))
		case "f8":
			b = order.AppendUint64(b, math.Float64bits(v))
		}
	}
	if !fortran {
		for _, v := range values {
			element(v)
		}
		return b
	}
	// Last index slowest.
	index := make([]int, len(shape))
	for range values {
		at := 0
		for k, n := range shape {
			at = at*n + index[k]
		}
		element(values[at])
		for k := range index {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return b
}

// Each type, byte order, order of elements and version gives the same numbers.
func TestNumPyTypes(t *testing.T) {
	for _, dtype := range []string{"|b1", "|i1", "|u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f4", ">f4", "<f8", ">f8"} {
		x := []float64{1, -20, 0, 3, 40, 1, -100, 6, 2}
		switch dtype[1] {
		case 'b':
			x = []float64{1, 0, 0, 0, 1, 1, 1, 1, 2 - 1}
		case 'u':
			x = []float64{1, 200, 0, 3, 40, 1, 255, 6, 2}
		case 'f':
			x[1] = -0.375
		}
		for _, fortran := range []bool{false, true} {
			for version := range byte(3) {
				d, err := NumPy{Task: Regression}.Read(bytes.NewReader(npyVersion(version+1, dtype, fortran, []int{3, 3}, x)), "t")
				if err != nil {
					t.Fatalf("%s: %v", dtype, err)
				}
				if !mat.Equal(d.X, mat.NewDense(3, 2, []float64{x[0], x[1], x[3], x[4], x[6], x[7]})) || !slices.Equal(d.Targets, []float64{x[2], x[5], x[8]}) {
					t.Errorf("%s, fortran %v: X =\n%v, targets %v", dtype, fortran, mat.Formatted(d.X), d.Targets)
				}
			}
		}
	}
	// An array that NumPy 2.4.6 has saved: numpy.save of
	// numpy.asfortranarray([[1, 2, 0], [3, 4, 1]], dtype="<f4").
	const saved = "\x93NUMPY\x01\x00\x76\x00" +
		"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }                                                           \n" +
		"\x00\x00\x80\x3f\x00\x00\x40\x40\x00\x00\x00\x40\x00\x00\x80\x40\x00\x00\x00\x00\x00\x00\x80\x3f"
	want(t, Must(NumPy{}.Read(strings.NewReader(saved), "t")), []float64{1, 2, 3, 4}, []int{-1, 1})
}

// archive returns an .npz file.
func archive(t testing.TB, arrays map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		w := must.Get(z.Create(name + ".npy")).Or(t)
		w.Write(arrays[name])
	}
	must.Do(t, z.Close())
	return b.Bytes()
}

func TestNumPyFiles(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	y := npy("<i8", false, []int{3}, []float64{7, 9, 7})
	for _, shape := range [][]int{{3, 2}, {3, 1, 2}} {
		for _, fortran := range []bool{false, true} {
			file := archive(t, map[string][]byte{"X": npy("<f8", fortran, shape, x), "y": y})
			d := Must(NumPy{}.Read(bytes.NewReader(file), "t.npz"))
			want(t, d, x, []int{-1, 1, -1})
			if !slices.Equal(d.Classes, []string{"7", "9"}) || len(shape) == 3 && (d.Height != 1 || d.Width != 2) {
				t.Errorf("%+v", d)
			}
		}
	}
	images := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} // two of 2×3
	for _, fortran := range []bool{false, true} {
		file := archive(t, map[string][]byte{"a": npy("|u1", fortran, []int{2, 2, 3}, images), "b": npy("|u1", false, []int{2, 1}, []float64{1, 0})})
		want(t, Must(NumPy{X: "a", Y: "b"}.Read(bytes.NewReader(file), "t.npz")), images, []int{1, -1})
	}
	dir := t.TempDir()
	xPath, yPath := filepath.Join(dir, "X.npy"), filepath.Join(dir, "y.npy")
	os.WriteFile(xPath, npy("<f8", true, []int{3, 2}, x), 0o644)
	os.WriteFile(yPath, y, 0o644)
	want(t, Must(NumPy{Y: yPath}.Open(xPath)), x, []int{-1, 1, -1})
	want(t, Must(NumPy{Label: "1"}.Open(xPath)), []float64{2, 4, 6}, []int{1, 3, 5})
	want(t, Must(NumPy{Y: yPath}.Open(gzipped(t, xPath))), x, []int{-1, 1, -1})

	train := Must(NumPy{Y: yPath}.Open(xPath))
	os.WriteFile(yPath, npy("<i8", false, []int{3}, []float64{9, 9, 9}), 0o644)
	want(t, Must(NumPy{Y: yPath, Like: train}.Open(xPath)), x, []int{1, 1, 1})
	x[3] = math.NaN()
	os.WriteFile(xPath, npy("<f8", true, []int{3, 2}, x), 0o644)
	want(t, Must(NumPy{Y: yPath, Like: train, Missing: DropRows}.Open(xPath)), []float64{1, 2, 5, 6}, []int{1, 1})
	// The mean of 2, 4 and 6 of the training set.
	want(t, Must(NumPy{Y: yPath, Like: train, Missing: FillMean}.Open(xPath)), []float64{1, 2, 3, 4, 5, 6}, []int{1, 1, 1})
}

func TestNumPyErrors(t *testing.T) {
	two := []float64{1, 2, 3, 4}
	x, y := npy("<f8", false, []int{2, 2}, two), npy("<f8", false, []int{2}, two[:2])
	header := func(h string) []byte {
		return append(append([]byte(npyMagic), 1, 0, byte(len(h)), 0), h...)
	}
	for _, tt := range []struct {
		p    NumPy
		file []byte
		want string
	}{
		{NumPy{}, nil, "t: not an array of NumPy, as numpy.save writes it"},
		{NumPy{}, []byte("1,2\n3,4\n"), "t: not an array of NumPy"},
		{NumPy{}, x[:9], "t: the header is missing: unexpected EOF"},
		{NumPy{}, x[:20], "t: the header ends early: unexpected EOF"},
		{NumPy{}, x[:len(x)-1], "t: data end after 3 of 4 numbers: unexpected EOF"},
		{NumPy{}, append(slices.Clone(x), 0), "t: more data than the dimensions say"},
		{NumPy{}, npyVersion(4, "<f8", false, []int{2, 2}, two), "t: version 4.0 of the format, want 1 to 3"},
		{NumPy{}, header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }"), "t: the array has records of several fields"},
		{NumPy{}, header("{'descr': '<f8', 'shape': (2,), }"), "t: the header \"{'descr': '<f8', 'shape': (2,), }\" has no shape or no order"},
		{NumPy{}, header("{'descr': '<U3', 'fortran_order': False, 'shape': (2, 2), }"), `t: elements of type "<U3", want bool, integers of 8 to 64 bits, float32 or float64`},
		{NumPy{}, header("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }"), `t: elements of type "|O"`},
		{NumPy{}, header("{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }"), "t: shape (65536, 65536), want at most 268435456 numbers"},
		{NumPy{}, header("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999999999999), }"), "t: shape (0, 99999999999999999999), want"},
		{NumPy{}, y, "t: an array of shape [2], want n×d, or n images of h×w, and none of them 0"},
		{NumPy{}, npy("<f8", false, []int{0, 3}, nil), "t: an array of shape [0 3], want"},
		{NumPy{}, npy("<f8", false, []int{2, 1}, two[:2]), "t: one column, want at least one feature and the class or target; set Y if they are in another file"},
		{NumPy{}, npy("<f8", false, []int{2, 2}, []float64{1, 2, math.Inf(-1), 4}), "t[1,0]: -Inf, want a finite number"},
		{NumPy{X: "X"}, x, `t: X is "X", and the file is not an .npz file`},
		{NumPy{Y: "none.npy"}, x, "Y: open none.npy: no such file"},
		{NumPy{Label: "3"}, x, `t: Label = "3" is not a column number, want 1 to 2`},
		{NumPy{}, archive(t, map[string][]byte{"data": x}), `t: no array is called "X"; set X to one of ["data"]`},
		{NumPy{X: "data", Y: "w"}, archive(t, map[string][]byte{"data": x}), `t: no array is called "w"; set Y to one of ["data"]`},
		{NumPy{}, archive(t, map[string][]byte{"X": x, "y": x}), "t: an array of shape [2 2], want 2 classes or targets"},
		{NumPy{Label: "1"}, archive(t, map[string][]byte{"X": x, "y": y}), `t: Label is "1", and the classes or targets are in t, want no Label`},
		{NumPy{}, archive(t, map[string][]byte{"X": x, "y": npy("<f8", false, []int{2}, []float64{1, math.NaN()})}), `t[1]: the class or target is missing`},
		{NumPy{}, archive(t, map[string][]byte{"X": x, "y": npy("<f8", false, []int{2}, []float64{1, math.Inf(1)})}), `t[1]: +Inf, want a finite number`},
		{NumPy{}, archive(t, map[string][]byte{"X": npy("<f8", false, []int{1, 2}, two[:2]), "y": npy("<f8", false, nil, two[:1])}), "t: an array of shape [], want 1 classes or targets"},
		{NumPy{}, npy("<f8", false, []int{2, 1, 2}, two), "t: images of shape [2 1 2] without classes; set Y to the file that has them"},
		{NumPy{}, []byte("PK\x03\x04 and no archive"), "t: zip: not a valid zip file"},
	} {
		if d, err := tt.p.Read(bytes.NewReader(tt.file), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.want) {
			t.Errorf("%+v of %q: %v, error\n%v, want\ndatasets: %s", tt.p, tt.file, d, err, tt.want)
		}
	}
}
