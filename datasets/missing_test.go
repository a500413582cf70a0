package datasets

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
)

// marks are texts that stand for a missing value: those of pandas' read_csv by default
// that are words, in both cases, those of Weka and SAS, and nothing.
var marks = []string{"", " ", "NA", "na", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "?", "."}

// A missing value is an error in each kind of column of each format: never a number, and
// never a class or a category of its own. The error names the line, and what to do.
func TestMissingRefused(t *testing.T) {
	const header = "number,text,outcome\n"
	rows := map[string][]string{
		"classes": {"1,a,yes", "2,b,no", "3,a,yes"},
		"labels":  {"1,a,1", "2,b,2", "3,a,3"},
		"targets": {"1,a,0.5", "2,b,1.5", "3,a,2.5"},
	}
	for name, good := range rows {
		for column := range 3 {
			for _, mark := range marks {
				lines := slices.Clone(good)
				fields := strings.Split(lines[1], ",")
				fields[column] = mark
				lines[1] = strings.Join(fields, ",")
				text := header + strings.Join(lines, "\n") + "\n"
				for _, c := range []CSV{{}, {Task: Classification}, {Classes: []string{"yes", "no"}}, {Decimal: '.'}} {
					c.Header, c.Encode = true, OneHot
					_, err := c.Read(strings.NewReader(text), "t")
					in := fmt.Sprintf(", in column %d, %q", column+1, strings.Split(strings.TrimSpace(header), ",")[column])
					if err == nil || !strings.HasPrefix(err.Error(), "datasets: t:3:") || !strings.Contains(err.Error(), "is missing") || !strings.Contains(err.Error(), in) || !strings.Contains(err.Error(), "Missing to DropRows") {
						t.Errorf("CSV, %s, %q in column %d: error %v", name, mark, column+1, err)
					}
				}
				d, err := CSV{Header: true, Encode: OneHot, Missing: DropRows}.Read(strings.NewReader(text), "t")
				if err != nil || d.Len() != 2 || d.LeftOut != 1 || slices.Contains(d.Classes, strings.TrimSpace(mark)) || len(d.Features) != 2 {
					t.Errorf("CSV, %s, %q in column %d, left out: %+v, error %v", name, mark, column+1, d, err)
				}

				types := map[string]string{"classes": "{yes,no}", "labels": "{1,2,3}", "targets": "real"}
				arff := "@relation r\n@attribute number real\n@attribute text {a,b}\n@attribute outcome " + types[name] + "\n@data\n" + strings.Join(lines, "\n") + "\n"
				if _, err := (ARFF{Encode: OneHot}).Read(strings.NewReader(arff), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: t:7:") || !strings.Contains(err.Error(), "is missing") {
					t.Errorf("ARFF, %s, %q in column %d: error %v", name, mark, column+1, err)
				}
			}
		}
	}
	for _, mark := range marks[2:] {
		if mark[0] == '#' {
			continue // a comment
		}
		for _, text := range []string{"1 1:2\n" + mark + " 1:3\n", "1 1:2\n2 1:" + mark + "\n"} {
			if _, err := ReadLIBSVM(strings.NewReader(text), "t", 0); err == nil || !strings.HasPrefix(err.Error(), "datasets: t:2:") || !strings.Contains(err.Error(), "is missing") {
				t.Errorf("LIBSVM, %q: error %v", text, err)
			}
		}
	}
	for _, place := range []int{2, 3} {
		x := []float64{1, 2, 3, 4}
		x[place] = math.NaN()
		_, err := NumPy{}.Read(bytes.NewReader(npy("<f8", false, []int{2, 2}, x)), "t")
		if want := fmt.Sprintf("datasets: t[1,%d]: ", place-2); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("NumPy, NaN at %d: error %v", place, err)
		}
	}
}

// What is no mark of a missing value stays a class. With NA, the caller says what is one.
func TestMissingMarks(t *testing.T) {
	for _, class := range []string{"none", "-", "+", "missing", "0", "N", "Nan.", "??"} {
		d, err := CSV{Task: Classification}.Read(strings.NewReader("1,"+class+"\n2,other\n"), "t")
		if err != nil || !slices.Contains(d.Classes, class) {
			t.Errorf("%q: %+v, error %v", class, d, err)
		}
	}
	const countries = "1,NA\n2,DE\n3,\n4,-99\n"
	d, err := CSV{NA: []string{"-99"}, Missing: DropRows}.Read(strings.NewReader(countries), "t")
	if err != nil || !slices.Equal(d.Classes, []string{"DE", "NA"}) || d.LeftOut != 2 {
		t.Errorf("%+v, error %v", d, err)
	}
	_, err = CSV{}.Read(strings.NewReader(countries), "t")
	const want = `datasets: t:1:3: the class or target is missing ("NA"), in column 2 (if "NA" is a value, list in NA what marks missing ones); set Missing to DropRows to leave such samples out, or Label if it is in another column`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v, want\n%s", err, want)
	}
}

