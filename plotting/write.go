package plotting

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Environment variables with which [Show] writes files.
const (
	// FiguresEnv names the folder into which Show writes figures.
	FiguresEnv = "MARGINALIA_FIGURES"
	// FormatsEnv names the formats, parted by commas: png, svg, pdf. Without it
	// there is png.
	FormatsEnv = "MARGINALIA_FIGURE_FORMATS"
	// WidthEnv is a width in inches that all figures take.
	WidthEnv = "MARGINALIA_FIGURE_WIDTH"
)

var formats = map[string]func(drawing) []byte{
	"png": func(d drawing) []byte { return d.PNG(screen) },
	"svg": toSVG,
	"pdf": toPDF,
}

// writeAll writes a figure into the folder, in the formats and the width that
// the environment asks for.
func writeAll(dir, name string, d drawing) error {
	if width := os.Getenv(WidthEnv); width != "" {
		w, err := strconv.ParseFloat(width, 64)
		if err != nil || !(w >= 1 && w <= 40) {
			return fmt.Errorf("plotting: Show: %s=%s, want inches, from 1 to 40", WidthEnv, width)
		}
		d = d.column(vg.Length(w) * vg.Inch)
	}
	wanted := []string{"png"}
	if list := os.Getenv(FormatsEnv); list != "" {
		wanted = strings.Split(list, ",")
	}
	for _, ending := range wanted {
		encode := formats[ending]
		if encode == nil {
			return fmt.Errorf("plotting: Show: %s has %q, want some of png, svg, pdf", FormatsEnv, ending)
		}
		if err := write(filepath.Join(dir, name+"."+ending), encode(d)); err != nil {
			return err
		}
	}
	return nil
}
