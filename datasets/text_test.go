package datasets

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"
)

// A text may begin with a byte order mark, and its lines may end in \n, \r\n or \r, in
// every format and however small the pieces are in which it is read.
func TestTextForms(t *testing.T) {
	for _, format := range []struct {
		text string
		read func(io.Reader) (*Dataset, error)
	}{
		{"x,kind\n1,b\n\n2.5,a\n", func(r io.Reader) (*Dataset, error) { return CSV{Header: true}.Read(r, "CSV") }},
		{"1 1:1\n\n-1 1:2.5\n", func(r io.Reader) (*Dataset, error) { return LIBSVM{}.Read(r, "LIBSVM") }},
		{"@relation r\n@attribute x real\n@attribute kind {a,b}\n@data\n1,b\n\n2.5,a\n", func(r io.Reader) (*Dataset, error) { return ARFF{}.Read(r, "ARFF") }},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			for _, end := range []string{"\n", "\r\n", "\r", "\r\r\n"} {
				for _, last := range []string{end, ""} {
					text := mark + strings.ReplaceAll(strings.TrimSuffix(format.text, "\n"), "\n", end) + last
					for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
						d, err := format.read(r)
						if err != nil || !mat.Equal(d.X, mat.NewDense(2, 1, []float64{1, 2.5})) || d.Y[0] == d.Y[1] {
							t.Errorf("%q: %+v, error %v", text, d, err)
						}
					}
				}
			}
		}
	}
	// Line numbers count every line, skipped ones too.
	for _, end := range []string{"\n", "\r\n", "\r"} {
		_, err := CSV{Skip: 2}.Read(strings.NewReader(strings.ReplaceAll("a word\nand another\n1,2\n\n3,x\ny,4\n", "\n", end)), "t")
		if err == nil || !strings.HasPrefix(err.Error(), "datasets: t:6:1: \"y\" is not") {
			t.Errorf("ends %q: error %v", end, err)
		}
	}
}

// What is no text says what it is, in every format.
func TestNotText(t *testing.T) {
	if d := Must(CSV{Header: true}.Read(strings.NewReader("PAR1,RDX3,y\n1,2,3\n"), "t")); d.Features[0] != "PAR1" {
		t.Errorf("features %q", d.Features)
	}
	for file, want := range map[string]string{
		"\xff\xfe1\x00,\x002\x00":           "the text is UTF-16; save it as UTF-8",
		"\xfe\xff\x001\x00,\x002":           "the text is UTF-16; save it as UTF-8",
		"1\x00,\x002\x00\n\x00":             "byte 1 is 0, so the file is not text, or UTF-16; save it as UTF-8",
		"PK\x03\x04\x14\x00":                "the file is a zip archive",
		"\x1f\x8b\x08\x00":                  "the data are compressed by gzip; Open reads such files",
		"\xd0\xcf\x11\xe0\xa1\xb1":          "the file is an old workbook",
		"<!DOCTYPE html>\n<html>":           "the file is a web page",
		string(npy("<f8", false, nil, nil)): "the file is an array of NumPy; read it with NumPy",
	} {
		for format, read := range map[string]func() (*Dataset, error){
			"CSV":    func() (*Dataset, error) { return CSV{}.Read(strings.NewReader(file), "t") },
			"LIBSVM": func() (*Dataset, error) { return LIBSVM{}.Read(strings.NewReader(file), "t") },
			"ARFF":   func() (*Dataset, error) { return ARFF{}.Read(strings.NewReader(file), "t") },
		} {
			if _, err := read(); err == nil || !strings.HasPrefix(err.Error(), "datasets: t: "+want) {
				t.Errorf("%s %q: error %v, want %s", format, file, err, want)
			}
		}
	}
}

// A class, a category and the name of a column are text that a figure can show.
func TestNames(t *testing.T) {
	for _, name := range []string{"caf\xe9", "\xff", "a\x00b", "\x1b[1m", "x\u0085y", "\ufffe"} {
		for _, c := range []struct {
			csv        CSV
			text, want string
		}{
			{CSV{}, "1,ok\n2," + name + "\n", "datasets: t:2:3: the class"},
			{CSV{Encode: OneHot}, "x,ok\n" + name + ",ok\n", "datasets: t:2:1: "},
			{CSV{RowNames: "1"}, "x,1,ok\n" + name + ",1,ok\n", "datasets: t:2:1: the name of the sample"},
			{CSV{Header: true}, "a," + name + "\n1,2\n", "datasets: t:1:3: the name of the column"},
		} {
			_, err := c.csv.Read(strings.NewReader(c.text+strings.Repeat("1,2\n", 500)), "t")
			if strings.Contains(name, "\x00") {
				c.want = "datasets: t: byte" // found earlier
			}
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q: error %v, want %s", c.text, err, c.want)
			}
		}
	}
	d := Must(CSV{Header: true}.Read(strings.NewReader(" fixed acidity ,\"in g\nper l\", größe ,κλάση\n1,2,3,  Käse \n"), "t"))
	if !slices.Equal(d.Features, []string{"fixed acidity", "in g per l", "größe"}) || d.Classes[0] != "Käse" {
		t.Errorf("features %q, classes %q", d.Features, d.Classes)
	}
}

