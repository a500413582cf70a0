package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gzipped writes a gzip-compressed copy of a file into a temporary directory.
func gzipped(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	out := filepath.Join(t.TempDir(), filepath.Base(path)+".gz")
	if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCSV(t *testing.T) {
	const path = "testdata/flowers.csv"
	for _, p := range []string{path, gzipped(t, path)} {
		d, err := CSV{Header: true}.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		want(t, d, []float64{5.1, 3.5, 7.0, 3.2, 6.3, 3.3}, []int{-1, 1, -1})
		if !slices.Equal(d.Classes, []string{"setosa", "versicolor"}) || !slices.Equal(d.Labels, []int{-1, 1}) ||
			!slices.Equal(d.Features, []string{"sepal length", "sepal width"}) || d.Name != filepath.Base(p) {
			t.Errorf("%+v", d)
		}
	}
}

func TestCSVForms(t *testing.T) {
	tests := []struct {
		name string
		c    CSV
		text string
		x    []float64
		y    []int
	}{
		{"integer labels", CSV{}, "1.5,2,-1\n3,4,+1\n", []float64{1.5, 2, 3, 4}, []int{-1, 1}},
		{"label first", CSV{Label: "1"}, "7,1,2\n3,4,5\n", []float64{1, 2, 4, 5}, []int{+1, -1}},
		{"label by name", CSV{Label: "y", Header: true}, "a,y,b\n1,9,2\n", []float64{1, 2}, []int{9}},
		{"comma, comment, space, no newline", CSV{Comma: ';', Comment: '%'}, "% by hand\n1; 2 ;b\n\n3;4; a", []float64{1, 2, 3, 4}, []int{+1, -1}},
		{"CRLF and byte order mark", CSV{}, "\ufeff1,2\r\n3,4\r\n5,8\r\n", []float64{1, 3, 5}, []int{2, 4, 8}},
		{"header after a byte order mark", CSV{Label: "a", Header: true}, "\ufeffa,b\r\n3,4\r\n", []float64{4}, []int{3}},
		{"quoted header with semicolons", CSV{Comma: ';', Header: true}, "\"fixed acidity\";\"quality, 0 to 10\"\n7.4;5\n", []float64{7.4}, []int{5}},
		{"a column name twice", CSV{Label: "y", Header: true}, "x,x,y\n1,2,3\n", []float64{1, 2}, []int{3}},
		{"Unix times", CSV{}, "1732262400,1\n1732262401,1\n", []float64{1732262400, 1732262401}, []int{1, 1}},
		{"quotes", CSV{}, "\"1\",\"a,b\"\n", []float64{1}, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.c.Read(strings.NewReader(tt.text), "t.csv")
			if err != nil {
				t.Fatal(err)
			}
			want(t, d, tt.x, tt.y)
		})
	}
}

func TestCSVErrors(t *testing.T) {
	tests := []struct {
		c          CSV
		text, want string
	}{
		{CSV{}, "", "t.csv: no samples"},
		{CSV{Header: true}, "a,b\n", "t.csv: no samples"},
		{CSV{}, "a,b\n1,2\n", `t.csv:1:1: "a" is not a finite number, in column 1; set Header if the first line names the columns, Skip if it is no sample, Label to "1" if this column has the classes, set Encode if the column has categories, or leave it out with Drop`},
		{CSV{}, "1,2,x\n3,oops,y\n", `t.csv:2:3: "oops" is not a finite number, in column 2; correct it, list it in NA if it marks a missing value, or leave the column out with Drop`},
		{CSV{Header: true}, "time,y\n2024-11-22 09:30,1\n", `t.csv:2:1: "2024-11-22 09:30" is not a finite number, in column 1, "time"; set Encode if the column has categories, or leave it out with Drop`},
		{CSV{}, "1,x\nNaN,y\n", `t.csv:2:1: a value is missing ("NaN"), in column 1 (if "NaN" is a value, list in NA what marks missing ones); set Missing to DropRows or FillMean, or leave the column out with Drop`},
		{CSV{Header: true}, "a,b,y\n1,,2\n", `t.csv:2:3: a value is missing, in column 2, "b"; set Missing to DropRows or FillMean, or leave the column out with Drop`},
		{CSV{}, "1,x\n?,y\n", `t.csv:2:1: a value is missing ("?"), in column 1 (if "?" is a value, list in NA what marks missing ones); set Missing to DropRows or FillMean, or leave the column out with Drop`},
		{CSV{}, "1,x\n1e999,y\n", `t.csv:2:1: "1e999" is not a finite number, in column 1; correct it, list it in NA if it marks a missing value, or leave the column out with Drop`},
		{CSV{Comma: ';'}, "1,5;2\n", `t.csv:1:1: "1,5" is not a finite number, in column 1; set Decimal to ',' if that is the decimal point, or remove separators of thousands`},
		{CSV{}, "1,2,x\n3,y\n", "t.csv:2:1: 2 columns, want 3 as in the first sample; set Skip if the file begins with other lines, or Header if the first line names the columns"},
		{CSV{}, "1,2,\n", "t.csv:1:5: the class or target is missing; set Missing to DropRows to leave such samples out"},
		{CSV{}, "1\n2\n", "t.csv:1:1: one column, want at least one number and a class or target, separated by ','; set Comma if the file has another separator, or Skip if this line does not belong to the table"},
		{CSV{}, "1,\"x\n", `t.csv:1:6: extraneous or missing " in quoted-field; set Comma if the separator is not ','`},
		{CSV{Header: true}, "\"a\";\"b\"\n1;2\n", `t.csv:1:3: extraneous or missing " in quoted-field; set Comma if the separator is not ','`},
		{CSV{Label: "3"}, "1,2\n", `t.csv: Label = "3" is not a column number, want 1 to 2`},
		{CSV{Label: "c", Header: true}, "a,b\n1,2\n", `t.csv: Label: no column is called "c"; there are ["a" "b"]`},
		{CSV{Label: "a", Header: true}, "b,a,a\n1,2,3\n", `t.csv: the columns 2 and 3 are both called "a"; set Label to the number of one`},
	}
	for _, tt := range tests {
		d, err := tt.c.Read(strings.NewReader(tt.text), "t.csv")
		if err == nil || err.Error() != "datasets: "+tt.want {
			t.Errorf("%q: got %v, error\n%v, want\n%s", tt.text, d, err, "datasets: "+tt.want)
		}
	}
	if _, err := (CSV{}).Open("testdata/none.csv"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "testdata/none.csv") {
		t.Errorf("missing file: %v", err)
	}
}