// The policies for missing values, on one table. The mean of 1, 2 and 6 is 3.
func TestMissingPolicies(t *testing.T) {
	const table = "x,sex,y\n1,m,10.5\n,f,20.5\n2,NA,30.5\n6,f,NA\n6,m,40.5\n"
	for _, tt := range []struct {
		c        CSV
		x        [][]float64
		targets  []float64
		features []string
	}{
		{CSV{Missing: DropRows}, [][]float64{{1, 1}, {6, 1}}, []float64{10.5, 40.5}, []string{"x", "sex=m"}}, // no sample with f is left
		{CSV{Missing: FillMean}, [][]float64{{1, 0, 1, 0}, {3, 1, 0, 0}, {2, 0, 0, 1}, {6, 0, 1, 0}}, []float64{10.5, 20.5, 30.5, 40.5}, []string{"x", "sex=f", "sex=m", "sex=NA"}},
		{CSV{Missing: FillValue, Fill: -1}, [][]float64{{1, 0, 1, 0}, {-1, 1, 0, 0}, {2, 0, 0, 1}, {6, 0, 1, 0}}, []float64{10.5, 20.5, 30.5, 40.5}, []string{"x", "sex=f", "sex=m", "sex=NA"}},
		{CSV{Missing: FillMean, Drop: []string{"sex"}}, [][]float64{{1}, {3}, {2}, {6}}, []float64{10.5, 20.5, 30.5, 40.5}, []string{"x"}},
	} {
		tt.c.Header, tt.c.Encode = true, OneHot
		d := must.Get(tt.c.Read(strings.NewReader(table), "t")).Or(t)
		if want := dense(tt.x); !mat.Equal(d.X, want) || !slices.Equal(d.Targets, tt.targets) || !slices.Equal(d.Features, tt.features) {
			t.Errorf("%+v: X =\n%v\ntargets %v, features %q", tt.c, mat.Formatted(d.X), d.Targets, d.Features)
		}
	}
	// A test set gets the mean of the training set: 3 of 1, 2 and 6, not 10.
	c := CSV{Header: true, Encode: OneHot, Missing: FillMean}
	c.Like = Must(c.Read(strings.NewReader(table), "train"))
	test := must.Get(c.Read(strings.NewReader("x,sex,y\n,f,1\n10,NA,2\n"), "test")).Or(t)
	if want := dense([][]float64{{3, 1, 0, 0}, {10, 0, 0, 1}}); !mat.Equal(test.X, want) {
		t.Errorf("test set\n%v, want\n%v", mat.Formatted(test.X), mat.Formatted(want))
	}
	// The mean of numbers near the largest is finite.
	huge := Must(CSV{Missing: FillMean}.Read(strings.NewReader("1e308,0.5\n1e308,1.5\n,2.5\n"), "huge"))
	if v := huge.X.At(2, 0); math.Abs(v/1e308-1) > 1e-15 {
		t.Errorf("mean of 1e308 twice = %v", v)
	}
}

// A mark may be a number: it holds in every column and every row, in every way to write it,
// whatever the kind that earlier rows gave the column.
func TestMissingNumbers(t *testing.T) {
	for _, mark := range []string{"-999", " -999.0 ", "-9.99e2"} {
		for _, written := range []string{"-999", "-999.0", "-999.00", "NA"} {
			for row := range 3 {
				for column := range 3 {
					rows := [][]string{{"1", "7", "0.5"}, {"2", "8", "1.5"}, {"3", "9", "2.5"}}
					rows[row][column] = written
					x, y := []float64{}, []float64{}
					for i, v := range []float64{0.5, 1.5, 2.5} {
						if i != row {
							x, y = append(x, float64(i+1), float64(i+7)), append(y, v)
						}
					}
					for _, c := range []CSV{{}, {Comma: ';', Decimal: ','}} {
						c.NA, c.Missing = []string{"NA", mark}, DropRows
						var text strings.Builder
						for _, fields := range rows {
							line := strings.Join(fields, ",")
							if c.Comma != 0 {
								line = strings.ReplaceAll(strings.Join(fields, ";"), ".", ",")
							}
							text.WriteString(line + "\n")
						}
						d, err := c.Read(strings.NewReader(text.String()), "t")
						if err != nil || !slices.Equal(d.X.RawMatrix().Data, x) || !slices.Equal(d.Targets, y) || d.LeftOut != 1 {
							t.Fatalf("mark %q in %q: %+v, error %v", mark, text.String(), d, err)
						}
					}
				}
			}
		}
	}
	fraction := CSV{NA: []string{"-9.5"}, Missing: DropRows}
	want(t, Must(fraction.Read(strings.NewReader("1,2\n-9.50,3\n2,-95e-1\n"), "t")), []float64{1}, []int{2})
	arff := "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n-9,b\n3,a\n"
	d := Must(ARFF{NA: []string{"-9"}, Missing: FillMean}.Read(strings.NewReader(arff), "t"))
	want(t, d, []float64{1, 2, 3}, []int{-1, 1, -1})
}

func TestMissingErrors(t *testing.T) {
	refuse(t, []refusal{
		{CSV{Missing: FillMean}, "1,NA,a\n2,,b\n", "t: all values are missing in column 2, so it has no mean; leave it out with Drop"},
		{CSV{Missing: DropRows}, "1,NA,a\n,,b\n", "t: no samples: all 2 have missing values, 2 of them in column 2; leave that column out with Drop, or set Missing to FillMean"},
		{CSV{Missing: DropRows, Header: true}, "a,y,\n1,2,\n3,4,\n", "t:2:5: the lines end in a separator; leave column 3 out with Drop"},
		{CSV{Missing: DropRows, Header: true}, "a,y,z\n1,2,\n3,4,\n", "t: no samples: all 2 have missing values, 2 of them the class or target; set Label to another column"},
		{CSV{Missing: 4}, "1,a\n", "t: Missing = 4, want Refuse, DropRows, FillMean or FillValue"},
		{CSV{Fill: 1}, "1,a\n", "t: Fill = 1, want Missing to be FillValue"},
		{CSV{Missing: FillValue, Fill: math.NaN()}, "1,a\n", "t: Fill = NaN, want a finite number"},
		{CSV{Missing: DropRows}, "1,a\noops,b\n", `t:2:1: "oops" is not a finite number, in column 1`},
	})
}

// dense returns the matrix with the given rows.
func dense(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}
