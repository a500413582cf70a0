package datasets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// column returns a table with one feature, always 1, and the given values in the last
// column.
func column(values ...string) string {
	var s strings.Builder
	for _, v := range values {
		fmt.Fprintf(&s, "1,%s\n", v)
	}
	return s.String()
}

// counted returns the numbers from 1 to n in the given format.
func counted(n int, format string) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprintf(format, i+1)
	}
	return s
}

// Labels, classes and targets for values of the last column, depending on Task and Classes.
// The rules are those of Task's doc comment.
func TestOutcomes(t *testing.T) {
	names := []string{"low", "middle", "high"}
	hundred := counted(100, "%d")
	tests := []struct {
		name    string
		c       CSV
		values  []string
		y       []int
		labels  []int
		classes []string
		targets []float64
	}{
		{"integers", CSV{}, []string{"10", "2", "1", "2"}, []int{10, 2, 1, 2}, []int{1, 2, 10}, []string{"1", "2", "10"}, nil},
		{"integers with a point", CSV{}, []string{"1.0", "2.0", "10.0", "+1e1"}, []int{1, 2, 10, 10}, []int{1, 2, 10}, []string{"1", "2", "10"}, nil},
		{"0 and 1", CSV{}, []string{"0", "1", "0"}, []int{-1, 1, -1}, []int{-1, 1}, []string{"0", "1"}, nil},
		{"0.0 and 1.0", CSV{}, []string{"1.0", "0.0"}, []int{1, -1}, []int{-1, 1}, []string{"0", "1"}, nil},
		{"-1 and +1", CSV{}, []string{"-1", "+1"}, []int{-1, 1}, []int{-1, 1}, []string{"-1", "1"}, nil},
		{"one integer", CSV{}, []string{"4", "4"}, []int{4, 4}, []int{4}, []string{"4"}, nil},
		{"text", CSV{}, []string{"b", "c", "a", "b"}, []int{1, 2, 0, 1}, []int{0, 1, 2}, []string{"a", "b", "c"}, nil},
		{"two texts", CSV{}, []string{"yes", "no"}, []int{1, -1}, []int{-1, 1}, []string{"no", "yes"}, nil},
		{"fractions", CSV{}, []string{"0.5", "2", "-1e-3"}, nil, nil, nil, []float64{0.5, 2, -1e-3}},
		{"10 integers", CSV{}, counted(10, "%d"), from[int](1, 10), from[int](1, 10), counted(10, "%d"), nil},
		{"11 integers", CSV{}, counted(11, "%d"), nil, nil, nil, from[float64](1, 11)},
		{"100 integers, twice", CSV{}, slices.Concat(hundred, hundred), slices.Concat(from[int](1, 100), from[int](1, 100)), from[int](1, 100), hundred, nil},
		{"100 integers, twice but for one", CSV{}, slices.Concat(hundred, hundred[1:]), nil, nil, nil, slices.Concat(from[float64](1, 100), from[float64](2, 99))},
		{"101 integers, twice", CSV{}, slices.Concat(counted(101, "%d"), counted(101, "%d")), nil, nil, nil, slices.Concat(from[float64](1, 101), from[float64](1, 101))},
		{"100 integers, in two forms", CSV{}, slices.Concat(hundred, counted(100, "%d.0")), slices.Concat(from[int](1, 100), from[int](1, 100)), from[int](1, 100), hundred, nil},
		{"integers beyond those of float64", CSV{}, []string{"1", "99999999999999999999"}, nil, nil, nil, []float64{1, 1e20}},

		{"101 integers as classes", CSV{Task: Classification}, counted(101, "%d"), from[int](1, 101), from[int](1, 101), counted(101, "%d"), nil},
		{"101 names as classes", CSV{Task: Classification}, counted(101, "x%03d"), from[int](0, 101), from[int](0, 101), counted(101, "x%03d"), nil},
		{"numbers and text as classes", CSV{Task: Classification}, []string{"1", "crew", "2"}, []int{0, 2, 1}, []int{0, 1, 2}, []string{"1", "2", "crew"}, nil},
		{"integers as targets", CSV{Task: Regression}, []string{"1", "0", "1"}, nil, nil, nil, []float64{1, 0, 1}},

		{"listed", CSV{Classes: names}, []string{"high", "low", "high"}, []int{2, 0, 2}, []int{0, 1, 2}, names, nil},
		{"two listed, the second positive", CSV{Classes: []string{"ill", "healthy"}}, []string{"healthy", "ill"}, []int{1, -1}, []int{-1, 1}, []string{"ill", "healthy"}, nil},
		{"listed numbers", CSV{Classes: []string{"4", "2"}}, []string{"2.0", "4"}, []int{1, -1}, []int{-1, 1}, []string{"4", "2"}, nil},
		{"listed numbers with a point", CSV{Classes: []string{"4.0", "2.0"}}, []string{"2", "4.00"}, []int{1, -1}, []int{-1, 1}, []string{"4.0", "2.0"}, nil},
		{"listed texts of one number", CSV{Classes: []string{"07", "7"}}, []string{"7", "07"}, []int{1, -1}, []int{-1, 1}, []string{"07", "7"}, nil},
		{"listed fractions", CSV{Classes: []string{"0.5", "1.5"}}, []string{"1.5", "0.5"}, []int{1, -1}, []int{-1, 1}, []string{"0.5", "1.5"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := must.Get(tt.c.Read(strings.NewReader(column(tt.values...)), "t.csv")).Or(t)
			if !slices.Equal(d.Y, tt.y) || !slices.Equal(d.Labels, tt.labels) || !slices.Equal(d.Classes, tt.classes) || !slices.Equal(d.Targets, tt.targets) {
				t.Errorf("Y = %v, Labels = %v, Classes = %q, Targets = %v\nwant %v, %v, %q, %v", d.Y, d.Labels, d.Classes, d.Targets, tt.y, tt.labels, tt.classes, tt.targets)
			}
			if d.Len() != len(tt.values) {
				t.Errorf("Len() = %d, want %d", d.Len(), len(tt.values))
			}
		})
	}
}

