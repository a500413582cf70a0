package datasets

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The numbers are those of R's summary(iris), to its four digits; the standard deviations those
// of R's sd and of pandas' describe; the last those of length(unique(x)).
func TestDescribeIris(t *testing.T) {
	d := Iris().Describe()
	if d.Name != "Iris" || d.Samples != 150 || d.Target != nil || d.Images {
		t.Errorf("%+v", d)
	}
	if want := []ClassCount{{0, "setosa", 50}, {1, "versicolor", 50}, {2, "virginica", 50}}; !reflect.DeepEqual(d.Classes, want) {
		t.Errorf("classes %v, want %v", d.Classes, want)
	}
	//          Min. 1st Qu. Median Mean   3rd Qu. Max. sd
	for j, want := range [][]float64{
		{4.3, 5.1, 5.8, 5.843, 6.4, 7.9, 0.828066, 35},
		{2.0, 2.8, 3.0, 3.057, 3.3, 4.4, 0.435866, 23},
		{1.0, 1.6, 4.35, 3.758, 5.1, 6.9, 1.765298, 43},
		{0.1, 0.3, 1.3, 1.199, 1.8, 2.5, 0.762238, 22},
	} {
		c := d.Columns[j]
		for i, got := range []float64{c.Min, c.Q1, c.Median, c.Mean, c.Q3, c.Max, c.Std, float64(c.Distinct)} {
			tol := 1e-9
			switch i {
			case 3:
				tol = 0.0005
			case 6:
				tol = 0.0000005
			}
			if !(math.Abs(got-want[i]) <= tol*(1+1e-6)) {
				t.Errorf("%s: number %d is %v, want %v", c.Name, i, got, want[i])
			}
		}
	}
}

// Where the quartiles lie between samples, R's nine types differ: of 1, 2, 3, 4 type 7 gives
// 1.75, 2.5 and 3.25, as in the example of pandas.Series.quantile.
func TestDescribeQuartiles(t *testing.T) {
	d := Must(CSV{Task: Regression}.Read(strings.NewReader("1,7\n2,7\n3,7\n4,7\n"), "four"))
	c := d.Describe().Columns[0]
	if c.Q1 != 1.75 || c.Median != 2.5 || c.Q3 != 3.25 {
		t.Errorf("quartiles %v, %v and %v, want 1.75, 2.5 and 3.25", c.Q1, c.Median, c.Q3)
	}
	if c.Name != "0" {
		t.Errorf("a column without a name is called %q, want its number", c.Name)
	}
}

// A constant column has the standard deviation 0 in spite of rounding: the sum of three times
// 0.1 is not 0.3. With one sample there is none, and no column is called constant. Numbers that
// are not finite, which a program may have put into X, are counted and left out.
func TestDescribeEdges(t *testing.T) {
	d := &Dataset{Name: "odd", X: mat.NewDense(3, 3, []float64{0.1, math.NaN(), math.Inf(1), 0.1, 2, math.NaN(), 0.1, 4, math.NaN()}), Y: []int{5, 5, 5}, Labels: []int{4, 5}}
	s := d.Describe()
	nan := math.NaN()
	for j, want := range []Column{
		{"0", 0.1, 0, 0.1, 0.1, 0.1, 0.1, 0.1, 1, 0},
		{"1", 3, math.Sqrt2, 2, 2.5, 3, 3.5, 4, 2, 1},
		{"2", nan, nan, nan, nan, nan, nan, nan, 0, 3},
	} {
		if got := s.Columns[j]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if text := s.String(); !strings.Contains(text, "classes: 4: 0, 5: 3\n") || strings.Count(text, "constant") != 1 || !strings.Contains(text, "  1 not finite\n") || !strings.Contains(text, "  3 not finite\n") {
		t.Errorf("%s", text)
	}
	one := Must(Must(Iris().Head(1)).Columns(0)).Describe()
	if c := one.Columns[0]; !math.IsNaN(c.Std) || c.Median != 5.1 || c.Distinct != 1 || strings.Contains(one.String(), "constant") {
		t.Errorf("one sample: %+v", one)
	}
	for j := range 3 {
		if x := d.X.At(0, j); j == 0 && x != 0.1 || j == 2 && !math.IsInf(x, 1) {
			t.Errorf("Describe has changed X[0][%d] to %v", j, x)
		}
	}
}

// A table of regression has a row for the target. Columns in different units are to be
// standardised, pixels are not. Long tables are cut.
func TestDescribeString(t *testing.T) {
	const file = "age,income,k,y\n30,50000,1,1.5\n40,61000,1,2.5\n20,,1,3\n50,1,1,2\n"
	d := Must(CSV{Header: true, Task: Regression, Missing: DropRows}.Read(strings.NewReader(file), "people"))
	const want = `people: 3 samples and 1 left out, where a value is missing, 3 columns
column  mean     std        min  25 %     median  75 %      max      distinct
age     40       10         30   35       40      45        50       3
income  3.7e+04  3.251e+04  1    2.5e+04  5e+04   5.55e+04  6.1e+04  3
k       1        0          1    1        1       1         1        1  constant
target  2        0.5        1.5  1.75     2       2.25      2.5      3
standard deviations from 10 (age) to 3.251e+04 (income): standardise them, with feature.Standardize
`
	if got := d.Describe().String(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	digits := Digits().Describe()
	text := digits.String()
	// The first column of pixels is 0 in all digits, and so are those of row 4's ends.
	if lines := strings.Split(text, "\n"); len(lines) != 2+1+40+2 || strings.Contains(text, "standardise") || lines[43] != "… 24 more columns, 0 of them constant" || strings.Count(text, "  constant\n") != 3 {
		t.Errorf("%s", text)
	}
	if digits.Images = false; !strings.Contains(digits.String(), "standardise") {
		t.Error("standard deviations from 0.02 to 6.5 without advice")
	}
	many := &Dataset{Name: "many", X: mat.NewDense(50, 1, nil), Y: make([]int, 50)}
	for i := range many.Y {
		many.Y[i] = i
	}
	if got := many.Describe().String(); !strings.Contains(got, "38: 1, 39: 1, … 10 more\n") {
		t.Errorf("%s", got)
	}
}
