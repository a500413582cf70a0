package plotting_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting"
)

// everything uses every method of a canvas: lines, dashes, discs, areas (opaque and
// translucent), images (many of one width), and text outside Windows-1252, with
// superscripts and subscripts, and rotated.
func everything() *plotting.Panels {
	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	return plotting.Tile(2,
		plotting.New("γ = min yᵢ(w·xᵢ + b)/‖w‖ ∈ ℝ",
			plotting.Plane([]float64{1, -1}, 0, plotting.Shade(), plotting.Dashed()),
			plotting.Classes(x, []int{-1, -1, 1, 1}, plotting.Name("−1", "+1")),
			plotting.Arrow(0, 0, 1, -1, "w"),
			plotting.Ring(x, []int{0}),
		).Labels("x_{1}", "x_{2}^{2}"),
		plotting.New("weights", plotting.Matrix(mat.NewDense(2, 3, []float64{1, -2, 3, 0, 5, -6}), plotting.Bar("value"))),
		plotting.New("digits", plotting.Digits(mat.NewDense(12, 4, []float64{
			0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2, 0, 2, 1, 3, 2, 1, 3, 0,
			1, 3, 0, 2, 3, 0, 2, 1, 0, 3, 2, 1, 3, 2, 1, 0, 2, 1, 0, 3, 1, 0, 3, 2,
		}), 2, 2, 6)),
	)
}

func ExampleFigure_PDF() {
	figure := plotting.New("", plotting.Line(nil, []float64{3, 1, 2})).Size(4*vg.Inch, 3*vg.Inch)
	doc := figure.PDF()
	fmt.Printf("%s %s\n", doc[:5], regexp.MustCompile(`/MediaBox \[[^\]]*\]`).Find(doc))
	// Output: %PDF- /MediaBox [0 0 288.00 216.00]
}

func TestPDFIsTheSameEveryTime(t *testing.T) {
	first := everything().PDF()
	for range tier.Size(t, 4, 19) {
		if !bytes.Equal(everything().PDF(), first) {
			t.Fatal("two documents of one figure differ")
		}
	}
	for _, date := range []string{"CreationDate", "ModDate", "(D:", fmt.Sprintf("%X", "D:")} {
		if bytes.Contains(first, []byte(date)) {
			t.Errorf("the document has a date: %s", date)
		}
	}
	for _, want := range []string{"/FontFile2 ", "/ToUnicode ", "/Subject "} {
		if !bytes.Contains(first, []byte(want)) {
			t.Errorf("the document has no %s", want)
		}
	}
}

// page returns the operators of the page: the stream that contains paths.
func page(t *testing.T, doc []byte) string {
	t.Helper()
	for _, part := range bytes.Split(doc, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue
		}
		if text, _ := io.ReadAll(r); bytes.Contains(text, []byte(" cm\n")) {
			return string(text)
		}
	}
	t.Fatal("the document has no page")
	return ""
}

// Every saved state is restored, every text sets its font, and an arc begins and ends in
// the right place. PDF viewers silently drop content that violates this.
func TestPDFOperators(t *testing.T) {
	text := page(t, everything().PDF())
	depth := 0
	for _, op := range strings.Fields(text) {
		switch op {
		case "q":
			depth++
		case "Q":
			if depth--; depth < 0 {
				t.Fatal("a state is brought back that was not kept")
			}
		}
	}
	if depth != 0 {
		t.Errorf("%d states are kept to the end", depth)
	}
	fonts, texts := strings.Count(text, " Tf"), strings.Count(text, " Tj")
	if texts == 0 || fonts < texts {
		t.Errorf("%d texts, %d fonts set", texts, fonts)
	}
	// A disc of radius r about (x, y) in four quarters. The control points of the unit
	// circle are at 4/3·(√2-1) = 0.5523 (the usual constant for four curves).
	disc := regexp.MustCompile(`l\n([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) c\n`).FindStringSubmatch(text)
	if disc == nil {
		t.Fatal("no circle is drawn")
	}
	var c [6]float64
	for i := range c {
		fmt.Sscan(disc[i+1], &c[i])
	}
	// From (x+r, y) to (x, y+r): the first control point is straight above the start.
	r := c[0] - c[4]
	y := c[5] - r
	if d := c[1] - y - 0.5523*r; math.Abs(d) > 0.001 || r <= 0 {
		t.Errorf("a quarter of a circle of radius %.4f has its control point %.4f high, want %.4f", r, c[1]-y, 0.5523*r)
	}
}

func TestShowWritesPDF(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(plotting.FiguresEnv, dir)
	t.Setenv(plotting.FormatsEnv, "pdf,svg")
	t.Setenv(plotting.WidthEnv, "3.5")
	points := plotting.New("", plotting.Points(nil, []float64{1, 3, 2}))
	plotting.Show("both", plotting.Tile(2, points, points))
	doc := must.Get(os.ReadFile(filepath.Join(dir, "both.pdf"))).Or(t)
	// 3.5 inches are 252 points.
	if want := []byte("/MediaBox [0 0 252."); !bytes.Contains(doc, want) {
		t.Errorf("not 3.5 inches wide: %s", regexp.MustCompile(`/MediaBox \[[^\]]*\]`).Find(doc))
	}
	if _, err := os.Stat(filepath.Join(dir, "both.svg")); err != nil {
		t.Error(err)
	}
}
