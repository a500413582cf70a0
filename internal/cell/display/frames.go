package display

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// SliderType is the MIME type of packed [Frames]. A slider's output has them beside its PNG.
const SliderType = "application/vnd.marginalia.slider"

// Frames hold a slider and its figures for some values, as SVG, in ascending order of the
// values. A page moves the slider with them, without a program. Most lines of SVG recur in the
// next figure, as axes and samples do, so each line is stored once and a figure is a list of
// lines.
type Frames struct {
	Name   string    `json:"name"` // of the figure
	Label  string    `json:"label"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Step   float64   `json:"step"`
	Start  float64   `json:"start"` // among the values, if there are any
	Values []float64 `json:"values"`
	Lines  []string  `json:"lines"`
	Frames [][]int   `json:"frames"` // for each value the indices of its figure's lines

	at map[string]int // index of each line
}

// Add adds the figure for a value.
func (f *Frames) Add(value float64, svg string) {
	if f.at == nil {
		f.at = map[string]int{}
	}
	var frame []int
	for line := range strings.SplitSeq(svg, "\n") {
		k, known := f.at[line]
		if !known {
			k = len(f.Lines)
			f.at[line] = k
			f.Lines = append(f.Lines, line)
		}
		frame = append(frame, k)
	}
	f.Values, f.Frames = append(f.Values, value), append(f.Frames, frame)
}

// SVG returns figure i.
func (f *Frames) SVG(i int) string {
	var lines []string
	for _, k := range f.Frames[i] {
		lines = append(lines, f.Lines[k])
	}
	return strings.Join(lines, "\n")
}

// Pack returns the frames as a notebook stores them: as JSON, see [Pack].
func (f *Frames) Pack() (string, error) {
	full := *f
	if f.Values == nil { // a page gets empty lists, not null
		full.Values, full.Lines, full.Frames = []float64{}, []string{}, [][]int{}
	}
	text, err := json.Marshal(full)
	if err != nil {
		return "", fmt.Errorf("display: %w", err)
	}
	return Pack(text), nil
}

// UnpackFrames reads what [Frames.Pack] returned.
func UnpackFrames(packed string) (*Frames, error) {
	text, err := Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("display: the frames of a slider: %w", err)
	}
	var f Frames
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("display: the frames of a slider: %w", err)
	}
	if len(f.Frames) != len(f.Values) || len(f.Values) > 0 && !slices.Contains(f.Values, f.Start) {
		return nil, fmt.Errorf("display: the frames of a slider: %d frames for the values %v, start %g, want a frame for each value and the start among them", len(f.Frames), f.Values, f.Start)
	}
	for i, frame := range f.Frames {
		if len(frame) > 0 && (slices.Min(frame) < 0 || slices.Max(frame) >= len(f.Lines)) {
			return nil, fmt.Errorf("display: the frames of a slider: frame %d has a line beyond the %d stored", i, len(f.Lines))
		}
	}
	return &f, nil
}
