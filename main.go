// Command marginalia sets up, runs, tests and exports Go notebooks.
//
//	go run . lab                  JupyterLab on the lectures, the Go kernel ready
//	go run . run NOTEBOOK…        execute notebooks on the real kernel
//	go run . test NOTEBOOK…       run every cell of a notebook as a Go test
//	go run . export NOTEBOOK      write the Go test package a notebook amounts to
//	go run . figures              every figure of the lectures as SVG, PNG and PDF
//	go run . doctor               check all that these need
//
// Each command prints its manual with --help. The exit status is 0 when all went
// well, 1 when what was asked for failed, 2 when the command line is at fault,
// and 130 after an interrupt; under `go run` any status but 0 comes as 1.
package main

import (
	"os"

	"marginalia/internal/cli"
	"marginalia/internal/jupyter"
)

func main() {
	jupyter.KeeperMain() // does not return in the process that keeps a kernel
	os.Exit(cli.Main(os.Args[1:]))
}
