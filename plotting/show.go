package plotting

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"maps"
	"strings"

	"marginalia/internal/display"
	"marginalia/plotting/internal/canvas"
)

// screen is the resolution of a figure in a notebook: twice the 96 pixels per inch of
// browsers.
const screen = 2 * 96

// Show shows a figure. The name consists of letters, digits, '.', '_' and '-', starts
// with a letter or digit, and must be unique in the course.
//
// In a notebook the figure becomes output of the cell when Show returns, in order with
// printed text. If [FiguresEnv] names a folder, the figure is written there as name.png,
// or in the formats of [FormatsEnv]. Otherwise Show does nothing. A screen reader reads
// out alt or, if there is none, the result of the figure's Alt method.
//
// A cell that shows a figure is usually a single expression, with no place for an
// error. If Show fails, it prints the reason to standard error and ends the program with
// status 1, which makes the cell fail. [ShowErr] returns the reason.
func Show(name string, d Drawing, alt ...string) {
	if err := ShowErr(name, d, alt...); err != nil {
		fail(err)
	}
}

// ShowErr is [Show] for programs that handle the error themselves.
func ShowErr(name string, d Drawing, alt ...string) error {
	if err := checkShow("Show", name, d); err != nil {
		return err
	}
	return put(name, d, alt, "")
}

// proper reports whether a figure's name is a valid file name on every system.
func proper(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return name != "" && strings.Trim(name, letters+"._-") == "" && strings.Contains(letters, name[:1])
}

func checkShow(what, name string, d Drawing) error {
	if !proper(name) {
		return fmt.Errorf("plotting: %s: name %q: want letters, digits, '.', '_' and '-', a letter or digit first", what, name)
	}
	if d == nil {
		return fmt.Errorf("plotting: %s: %s: nothing to show", what, name)
	}
	return nil
}

// put writes the figure to files if the environment asks for them, and displays it in a
// notebook. A display replaces an earlier one with the same id.
func put(name string, d Drawing, alt []string, id string) error {
	full := newOnce(d)
	if err := collect(name, full); err != nil {
		return err
	}
	if !display.Active() {
		return nil
	}
	more := display.Bundle{}
	if _, moves := d.(*Film); !moves {
		svg, still := display.Pack(toSVG(full)), base64.StdEncoding.EncodedLen(len(full.PNG(screen)))
		if len(svg) <= still/3 {
			more[display.FigureType] = svg
		}
	}
	return send(name, full, alt, id, screen, more)
}

// send displays a figure in the notebook as PNG, as text, and in the types of more.
//
// Every program shows PNG, and at twice the resolution it is crisp wherever the size in
// the metadata is honoured. Its ground is opaque white: GitHub's dark pages show it as a
// white card, nbconvert's pages are white, and the dark theme of our JupyterLab dims it
// (customCSS in internal/lab). The kernel encodes the bytes in base64.
//
// The SVG shows values under the mouse, and is dark in a dark theme. Its type is our own, known
// to our JupyterLab and our pages (internal/lab). JupyterLab 4.6 shows image/svg+xml only in
// trusted notebooks, as an image without values under the mouse, and nbconvert would prefer it
// everywhere. Packed, the SVGs take 5 % of the lectures' files. Show leaves an SVG out if it
// takes more than a third as much as the PNG, as thousands of lines do, and that of a film,
// which shows only the last frame.
// The bundle has no text/html, though gonbui sends its SVG that way: GitHub's renderer
// strips it, and would show nothing if it were the richest form.
//
// The description is in the metadata too. There nbconvert's filter get_metadata finds it
// for the image's alt attribute, which our own template of nbconvert (internal/lab)
// writes. It stands beside the metadata of image/png and not inside it, where others put
// it, because GoNB's end of the pipe can't decode a map of both numbers and strings.
func send(name string, d Drawing, alt []string, id string, dpi int, more display.Bundle) error {
	full := complete(d)
	file := full.PNG(dpi)
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return fmt.Errorf("plotting: Show: %s: %w", name, err)
	}
	words := full.Alt()
	if len(alt) > 0 {
		words = strings.Join(alt, "\n")
	}
	words = canvas.Legible(words)
	forms := display.Bundle{"image/png": file, "text/plain": words}
	maps.Copy(forms, more)
	err = display.Send(display.Data{
		Data: forms,
		Metadata: display.Bundle{
			"figure": name, // `marginalia figures` finds it by this
			"alt":    words,
			"image/png": map[string]float64{
				"width":  float64(size.Width) * 96 / float64(dpi),
				"height": float64(size.Height) * 96 / float64(dpi),
			},
		},
		DisplayID: id,
	})
	if err != nil {
		return fmt.Errorf("plotting: Show: %s: %w", name, err)
	}
	return nil
}
