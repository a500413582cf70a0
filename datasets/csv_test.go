package datasets

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// packed returns the data, compressed by gzip.
func packed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// gzipped writes a gzip-compressed copy of a file into a temporary directory.
func gzipped(t *testing.T, path string) string {
	t.Helper()
	data := must.Get(os.ReadFile(path)).Or(t)
	out := filepath.Join(t.TempDir(), filepath.Base(path)+".gz")
	must.Do(t, os.WriteFile(out, packed(data), 0o644))
	return out
}

func TestCSV(t *testing.T) {
	const path = "testdata/flowers.csv"
	for _, p := range []string{path, gzipped(t, path)} {
		d := must.Get(CSV{Header: true}.Open(p)).Or(t)
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
		{"blanks before quotes", CSV{Header: true, Label: "b"}, "\"a\", \"b\", \"c\"\n1, \"x, y\", \"2\"\n", []float64{1, 2}, []int{0}},
		{"spaced header", CSV{Header: true, Label: " y"}, "a, b, y\n1, 2, 3\n", []float64{1, 2}, []int{3}},
		{"lines before the header", CSV{Header: true, Skip: 2}, "Table 1\n\"of 2\na,y\n1,2\n", []float64{1}, []int{2}},
		{"as scikit-learn's breast_cancer.csv", CSV{Skip: 1}, "569,2,malignant,benign\n17.99,10.38,0\n13.54,14.36,1\n", []float64{17.99, 10.38, 13.54, 14.36}, []int{-1, 1}},
		{"decimal commas", CSV{Header: true, Comma: ';', Decimal: ','}, "a;y\n46,1;m\n-,5e1;n\n", []float64{46.1, -5}, []int{-1, 1}},
		{"decimal commas in labels", CSV{Comma: ';', Decimal: ','}, "1;2,0\n2;3\n", []float64{1, 2}, []int{-1, 1}},
		{"runs of blanks", CSV{Comma: ' '}, "  18.0   8  307 1  \n\n9 4 100  2 \n", []float64{18, 8, 307, 9, 4, 100}, []int{-1, 1}},
		{"tabs, and lines of blanks", CSV{Comma: '\t'}, "1\t2\tx\n   \n3\t4\ty\n", []float64{1, 2, 3, 4}, []int{-1, 1}},
		{"\\r within a line", CSV{Drop: []string{"2"}}, "1,one,5\n2,t\rwo,3\n", []float64{1, 2}, []int{1, -1}},
		{"quotes", CSV{}, "\"1\",\"a,b\"\n", []float64{1}, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := must.Get(tt.c.Read(strings.NewReader(tt.text), "t.csv")).Or(t)
			want(t, d, tt.x, tt.y)
		})
	}
}

// refusal is a table that is read with an error.
type refusal struct {
	c          CSV
	text, want string // the error begins with want
}

