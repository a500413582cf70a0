package notebook

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
)

// Environment variables that make [Put] write files.
const (
	FiguresEnv = display.FiguresEnv
	FormatsEnv = display.FormatsEnv
	WidthEnv   = display.WidthEnv
	HeightEnv  = display.HeightEnv
)

var formats = map[string]func(Picture) []byte{
	"png": func(p Picture) []byte { return p.PNG(Screen) },
	"svg": Picture.SVG,
	"pdf": Picture.PDF,
}

// collect writes a figure to the folder that the environment names, if any.
func collect(name string, p Picture) error {
	files, err := display.Collected()
	if files != nil {
		p = fit(p, vg.Length(files.Width)*vg.Inch, vg.Length(files.Height)*vg.Inch)
		forms := display.Bundle{}
		for _, format := range files.Formats {
			forms[display.Types[format]] = formats[format](p)
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
func fit(d Picture, w, h vg.Length) Picture {
	if w != 0 {
		d = d.Column(w)
	}
	most, high := d.Extent()
	if h == 0 || high <= h {
		return d
	}
	least := min(1*vg.Inch, most)
	narrow := d.Column(least)
	for range 10 { // to a thousandth of the width
		middle := d.Column((least + most) / 2)
		if _, high := middle.Extent(); high <= h {
			least, narrow = (least+most)/2, middle
		} else {
			most = (least + most) / 2
		}
	}
	return narrow
}
