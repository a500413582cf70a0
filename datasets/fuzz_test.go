package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bounded fails if a reader allocates much more than the size of its input.
func bounded(t *testing.T, size int, read func()) {
	t.Helper()
	if got, limit := allocated(read), uint64(1<<26+1000*size); got > limit {
		t.Fatalf("%d bytes allocated for %d that were read, want at most %d", got, size, limit)
	}
}

// whole fails unless every row of d has a label with a named class or a finite target, and
// X is finite.
func whole(t *testing.T, d *Dataset) {
	t.Helper()
	if err := d.check("fuzz"); err != nil {
		t.Fatal(err)
	}
	if len(d.Labels) != len(d.Classes) {
		t.Fatalf("labels %v of classes %q", d.Labels, d.Classes)
	}
	n, cols := d.X.Dims()
	for i := range n {
		if d.Targets != nil {
			if v := d.Targets[i]; math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("target %v of row %d", v, i)
			}
		} else if d.Count(d.Y[i]) == 0 || d.Class(d.Y[i]) == "" {
			t.Fatalf("label %d of row %d has no class in %q", d.Y[i], i, d.Classes)
		}
		for j := range cols {
			if v := d.X.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("X[%d][%d] = %v", i, j, v)
			}
		}
	}
}

// placed fails unless an error begins with the package and the name of the data.
func placed(t *testing.T, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), "datasets: fuzz") {
		t.Fatalf("the error %q does not say where", err)
	}
}

// Any table is read into a complete Dataset, or gives an error.
func FuzzCSV(f *testing.F) {
	f.Add("1,2,a\n3,4,b\n", false, "", uint8(0), uint8(0))
	f.Add("x,y,class\n1,2,-1\n3,4,1\n", true, "class", uint8(0), uint8(0))
	f.Add("\ufeff1;2;3\n", false, "1", uint8(1), uint8(0))
	f.Add("\"1\n2\",3\n", false, "2", uint8(2), uint8(0))
	f.Add("# c\n1,1e999,2\n", false, "", uint8(3), uint8(0))
	f.Add("1,2\n1\n", true, "9999999999999999999", uint8(0), uint8(0))
	f.Add("1,1.0\n3,2.5\n", false, "", uint8(0), uint8(0))
	f.Add("1,a\n3,2\n", false, "", uint8(64), uint8(0))
	f.Add("x,sex,y\n1,m,a\n,f,b\n2,?,a\n", true, "", uint8(0), uint8(9))
	f.Add(",sex,y\n1,m,a\n,f,b\n2,,a\n", true, "", uint8(0), uint8(14))
	f.Add("1,5;m\r2;f\r", false, "", uint8(1), uint8(21))
	f.Add("1 2  x \n3  4 y\n", false, "", uint8(5), uint8(96))
	f.Fuzz(func(t *testing.T, text string, header bool, label string, comma, options uint8) {
		c := CSV{Header: header, Label: label, Comma: []rune{0, ';', '\t', '"', '\n', ' '}[comma%6]}
		if comma > 127 {
			c.Comment = '#'
		}
		c.Task = Task(comma / 6 % 4)
		c.Encode, c.Missing = Encoding(options%4), Missing(options/4%5)
		if options/20%2 == 1 {
			c.Decimal = ','
		}
		c.Skip = int(options / 40 % 3)
		if options >= 128 {
			c.Drop = []string{"1"}
		}
		bounded(t, len(text), func() {
			d, err := c.Read(strings.NewReader(text), "fuzz")
			if err != nil {
				placed(t, err)
				return
			}
			whole(t, d)
			// Reading the file again, Like itself, must give the same.
			c.Task, c.Like = ByValues, d
			again, err := c.Read(strings.NewReader(text), "fuzz")
			if err != nil || !slices.Equal(again.Features, d.Features) || again.X.RawMatrix().Rows != d.Len() || !slices.Equal(again.Y, d.Y) || !slices.Equal(again.Targets, d.Targets) {
				t.Fatalf("read again, like what it is: %v, error %v, want %v", again, err, d)
			}
			if header && len(d.Features) == 0 {
				t.Fatal("the names of the columns are lost")
			}
		})
	})
}

