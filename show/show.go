// Package show shows values in a notebook, each kind in its way:
//
//	show.Value(X) // *mat.Dense: a table, cut in the middle if it is large, with its shape
//	show.Value(d) // *datasets.Dataset: its classes, counted, and its first rows
//	show.Value(m) // a model: its exported fields
//
// In marginalia's notebooks the last expression of a cell behind %%, %%time or %%bench shows itself so, without a call of
// Value. It is one that Go refuses as "not used", or a call that returns something. A call shows nothing if it
// returns an error alone, or if it prints, reads or writes and returns a count and an error, as fmt.Println and
// io.Copy do. To hide what another returns, write _ = f(). A function literal, a receive (<-done) and a
// %test cell show nothing, nor does func main where a cell writes it out.
//
// GoNB without marginalia refuses the cell, as Go does: there the line is show.Value(X), which runs
// everywhere. The command export names such lines.
//
// Figures of plotting and gonum/plot are drawn. Slices, maps and structs become small tables where they are
// tables, and text otherwise. Maps are sorted by their keys, and floating-point numbers have four digits, so
// that the output is the same each time. An error is red. A value with a method String is what that says.
// What is long is cut in the middle, and where a method of the value panics, the output says so.
//
// A value is shown as text/plain, and where it is a table or an error as text/html too. Outside of a
// notebook the text goes to standard output.
//
// # The files
//
//	show.go    Value, and how a value leaves the program
//	value.go   which form a value has
//	inline.go  a value in one line
//	table.go   tables, as text and as HTML
package show

import (
	"fmt"
	"os"
	"strings"

	"marginalia/internal/cell/display"
)

// Value shows values, each as an output of its own. Of several, as a function returns them, an error
// that is nil is left out. A cell whose value can't be shown fails: Value prints the reason to standard
// error and ends the program with status 1.
func Value(values ...any) {
	if display.Muted() { // as in all runs of %%bench but the first, which are timed without what is shown
		return
	}
	if values == nil { // Value(nil)
		values = []any{nil}
	}
	for i, v := range values {
		if v == nil && len(values) > 1 && i == len(values)-1 {
			continue
		}
		if err := one(v); err != nil {
			fmt.Fprintln(os.Stderr, "show:", err)
			os.Exit(1)
		}
	}
}

func one(v any) error {
	if drawn, err := draw(v); drawn || err != nil {
		return err
	}
	text, html := forms(v)
	if !display.Active() {
		_, err := fmt.Println(text)
		return err
	}
	data := display.Bundle{"text/plain": text}
	if html != "" {
		data["text/html"] = html
	}
	return display.Send(display.Data{Data: data})
}

// draw shows a figure. Its panics, as that of a gonum plot without data, become text.
func draw(v any) (drawn bool, err error) {
	if display.Draw == nil || v == nil {
		return false, nil
	}
	defer func() {
		if r := recover(); r != nil {
			drawn, err = true, fmt.Errorf("drawing %T panics: %v", v, r)
		}
	}()
	return display.Draw(v)
}

// forms returns a value as text, and as HTML if it is more than text.
func forms(v any) (text, html string) {
	parts := formsOf(v)
	var texts, htmls []string
	rich := false
	for _, p := range parts {
		texts, htmls = append(texts, p.text()), append(htmls, p.html())
		_, plain := p.(words)
		rich = rich || !plain
	}
	text = strings.Join(texts, "\n")
	if rich {
		html = strings.Join(htmls, "\n")
	}
	return text, html
}
