package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/display"
)

// Environment variables with which [Show] writes files.
const (
	// FiguresEnv names the folder into which Show writes figures.
	FiguresEnv = display.FiguresEnv
	// FormatsEnv names the formats, parted by commas: png, svg, pdf. Without it
	// there is png.
	FormatsEnv = display.FormatsEnv
	// WidthEnv is a width in inches that all figures take.
	WidthEnv = display.WidthEnv
)

var formats = map[string]func(drawing) []byte{
	"png": func(d drawing) []byte { return d.PNG(screen) },
	"svg": toSVG,
	"pdf": toPDF,
}

// collect hands a figure to the folder that the environment asks for, if it asks for one.
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
