package datasets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The columns are those of pandas.get_dummies, with drop_first for Dummies.
func TestEncode(t *testing.T) {
	const table = "age,sex,class,year,y\n29,female,1st,2008,yes\n1,male,1st,2007,no\n2,female,3rd,2008,yes\n30,male,2nd,2007,no\n"
	for _, tt := range []struct {
		c        CSV
		features string
		first    []float64
	}{
		{CSV{Encode: OneHot}, "age sex=female sex=male class=1st class=2nd class=3rd year", []float64{29, 1, 0, 1, 0, 0, 2008}},
		{CSV{Encode: Dummies}, "age sex=male class=2nd class=3rd year", []float64{29, 0, 0, 0, 2008}},
		{CSV{Encode: OneHot, Categories: []string{"year"}, Drop: []string{"class"}}, "age sex=female sex=male year=2007 year=2008", []float64{29, 1, 0, 0, 1}},
		{CSV{Encode: Dummies, Columns: []string{"class", "age"}}, "class=2nd class=3rd age", []float64{0, 0, 29}},
		{CSV{Encode: Dummies, Label: "sex"}, "age class=2nd class=3rd year y=yes", []float64{29, 0, 0, 2008, 1}},
	} {
		tt.c.Header = true
		d, err := tt.c.Read(strings.NewReader(table), "t")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Features, " "); got != tt.features || !slices.Equal(d.X.RawRowView(0), tt.first) {
			t.Errorf("%+v:\n%s, first row %v", tt.c, got, d.X.RawRowView(0))
		}
	}
	// Without a header the columns have numbers.
	d := Must(CSV{Encode: Dummies}.Read(strings.NewReader("1,b,x\n2,a,y\n"), "t"))
	if !slices.Equal(d.Features, []string{"column 1", "column 2=b"}) || !mat.Equal(d.X, dense([][]float64{{1, 1}, {2, 0}})) {
		t.Errorf("features %q, X =\n%v", d.Features, mat.Formatted(d.X))
	}
	// Codes are in numerical order.
	d = Must(CSV{Encode: OneHot, Header: true, Categories: []string{"1"}}.Read(strings.NewReader("code,y\n10,x\n9,y\n10,x\n"), "t"))
	if !slices.Equal(d.Features, []string{"code=9", "code=10"}) {
		t.Errorf("features %q", d.Features)
	}
	// 1, 1.0 and +1 are one category, in the test set too; pandas writes 1.0 if a value is
	// missing.
	c := CSV{Encode: OneHot, Categories: []string{"1"}}
	c.Like = Must(c.Read(strings.NewReader("1,x\n2.0,y\n1.0,x\n01,y\n"), "train"))
	if !slices.Equal(c.Like.Features, []string{"column 1=1", "column 1=2.0"}) {
		t.Errorf("features %q", c.Like.Features)
	}
	if d, err := c.Read(strings.NewReader("2,x\n+1,y\n"), "test"); err != nil || !mat.Equal(d.X, dense([][]float64{{0, 1}, {1, 0}})) {
		t.Errorf("%+v, error %v", d, err)
	}
}

// Whatever the categories and their order, each sample has exactly one 1 per encoded
// column, in the place that the name says.
func TestEncodeEverySample(t *testing.T) {
	for _, n := range []int{2, 7, 60} {
		for _, k := range []int{1, 2, 5} {
			var table strings.Builder
			table.WriteString("v,c,d,y\n")
			cs, ds := make([]string, n), make([]string, n)
			for i := range n {
				cs[i], ds[i] = fmt.Sprintf("c%d", i*7%k), fmt.Sprintf("d%d", (n-i)%k)
				fmt.Fprintf(&table, "%d,%s,%s,%d\n", i, cs[i], ds[i], i%2)
			}
			for _, e := range []Encoding{OneHot, Dummies} {
				d := Must(CSV{Header: true, Encode: e}.Read(strings.NewReader(table.String()), "t"))
				for i := range n {
					ones := 0
					for j, name := range d.Features {
						v := d.X.At(i, j)
						if name == "v" {
							if v != float64(i) {
								t.Fatalf("row %d: v = %v", i, v)
							}
							continue
						}
						if want := name == "c="+cs[i] || name == "d="+ds[i]; (v == 1) != want || v != 0 && v != 1 {
							t.Fatalf("row %d, %s = %v beside %s and %s", i, name, v, cs[i], ds[i])
						}
						ones += int(v)
					}
					if e == OneHot && ones != 2 {
						t.Fatalf("row %d has %d ones, want 2", i, ones)
					}
				}
			}
		}
	}
}

