package plotting_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"

	"marginalia/plotting/space"
)

// The points of an SVG document show their values under the mouse. What a name has of
// SVG stays text.
func TestHover(t *testing.T) {
	const hostile = `</title><script>"x"</script>&`
	X := mat.NewDense(2, 2, []float64{1, -2.5, 1.0 / 3, 4})
	X3 := mat.NewDense(1, 3, []float64{1, 2, -3})
	for _, c := range []struct {
		name string
		d    *Figure
		want []string
	}{
		{"classes", New("", Classes(X, []int{-1, 1})), []string{"(1, −2.5) y = −1", "(0.3333, 4) y = +1"}},
		{"named classes", New("", Classes(X, []int{0, 1}, Name(hostile, "x_{1}"))), []string{"(1, −2.5) " + hostile, "(0.3333, 4) x1"}},
		{"points", New("", Points([]float64{1, 7, 1e6}, []float64{2, 3, 1e-7}, Name("seen"))).Range(0, 5, 0, 5), []string{"(1, 2) “seen”"}},
		{"a line with points", New("", Line(nil, []float64{3, 5}, Size(4))), []string{"(1, 3)", "(2, 5)"}},
		{"rounding errors", New("", Points([]float64{-2, 1e-17}, []float64{-3e-16, 1})), []string{"(−2, 0)", "(0, 1)"}},
		{"powers of ten", New("", Points([]float64{1e-12, 1}, []float64{1, 2})).LogX(), []string{"(1e−12, 1)", "(1, 2)"}},
		{"a line without", New("", Line(nil, []float64{3, 5})), nil},
		{"points in space", New("", space.New(space.View{}, space.Points(X3))), []string{"(1, 2, −3)"}},
		{"classes in space", New("", space.New(space.View{}, space.Classes(X3, []int{1}))), []string{"(1, 2, −3) y = +1"}},
	} {
		dec := xml.NewDecoder(bytes.NewReader(c.d.SVG()))
		var got []string
		var open []string
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			switch tok := tok.(type) {
			case xml.StartElement:
				open = append(open, tok.Name.Local)
			case xml.EndElement:
				open = open[:len(open)-1]
			case xml.CharData:
				if n := len(open); n > 0 && open[n-1] == "title" {
					if parent := open[n-2]; parent != "circle" && parent != "path" {
						t.Errorf("%s: a title of <%s>", c.name, parent)
					}
					got = append(got, string(tok))
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: titles %q, want %q", c.name, got, c.want)
		}
	}
}
