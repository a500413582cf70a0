package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/display"
)

// Environment variables that make [Show] write files.
const (
	// FiguresEnv names the folder to which Show writes figures.
	FiguresEnv = display.FiguresEnv
	// FormatsEnv lists the formats, separated by commas: png, svg, pdf. The default
	// is png.
	FormatsEnv = display.FormatsEnv
	// WidthEnv sets the width of all figures in inches.
	WidthEnv = display.WidthEnv
)

var formats = map[string]func(drawing) []byte{
	"png": func(d drawing) []byte { return d.PNG(screen) },
	"svg": toSVG,
	"pdf": toPDF,
}

// collect writes a figure to the folder that the environment names, if any.
func collect(name string, full drawing) error {
	files, err := display.Collected()
	if files != nil {
		if files.Width != 0 {
			full = full.column(vg.Length(files.Width) * vg.Inch)
		}
		forms := display.Bundle{}
		for _, format := range files.Formats {
			forms[display.Types[format]] = formats[format](full)
		}
		err = files.Send(display.Data{Data: forms, Metadata: display.Bundle{"figure": name}})
	}
	if err != nil {
		return fmt.Errorf("plotting: Show: %w", err)
	}
	return nil
}
