package grade

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // the formats of pictures that notebooks show
	_ "image/jpeg"
	_ "image/png"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/host"
)

// maxPixels bounds the pictures of a notebook: whoever opens it decodes them.
const maxPixels = 40e6

// maxKinds bounds the forms of a display, and maxHanded the outputs of a cell that were handed in.
const (
	maxKinds  = 10
	maxHanded = 100
)

// maxWords bounds the text of an error, in bytes.
const maxWords = 4 << 10

// outputsOf returns what a cell has printed and shown, as Jupyter stores it.
func outputsOf(r *host.Run) []nbformat.Output {
	var all []nbformat.Output
	for _, p := range r.Pieces {
		if p.Kind != "display" {
			if text := valid(string(p.Data)); text != "" {
				all = append(all, nbformat.Output{Type: "stream", Name: p.Kind, Text: text})
			}
			continue
		}
		var d struct{ Data, Metadata map[string]any }
		dec := json.NewDecoder(bytes.NewReader(p.Data))
		dec.UseNumber()
		if err := dec.Decode(&d); err != nil {
			d.Data = map[string]any{"text/plain": "a display that is not one"}
		}
		all = append(all, displays(d.Data, d.Metadata)...)
	}
	if r.Ended == "" {
		return nbformat.MergeStreams(all)
	}
	ended := valid(r.Ended[:min(len(r.Ended), maxWords)])
	name, value := "stopped", ended
	if text, ok := strings.CutPrefix(ended, "panic: "); ok {
		name, value = "panic", text
	}
	lines := strings.Split(ended, "\n")
	for _, f := range r.Frames {
		lines = append(lines, fmt.Sprintf("    in cell %s, line %d", nbgrader.Shown(f.Cell), f.Line))
	}
	return nbformat.MergeStreams(append(all, nbformat.Output{Type: "error", EName: name, EValue: value, Traceback: lines}))
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// refusal is the output of a cell that has not run.
func refusal(words string) nbformat.Output {
	words = valid(words[:min(len(words), maxWords)])
	return nbformat.Output{Type: "error", EName: "not run", EValue: words, Traceback: []string{words}}
}

// displays returns a display as outputs that every program which shows notebooks can be given: pictures and plain text
// as they are. All else, HTML and JavaScript above all, which such programs have the browser execute,
// is text, word for word, whose type stands in metadata.marginalia. The SVG beside a
// figure's picture, and a slider's frames, are left out.
func displays(data, metadata map[string]any) []nbformat.Output {
	own := nbformat.Output{Type: "display_data", Data: map[string]any{}, Metadata: map[string]any{}}
	var others []nbformat.Output
	if len(data) > maxKinds {
		data = map[string]any{"text/plain": fmt.Sprintf("a display in %d forms", len(data))}
	}
	_, pictured := data["image/png"]
	for _, kind := range slices.Sorted(maps.Keys(data)) {
		if pictured && (kind == display.FigureType || kind == display.SliderType) {
			continue
		}
		text, ok := data[kind].(string)
		if !ok {
			encoded, _ := json.Marshal(data[kind])
			text = string(encoded)
		}
		switch text = valid(text); kind {
		case "text/plain":
			own.Data[kind] = text
		case "image/png", "image/jpeg", "image/gif":
			if why := picture(kind, text); why != "" {
				others = append(others, nbformat.Output{Type: "stream", Name: "stderr", Text: "a picture is left out: " + why + "\n"})
				continue
			}
			own.Data[kind] = text
			if size := sizeOf(metadata[kind]); size != nil {
				own.Metadata[kind] = size
			}
		default:
			others = append(others, nbformat.Output{Type: "display_data", Data: map[string]any{"text/plain": text},
				Metadata: map[string]any{"marginalia": map[string]any{"type": valid(kind[:min(len(kind), 100)])}}})
		}
	}
	for _, key := range []string{"figure", "alt"} {
		if text, ok := metadata[key].(string); ok {
			own.Metadata[key] = valid(text[:min(len(text), maxWords)])
		}
	}
	if len(own.Data) == 0 {
		return others
	}
	return append([]nbformat.Output{own}, others...)
}

// picture says what is wrong with a picture in base64.
func picture(kind, text string) string {
	file, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))
	if err != nil {
		return "it is not in base64"
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil || "image/"+format != kind:
		return "it is no " + kind
	case float64(c.Width)*float64(c.Height) > maxPixels:
		return fmt.Sprintf("%d×%d pixels are too many", c.Width, c.Height)
	}
	return ""
}

// sizeOf returns the size of a picture in CSS pixels: numbers and nothing else, since nbconvert writes them as they are.
func sizeOf(v any) map[string]any {
	size := map[string]any{}
	m, _ := v.(map[string]any)
	for _, key := range []string{"width", "height"} {
		if n, ok := m[key].(json.Number); ok {
			if x, err := n.Float64(); err == nil && x >= 1 && x <= 1e4 {
				size[key] = json.Number(strconv.FormatFloat(math.Round(100*x)/100, 'f', -1, 64))
			}
		}
	}
	if len(size) < 2 {
		return nil
	}
	return size
}

// handedIn returns the outputs that a student's notebook came with, which nobody has checked, and says that they are.
func handedIn(out []nbformat.Output) []nbformat.Output {
	var all []nbformat.Output
	size := 0
	for _, o := range out {
		switch o.Type {
		case "stream":
			o = nbformat.Output{Type: "stream", Name: "stdout", Text: o.Text}
			size += len(o.Text)
			all = append(all, o)
		case "display_data", "execute_result":
			for _, o := range displays(o.Data, o.Metadata) {
				for _, v := range o.Data {
					size += len(v.(string))
				}
				all = append(all, o)
			}
		case "error":
			o = nbformat.Output{Type: "error", EName: o.EName, EValue: o.EValue, Traceback: o.Traceback}
			size += len(strings.Join(o.Traceback, "\n")) + len(o.EName) + len(o.EValue)
			all = append(all, o)
		}
		if size > cellShown || len(all) > maxHanded {
			all = []nbformat.Output{{Type: "stream", Name: "stderr", Text: "its outputs are left out: there are too many\n"}}
			break
		}
	}
	if all == nil {
		return nil
	}
	return append([]nbformat.Output{{Type: "stream", Name: "stderr", Text: "As handed in. Not run by course grade.\n"}}, all...)
}
