package plotting_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/mlkit/eval"
	. "marginalia/plotting"
	"marginalia/plotting/space"
)

// looks are the functions that return styles, with values that no layer of the test has by default.
var looks = map[string]struct {
	make any
	args []any
}{
	"Color": {Color, []any{Orange}}, "Width": {Width, []any{3.7}}, "Dashed": {Dashed, nil}, "Alpha": {Alpha, []any{0.3}},
	"Size": {Size, []any{17.0}}, "Steps": {Steps, nil}, "Shade": {Shade, nil}, "Scale": {Scale, []any{-0.3, 0.9}}, "Bar": {Bar, []any{"key"}},
	"Captions": {Captions, []any{"one", "two"}}, "Labeled": {Labeled, nil}, "Samples": {Samples, []any{7}}, "Parallel": {Parallel, nil},
	"Bins": {Bins, []any{3}}, "Edges": {Edges, []any{-1.0, 0.5, 4.0}}, "Density": {Density, nil}, "Signed": {Signed, nil},
	"MarginAt": {MarginAt, []any{0.7}}, "Name": {Name, []any{"one", "two"}},
}

// call calls a function. An argument of nil is the zero value of its type.
func call(f any, args ...any) any {
	fn := reflect.ValueOf(f)
	var in []reflect.Value
	for i, a := range args {
		v := reflect.ValueOf(a)
		if a == nil {
			v = reflect.Zero(fn.Type().In(i))
		}
		in = append(in, v)
	}
	return fn.Call(in)[0].Interface()
}

// A kind is a function that returns a layer, with arguments.
type kind struct {
	name  string
	takes string // the styles that have a meaning for the layer
	names int    // that [Name] may give it
	make  any
	args  []any
}

// layer returns the layer with the styles, one of space beside points.
func (k kind) layer(styles ...any) Layer {
	made := call(k.make, append(slices.Clone(k.args), styles...)...)
	if solid, ok := made.(space.Layer); ok {
		return space.New(space.View{Azimuth: -60, Elevation: 25}, space.Points(samples3, Color(Black)), solid)
	}
	return made.(Layer)
}

// samples3 are points in space.
var samples3 = mat.NewDense(4, 3, []float64{-1, 0.3, 0, 0.2, 1, 1, 0.4, -1.2, 2, 1, 0.1, -1})