// from returns n consecutive numbers, starting with first.
func from[T int | float64](first, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(first + i)
	}
	return v
}

// Each error gives the position of the first wrong value and a remedy.
func TestOutcomeErrors(t *testing.T) {
	tests := []struct {
		c      CSV
		values []string
		want   string
	}{
		{CSV{}, []string{"1.5", "2.5", "NA"}, `t.csv:3:3: the class or target is missing ("NA"), in column 2 (if "NA" is a value, list in NA what marks missing ones); set Missing to DropRows to leave such samples out, or Label if it is in another column`},
		{CSV{}, []string{"1", "nan"}, `t.csv:2:3: the class or target is missing ("nan")`},
		{CSV{}, []string{"1.5", "2.5", "-"}, `t.csv:3:3: "-" is not a finite number, and "1.5" in line 1 is one; correct the wrong one, or set Task to Classification if both name classes`},
		{CSV{}, counted(11, "2024-11-22 %d:00"), `t.csv:11:3: "2024-11-22 11:00" is class number 11 of 11 samples; set Label`},
		{CSV{}, counted(300, "2024-11-22 %d:00"), `t.csv:101:3: "2024-11-22 101:00" is class number 101 of 300 samples; set Label if the classes are in another column, or Task to Classification if there are so many`},
		{CSV{Task: Classification}, []string{"1", "2.5"}, `t.csv:2:3: label "2.5" is not an integer, want integers or names; set Task to Regression if these are targets`},
		{CSV{Task: Regression}, []string{"1", "x"}, `t.csv:2:3: target "x" is not a finite number; correct it, or leave the line out`},
		{CSV{Task: Regression}, []string{"1", "Inf"}, `t.csv:2:3: target "Inf" is not a finite number; correct it, or leave the line out`},
		{CSV{Task: 3}, []string{"1"}, `t.csv: Task = 3, want ByValues, Classification or Regression`},
		{CSV{Classes: []string{"a", "b"}}, []string{"a", "b", "b", "c"}, `t.csv:4:3: class "c" is none of those of Classes: ["a" "b"]`},
		{CSV{Classes: counted(25, "%d")}, []string{"1", "26"}, `t.csv:2:3: class "26" is none of those of Classes: ["1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20"] and 5 more`},
		{CSV{Classes: []string{"a", "a"}}, []string{"a"}, `Classes has the class "a" twice`},
		{CSV{Classes: []string{"a"}, Task: Regression}, []string{"1"}, `t.csv: Task is Regression, want no Classes`},
		{CSV{Like: three(), Classes: []string{"a"}}, []string{"1"}, `t.csv: Like has the task and the classes, want neither Task nor Classes beside it`},
	}
	for _, tt := range tests {
		_, err := tt.c.Read(strings.NewReader(column(tt.values...)), "t.csv")
		if err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.want) {
			t.Errorf("%v of %q: error\n%v, want\n%s", tt.c, tt.values[0], err, "datasets: "+tt.want)
		}
	}
}