// Numbers follow one rule in every format and every column.
func TestNumbers(t *testing.T) {
	numbers := map[string]float64{"0": 0, "007": 7, "+5": 5, "-5": -5, "5.": 5, ".5": 0.5, "-.5e-3": -0.0005, "1E5": 1e5, "1e+05": 1e5, "123456789012345": 123456789012345, "1234567890123456789": 1234567890123456789,
		"1e-400": 0, "4.9e-324": 4.9e-324, "1.7976931348623157e308": 1.7976931348623157e308}
	none := []string{"1_0", "1_000.5", "0x10", "0x1p-2", "-0X1p0", "inf", "-Inf", "Infinity", "1e400", "-1e400", "1e", "e5", "--1", "+", "1 0", "1.2.3", "1'000", "１２", "٣", "1f", "5%", "$5", "1d5", "0b1", "0o7", "½", "−1"}
	for _, decimal := range []rune{0, ','} {
		comma := func(s string) string {
			if decimal == ',' {
				return strings.Replace(s, ".", ",", 1)
			}
			return s
		}
		for s, want := range numbers {
			s = comma(s)
			d, err := CSV{Comma: ';', Decimal: decimal, Task: Regression}.Read(strings.NewReader(" "+s+"\t; "+s+" \n"), "t")
			if err != nil || d.X.At(0, 0) != want || d.Targets[0] != want {
				t.Errorf("CSV %q: %+v, error %v, want %v", s, d, err, want)
			}
		}
		for _, s := range none {
			s = comma(s)
			for _, text := range []string{"1;1\n" + s + ";2\n", "1;1\n2;" + s + "\n"} {
				if d, err := (CSV{Comma: ';', Decimal: decimal, Task: Regression}).Read(strings.NewReader(text), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: t:2:") {
					t.Errorf("CSV %q: %+v, error %v", text, d, err)
				}
			}
		}
	}
	for s, want := range numbers {
		if d, err := (LIBSVM{Task: Regression}).Read(strings.NewReader(s+" 1:"+s+"\n"), "t"); err != nil || d.X.At(0, 0) != want || d.Targets[0] != want {
			t.Errorf("LIBSVM %q: %+v, error %v", s, d, err)
		}
		if d, err := (ARFF{}).Read(strings.NewReader(arffFile("a real|b real", s+","+s)), "t"); err != nil || d.X.At(0, 0) != want || d.Targets[0] != want {
			t.Errorf("ARFF %q: %+v, error %v", s, d, err)
		}
	}
	for _, s := range none {
		if strings.Contains(s, " ") {
			continue
		}
		for _, text := range []string{"1 1:1\n2 1:" + s + "\n", "1 1:1\n" + s + " 1:2\n"} {
			if d, err := ReadLIBSVM(strings.NewReader(text), "t", 0); err == nil || !strings.HasPrefix(err.Error(), "datasets: t:2:") {
				t.Errorf("LIBSVM %q: %+v, error %v", text, d, err)
			}
		}
		for _, data := range []string{s + ",1", "1," + s} {
			if d, err := (ARFF{}).Read(strings.NewReader(arffFile("a real|b real", data)), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: t:5:") {
				t.Errorf("ARFF %q: %+v, error %v", data, d, err)
			}
		}
	}
	// With a decimal comma a point is no part of a number.
	if _, err := (CSV{Comma: ';', Decimal: ',', Task: Regression}).Read(strings.NewReader("1,5;2,5\n1.234,5;3\n"), "t"); err == nil {
		t.Error("1.234,5 is read as a number")
	}
}

// Numbers of few digits, which are not left to strconv, are rounded as it rounds them, with
// the point anywhere and with either sign of zero.
func TestShortNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		digits := make([]byte, 1+r.IntN(17))
		for i := range digits {
			digits[i] = '0' + byte(r.IntN(10))
		}
		if r.IntN(10) == 0 {
			digits = []byte(strings.Repeat("0", len(digits)))
		}
		s := string(digits)
		if k := r.IntN(len(s) + 2); k <= len(s) {
			s = s[:k] + "." + s[k:]
		}
		if r.IntN(2) == 0 {
			s = "-" + s
		}
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := finite(s); !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q is read as %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"", "-", ".", "-.", "--1", "1-", "1.2.3", "1-2"} {
		if v, ok := finite(s); ok {
			t.Errorf("%q is read as %v", s, v)
		}
	}
}
