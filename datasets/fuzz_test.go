package datasets

import (
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

// whole returns the Dataset that read makes of an input of size bytes, or nil if read refuses it.
// The memory that it takes, the error and the Dataset must be as all readers promise.
func whole(t *testing.T, size int, read func() (*Dataset, error)) (d *Dataset) {
	t.Helper()
	var err error
	bounded(t, size, func() { d, err = read() })
	if err != nil {
		placed(t, err)
		return nil
	}
	complete(t, d)
	return d
}

// sameAgain fails unless a Dataset that is read again, like itself, is the same.
func sameAgain(t *testing.T, d, again *Dataset, err error) {
	t.Helper()
	if err != nil || !slices.Equal(again.Features, d.Features) || again.X.RawMatrix().Rows != d.Len() || !slices.Equal(again.Y, d.Y) || !slices.Equal(again.Targets, d.Targets) {
		t.Fatalf("read again, like what it is: %v, error %v, want %v", again, err, d)
	}
}

// complete fails unless every row of d has a label with a named class or a finite target, and
// X is finite.
func complete(t *testing.T, d *Dataset) {
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
		read := func() (*Dataset, error) { return c.Read(strings.NewReader(text), "fuzz") }
		d := whole(t, len(text), read)
		if d == nil {
			return
		}
		if header && len(d.Features) == 0 {
			t.Fatal("the names of the columns are lost")
		}
		c.Task, c.Like = ByValues, d
		again, err := read()
		sameAgain(t, d, again, err)
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
		d := whole(t, len(text), func() (*Dataset, error) { return l.Read(strings.NewReader(text), "fuzz") })
		if d == nil {
			return
		}
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
		if sameAgain(t, d, again, err); !mat.Equal(again.X, d.X) {
			t.Fatalf("%q is read to %v, want %v", out.String(), again, d)
		}
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
		read := func() (*Dataset, error) { return a.Read(strings.NewReader(text), "fuzz") }
		if a.Like = whole(t, len(text), read); a.Like != nil {
			again, err := read()
			sameAgain(t, a.Like, again, err)
		}
	})
}