// A test file may lack a class, have the classes in another order, or write numbers
// differently: its labels still mean the same as in the training file. A new class is an
// error.
func TestLike(t *testing.T) {
	read := func(c CSV, text string) (*Dataset, error) { return c.Read(strings.NewReader(text), "test.csv") }
	train := func(c CSV, text string) *Dataset { return Must(c.Read(strings.NewReader(text), "train.csv")) }
	letters := train(CSV{Header: true}, "u,v,kind\n1,2,a\n3,4,b\n5,6,c\n")
	binary := train(CSV{}, "1,0\n2,1\n")
	regression := train(CSV{}, "1,0.5\n2,1\n")
	digits := train(CSV{}, column("3", "5", "8"))
	for _, tt := range []struct {
		like    *Dataset
		c       CSV
		text    string
		y       []int
		targets []float64
		err     string
	}{
		{letters, CSV{Header: true}, "u,v,kind\n1,2,c\n3,4,b\n", []int{2, 1}, nil, ""},
		{letters, CSV{}, "1,2,c\n", []int{2}, nil, ""},
		{letters, CSV{Header: true, Label: "kind"}, "kind,u,v\nb,3,4\n", []int{1}, nil, ""},
		{letters, CSV{}, "1,2,c\n3,4,d\n", nil, nil, `test.csv:2:5: class "d" is none of those of train.csv: ["a" "b" "c"]`},
		{letters, CSV{}, "1,a\n", nil, nil, "test.csv: 1 features, want 2 as in train.csv, and a class or target"},
		{letters, CSV{Header: true}, "v,u,kind\n1,2,a\n", nil, nil, `test.csv:1:1: the column is called "v", want "u" as in train.csv`},
		{letters, CSV{Header: true, Label: "1"}, "kind,u,w\na,1,2\n", nil, nil, `test.csv:1:8: the column is called "w", want "v" as in train.csv`},
		{binary, CSV{}, column("1", "1"), []int{1, 1}, nil, ""},
		{binary, CSV{}, column("0.0"), []int{-1}, nil, ""},
		{binary, CSV{}, column("-1"), nil, nil, `test.csv:1:3: class "-1" is none of those of train.csv: ["0" "1"]`},
		{digits, CSV{}, column("8", "3"), []int{8, 3}, nil, ""},
		{regression, CSV{}, column("1", "0"), nil, []float64{1, 0}, ""},
		{regression, CSV{}, column("1", "x"), nil, nil, `test.csv:2:3: target "x" is not a finite number`},
		{new(Dataset), CSV{}, column("1"), nil, nil, "Like of : X is empty"},
	} {
		tt.c.Like = tt.like
		d, err := read(tt.c, tt.text)
		if tt.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.err) {
				t.Errorf("%q: error\n%v, want\ndatasets: %s", tt.text, err, tt.err)
			}
			continue
		}
		if err != nil || !slices.Equal(d.Y, tt.y) || !slices.Equal(d.Targets, tt.targets) || !slices.Equal(d.Classes, tt.like.Classes) || !slices.Equal(d.Labels, tt.like.Labels) {
			t.Errorf("%q: %+v, error %v, want %v, %v", tt.text, d, err, tt.y, tt.targets)
		}
	}
}

