//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

const notebookOfCells = `{"cells": [
 {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "outputs": [], "source": "func must(err error) {}"},
 {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "func claim() {}"},
 {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": null, "outputs": [], "source": "%%\nmust(nil)"},
 {"cell_type": "code", "id": "c", "metadata": {}, "execution_count": null, "outputs": [], "source": "func vec() {}"}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`

// A name that a cell above declares is explained by that cell, until the cell has run. The
// notebook is the file that Jupyter Server names; without it nothing is said.
func TestCellsThatDidNotRun(t *testing.T) {
	conn := serveFake(t)
	p := connect(t, conn)
	if said := p.fails(p.execute("%%\nmust(nil)")); strings.Contains(said, "→") {
		t.Errorf("without a notebook the kernel says %s", said)
	}
	t.Setenv(notebookEnv, "/elsewhere/n.ipynb")
	file := filepath.Join(filepath.Dir(conn.IP), "n.ipynb")
	testfile.Write(t, file, notebookOfCells)
	for code, want := range map[string]string{
		"%%\nmust(nil)":  "a cell above declares must, and was not run: Run › Run All Above Selected Cell",
		"%%\nmust(3)":    "another cell of the notebook declares must, and was not run: run it first", // an unsaved cell
		"%%\nclaim(nil)": "",
	} {
		said := p.fails(p.execute(code))
		if want == "" && strings.Contains(said, "→") || !strings.Contains(said, want) {
			t.Errorf("%q: the kernel says %s, want %q", code, said, want)
		}
	}
	p.ends(p.execute("func must(err error) {}"))
	if said := p.fails(p.execute("%%\nmust(nil)")); strings.Contains(said, "was not run") {
		t.Errorf("after the cell above has run, the kernel says %s", said)
	}
}

// A notebook for another Go kernel is told so once.
func TestOtherKernel(t *testing.T) {
	conn := serveFake(t)
	p := connect(t, conn)
	t.Setenv(notebookEnv, "n.ipynb")
	other := strings.Replace(notebookOfCells, `"metadata": {}, "nbformat"`, `"metadata": {"kernelspec": {"name": "gophernotes", "display_name": "Go", "language": "go"}}, "nbformat"`, 1)
	testfile.Write(t, filepath.Join(filepath.Dir(conn.IP), "n.ipynb"), other)
	for _, told := range []bool{true, false} {
		said := p.fails(p.execute("%%\nmust(nil)"))
		if strings.Contains(said, "was written for gophernotes") != told {
			t.Errorf("told is not %v: %s", told, said)
		}
	}
}

// Clients that name cells are believed: a cell has run though its source has changed since,
// and one of two equal cells is the one they name.
func TestWaiting(t *testing.T) {
	nb := must.Get(nbformat.Decode([]byte(strings.Replace(notebookOfCells, "func vec() {}", `%%\nmust(nil)`, 1)))).Or(t)
	got := waiting(nb, "c", "%%\nmust(nil)", func(c *nbformat.Cell) bool { return c.ID == "b" })
	if want := (mistake.Neighbour{Source: "func must(err error) {}", Where: "above"}); len(got) != 1 || got[0] != want {
		t.Errorf("of cell c %v wait, want %v", got, want)
	}
	got = waiting(nb, "b", "%%\nmust(nil)", func(*nbformat.Cell) bool { return false })
	if len(got) != 2 || got[1].Where != "below" {
		t.Errorf("of cell b %v wait, want one above and one below", got)
	}
}
