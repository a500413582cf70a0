// Package notebook puts figures into notebooks, pages and folders. It is the only part of plotting
// that uses this module's tools: a figure leaves the program of a cell through
// marginalia/internal/cell/display. It asks a figure for its bytes in each format, and knows nothing of
// layers.
//
// show displays a figure and writes its files, save writes one, slide stores the frames of a slider and draws
// further ones, still draws a slider where nobody can move it, and live paces a figure that
// follows a fit.
package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"maps"
	"strings"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
	"marginalia/plotting/internal/canvas"
)

// Screen is the resolution of a figure in a notebook: twice the 96 pixels per inch of
// browsers.
const Screen = 2 * 96

// A Picture is a drawing in all forms in which a notebook, a page or a folder wants it.
type Picture interface {
	Extent() (w, h vg.Length)
	Alt() string
	PNG(dpi int) []byte
	SVG() []byte
	PDF() []byte
	Frame() []byte              // SVG for a slider, with fields half as fine
	Thin() (some bool)          // leaves the fields fewer samples, and reports whether there were more
	Column(w vg.Length) Picture // resized to width w
}

// CheckName returns an error unless a name is one of a figure: a valid file name on every system.
func CheckName(what, name string) error {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	if name == "" || strings.Trim(name, letters+"._-") != "" || !strings.Contains(letters, name[:1]) {
		return fmt.Errorf("plotting: %s: name %q: want letters, digits, '.', '_' and '-', a letter or digit first", what, name)
	}
	return nil
}

// Put writes the figure to files if the environment asks for them and it has a name, and displays it in
// a notebook. A display replaces an earlier one with the same id.
func Put(name string, p Picture, alt []string, id string) error {
	if name != "" {
		if err := collect(name, p); err != nil {
			return err
		}
	}
	if !display.Active() {
		return nil
	}
	svg := display.Pack(p.SVG())
	if len(svg) <= alone && !display.Stills() {
		return sendForms(name, p, alt, id, display.Bundle{display.FigureType: svg}, nil)
	}
	more := display.Bundle{}
	if len(svg) <= base64.StdEncoding.EncodedLen(len(p.PNG(Screen)))/3 {
		more[display.FigureType] = svg
	}
	return send(name, p, alt, id, Screen, more)
}

// Shown has figures that are the last expressions of cells show themselves: picture returns nil for other
// values. They have no name, so they are written to no file.
func Shown(picture func(v any) Picture) {
	display.Draw = func(v any) (drawn bool, err error) {
		p := picture(v)
		if p == nil {
			return false, nil
		}
		return true, Put("", p, nil, "")
	}
}

// alone is how many bytes a packed SVG may take that is shown without a PNG: most figures of the
// lectures take less.
const alone = 32 << 10

// send displays a figure in the notebook as PNG, as text, and in the types of more.
//
// Every program shows PNG, and at twice the resolution it is crisp wherever the size in
// the metadata is honoured. Its ground is opaque white: GitHub's dark pages show it as a
// white card, nbconvert's pages are white, and the dark theme of our JupyterLab dims it
// (customCSS in internal/install/lab). The kernel encodes the bytes in base64.
//
// The SVG shows values under the mouse, and is dark in a dark theme. Its type is our own, known
// to our JupyterLab and our pages (internal/install/lab). JupyterLab 4.6 shows image/svg+xml only in
// trusted notebooks, as an image without values under the mouse, and nbconvert would prefer it
// everywhere. Packed, the SVGs take 5 % of the lectures' files. Show leaves an SVG out if it
// takes more than a third as much as the PNG, as thousands of lines do. Where nobody needs a
// PNG, as in our pages, it is not drawn: in WebAssembly that takes longer than all else that a
// program does for a figure.
// The bundle has no text/html, though gonbui sends its SVG that way: GitHub's renderer
// strips it, and would show nothing if it were the richest form.
//
// The description is in the metadata too. There nbconvert's filter get_metadata finds it
// for the image's alt attribute, which our own template of nbconvert (internal/install/lab)
// writes. It stands beside the metadata of image/png and not inside it, where others put
// it, because GoNB's end of the pipe can't decode a map of both numbers and strings.
func send(name string, p Picture, alt []string, id string, dpi int, more display.Bundle) error {
	file := p.PNG(dpi)
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return fmt.Errorf("plotting: Show: %s: %w", name, err)
	}
	forms := display.Bundle{"image/png": file}
	maps.Copy(forms, more)
	return sendForms(name, p, alt, id, forms, display.Bundle{"image/png": map[string]float64{
		"width":  float64(size.Width) * 96 / float64(dpi),
		"height": float64(size.Height) * 96 / float64(dpi),
	}})
}

// sendForms adds the figure's text and description to its forms and their metadata, and displays it.
func sendForms(name string, p Picture, alt []string, id string, forms, metadata display.Bundle) error {
	words := p.Alt()
	if len(alt) > 0 {
		words = strings.Join(alt, "\n")
	}
	words = canvas.Legible(words)
	data := display.Data{
		Data:      display.Bundle{"text/plain": words},
		Metadata:  display.Bundle{"alt": words},
		DisplayID: id,
	}
	if name != "" {
		data.Metadata["figure"] = name // `marginalia figures` finds it by that
	}
	maps.Copy(data.Data, forms)
	maps.Copy(data.Metadata, metadata)
	if err := display.Send(data); err != nil {
		return fmt.Errorf("plotting: Show: %s: %w", name, err)
	}
	return nil
}
