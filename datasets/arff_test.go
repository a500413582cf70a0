package datasets

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const weather = `% A few days
@RELATION "a few days"

@Attribute	outlook  {sunny, 'over cast', "rainy"}
@attribute 'wind speed' numeric
@attribute humid.ity REAL
@attribute play	{yes, no}

@DATA
% first
sunny, 5.5, 80, no
'over cast',1e1,?,yes
  "rainy"	, -3 , 70 , yes
`

func TestARFF(t *testing.T) {
	d, err := ARFF{Encode: OneHot, Missing: FillMean}.Read(strings.NewReader(strings.ReplaceAll(weather, "\t, -3", ", -3")), "weather")
	if err != nil {
		t.Fatal(err)
	}
	want(t, d, []float64{1, 0, 0, 5.5, 80, 0, 1, 0, 10, 75, 0, 0, 1, -3, 70}, []int{1, -1, -1})
	if !slices.Equal(d.Features, []string{"outlook=sunny", "outlook=over cast", "outlook=rainy", "wind speed", "humid.ity"}) || !slices.Equal(d.Classes, []string{"yes", "no"}) {
		t.Errorf("features %q, classes %q", d.Features, d.Classes)
	}
	for _, tt := range []struct {
		a       ARFF
		head    string
		data    string
		x       [][]float64
		y       []int
		targets []float64
	}{
		{ARFF{}, "a integer|c {2,1,7}", "5,7|6,2", [][]float64{{5}, {6}}, []int{2, 0}, nil},
		{ARFF{}, "a integer|c numeric", "5,7|6,2", [][]float64{{5}, {6}}, nil, []float64{7, 2}},
		{ARFF{Task: Classification}, "a integer|c numeric", "5,7|6,2", [][]float64{{5}, {6}}, []int{1, -1}, nil},
		{ARFF{Label: "c"}, "c {x,y}|a real", "y,1|x,2", [][]float64{{1}, {2}}, []int{1, -1}, nil},
		{ARFF{Drop: []string{"when", "3"}}, "a real|when date 'yyyy-MM-dd'|s string|c {x,y}", "1,'2001-01-01','it\\'s, so',x|2,?,b,y", [][]float64{{1}, {2}}, []int{-1, 1}, nil},
		{ARFF{RowNames: "s", Encode: Dummies}, "s string|n {p,q}|c {x,y}", "first,q,x|second,p,y", [][]float64{{1}, {0}}, []int{-1, 1}, nil},
		{ARFF{Encode: OneHot}, "s string|c {x,y}", "'1',x|b,y|\"1\",x", [][]float64{{1, 0}, {0, 1}, {1, 0}}, []int{-1, 1, -1}, nil},
		{ARFF{Encode: OneHot, Categories: []string{"n"}}, "n integer|c {x,y}", "10,x|9,y", [][]float64{{0, 1}, {1, 0}}, []int{-1, 1}, nil},
		{ARFF{}, "'a {b' real|c {'}', '%'}", "1,'}'|2,'%'", [][]float64{{1}, {2}}, []int{-1, 1}, nil},
		{ARFF{}, "a real|c {x,y}", "1\tx|2\ty", [][]float64{{1}, {2}}, []int{-1, 1}, nil},
		{ARFF{Missing: DropRows}, "a real|c {x,y}", "1,?|2,y|?,x", [][]float64{{2}}, []int{1}, nil},
		{ARFF{Missing: DropRows}, "a real|c {?,x,NA,y}", "1,x|2,?|3,y", [][]float64{{1}, {3}}, []int{-1, 1}, nil},
		{ARFF{NA: []string{"?"}}, "a real|c {NA,y}", "1,NA|2,y", [][]float64{{1}, {2}}, []int{-1, 1}, nil},
		{ARFF{}, "a real|c {'NA',y}", "1,'NA'|2,y", [][]float64{{1}, {2}}, []int{-1, 1}, nil},
	} {
		d, err := tt.a.Read(strings.NewReader(arffFile(tt.head, tt.data)), "t")
		if err != nil || !mat.Equal(d.X, dense(tt.x)) || !slices.Equal(d.Y, tt.y) || !slices.Equal(d.Targets, tt.targets) {
			t.Errorf("%s, %s: %+v, error %v", tt.head, tt.data, d, err)
		}
	}
	// A test set has the labels and the columns of its training set.
	train := Must(ARFF{Encode: OneHot}.Read(strings.NewReader(arffFile("n {p,q}|c {x,y}", "p,y|q,x")), "train"))
	test, err := ARFF{Like: train}.Read(strings.NewReader(arffFile("n {q,p}|c {y,x}", "q,y")), "test")
	if err != nil || !mat.Equal(test.X, dense([][]float64{{0, 1}})) || !slices.Equal(test.Y, []int{1}) {
		t.Errorf("%+v, error %v", test, err)
	}
}