// kinds returns all kinds of layers.
func kinds() []kind {
	x, y := mat.NewDense(4, 2, []float64{-1, 0.3, 0.2, 1, 0.4, -1.2, 1, 0.1}), []int{-1, -1, 1, 1}
	x3 := samples3
	xs, ys, lo, hi := []float64{1, 2, 4}, []float64{1, 3, 2}, []float64{0, 2, 1}, []float64{2, 4, 3}
	w, p, q := []float64{0.8, -0.6}, []float64{0, 0, 0}, []float64{1, 2, 3}
	field := Field(func(x, y float64) float64 { return math.Sin(3*x) + y*y - 0.4 })
	square := mat.NewDense(2, 2, []float64{0.5, -0.1, 0.25, 0.6})
	over := eval.Field{Name: "C", Values: []any{1, 2}}
	measured := []eval.Validation{twoFolds(0.9, 0.7, 0.1), twoFolds(0.8, 0.75, 0.05)}
	posterior := func(_, x []float64) []float64 {
		p := 1 / (1 + math.Exp(-field(x[0], x[1])))
		return []float64{p, 1 - p}
	}
	const stroke = "Alpha Color Dashed Name Width"
	return []kind{
		{"Points", "Alpha Color Name Size", 1, Points, []any{xs, ys}},
		{"Line", stroke + " Size Steps", 1, Line, []any{xs, ys}},
		{"Curve", stroke + " Steps", 1, Curve, []any{math.Sin}},
		{"Classes", "Alpha Color Name Size", 2, Classes, []any{x, y}},
		{"Ring", stroke + " Size", 1, Ring, []any{x, []int{1}}},
		{"Bars", "Alpha Color Labeled Name Size", 2, Bars, []any{[]string{"a", "b"}, [][]float64{{1, 2}, {3, 1}}}},
		{"Hist", "Alpha Bins Color Density Edges Name Width", 2, Hist, []any{[][]float64{{0, 1, 1, 2}, {1, 2, 3, 3}}}},
		{"Band", stroke + " Steps", 1, Band, []any{xs, ys, lo, hi}},
		{"ErrorBars", stroke + " Size", 1, ErrorBars, []any{xs, ys, lo, hi}},
		{"Score", "Bar Parallel Samples Scale", 1, Score, []any{field}},
		{"Probability", "Bar Parallel Samples Scale", 1, Probability, []any{field}},
		{"Regions", "Alpha Color Dashed Parallel Samples Width", 1, Regions, []any{Sign(field)}},
		{"Contour", stroke + " Labeled Parallel Samples", 1, Contour, []any{field, []float64{0, 0.3}}},
		{"Boundary", stroke + " Labeled Parallel Samples", 1, Boundary, []any{field}},
		{"Ellipse", stroke + " Shade Size", 1, Ellipse, []any{[]float64{1, 1}, [][]float64{{1, 0}, {0, 1}}, []float64{1}}},
		{"Plane", stroke + " Shade", 1, Plane, []any{w, 0.1}},
		{"Margin", stroke + " MarginAt Shade Size", 1, Margin, []any{w, 0.1, "m"}},
		{"Slack", stroke + " Labeled MarginAt Size", 1, Slack, []any{x, y, w, 0.1}},
		{"Arrow", stroke + " Size", 1, Arrow, []any{0.0, 0.0, 1.0, 2.0, "a"}},
		{"Segment", stroke + " Size", 1, Segment, []any{0.0, 0.0, 1.0, 2.0, "s"}},
		{"Perpendicular", stroke + " Size", 1, Perpendicular, []any{w, 0.1, []float64{1, 2}, "d"}},
		{"RightAngle", "Alpha Color Dashed Size Width", 1, RightAngle, []any{0.0, 0.0, 1.0, 2.0}},
		{"Note", "Alpha Color Size", 1, Note, []any{0.0, 0.0, "note"}},
		{"Matrix", "Bar Scale", 1, Matrix, []any{square}},
		{"Image", "Bar Scale", 1, Image, []any{[]float64{0.5, -0.1, 0.25, 0.6}, 2}},
		{"Digits", "Bar Captions Scale", 1, Digits, []any{mat.NewDense(2, 4, []float64{0, 1, 1, 0, 1, 0, 0, 0.5}), 2, 2, 2}},
		{"Cells", "Alpha Color Name Signed Width", 1, Cells, []any{square, 8, 4, 4}},
		{"Confusion", "Bar", 1, Confusion, []any{[][]int{{3, 1}, {0, 2}}, nil}},
		{"Gram", "Bar Name Scale", 2, Gram, []any{square, []int{-1, 1}}},
		{"Posteriors", "Alpha Parallel Samples", 1, Posteriors, []any{posterior, nil}},
		{"ROC", stroke, 1, ROC, []any{[]float64{0, 0.2, 1}, []float64{0, 0.7, 1}}},
		{"PrecisionRecall", stroke, 1, PrecisionRecall, []any{[]float64{1, 0.5}, []float64{0.4, 1}}},
		{"Learning", "Name", 2, Learning[eval.Validation], []any{[]int{1, 2}, measured}},
		{"Search", "Name", 2, Search[eval.Field, eval.Validation], []any{over, measured, 0}},
		{"SearchPair", "Bar Scale", 1, SearchPair[eval.Field, eval.Validation], []any{over, over, append(measured, measured...), 0}},
		{"space.Points", "Alpha Color Name Size", 1, space.Points, []any{x3}},
		{"space.Classes", "Alpha Color Name Size", 2, space.Classes, []any{x3, y}},
		{"space.Plane", stroke, 1, space.Plane, []any{q, 0.0}},
		{"space.Arrow", stroke + " Size", 1, space.Arrow, []any{p, q, "a"}},
		{"space.Segment", stroke + " Size", 1, space.Segment, []any{p, q, "s"}},
		{"space.Curve", stroke, 1, space.Curve, []any{x3}},
		{"space.Drops", "Alpha Color Name Size Width", 1, space.Drops, []any{x3, q, 0.0}},
		{"space.RightAngle", "Alpha Color Dashed Size Width", 1, space.RightAngle, []any{p, []float64{1, 0, 0}, []float64{0, 1, 0}}},
	}
}

