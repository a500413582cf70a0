package plotting

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/plot/vg"
)

// Environment variables with which [Show] writes files.
const (
	// FiguresEnv names the folder into which Show writes figures.
	FiguresEnv = "MARGINALIA_FIGURES"
	// FormatsEnv names the formats, parted by commas: svg, png, and what
	// [RegisterFormat] added. Without it there is png.
	FormatsEnv = "MARGINALIA_FIGURE_FORMATS"
	// WidthEnv is a width in inches that all figures take.
	WidthEnv = "MARGINALIA_FIGURE_WIDTH"
)

var (
	formatsMu sync.Mutex
	formats   = map[string]func(Drawing) []byte{
		"svg": Drawing.SVG,
		"png": func(d Drawing) []byte { return d.PNG(screen) },
	}
)

// RegisterFormat lets [Show] write figures in one more format, which is the
// ending of their names. Packages that have one call it as they are initialised:
// marginalia/plotting/pdf.
func RegisterFormat(ending string, encode func(Drawing) []byte) {
	formatsMu.Lock()
	defer formatsMu.Unlock()
	formats[ending] = encode
}

// writeAll writes a figure into the folder, in the formats and the width that
// the environment asks for.
func writeAll(dir, name string, d Drawing) error {
	if width := os.Getenv(WidthEnv); width != "" {
		w, err := strconv.ParseFloat(width, 64)
		if err != nil || !(w >= 1 && w <= 40) {
			return fmt.Errorf("plotting: Show: %s=%s, want inches, from 1 to 40", WidthEnv, width)
		}
		d = d.Resized(vg.Length(w) * vg.Inch)
	}
	wanted := []string{"png"}
	if list := os.Getenv(FormatsEnv); list != "" {
		wanted = strings.Split(list, ",")
	}
	for _, ending := range wanted {
		formatsMu.Lock()
		encode, known := formats[ending], slices.Sorted(maps.Keys(formats))
		formatsMu.Unlock()
		if encode == nil {
			return fmt.Errorf("plotting: Show: %s has %q, want some of %s", FormatsEnv, ending, strings.Join(known, ", "))
		}
		if err := write(filepath.Join(dir, name+"."+ending), encode(d)); err != nil {
			return err
		}
	}
	return nil
}
