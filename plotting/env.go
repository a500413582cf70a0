package plotting

import "marginalia/plotting/internal/notebook"

// Environment variables that make [Show] write files.
const (
	// FiguresEnv names the folder to which Show writes figures.
	FiguresEnv = notebook.FiguresEnv
	// FormatsEnv lists the formats, separated by commas: png, svg, pdf. The default
	// is png.
	FormatsEnv = notebook.FormatsEnv
	// WidthEnv sets the width of all figures in inches.
	WidthEnv = notebook.WidthEnv
	// HeightEnv limits the height of all figures, in inches: what is higher is made
	// narrower, until it fits.
	HeightEnv = notebook.HeightEnv
)