// arffFile returns a file with attributes and samples that are separated by bars.
func arffFile(head, data string) string {
	return "@relation r\n@attribute " + strings.ReplaceAll(head, "|", "\n@attribute ") + "\n@data\n" + strings.ReplaceAll(data, "|", "\n") + "\n"
}

func TestARFFErrors(t *testing.T) {
	for _, tt := range []struct{ head, data, want string }{
		{"a real|c {x,y}", "{0 1, 1 x}", "t:5:1: a sparse sample, want a value for each attribute; save the file as dense ARFF or in the format of LIBSVM"},
		{"a real|c {x,y}", "1,x,{5}", "t:5:5: the sample has a weight, want none"},
		{"a real|c {x,y}", "1", "t:5:1: 1 values, want 2, one for each attribute, between commas or tabs"},
		{"a real|c {x,y}", "1,z", `t:5:3: class "z" is none of those of the declaration: ["x" "y"]`},
		{"a real|c {x,y}", "b,x", `t:5:1: "b" is not a finite number, in column 1, "a"`},
		{"a real|c {x,y}", "1,'x", `t:5:1: no closing quote after "'x"`},
		{"a real|c {x,y}", "1,'x'y", `t:5:1: "y" after the closing quote, want a separator`},
		{"a real|c {x,y}", "1,?", `t:5:3: the class or target is missing ("?")`},
		{"a real|c {x,y}", "", "t: no samples"},
		{"n {p,q}|c {x,y}", "p,x", `t:2:12: attribute "n" is nominal; set Encode if it is a feature, or leave it out with Drop`},
		{"n string|c {x,y}", "p,x", `t:2:12: attribute "n" is string; set Encode`},
		{"n date|c {x,y}", "p,x", `t:2:12: attribute "n" is a date, want numbers or nominal values; leave it out with Drop`},
		{"n relational|c {x,y}", "p,x", `t:2:12: attribute "n" is relational`},
		{"a real|c crap", "1,x", `t:3:12: attribute "c" has the type "crap", want numeric, real, integer, string or {values}`},
		{"a real|c {x,x}", "1,x", `t:3:12: attribute "c": the value "x" twice`},
		{"a real|c {x,}", "1,x", `t:3:12: attribute "c": an empty value between the braces`},
		{"a real|c {x", "1,x", `t:3:12: attribute "c": no closing brace after the values`},
		{"a real|c {caf\xe9,y}", "1,y", `t:3:12: attribute "c": the value "caf\xe9" is not UTF-8`},
		{"a real", "1", "t: 1 attributes, want at least one feature and a class or target"},
	} {
		if _, err := (ARFF{}).Read(strings.NewReader(arffFile(tt.head, tt.data)), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.want) {
			t.Errorf("%s, %s: error\n%v, want\ndatasets: %s", tt.head, tt.data, err, tt.want)
		}
	}
	for text, want := range map[string]string{
		"":                          "t: no line @data",
		"1,2\n":                     `t:1:1: "1,2", want @relation, @attribute or @data; read a table without them with CSV`,
		"@relation r\n@data\n1,2\n": "t: 0 attributes, want at least one feature",
	} {
		if _, err := (ARFF{}).Read(strings.NewReader(text), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if _, err := (ARFF{Encode: OneHot}).Read(strings.NewReader(arffFile("n {p,q}|c {x,y}", "r,x")), "t"); err == nil || !strings.HasPrefix(err.Error(), `datasets: t:5:1: "r" is no category of column 1, "n" in the declaration, which has ["p" "q"]`) {
		t.Errorf("error %v", err)
	}
}
