// Command marginalia sets up, runs, tests and exports Go notebooks.
//
//	go run . lab                  start JupyterLab with the Go kernel on the lectures
//	go run . update               bring new lectures, and keep what you changed in your copies
//	go run . run NOTEBOOK…        execute notebooks on the real kernel
//	go run . test NOTEBOOK…       run every cell of a notebook as a Go test
//	go run . export NOTEBOOK      write the cells of a notebook as a Go test package
//	go run . figures              write every figure of the lectures as SVG, PNG and PDF
//	go run . site                 make the lectures, the library's documentation and the docs a static site
//	go run . new DIR              make a course of your own, with a first notebook
//	go run . course new DIR       make a folder for course assignments
//	go run . course release NAME  make the students' version of an assignment
//	go run . course check NOTEBOOK…
//	                              try your answers on the visible tests
//	go run . course collect NAME FILE…
//	                              take in what students handed in
//	go run . course grade NAME    judge submissions
//	go run . course formgrade     start nbgrader's formgrader on the course
//	go run . course merge FILE…   bring marks from other machines into the gradebook
//	go run . course feedback NAME write the pages that students get back
//	go run . course report NAME   sum up an assignment for its lecturers
//	go run . course export        write marks as CSV
//	go run . doctor               check everything that these need
//
// Each command prints its manual with --help. The exit status is 0 if all went
// well, 1 if what was asked for failed, 2 for a mistake on the command line, and
// 130 after an interrupt. `go run` turns every status but 0 into 1.
package main

import (
	"os"

	"marginalia/internal/cli"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/sandbox/assignment"
)

func main() {
	jupyter.KeeperMain()      // does not return in the process that keeps a kernel
	assignment.CompilerMain() // nor in the one that compiles what students write
	celltest.StarterMain()    // nor in the parent of a cell that may touch other processes
	os.Exit(cli.Main(os.Args[1:]))
}
