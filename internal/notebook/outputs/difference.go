package outputs

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/picture"
)

// How much of a difference is shown: bytes of a line, lines of one kind in a row, lines in all.
const (
	longestLine = 400
	longestRun  = 20
	longestDiff = 100
)

// Repeats reports whether a difference says only that a cell failed, which its explanation says
// with the places in the notebook.
func (d Difference) Repeats() bool {
	return d.Want == "" && (d.What == "error" || d.What == "stderr" && mistake.Crash(d.Got) == 0)
}

// String shows the difference: pictures in one line, text as the lines that
// are stored (-) and those that came (+), with up to three lines around them.
func (d Difference) String() string {
	if d.Note != "" {
		return Visible(d.What + ": " + d.Note)
	}
	if !strings.Contains(d.Want+d.Got, "\n") {
		return fmt.Sprintf("%s:\n  - %s\n  + %s", d.What, cut(cmp.Or(d.Want, "(nothing)")), cut(cmp.Or(d.Got, "(nothing)")))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", d.What)
	var kind byte
	run, shown := 0, 0
	more := func() {
		if run > longestRun {
			fmt.Fprintf(&b, "\n  %c … and %d more lines", kind, run-longestRun)
		}
	}
	lines := strings.Split(string(diff.Diff("", []byte(d.Want), "", []byte(d.Got))), "\n")
	for _, line := range lines[3 : len(lines)-1] { // behind the names, up to the last line's end
		if line[0] != kind {
			more()
			kind, run = line[0], 0
			if shown > longestDiff {
				b.WriteString("\n  …")
				break
			}
		}
		at := 0
		if run++; run > longestRun {
			continue
		}
		shown++
		if _, err := fmt.Sscanf(line, "@@ -%d", &at); err == nil {
			fmt.Fprintf(&b, "\n  from line %d:", max(at, 1))
		} else {
			fmt.Fprintf(&b, "\n  %c %s", kind, cut(line[1:]))
		}
	}
	more()
	return b.String()
}

func cut(line string) string {
	if len(line) > longestLine {
		line = strings.ToValidUTF8(line[:longestLine], "") + "…"
	}
	return Visible(line)
}

// comparePictures decodes two pictures in base64 and tells whether they are equal and how far apart they are.
func comparePictures(want, got string) (note string, same bool) {
	if want == got {
		return "", true
	}
	w, err := decodePicture(want)
	if err != nil {
		return "stored: " + err.Error(), false
	}
	g, err := decodePicture(got)
	if err != nil {
		return "got: " + err.Error(), false
	}
	d := picture.Compare(w, g)
	return d.String(), d.Same()
}

// pictureIn is the file of a bundle's picture, one with pixels if there is one; nil if it has none.
func pictureIn(bundle map[string]any) []byte {
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif"} {
		text, _ := bundle[mime].(string)
		file, _ := base64.StdEncoding.DecodeString(text)
		if _, err := picture.Decode(file); err == nil {
			return file
		}
	}
	if packed, ok := bundle[display.FigureType].(string); ok {
		svg, _ := display.Unpack(packed)
		return svg
	}
	if svg, _ := bundle["image/svg+xml"].(string); svg != "" {
		return []byte(svg)
	}
	return nil
}

func decodePicture(text string) (*image.RGBA, error) {
	raw, err := base64.StdEncoding.DecodeString(text) // in lines, too, as other kernels break it
	if err != nil {
		return nil, fmt.Errorf("the picture is not base64: %v", err)
	}
	return picture.Decode(raw)
}
