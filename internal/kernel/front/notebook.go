//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

// notebookEnv names the notebook's file. Jupyter Server sets it for the kernels that it starts
// for a notebook (jupyter_server, services/sessions/sessionmanager.py). It stays the same if the
// notebook gets another name.
const notebookEnv = "JPY_SESSION_NAME"

// notebook returns the notebook as it was saved last, nil without the file.
func (f *front) notebook() *nbformat.Notebook {
	name := os.Getenv(notebookEnv)
	if name == "" {
		return nil
	}
	nb, err := nbformat.Read(filepath.Join(f.dir, filepath.Base(name)))
	if err != nil { // it has another name now, or is somewhere else
		return nil
	}
	return nb
}

// neighbours returns the code cells of the notebook that were not executed.
func (f *front) neighbours(r *request, nb *nbformat.Notebook) []mistake.Neighbour {
	if nb == nil {
		return nil
	}
	ran := slices.Collect(maps.Values(f.sources))
	return waiting(nb, r.CellID(), r.cell.Code, func(c *nbformat.Cell) bool {
		return f.executed[c.ID] || slices.Contains(ran, c.Source)
	})
}

// tellKernel says with the first failure that the notebook was written for another kernel.
func (f *front) tellKernel(e mistake.Explanation, nb *nbformat.Notebook) {
	if f.toldKernel || nb == nil || len(e) == 0 {
		return
	}
	if words := mistake.OtherKernel(nb); words != "" {
		e[0].Hint = strings.TrimPrefix(e[0].Hint+"\n"+words, "\n")
		f.toldKernel = true
	}
}

// waiting returns the code cells that did not run, and where they stand from the cell with
// that id, or else that source.
func waiting(nb *nbformat.Notebook, id, source string, ran func(*nbformat.Cell) bool) (cells []mistake.Neighbour) {
	at := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	if at < 0 {
		at = slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.Type == "code" && c.Source == source })
	}
	for i, c := range nb.Cells {
		where := "above"
		switch {
		case c.Type != "code" || i == at || ran(c):
			continue
		case at < 0:
			where = "elsewhere"
		case i > at:
			where = "below"
		}
		cells = append(cells, mistake.Neighbour{Source: c.Source, Where: where})
	}
	return cells
}
