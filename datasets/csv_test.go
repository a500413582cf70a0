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

// gzipped writes a compressed copy of a file into a temporary directory.
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
		want(t, d, []float64{5.1, 3.5, 7.0, 3.2, 6.3, 3.3}, []int{0, 1, 0})
		if !slices.Equal(d.Classes, []string{"setosa", "versicolor"}) || !slices.Equal(d.Labels, []int{0, 1}) ||
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
		{"label first", CSV{Label: "1"}, "7,1,2\n3,4,5\n", []float64{1, 2, 4, 5}, []int{7, 3}},
		{"label by name", CSV{Label: "y", Header: true}, "a,y,b\n1,9,2\n", []float64{1, 2}, []int{9}},
		{"comma, comment, space, no newline", CSV{Comma: ';', Comment: '%'}, "% by hand\n1; 2 ;b\n\n3;4; a", []float64{1, 2, 3, 4}, []int{1, 0}},
		{"CRLF and byte order mark", CSV{}, "\ufeff1,2\r\n3,4\r\n", []float64{1, 3}, []int{2, 4}},
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
		{CSV{}, "a,b\n1,2\n", `t.csv:1:1: "a" is not a number (if the first line names the columns, set Header)`},
		{CSV{}, "1,2,x\n3,oops,y\n", `t.csv:2:3: "oops" is not a number`},
		{CSV{}, "1,x\nNaN,y\n", `t.csv:2:1: "NaN" is not a finite number`},
		{CSV{}, "1,x\n1e999,y\n", `t.csv:2:1: "1e999" is not a number`},
		{CSV{}, "1,2,x\n3,y\n", "t.csv:2:1: 2 columns, want 3 as in the first line"},
		{CSV{}, "1,2,\n", "t.csv:1:5: the class is empty"},
		{CSV{}, "1\n2\n", "t.csv:1:1: one column, want at least one number and a class, separated by ','"},
		{CSV{}, "1,\"x\n", `t.csv:1:6: extraneous or missing " in quoted-field`},
		{CSV{Label: "3"}, "1,2\n", `t.csv: label "3" is not a column number, want 1 to 2`},
		{CSV{Label: "c", Header: true}, "a,b\n1,2\n", `t.csv: no column is called "c"; there are ["a" "b"]`},
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
