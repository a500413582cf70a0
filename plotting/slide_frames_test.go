package plotting

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/notebook"
)

// shown returns the output of a slider.
func shown(t *testing.T, s Slider, draw func(float64) Drawing) (png []byte, frames *display.Frames, packed string) {
	t.Helper()
	got := inNotebook(t)
	Slide("shown", s, draw)
	if len(got) != 1 {
		t.Fatalf("%d messages, want 1", len(got))
	}
	d := <-got
	if d.Data["text/plain"] == "" || d.DisplayID != "" {
		t.Fatalf("text %q and id %q, want a text and no id", d.Data["text/plain"], d.DisplayID)
	}
	packed, _ = d.Data[display.SliderType].(string)
	frames = must.Get(display.UnpackFrames(packed)).Or(t)
	return d.Data["image/png"].([]byte), frames, packed
}

// A slider shows the figure for its start value and stores the figure for each step, with the
// same bytes each time. What draw prints for the steps is not output of the cell.
func TestSlideCarriesFrames(t *testing.T) {
	s := Slider{Label: "a <b>", Min: -0.3, Max: 0.3, Start: 0.1, Step: 0.1}
	fig := func(v float64) *Figure {
		return New(fmt.Sprint("at ", v), Points(nil, []float64{v, 1}, Name("</title><script>x</script>")))
	}
	printed := must.Get(os.CreateTemp(t.TempDir(), "")).Or(t)
	out := os.Stdout
	os.Stdout = printed
	defer func() { os.Stdout = out }()
	draw := func(v float64) Drawing {
		fmt.Println("drawn for", v)
		return fig(v)
	}
	png, f, packed := shown(t, s, draw)
	_, _, again := shown(t, s, draw)
	if b, _ := os.ReadFile(printed.Name()); string(b) != "drawn for 0.1\ndrawn for 0.1\n" {
		t.Errorf("printed %q, want a line for each start", b)
	}
	if !slices.Equal(png, notebook.Slider(s).Still(newOnce(fig(0.1))).PNG(notebook.Screen)) {
		t.Error("the figure is not that of the start value")
	}
	if again != packed {
		t.Error("the frames differ from one time to the next")
	}
	// -0.3 + 3·0.1 is 5.6e-17 in floating point; a reader wants 0.
	want := []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}
	if f.Name != "shown" || f.Label != s.Label || f.Min != s.Min || f.Max != s.Max || f.Step != s.Step || f.Start != s.Start || len(f.Values) != len(want) {
		t.Fatalf("%s, %q from %g to %g by %g, from %g, values %v", f.Name, f.Label, f.Min, f.Max, f.Step, f.Start, f.Values)
	}
	for i, v := range f.Values {
		if v != want[i] {
			t.Errorf("value %d is %v, want %v", i, v, want[i])
		}
		if f.SVG(i) != string(fig(v).SVG()) {
			t.Errorf("frame %d is not the figure for %g", i, v)
		}
		if strings.Contains(f.SVG(i), "<script") {
			t.Errorf("frame %d has a script", i)
		}
	}
}

// A slider stores at most 34 frames and 300 kB, the start value among them, for any number of
// steps and any size of figures.
func TestSlideFramesBounded(t *testing.T) {
	tier.NoRace(t)
	one := func(float64) Drawing { return New("", Line(nil, []float64{1, 2})) }
	noise := func(n int) func(float64) Drawing { // coordinates that don't compress
		return func(v float64) Drawing {
			ys, x := make([]float64, n), uint64(1+v*1000)
			for i := range ys {
				x = x*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
				ys[i] = float64(x>>11) / (1 << 53)
			}
			return New("", Points(nil, ys)).Size(4*vg.Inch, 3*vg.Inch)
		}
	}
	for _, c := range []struct {
		name     string
		s        Slider
		draw     func(float64) Drawing
		min, max int
	}{
		{"5 steps", Slider{Max: 4, Start: 2, Step: 1}, one, 5, 5},
		{"33 steps", Slider{Max: 32, Step: 1}, one, 33, 33},
		{"a hundredth each", Slider{Max: 1, Start: 0.5}, one, 33, 33},
		{"a start between", Slider{Max: 1, Start: 0.505}, one, 34, 34},
		{"a step that doesn't divide", Slider{Max: 1, Start: 1, Step: 0.3}, one, 5, 5},
		{"a step beyond", Slider{Max: 1, Start: 0.5, Step: 3}, one, 2, 2},
		{"large figures", Slider{Max: 32, Step: 1}, noise(1500), 3, 20},
		{"figures too large", Slider{Max: 32, Start: 7, Step: 1}, noise(10000), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, f, packed := shown(t, c.s, c.draw)
			n := len(f.Values)
			if n < c.min || n > c.max || !slices.IsSorted(f.Values) || n > 0 && (f.Values[0] != c.s.Min || !slices.Contains(f.Values, c.s.Start)) {
				t.Errorf("%v, start %g: want %d to %d rising values", f.Values, f.Start, c.min, c.max)
			}
			if f.Label != c.s.Label || f.Max != c.s.Max || f.Start != c.s.Start {
				t.Errorf("to %g from %g, want the slider's numbers", f.Max, f.Start)
			}
			if len(packed) > 300_000 {
				t.Errorf("%d bytes", len(packed))
			}
			t.Logf("%d frames, %d bytes", n, len(packed))
		})
	}
}

