package show

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/internal/cell/display"
	"marginalia/mlkit/perceptron"
	"marginalia/plotting"
)

type pt struct {
	X, Y float64
	Name string
	own  int
}

type self struct {
	Me *self
	N  int
}

type loud struct{ A int }

func (loud) String() string { panic("no word") }

type mute struct{ a int }

type temperature float64

func (t temperature) String() string { return fmt.Sprintf("%.0f °C", float64(t)) }

type sick struct{}

func (sick) Error() string { panic("no reason") }

// bad is a matrix whose entries can't be read.
type bad struct{ mat.Matrix }

func (bad) Dims() (r, c int)    { return 2, 2 }
func (bad) At(i, j int) float64 { panic("no entry") }

// The text of values, small enough to be written by hand.
func TestText(t *testing.T) {
	me := &self{N: 1}
	me.Me = me
	var nobody *pt
	three := 3
	for _, tt := range []struct {
		value any
		want  string
	}{
		{3.0, "3"}, {22.0 / 7, "3.143"}, {-0.1, "-0.1"}, {1e-9, "1e-09"}, {12345.678, "12346"}, {9999.4, "9999"}, {9999.6, "10000"},
		{1234567.0, "1.235e+06"}, {math.NaN(), "NaN"}, {math.Inf(-1), "-Inf"}, {float32(0.1), "0.1"},
		{42, "42"}, {uint8(7), "7"}, {true, "true"}, {'a', "97"}, {2 - 3i, "(2-3i)"}, {1i, "(0+1i)"},
		{"two\nlines", "two\nlines"}, {"", ""},
		{nil, "nil"}, {nobody, "nil, a *show.pt"}, {(*mat.Dense)(nil), "nil, a *mat.Dense"}, {[]int(nil), "nil"}, {map[int]int(nil), "nil"}, {(func())(nil), "nil"},
		{strings.ToUpper, "func(string) string"}, {make(chan int, 3), "chan int with 0 of 3"}, {&three, "&3"},
		{[]int{1, 2, 3}, "[1 2 3]"}, {[]string{"a b", "c"}, `["a b" "c"]`}, {[2]bool{true}, "[true false]"}, {[]int{}, "[]"},
		{make([]int, 11), "[0 0 0 0 0 … 0 0 0 0 0] (11)"}, {[]any{1, "a", nil, 2.5}, `[1 "a" nil 2.5]`},
		{[]error{errors.New("a")}, "[a]"}, {[][]int{{1}, {2, 3}}, "[[1] [2 3]]"},
		{90 * time.Second, "1m30s"}, {temperature(21), "21 °C"}, {[]temperature{20, 21}, "[20 °C 21 °C]"}, {big.NewInt(1 << 40), "1099511627776"},
		{errors.New("x < 0"), "x < 0"},
		{loud{1}, "show.loud, whose method String panics: no word"}, {[]loud{{1}}, "[show.loud, whose method String panics: no word]"},
		{sick{}, "show.sick, whose method Error panics: no reason"}, {bad{}, "show.bad, which panics when it is read: no entry"},
		{mute{1}, "show.mute{}"}, {struct{}{}, "struct {}{}"},
		{pt{1, 2, "a", 3}, "show.pt\nX     1\nY     2\nName  \"a\""},
		{&pt{}, "*show.pt\nX     0\nY     0\nName  \"\""},
		{[]*pt{{1, 2, "a", 3}}, "[&show.pt{X: 1, Y: 2, Name: \"a\"}]"},
		{[]pt{{1, 2, "a", 3}, {3, 4.5, "b", 6}}, "[]show.pt of 2\n   X    Y  Name\n0  1    2  \"a\"\n1  3  4.5  \"b\""},
		{map[string]int{"b": 2, "a": 10}, "map[string]int of 2\na  10\nb   2"},
		{map[float64]string{2: "b", 1.5: "a"}, "map[float64]string of 2\n1.5  \"a\"\n  2  \"b\""},
		{map[string]int{}, "map[]"}, {map[string]int{"a\nb": 1, "": 2, "a b": 3}, "map[string]int of 3\n\"\"      2\n\"a\\nb\"  1\na b     3"},
		{map[float64]int{math.NaN(): 1, 2: 3}, "map[float64]int of 2\nNaN  1\n  2  3"}, {[]map[float64]int{{math.NaN(): 1}}, "[map[NaN:1]]"},
		{me, "*show.self\nMe  &show.self{Me: &show.self{Me: …, N: …}, N: 1}\nN   1"},
		{mat.NewDense(2, 3, []float64{1, 2.5, 3, -4, 5, 1e-9}), "2×3 *mat.Dense\n    0    1      2\n0   1  2.5      3\n1  -4    5  1e-09"},
		{mat.NewVecDense(2, []float64{1, 2}), "2×1 *mat.VecDense\n   0\n0  1\n1  2"},
		{mat.NewDiagDense(2, []float64{1, 2}), "2×2 *mat.DiagDense\n   0  1\n0  1  0\n1  0  2"},
		{&mat.Dense{}, "0×0 *mat.Dense"},
		// Only pointers to these have methods.
		{*mat.NewDense(1, 2, []float64{1, 2}), "1×2 mat.Dense\n   0  1\n0  1  2"}, {*mat.NewVecDense(1, []float64{3}), "1×1 mat.VecDense\n   0\n0  3"},
		{*big.NewInt(1 << 40), "1099511627776"}, {[]mat.Dense{*mat.NewDense(3, 1, nil)}, "[3×1 mat.Dense]"},
		{struct{ A mat.Dense }{*mat.NewDense(3, 1, nil)}, "struct { A mat.Dense }\nA  3×1 mat.Dense"},
		{*datasets.Xor(), "xor: 4 samples, 2 features, 2 classes\nlabel  class  samples\n   -1  false        2\n    1  true         2\n   a  b  class\n0  0  0  false\n1  0  1  true\n2  1  0  true\n3  1  1  false"},
		{struct{ A *mat.Dense }{mat.NewDense(3, 1, nil)}, "struct { A *mat.Dense }\nA  3×1 *mat.Dense"},
		{[][]float64{{1, 2}, {3, 4}}, "2×2 [][]float64\n   0  1\n0  1  2\n1  3  4"},
	} {
		if got, _ := forms(tt.value); got != tt.want {
			t.Errorf("%T is shown as\n%s\nwant\n%s", tt.value, got, tt.want)
		}
	}
}