// TestStyles holds each layer against each style. The compiler lets a layer have a style if the
// type that the style's function returns implements the type of the layer's styles. Then the
// style changes the picture or its description: none is ignored. TestWrongStyle has the compiler's
// word for the styles that a layer doesn't take.
func TestStyles(t *testing.T) {
	tier.NoRace(t)
	for _, l := range kinds() {
		picture := func(styles ...any) []byte {
			f := New("", l.layer(styles...)).Size(3*vg.Inch, 3*vg.Inch)
			return append(f.SVG(), f.Alt()...)
		}
		plain, taken := picture(), []string(nil)
		of := reflect.TypeOf(l.make)
		kind := of.In(of.NumIn() - 1).Elem()
		for name, look := range looks {
			if !reflect.TypeOf(look.make).Out(0).Implements(kind) {
				continue
			}
			taken = append(taken, name)
			args := look.args
			if name == "Name" {
				args = args[:l.names]
			}
			s := call(look.make, args...)
			with, without := picture(s), plain
			if name == "Size" && (l.name == "Bars" || l.name == "Slack") { // of the labels
				with, without = picture(s, Labeled()), picture(Labeled())
			}
			if bytes.Equal(with, without) != (name == "Parallel") {
				t.Errorf("%s ignores %s", l.name, name)
			}
		}
		slices.Sort(taken)
		want := strings.Fields(l.takes)
		slices.Sort(want)
		if !slices.Equal(taken, want) {
			t.Errorf("%s takes %s, want %s", l.name, taken, want)
		}
	}
}

// A style that a layer has no use for does not compile, and the error names both. The right pairs
// beside them do.
func TestWrongStyle(t *testing.T) {
	files := map[string]string{}
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "marginalia/plotting/space")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	for expression, want := range map[string]string{
		`Note(0, 0, "x", Size(9))`:                       "",
		`Note(0, 0, "x", Width(2))`:                      "WidthStyle does not implement plotting.NoteStyle",
		`Confusion(nil, nil, Bar(""))`:                   "",
		`Confusion(nil, nil, Scale(0, 1))`:               "ScaleStyle does not implement plotting.ConfusionStyle",
		`Line(nil, nil, Steps(), Dashed())`:              "",
		`Points(nil, nil, Steps())`:                      "does not implement plotting.PointsStyle",
		`Line(nil, nil, []LineStyle{Name("a")}...)`:      "",
		`Line(nil, nil, []Style{Name("a")}...)`:          "[]plotting.Style",
		`space.Plane(nil, 0, Name("a"))`:                 "",
		`space.Plane(nil, 0, Shade())`:                   "does not implement plotting.StrokeStyle",
		`space.Points(nil, Alpha(1), Color(Blue))`:       "",
		`space.Points(nil, Alpha(1), Dashed(), Size(1))`: "DashedStyle does not implement plotting.PointsStyle",
	} {
		source := "package p\nimport . \"marginalia/plotting\"\nimport \"marginalia/plotting/space\"\nvar _ space.View\nvar _ = " + expression
		file := must.Get(parser.ParseFile(fset, "p.go", source, 0)).Or(t)
		_, err := (&types.Config{Importer: from}).Check("p", fset, []*ast.File{file}, nil)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", expression, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want one with %q", expression, err, want)
		}
	}
}