// LIBSVM files follow the same rules. A test file also gets the number of features of its
// training file.
func TestLIBSVMOutcomes(t *testing.T) {
	read := func(l LIBSVM, text string) (*Dataset, error) { return l.Read(strings.NewReader(text), "t") }
	for _, tt := range []struct {
		l       LIBSVM
		text    string
		y       []int
		targets []float64
	}{
		{LIBSVM{}, "0 1:1\n1 1:2\n", []int{-1, 1}, nil},
		{LIBSVM{}, "2 1:1\n4.0 1:2\n", []int{-1, 1}, nil},
		{LIBSVM{}, "1 1:1\n2 1:2\n10 1:3\n", []int{1, 2, 10}, nil},
		{LIBSVM{}, "0.5 1:1\n1 1:2\n", nil, []float64{0.5, 1}},
		{LIBSVM{Task: Regression}, "0 1:1\n1 1:2\n", nil, []float64{0, 1}},
	} {
		if d, err := read(tt.l, tt.text); err != nil || !slices.Equal(d.Y, tt.y) || !slices.Equal(d.Targets, tt.targets) {
			t.Errorf("%q: %+v, error %v, want %v, %v", tt.text, d, err, tt.y, tt.targets)
		}
	}
	train := Must(read(LIBSVM{}, "0 3:1\n1 1:2\n"))
	test := must.Get(read(LIBSVM{Like: train}, "1 1:1\n")).Or(t)
	want(t, test, []float64{1, 0, 0}, []int{1})
	for _, tt := range []struct {
		l          LIBSVM
		text, want string
	}{
		{LIBSVM{Like: train}, "0 1:1\n2 1:1\n", `t:2:1: class "2" is none of those of t: ["0" "1"]`},
		{LIBSVM{Like: train}, "0 4:1\n", "t:1:3: index 4, want at most 3"},
		{LIBSVM{Like: train, Features: 4}, "0 4:1\n", "t: LIBSVM.Like has the task and 3 features, want no LIBSVM.Task and no other LIBSVM.Features beside it"},
		{LIBSVM{Task: Classification}, "0.5 1:1\n", `t:1:1: label "0.5" is not an integer`},
		{LIBSVM{Like: new(Dataset)}, "0 1:1\n", "LIBSVM.Like of : X is empty"},
	} {
		if _, err := read(tt.l, tt.text); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.want) {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
	}
}

// Selections keep the targets. Selecting classes from regression data is an error.
func TestTargetsSelected(t *testing.T) {
	d := Must(CSV{}.Read(strings.NewReader("1,2,0.5\n3,4,1.5\n5,6,2.5\n"), "r"))
	first, rest, err := d.Split(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Dataset{d, Must(d.Subset([]int{2, 0, 2})), Must(d.Head(2)), Must(d.Columns(0)), first, rest, d.clone()} {
		if s.Y != nil || s.Len() != len(s.Targets) {
			t.Errorf("Y = %v, Targets = %v", s.Y, s.Targets)
		}
		for i, y := range s.Targets {
			if x := s.X.At(i, 0); y != x/2 { // as in the table
				t.Errorf("target %v beside %v", y, x)
			}
		}
	}
	short, both := *d, *d
	short.Targets, both.Y = d.Targets[:2], []int{1, 2, 3}
	for want, call := range map[string]func() (*Dataset, error){
		"Select from r: it has targets of regression and no classes": func() (*Dataset, error) { return d.Binary(0, 1) },
		"Head of r: X has 3 rows and Targets 2 elements":             func() (*Dataset, error) { return short.Head(1) },
		"Head of r: it has both Y and Targets":                       func() (*Dataset, error) { return both.Head(1) },
	} {
		if _, err := call(); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
