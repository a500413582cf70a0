package outputs

import (
	"strings"
	"testing"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// Frames whose coordinates differ by rounding are the same, since processors round
// differently. The note names any other difference.
func TestCompareFrames(t *testing.T) {
	pack := func(change func(f *display.Frames)) string {
		f := &display.Frames{Name: "c-slider", Label: "C", Min: -1, Max: 2, Step: 3, Start: 2}
		f.Add(-1, "<svg>\n<circle cx=\"10.55\" fill=\"#12e456\"/>\n<text>γ = −1.234</text></svg>")
		f.Add(2, "<svg>\n<path d=\"M0 1\"/>\n</svg>")
		change(f)
		packed := must.Get(f.Pack()).Or(t)
		return packed
	}
	line := func(old, new string) func(f *display.Frames) {
		return func(f *display.Frames) {
			found := false
			for i, l := range f.Lines {
				found = found || strings.Contains(l, old)
				f.Lines[i] = strings.Replace(l, old, new, 1)
			}
			if !found {
				t.Fatalf("no line has %q", old)
			}
		}
	}
	stored := pack(func(*display.Frames) {})
	for _, c := range []struct{ name, got, note string }{
		{"nothing", stored, ""},
		{"the last digit", pack(line("10.55", "10.56")), ""},
		{"the last digit of words", pack(line("1.234", "1.235")), ""},
		{"a pixel", pack(line("10.55", "11.05")), "the figure for C = -1 is not the one stored"},
		{"a sign", pack(line("−1.234", "1.234")), "the figure for C = -1 is not the one stored"},
		{"a colour", pack(line("#12e456", "#13e456")), "the figure for C = -1 is not the one stored"},
		{"an element", pack(line("path", "poth")), "the figure for C = 2 is not the one stored"},
		{"a point more", pack(line("M0 1", "M0 1 2")), "the figure for C = 2 is not the one stored"},
		{"the name", pack(func(f *display.Frames) { f.Name = "d" }), `d, "C" from -1 to 2 by 3, from 2, with figures for [-1 2], stored is c-slider, "C" from`},
		{"the label", pack(func(f *display.Frames) { f.Label = "D" }), `c-slider, "D" from -1 to 2 by 3, from 2, with figures for [-1 2], stored is c-slider, "C" from`},
		{"the start", pack(func(f *display.Frames) { f.Start = -1 }), `c-slider, "C" from -1 to 2 by 3, from -1, with`},
		{"the step", pack(func(f *display.Frames) { f.Step = 1 }), `c-slider, "C" from -1 to 2 by 1, from`},
		{"a value", pack(func(f *display.Frames) { f.Values[0] = -1.001 }), `c-slider, "C" from -1 to 2 by 3, from 2, with figures for [-1.001 2], stored is`},
		{"no figures", pack(func(f *display.Frames) { f.Values, f.Lines, f.Frames = nil, nil, nil }), `c-slider, "C" from -1 to 2 by 3, from 2, with figures for [], stored is`},
		{"no base64", "?", "got: display: the frames of a slider: "},
		{"a line that isn't there", pack(func(f *display.Frames) { f.Frames[0][1] = 9 }), "got: display: the frames of a slider: frame 0 has a line beyond the "},
		{"a frame too few", pack(func(f *display.Frames) { f.Frames = f.Frames[:1] }), "got: display: the frames of a slider: 1 frames for the values [-1 2], start 2, want "},
		{"a start that has no frame", pack(func(f *display.Frames) { f.Start = 1 }), "got: display: the frames of a slider: 2 frames for the values [-1 2], start 1, want "},
	} {
		show := func(frames string) []nbformat.Output {
			return []nbformat.Output{{Type: "display_data", Data: map[string]any{display.SliderType: frames}}}
		}
		diffs := Compare(show(stored), show(c.got), Options{})
		switch {
		case c.note == "" && len(diffs) == 0:
		case len(diffs) != 1 || c.note == "" || !strings.HasPrefix(diffs[0].Note, c.note):
			t.Errorf("%s: %+v, want the note %q", c.name, diffs, c.note)
		}
	}
	if diffs := Compare([]nbformat.Output{{Type: "display_data", Data: map[string]any{display.SliderType: stored}}}, []nbformat.Output{{Type: "display_data"}}, Options{}); len(diffs) != 1 {
		t.Errorf("frames that are missing are %d differences, want 1", len(diffs))
	}
}

// The SVG of a figure may differ by rounding, as frames may.
func TestCompareFigures(t *testing.T) {
	const svg = `<svg><circle cx="10.55" cy="3"><title>(−1.234, 3e−17)</title></circle></svg>`
	for _, c := range []struct{ name, got, note string }{
		{"nothing", display.Pack([]byte(svg)), ""},
		{"the last digit", display.Pack([]byte(strings.Replace(svg, "10.55", "10.56", 1))), ""},
		{"the sign of a rounding error", display.Pack([]byte(strings.Replace(svg, "3e−17", "−2e−17", 1))), ""},
		{"a value", display.Pack([]byte(strings.Replace(svg, "1.234", "1.334", 1))), "the SVG is not the one stored"},
		{"no base64", "?", "got: unexpected EOF"},
	} {
		show := func(packed string) []nbformat.Output {
			return []nbformat.Output{{Type: "display_data", Data: map[string]any{display.FigureType: packed}}}
		}
		diffs := Compare(show(display.Pack([]byte(svg))), show(c.got), Options{})
		switch {
		case c.note == "" && len(diffs) == 0:
		case len(diffs) != 1 || c.note == "" || !strings.HasPrefix(diffs[0].Note, c.note):
			t.Errorf("%s: %+v, want the note %q", c.name, diffs, c.note)
		}
	}
}
