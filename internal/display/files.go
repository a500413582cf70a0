package display

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The environment of a program whose figures are collected.
const (
	FiguresEnv = "MARGINALIA_FIGURES"        // the folder for them
	FormatsEnv = "MARGINALIA_FIGURE_FORMATS" // some of png, svg, pdf, parted by commas; png if it is not set
	WidthEnv   = "MARGINALIA_FIGURE_WIDTH"   // in inches; each figure's own if it is not set
)

// Types are the MIME types of the formats.
var Types = map[string]string{"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}

// Files is a sink that keeps the figures among what is shown, each of their
// formats as a file such as Folder/margins.png.
type Files struct {
	Folder  string
	Formats []string // of Types
	Width   float64  // in inches that figures are to have; 0: each its own
}

// Collected returns the sink that the environment asks for beside the display,
// nil if it asks for none.
func Collected() (*Files, error) {
	f := &Files{Folder: os.Getenv(FiguresEnv), Formats: []string{"png"}}
	if f.Folder == "" {
		return nil, nil
	}
	if formats := os.Getenv(FormatsEnv); formats != "" {
		f.Formats = strings.Split(formats, ",")
	}
	for _, format := range f.Formats {
		if Types[format] == "" {
			return nil, fmt.Errorf("%s has %q, want some of png, svg, pdf", FormatsEnv, format)
		}
	}
	if width := os.Getenv(WidthEnv); width != "" {
		var err error
		if f.Width, err = strconv.ParseFloat(width, 64); err != nil || !(f.Width >= 1 && f.Width <= 40) {
			return nil, fmt.Errorf("%s=%s, want inches, from 1 to 40", WidthEnv, width)
		}
	}
	return f, nil
}

// Send writes the files of a figure, whose name is in the metadata.
func (f *Files) Send(d Data) error {
	for _, format := range f.Formats {
		file, _ := d.Data[Types[format]].([]byte)
		if err := os.WriteFile(filepath.Join(f.Folder, fmt.Sprint(d.Metadata["figure"], ".", format)), file, 0o644); err != nil {
			return fmt.Errorf("%s: %w", FiguresEnv, err)
		}
	}
	return nil
}
