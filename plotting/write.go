package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
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
	// HeightEnv limits the height of all figures, in inches: what is higher is made
	// narrower, until it fits.
	HeightEnv = display.HeightEnv
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
		full = fit(full, vg.Length(files.Width)*vg.Inch, vg.Length(files.Height)*vg.Inch)
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

// fit returns the drawing w wide, or as wide as it is if w is 0; and narrower if it would be
// higher than h, unless h is 0. It is an inch wide at least.
func fit(d drawing, w, h vg.Length) drawing {
	if w != 0 {
		d = d.column(w)
	}
	most, high := d.Extent()
	if h == 0 || high <= h {
		return d
	}
	least := min(1*vg.Inch, most)
	narrow := d.column(least)
	for range 10 { // to a thousandth of the width
		middle := d.column((least + most) / 2)
		if _, high := middle.Extent(); high <= h {
			least, narrow = (least+most)/2, middle
		} else {
			most = (least + most) / 2
		}
	}
	return narrow
}