func refuse(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, r := range refusals {
		if d, err := r.c.Read(strings.NewReader(r.text), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+r.want) {
			t.Errorf("%q: %+v, error\n%v, want\ndatasets: %s", r.text, d, err, r.want)
		}
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
		{CSV{}, "1,2,\n", "t.csv:1:5: the class or target is missing, in column 3; set Missing to DropRows to leave such samples out, or Label if it is in another column"},
		{CSV{}, "1\n2\n", "t.csv:1:1: one column, want at least one number and a class or target, separated by ','; set Comma if the file has another separator, or Skip if this line does not belong to the table"},
		{CSV{}, "1,\"x\n", `t.csv:1:6: extraneous or missing " in quoted-field; set Comma if the separator is not ','`},
		{CSV{Header: true}, "\"a\";\"b\"\n1;2\n", `t.csv:1:3: extraneous or missing " in quoted-field; set Comma if the separator is not ','`},
		{CSV{}, "1,2\n3,\"x\n5,6\n", `t.csv:3:5: extraneous or missing " in quoted-field, in the sample that begins in line 2; put a field that has quotes in quotes, and write each of its own twice`},
		{CSV{}, "1,2\n\"1,234,567\",2\n", `t.csv:2:1: "1,234,567" is not a finite number, in column 1; remove separators of thousands, or leave the column out with Drop`},
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

// Columns are chosen, left out and put in order by name or number, and their names follow.
func TestCSVColumns(t *testing.T) {
	const table = "id,a,b,c,y\n7,1,2,3,0\n8,4,5,6,1\n"
	for _, tt := range []struct {
		c        CSV
		features string
		x        []float64
		y        []int
		rows     []string
	}{
		{CSV{Drop: []string{"id", "b"}}, "a c", []float64{1, 3, 4, 6}, []int{-1, 1}, nil},
		{CSV{Drop: []string{"1", "y"}}, "a b", []float64{1, 2, 4, 5}, []int{-1, 1}, nil},
		{CSV{Columns: []string{"c", "a"}}, "c a", []float64{3, 1, 6, 4}, []int{-1, 1}, nil},
		{CSV{Columns: []string{"5", "2"}, Label: "id"}, "y a", []float64{0, 1, 1, 4}, []int{-1, 1}, nil},
		{CSV{RowNames: "id"}, "a b c", []float64{1, 2, 3, 4, 5, 6}, []int{-1, 1}, []string{"7", "8"}},
		{CSV{RowNames: "5", Drop: []string{"id"}}, "a b", []float64{1, 2, 4, 5}, []int{-1, 1}, []string{"0", "1"}},
	} {
		for _, header := range []bool{true, false} {
			c, text := tt.c, table
			c.Header = header
			if !header { // the same by numbers
				number := map[string]string{"id": "1", "a": "2", "b": "3", "c": "4", "y": "5"}
				numbers := func(names []string) (out []string) {
					for _, name := range names {
						out = append(out, cmp.Or(number[name], name))
					}
					return out
				}
				c.Drop, c.Columns = numbers(c.Drop), numbers(c.Columns)
				c.Label, c.RowNames = cmp.Or(number[c.Label], c.Label), cmp.Or(number[c.RowNames], c.RowNames)
				_, text, _ = strings.Cut(table, "\n")
			}
			d := must.Get(c.Read(strings.NewReader(text), "t")).Or(t)
			want(t, d, tt.x, tt.y)
			if header && strings.Join(d.Features, " ") != tt.features || !slices.Equal(d.RowNames, tt.rows) {
				t.Errorf("%+v: features %q, names %q", c, d.Features, d.RowNames)
			}
			c.Like = d
			want(t, Must(c.Read(strings.NewReader(text), "again")), tt.x, tt.y)
		}
	}
}

// The names of rows that R's write.csv and write.table and pandas' to_csv put before the
// first column, which has no name, are no feature.
func TestCSVRowNames(t *testing.T) {
	for name, tt := range map[string]struct {
		c    CSV
		text string
	}{
		"write.csv":   {CSV{}, "\"\",\"mpg\",\"cyl\"\n\"Mazda RX4\",21,6\n\"Fiat 128\",32.4,4\n"},
		"to_csv":      {CSV{}, ",mpg,cyl\nMazda RX4,21.0,6\nFiat 128,32.4,4\n"},
		"write.table": {CSV{Comma: ' '}, "\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Fiat 128\" 32.4 4\n"},
	} {
		tt.c.Header = true
		d := must.Get(tt.c.Read(strings.NewReader(tt.text), name)).Or(t)
		want(t, d, []float64{21, 32.4}, []int{1, -1})
		if !slices.Equal(d.Features, []string{"mpg"}) || !slices.Equal(d.RowNames, []string{"Mazda RX4", "Fiat 128"}) {
			t.Errorf("%s: features %q, names %q", name, d.Features, d.RowNames)
		}
		if s := Must(d.Subset([]int{1})); !slices.Equal(s.RowNames, []string{"Fiat 128"}) {
			t.Errorf("%s: names %q of a subset", name, s.RowNames)
		}
	}
	// The options make it one of the others.
	want(t, Must(CSV{Header: true, Drop: []string{"1"}}.Read(strings.NewReader(",a,y\n5,1,2\n"), "t")), []float64{1}, []int{2})
	want(t, Must(CSV{Header: true, Columns: []string{"1"}}.Read(strings.NewReader(",a,y\n5,1,2\n"), "t")), []float64{5}, []int{2})
	want(t, Must(CSV{Header: true, Label: "1"}.Read(strings.NewReader(",a,y\n5,1,2\n"), "t")), []float64{1, 2}, []int{5})
	// Two without a name may be a MultiIndex of pandas. Fields of the options decide.
	two := ",,x,y\n5,1,3,2\n"
	if _, err := (CSV{Header: true}).Read(strings.NewReader(two), "t"); err == nil || !strings.Contains(err.Error(), "no name for the columns 1 and 2") {
		t.Errorf("two columns without a name: %v", err)
	}
	want(t, Must(CSV{Header: true, Drop: []string{"1", "2"}}.Read(strings.NewReader(two), "t")), []float64{3}, []int{2})
	// A separator at the ends of the lines, and an index at their beginning.
	ends := Must(CSV{Header: true, Drop: []string{"4"}}.Read(strings.NewReader(",x,y,\n5,3,2,\n"), "t"))
	want(t, ends, []float64{3}, []int{2})
	if !slices.Equal(ends.RowNames, []string{"5"}) {
		t.Errorf("names %q", ends.RowNames)
	}
	want(t, Must(CSV{Header: true, RowNames: "1", Drop: []string{"2"}}.Read(strings.NewReader(two), "t")), []float64{3}, []int{2})
	want(t, Must(CSV{Header: true, Columns: []string{"1", "2"}}.Read(strings.NewReader(two), "t")), []float64{5, 1}, []int{2})
}

// A decimal comma is the same in features, targets, classes, categories and options. A point
// in a number is an error in all of them: 1.234 may be a thousand or one.
func TestCSVDecimalComma(t *testing.T) {
	c := CSV{Comma: ';', Decimal: ','}
	for name, text := range map[string]string{"feature": "1.234;2;0,5\n", "target": "1;2;0,5\n1;2;1.234\n", "class": "1;2;1.0\n"} {
		if d, err := c.Read(strings.NewReader(text), "t"); err == nil {
			t.Errorf("a point in a %s: no error, X %v, targets %v, labels %v", name, d.X.RawMatrix().Data, d.Targets, d.Y)
		}
	}
	listed := CSV{Comma: ';', Decimal: ',', Classes: []string{"1,5", "0,5"}}
	want(t, Must(listed.Read(strings.NewReader("1;0,5\n2;1,5\n"), "t")), []float64{1, 2}, []int{1, -1})
	codes := CSV{Comma: ';', Decimal: ',', Categories: []string{"1"}, Encode: OneHot}
	d := Must(codes.Read(strings.NewReader("10,0;1\n2,0;2\n2;2\n"), "t"))
	want(t, d, []float64{0, 1, 1, 0, 1, 0}, []int{-1, 1, 1})
}

// ' ' separates by blanks and tabs in any number, also at the ends of a line.
func TestCSVBlanks(t *testing.T) {
	d := Must(CSV{Comma: ' '}.Read(strings.NewReader("  1 \t2\t\"a b\"\n3  4 c\t \n\t\n\t5\t6 c\n"), "t"))
	want(t, d, []float64{1, 2, 3, 4, 5, 6}, []int{-1, 1, 1})
}

func TestCSVOptionErrors(t *testing.T) {
	refuse(t, []refusal{
		{CSV{Skip: -1}, "1,2\n", "t: Skip = -1, want at least 0"},
		{CSV{Skip: 9}, "1,2\n", "t: no samples"},
		{CSV{Decimal: ','}, "1,2\n", "t: Decimal is ',', want another Comma, such as ';'"},
		{CSV{Decimal: 'x'}, "1,2\n", "t: Decimal = 'x', want '.' or ','"},
		{CSV{Columns: []string{"1"}, Drop: []string{"2"}}, "1,2,3\n", "t: both Columns and Drop, want one of them"},
		{CSV{Columns: []string{"1", "1"}}, "1,2,3\n", "t: Columns has column 1 twice"},
		{CSV{Columns: []string{"3"}}, "1,2,3\n", "t: column 3 is the class or target, and in Columns or Drop; set Label to another"},
		{CSV{Columns: []string{}}, "1,2,3\n", "t: no column is left for the features"},
		{CSV{Drop: []string{"1", "2"}}, "1,2,3\n", "t: no column is left for the features"},
		{CSV{Drop: []string{"1", "2", "3"}}, "1,2,3\n", "t: no column is left for the class or target"},
		{CSV{Drop: []string{"z"}, Header: true}, "a,y\n1,2\n", `t: Drop[0]: no column is called "z"; there are ["a" "y"]`},
		{CSV{RowNames: "1", Label: "1"}, "1,2,3\n", "t: column 1 is both Label and RowNames, want two columns"},
		{CSV{Header: true}, "a,y\n1,2,\n", "t:2:5: the line ends in a separator, and the header names 2 columns; remove it at the ends of lines"},
		{CSV{Header: true}, "about\na,b,y\n1,2,3\n", "t:1:1: one column, want at least one number and a class or target, separated by ','"},
		{CSV{Header: true}, "x,\na,b,c,y\n1,2,3,4\n", "t:2:1: 4 columns, want 2 as in the header; set Skip if lines stand before the header"},
		{CSV{}, "1;2;x\n", "t:1:1: one column, want at least one number and a class or target, separated by ','; set Comma to ';' if that separates the columns"},
		{CSV{Comma: ';', Decimal: ','}, "1;0,5\n1.5;1\n", `t:2:1: "1.5" is not a finite number`},
	})
}