// Large matrices keep their corners.
func TestLargeMatrix(t *testing.T) {
	m := mat.NewDense(30, 40, nil)
	m.Set(0, 0, 1)
	m.Set(4, 4, 2)
	m.Set(29, 39, 7)
	text, html := forms(m)
	lines := strings.Split(text, "\n")
	if len(lines) != 13 || !strings.HasPrefix(lines[0], "30×40") {
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	for i, want := range map[int]string{
		1:  "0  1  2  3  4  …  35  36  37  38  39",
		2:  "0  1  0  0  0  0  …   0   0   0   0   0",
		6:  "4  0  0  0  0  2  …   0   0   0   0   0",
		12: "29  0  0  0  0  0  …   0   0   0   0   7",
	} {
		if got := strings.TrimSpace(lines[i]); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	if got := strings.Count(html, "<td"); got != 11*12 {
		t.Errorf("%d cells, want 11 rows of 12", got)
	}
}

// A data set shows its classes, counted, and its first rows: those of Fisher's Iris, as datasets.Iris has them.
func TestDataset(t *testing.T) {
	text, html := forms(datasets.Iris())
	for _, want := range []string{"Iris: 150 samples, 4 features, 3 classes\n", "\n    1  versicolor       50\n", "The first 5 samples:\n",
		"sepal width (cm)", "\n0                5.1               3.5                1.4               0.2  setosa\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if strings.Count(html, "<table>") != 2 {
		t.Errorf("%d tables, want that of the classes and that of the rows", strings.Count(html, "<table>"))
	}
	one := datasets.Must(datasets.Iris().Head(2))
	if text, _ := forms(one); strings.Contains(text, "The first") {
		t.Errorf("of two samples all are shown:\n%s", text)
	}
	targets := &datasets.Dataset{Name: "line", X: mat.NewDense(2, 1, []float64{1, 2}), Targets: []float64{3, 5}}
	if got, _ := forms(targets); got != "line: 2 samples, 1 features\n   0  target\n0  1       3\n1  2       5" {
		t.Errorf("regression:\n%s", got)
	}
	targets.RowNames = []string{"Anna", "Bert"}
	if got, _ := forms(targets); got != "line: 2 samples, 1 features\n      0  target\nAnna  1       3\nBert  2       5" {
		t.Errorf("samples with names:\n%s", got)
	}
	targets.RowNames[0] = strings.Repeat("Anna ", 1000)
	if got, _ := forms(targets); len(got) > 1000 {
		t.Errorf("a name of %d letters makes the table one of %d", len(targets.RowNames[0]), len(got))
	}
	broken := &datasets.Dataset{Name: "broken", X: mat.NewDense(2, 1, nil), Labels: []int{1}}
	if got, _ := forms(broken); !strings.Contains(got, "which panics when it is read") {
		t.Errorf("a data set without labels: %s", got)
	}
}

// A model shows its exported fields, those of the perceptron's (mlkit/perceptron, Model).
func TestModel(t *testing.T) {
	d := datasets.Must(datasets.Iris().Binary(0, 1))
	m, err := perceptron.Perceptron{}.Fit(d.X, d.Y)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := forms(m)
	for _, name := range []string{"*perceptron.Model\n", "\nW ", "\nB ", "\nMistakes ", "\nConverged "} {
		if !strings.Contains(text, name) {
			t.Errorf("the model lacks %q:\n%s", name, text)
		}
	}
}

// HTML is escaped, and text that is no table has none.
func TestHTML(t *testing.T) {
	_, html := forms(map[string]string{"<b>": "a&\"<script>"})
	if strings.Contains(html, "<b>") || strings.Contains(html, "<script>") || !strings.Contains(html, "&lt;script&gt;") {
		t.Error(html)
	}
	if _, html := forms(errors.New("<i>")); !strings.Contains(html, "#d32f2f") || !strings.Contains(html, "&lt;i&gt;") {
		t.Error(html)
	}
	for _, v := range []any{1, "a", nil, []int{1}, true, 2.5} {
		if _, html := forms(v); html != "" {
			t.Errorf("%v has HTML: %s", v, html)
		}
	}
}

// Random values of random types are shown the same each time, in bounded space, as valid text.
func TestAnyValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v := random(r, randomType(r, 0), 0)
		text, html := forms(v.Interface())
		if len(text) > 200_000 || len(html) > 400_000 || !utf8.ValidString(text) {
			t.Fatalf("%T takes %d bytes of text and %d of HTML", v.Interface(), len(text), len(html))
		}
		for range 3 {
			if again, html2 := forms(v.Interface()); again != text || html2 != html {
				t.Fatalf("%T is\n%s\nand then\n%s", v.Interface(), text, again)
			}
		}
		if strings.Count(html, "<tr>") != strings.Count(html, "</tr>") {
			t.Fatalf("%s", html)
		}
	}
}