// Any text is read as LIBSVM into a complete Dataset, or gives an error. Writing the
// Dataset and reading it again changes nothing.
func FuzzLIBSVM(f *testing.F) {
	f.Add("1 1:0.5 3:-2\n-1 2:1e-3 # c\n", 0)
	f.Add("1 268435456:1\n", 0)
	f.Add("1\n-1\n", 4)
	f.Add("+1.0e0 1:1e-3\n", 0)
	f.Add("1 9223372036854775807:1\n", 0)
	f.Add("1 qid:3 1:2 # c\r\n2 qid:3 2:1\r\n", 0)
	f.Add("\ufeff1 0:2 7:1\r2 3:1\r", -1)
	f.Fuzz(func(t *testing.T, text string, features int) {
		l := LIBSVM{Features: features}
		if features > 1000 {
			return // the caller asks for that many columns
		}
		if features == -1 {
			l = LIBSVM{ZeroBased: true}
		}
		bounded(t, len(text), func() {
			d, err := l.Read(strings.NewReader(text), "fuzz")
			if err != nil {
				placed(t, err)
				return
			}
			whole(t, d)
			n, cols := d.X.Dims()
			if features > 0 && cols != features {
				t.Fatalf("%d columns, want %d", cols, features)
			}
			if n*cols > 10000 {
				return
			}
			var out strings.Builder
			for i := range n {
				if d.Targets != nil {
					fmt.Fprint(&out, d.Targets[i])
				} else {
					fmt.Fprint(&out, d.Class(d.Y[i]))
				}
				for j, v := range d.X.RawRowView(i) {
					if v != 0 {
						fmt.Fprintf(&out, " %d:%v", j+1, v)
					}
				}
				fmt.Fprintln(&out)
			}
			again, err := LIBSVM{Like: d}.Read(strings.NewReader(out.String()), "fuzz")
			if err != nil || !mat.Equal(again.X, d.X) || !slices.Equal(again.Y, d.Y) || !slices.Equal(again.Targets, d.Targets) {
				t.Fatalf("%q is read to %v, error %v, want %v", out.String(), again, err, d)
			}
		})
	})
}

// Any text is read as ARFF into a complete Dataset, or gives an error. Reading it again,
// like itself, gives the same.
func FuzzARFF(f *testing.F) {
	f.Add(weather, uint8(0))
	f.Add(weather, uint8(13))
	f.Add(arffFile("a real|b {'x y', \"z\\\"\"}|c string|y numeric", "1,'x y',?,2|3,z,'\\n',4"), uint8(14))
	f.Add(arffFile("a real|y {p,q}", "{0 1, 1 p}"), uint8(0))
	f.Add(arffFile("d date \"yyyy\"|a real|y {p,q}", "2000\t1\tp"), uint8(32))
	f.Fuzz(func(t *testing.T, text string, options uint8) {
		a := ARFF{Encode: Encoding(options % 4), Missing: Missing(options / 4 % 5)}
		if options >= 128 {
			a.Drop = []string{"1"}
		}
		bounded(t, len(text), func() {
			d, err := a.Read(strings.NewReader(text), "fuzz")
			if err != nil {
				placed(t, err)
				return
			}
			whole(t, d)
			a.Like = d
			again, err := a.Read(strings.NewReader(text), "fuzz")
			if err != nil || !slices.Equal(again.Features, d.Features) || !slices.Equal(again.Y, d.Y) || !slices.Equal(again.Targets, d.Targets) {
				t.Fatalf("read again, like what it is: %v, error %v, want %v", again, err, d)
			}
		})
	})
}

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
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"X.npy", "y.npy"} {
		w, _ := z.Create(name)
		w.Write(npy("<f8", false, []int{2, 1}, []float64{1, 2}))
	}
	z.Close()
	f.Add(b.Bytes(), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, missing uint8) {
		bounded(t, len(data), func() {
			d, err := NumPy{Missing: Missing(missing % 4)}.Read(bytes.NewReader(data), "fuzz")
			if err != nil {
				placed(t, err)
				return
			}
			whole(t, d)
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
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(header + "abcdef"))
	w.Close()
	f.Add(packed.Bytes())
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
			d, err := selectDigits(bytes.NewReader(images), labels, []int{3, 8})
			if err == nil {
				whole(t, d)
			}
		})
	})
}