// A frame that a page asks for equals the stored one. Values outside of the range are refused.
func TestSlideFrame(t *testing.T) {
	s := Slider{Min: -1, Max: 1}
	fig := New("", Line(nil, []float64{1, 2}))
	frame := notebook.Slider(s).Frame("asked", picturesOf("asked", func(v float64) Drawing {
		if v == 0.5 {
			return nil
		}
		return fig
	}))
	for _, v := range []float64{-1, 0.123, 1} {
		for _, coarse := range []bool{false, true} { // there is no field
			if svg, rough, err := frame(v, coarse); err != nil || rough || string(svg) != string(fig.SVG()) {
				t.Errorf("%g: rough %v, %v, want the figure", v, rough, err)
			}
		}
	}
	var zero float64
	for v, want := range map[float64]string{
		1.001:       "plotting: Slide: asked: value 1.001, want one from -1 to 1",
		-7:          "plotting: Slide: asked: value -7, want one from -1 to 1",
		zero / zero: "plotting: Slide: asked: value NaN, want one from -1 to 1",
		0.5:         "plotting: Slide: asked: nothing to show for the value 0.5",
	} {
		if svg, _, err := frame(v, false); err == nil || err.Error() != want || svg != nil {
			t.Errorf("%g: %v, want %q", v, err, want)
		}
	}
}

// While the reader drags, a field is evaluated at a third of its places along each axis, but at
// no fewer than 25, once for all that a frame takes. At rest the frame is the stored one, which
// has as many as its author wants.
func TestCoarseFrame(t *testing.T) {
	s := Slider{Min: 0, Max: 1}
	for _, c := range []struct{ samples, coarse int }{{120, 40}, {60, 25}, {25, 25}, {10, 10}, {0, 66}} { // 0: the default, 200
		var style []FieldStyle
		if c.samples > 0 {
			style = append(style, Samples(c.samples))
		}
		calls := 0
		field := func(x1, x2 float64) float64 { calls++; return math.Sin(9*x1) + x2 }
		frame := notebook.Slider(s).Frame("field", picturesOf("field", func(float64) Drawing {
			return Tile(1, New("", Score(field, style...), Points([]float64{0.1}, []float64{0.2}, Name("a point"))).Range(0, 1, 0, 1))
		}))
		full := c.samples
		if full == 0 {
			full = 200
		}
		var svg [2]string
		for k, want := range []int{full, c.coarse} {
			calls = 0
			text, rough, err := frame(0.5, k == 1)
			if err != nil || calls != want*want || rough != (want < full) {
				t.Errorf("%d samples: %d calls, rough %v, %v, want %d², rough %v", full, calls, rough, err, want, want < full)
			}
			svg[k] = string(text)
		}
		if (svg[0] == svg[1]) != (c.coarse == full) {
			t.Errorf("%d samples: the coarse frame and the whole one are the same: %v", full, svg[0] == svg[1])
		}
		if text, rough, err := frame(0.5, false); err != nil || rough || string(text) != svg[0] {
			t.Errorf("%d samples: after a coarse frame the whole one has changed: rough %v, %v", full, rough, err)
		}
	}
}

// While the reader drags, isolines connect the samples directly, and nothing else is evaluated. At rest
// more evaluations locate each crossing between two samples.
func TestCoarseIsolines(t *testing.T) {
	s, calls := Slider{Min: 0, Max: 1}, 0
	frame := notebook.Slider(s).Frame("lines", picturesOf("lines", func(float64) Drawing {
		return New("", Contour(func(x1, x2 float64) float64 { calls++; return x1*x1 + x2*x2 }, []float64{0.5}, Samples(90))).Range(0, 1, 0, 1)
	}))
	for _, c := range []struct {
		coarse bool
		places int
		more   bool
	}{{false, 90 * 90, true}, {true, 30 * 30, false}, {false, 90 * 90, true}} {
		calls = 0
		if _, rough, err := frame(0.5, c.coarse); err != nil || rough != c.coarse || calls < c.places || (calls > c.places) != c.more {
			t.Errorf("coarse %v: %d calls, rough %v, %v, want %d places, more %v", c.coarse, calls, rough, err, c.places, c.more)
		}
	}
}

// Without a notebook only the figure for the start value is shown, drawn once.
func TestSlideStandsStill(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	var values []float64
	draw := func(v float64) Drawing {
		values = append(values, v)
		return New("", Points(nil, []float64{v}))
	}
	Slide("still", Slider{Label: "C", Min: -2, Max: 3, Start: 1}, draw)
	if len(values) != 1 || values[0] != 1 {
		t.Errorf("drawn for %v, want 1 once", values)
	}
	if _, err := os.Stat(filepath.Join(dir, "still.png")); err != nil {
		t.Error(err)
	}
}
