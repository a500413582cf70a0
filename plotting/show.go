package plotting

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"

	"marginalia/internal/display"
)

// screen is what a figure is sent with: two pixels for each of the 96 to the
// inch that browsers count.
const screen = 2 * 96

// Show shows a figure. Its name, made of letters, digits, '.', '_' and '-',
// tells it from all others of the course.
//
// In a notebook it becomes output of the cell, in order with what is printed,
// when Show returns. Where [FiguresEnv] names a folder it is written there, as
// name.png or as [FormatsEnv] has it. Otherwise nothing happens. A screen reader
// says what the figure's Alt method returns, or alt if given.
//
// A cell that shows figures is mostly one expression, so there is no error to
// look at: if the figure can't be shown, Show says why on the standard error
// and ends the program with status 1, which makes the cell fail.
func Show(name string, d Drawing, alt ...string) {
	if err := show(name, d, alt); err != nil {
		fail(err)
	}
}

// proper reports whether a figure's name can be a file's everywhere.
func proper(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return name != "" && strings.Trim(name, letters+"._-") == "" && strings.Contains(letters, name[:1])
}

func show(name string, d Drawing, alt []string) error {
	if err := checkShow("Show", name, d); err != nil {
		return err
	}
	return put(name, d, alt, "")
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

// put writes the figure where the environment asks for files, and displays it
// in a notebook. A display with an id replaces an earlier one with the same.
func put(name string, d Drawing, alt []string, id string) error {
	full := newOnce(d)
	if err := collect(name, full); err != nil {
		return err
	}
	if display.Active() {
		return send(name, full, alt, id, screen)
	}
	return nil
}

// send displays a figure in the notebook, as PNG and as text.
//
// There is no text/html in the bundle, though gonbui sends its SVG that way:
// GitHub's renderer strips it, and would show nothing if it were the richest
// form. Nor is there image/svg+xml, which nbconvert and JupyterLab treat
// differently and which depends on the reader's fonts. PNG at twice the
// resolution is shown by all, and crisp where the metadata's size is honoured.
// The kernel encodes the bytes in base64.
//
// The words are metadata as well, where nbconvert's filter get_metadata finds
// them for the image's alt attribute, which our own template of nbconvert
// (internal/lab) writes. They stand beside the metadata of image/png and not in
// it, where others put them, because a map of numbers and texts is no type that
// GoNB's end of the pipe decodes. JupyterLab 4.6 gives images no alt attribute,
// whatever a notebook holds; there the words are in the notebook's file alone.
func send(name string, d Drawing, alt []string, id string, dpi int) error {
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
	err = display.Send(display.Data{
		Data: display.Bundle{"image/png": file, "text/plain": words},
		Metadata: display.Bundle{
			"figure": name, // by which `marginalia figures` finds it
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