// A test set has the columns of its training set, even if it lacks a category or has them
// in another order.
func TestEncodeLike(t *testing.T) {
	c := CSV{Header: true, Encode: Dummies}
	c.Like = Must(c.Read(strings.NewReader("sex,x,port,y\nm,1,S,a\nf,2,C,b\nf,3,Q,a\n"), "train"))
	d, err := c.Read(strings.NewReader("sex,x,port,y\nf,4,S,b\nm,5,Q,b\n"), "test")
	if err != nil || !mat.Equal(d.X, dense([][]float64{{0, 4, 0, 1}, {1, 5, 1, 0}})) || !slices.Equal(d.Features, c.Like.Features) {
		t.Errorf("%+v, error %v", d, err)
	}
	// The encoding of the training set holds without Encode too, and for a part of it.
	c.Encode, c.Like = NoEncoding, Must(c.Like.Head(2))
	if again, err := c.Read(strings.NewReader("sex,x,port,y\nf,4,S,b\nm,5,Q,b\n"), "test"); err != nil || !mat.Equal(again.X, d.X) {
		t.Errorf("%+v, error %v", again, err)
	}
	for text, want := range map[string]string{
		"sex,x,port,y\nf,4,X,b\n":  `test:2:5: "X" is no category of column 3, "port" in train, which has ["C" "Q" "S"]`,
		"sex,x,port,y\nf,4,NA,b\n": `test:2:5: a value is missing ("NA")`,
		"sex,x,y\nf,4,b\n":         "test: 2 features, want 3 as in train, and a class or target",
		"sex,x,harbour,y\nf,4,S,b": `test:1:7: the column is called "harbour", want "port" as in train`,
	} {
		if _, err := c.Read(strings.NewReader(text), "test"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+want) {
			t.Errorf("%q: error\n%v, want\ndatasets: %s", text, err, want)
		}
	}
	c.Missing = FillMean
	const want = `datasets: test: 1 values are missing in column 3, "port", and none is in train; set Missing to DropRows`
	if _, err := c.Read(strings.NewReader("sex,x,port,y\nf,4,NA,b\n"), "test"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	// The means are those of X, which must be as it was read.
	wider := *c.Like
	wider.X, wider.Features = mat.NewDense(2, 7, nil), nil
	if _, err := (CSV{Header: true, Like: &wider}).Read(strings.NewReader("sex,x,port,y\nf,4,S,b\n"), "test"); err == nil || err.Error() != "datasets: test: X of train has 7 columns, and had 4 when it was read; want the training set as it was read" {
		t.Errorf("error %v", err)
	}
	// A category that the training set lacks does not matter in a sample that is left out,
	// wherever its missing value is.
	c.Missing = DropRows
	for _, left := range []string{"f,4,X,\n", "f,NA,X,b\n", "X,,S,b\n", "X,X,NA,b\n"} {
		d, err := c.Read(strings.NewReader("sex,x,port,y\n"+left+"m,5,Q,b\n"), "test")
		if left == "X,X,NA,b\n" { // X is still no number
			if err == nil || !strings.Contains(err.Error(), "test:2:3: \"X\" is not a finite number") {
				t.Errorf("%q: error %v", left, err)
			}
		} else if err != nil || d.LeftOut != 1 || !mat.Equal(d.X, dense([][]float64{{1, 5, 1, 0}})) {
			t.Errorf("%q: %+v, error %v", left, d, err)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	many := strings.Builder{}
	for i := range 30 {
		fmt.Fprintf(&many, "name %d,%d,%d\n", i, i, i%2)
	}
	refuse(t, []refusal{
		{CSV{Encode: OneHot}, "1,a,x\ncrew,b,y\n", `t:2:1: "crew" is not a finite number, in column 1; correct it, list it in NA if it marks a missing value, list the column in Categories if it has categories, or leave the column out with Drop`},
		{CSV{Encode: OneHot}, "crew,a,x\n1,b,y\n", `t:2:1: "1" is a number, and "crew" in line 1 is not, in column 1; correct the wrong one, set Header if the first line names the columns, or list the column in Categories`},
		{CSV{Encode: OneHot}, many.String(), `t:30:1: "name 29" is category number 30 of 30 samples, in column 1; leave the column out with Drop, set RowNames if it names the samples, or list it in Categories if there are so many`},
		{CSV{Encode: Dummies}, "a,x\na,y\n", "t: no feature is left, since each column has one category"},
		{CSV{Encode: 3}, "1,a\n", "t: Encode = 3, want NoEncoding, OneHot or Dummies"},
		{CSV{Categories: []string{"1"}}, "1,a\n", "t: Categories without Encode, want OneHot or Dummies"},
		{CSV{Encode: OneHot}, "caf\xe9,x\nb,y\n", `t:1:1: "caf\xe9" is not UTF-8; save the file as UTF-8`},
	})
	if d := Must(CSV{Encode: OneHot, Categories: []string{"1"}}.Read(strings.NewReader(many.String()), "t")); d.Features[29] != "column 1=name 9" {
		t.Errorf("features %q", d.Features)
	}
	if d := Must(CSV{Encode: OneHot, Categories: []string{"1"}}.Read(strings.NewReader("1,a,x\ncrew,b,y\n"), "t")); d.Features[1] != "column 1=crew" {
		t.Errorf("features %q", d.Features)
	}
}