func randomType(r *rand.Rand, depth int) reflect.Type {
	simple := []any{false, int(0), int8(0), uint(0), 0.0, float32(0), 1i, "", pt{}, temperature(0), loud{}, any(&pt{}), new(error), time.Duration(0), func() {}, make(chan int)}
	if depth > 3 || r.IntN(3) == 0 {
		return reflect.TypeOf(simple[r.IntN(len(simple))])
	}
	inner := randomType(r, depth+1)
	switch r.IntN(5) {
	case 0:
		return reflect.SliceOf(inner)
	case 1:
		return reflect.ArrayOf(r.IntN(15), inner)
	case 2:
		keys := []any{"", 0, 0.0, uint8(0), true, [2]int{}}
		return reflect.MapOf(reflect.TypeOf(keys[r.IntN(len(keys))]), inner)
	case 3:
		return reflect.PointerTo(inner)
	}
	return reflect.StructOf([]reflect.StructField{{Name: "A", Type: inner}, {Name: "B", Type: randomType(r, depth+1)}})
}

// random returns a value of a type; half of the pointers are nil.
func random(r *rand.Rand, of reflect.Type, depth int) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(int64(r.IntN(100)) - 50)
	case reflect.Float64, reflect.Float32:
		v.SetFloat(r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-10)))
	case reflect.String:
		v.SetString(strings.Repeat("<ä\n", r.IntN(100)))
	case reflect.Slice:
		n := r.IntN(30)
		v.Set(reflect.MakeSlice(of, n, n))
		for i := range n {
			v.Index(i).Set(random(r, of.Elem(), depth+1))
		}
	case reflect.Array:
		for i := range of.Len() {
			v.Index(i).Set(random(r, of.Elem(), depth+1))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		for range r.IntN(30) {
			v.SetMapIndex(random(r, of.Key(), depth+1), random(r, of.Elem(), depth+1))
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(random(r, of.Elem(), depth+1).Addr())
		}
	case reflect.Struct:
		for i := range of.NumField() {
			if v.Field(i).CanSet() {
				v.Field(i).Set(random(r, of.Field(i).Type, depth+1))
			}
		}
	}
	return v
}

