package plotting

import (
	"fmt"

	"marginalia/plotting/internal/notebook"
)

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
	return notebook.Put(name, newOnce(d), alt, "")
}

func checkShow(what, name string, d Drawing) error {
	if err := notebook.CheckName(what, name); err != nil {
		return err
	}
	if d == nil {
		return fmt.Errorf("plotting: %s: %s: nothing to show", what, name)
	}
	return nil
}
