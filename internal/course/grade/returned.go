package grade

import (
	"errors"
	"os"

	"marginalia/internal/course/collect"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/verdict"
)

// Returned reads a student's notebook, whose cells are those that were handed out as far as that can be told. The notes
// say what was mended. The error is in words for the student.
func Returned(a *assignment.Assignment, release *nbformat.Notebook, data []byte) (*nbformat.Notebook, []verdict.Note, error) {
	nb, mended, err := nbformat.Mend(data)
	if err != nil {
		return nil, nil, err
	}
	var notes []verdict.Note
	for _, text := range mended {
		notes = append(notes, verdict.Note{Text: text})
	}
	r := assignment.Return(release, nb, a.Answers())
	return r.Notebook, append(notes, Notes(r.Notes)...), nil
}

// Notes are problems as notes of a verdict.
func Notes(problems []assignment.Problem) (notes []verdict.Note) {
	for _, p := range problems {
		notes = append(notes, verdict.Note{Place: verdict.Place{Cell: p.Cell, Line: p.Line}, Text: verdict.Plain(p.Text, maxOutput)})
	}
	return notes
}

// readNotebook reads the file of a notebook in a submission. The error is in words for the student.
func readNotebook(dir, name string) ([]byte, error) {
	file, why := collect.Find(dir, name)
	if why != "" {
		return nil, errors.New(why)
	}
	info, err := os.Lstat(file)
	if err != nil {
		return nil, errors.New("it can't be read")
	}
	if err := nbformat.Readable(info); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}