// What is huge is cut, without a look at all of it.
func TestHuge(t *testing.T) {
	for _, v := range []any{make([]int, 1<<24), strings.Repeat("ä", 1<<20), make([]pt, 1<<20), [][]string{make([]string, 1<<20)}, fmt.Errorf("%s", strings.Repeat("x", 1<<20))} {
		if text, html := forms(v); len(text) > 50_000 || len(html) > 50_000 {
			t.Errorf("%T takes %d bytes of text and %d of HTML", v, len(text), len(html))
		}
	}
	deep := any(1)
	for range 100_000 {
		deep = []any{deep}
	}
	if text, _ := forms(deep); text != "[[[[[…]]]]]" {
		t.Errorf("a deep list: %.100s", text)
	}
}

// sink keeps what is shown.
type sink []display.Data

func (s *sink) Send(d display.Data) error { *s = append(*s, d); return nil }

// Of several values each is an output, without an error that is nil. A figure is drawn.
func TestValue(t *testing.T) {
	var s sink
	display.Use(&s)
	defer display.Use(nil)
	Value(1, "two", nil)
	Value(nil)
	Value(&pt{}, errors.New("bad"))
	Value(plotting.New("Two points", plotting.Points([]float64{0, 1}, []float64{0, 1})))
	var got []string
	for _, d := range s {
		kind := "text"
		if d.Data["text/html"] != nil {
			kind = "html"
		}
		if d.Data["image/png"] != nil {
			kind = "figure"
		}
		got = append(got, kind)
	}
	if want := "text text text html html figure"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if last := s[len(s)-1]; last.Metadata["figure"] != nil {
		t.Errorf("the figure has the name %v, want none", last.Metadata["figure"])
	}
}

type counted struct{ n *int }

func (c counted) String() string { *c.n++; return "counted" }

// While nobody sees it, as in the runs of %%bench behind the first, a value is not made into text.
func TestMuted(t *testing.T) {
	n := 0
	unmute := display.Mute()
	Value(counted{&n})
	unmute()
	if n != 0 {
		t.Errorf("the value was asked %d times for its text", n)
	}
	Value(counted{&n}) // to standard output
	if n != 1 {
		t.Errorf("once it is seen, the value was asked %d times for its text", n)
	}
}
