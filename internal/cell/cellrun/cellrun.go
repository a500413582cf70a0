// Package cellrun runs inside the process of a cell. An exported notebook is one
// program with all its cells. Each cell runs in its own process, as on GoNB's
// kernel.
//
//	var cells = []cellrun.Cell{
//		{ID: "novikoff-bound", Init: []func(){init_var_radius}, Main: cell_novikoff_bound},
//	}
//
//	func main() { cellrun.Main(cells) }
//
// The parent (package celltest) names the cell in the
// environment and gives the program its arguments. It reads everything else about
// the cells from cells.json (see package layout). This package imports os alone,
// so it runs wherever Go does: as a process, as a WebAssembly module in a page, as
// a guest of wazero.
//
// A cell sees what it would see on the kernel, where it is package main of a
// program of its own: the flags, testing.Testing, the names of types as reflect
// and gob have them. Two things differ, because the cells share a program: main
// has the name of its cell in runtime.FuncForPC and in stacks (main.cell_x for
// main.main), and a position, as in log.Lshortfile, is the one in the notebook and
// not in GoNB's temporary main.go. A %test cell does not share it: go test builds
// that in a folder of its own, whose path reflect has for gonb_ and a number.
package cellrun

import "os"

// A Cell is one code cell as a program.
type Cell struct {
	ID   string
	Init []func() // initialisers of package variables, then init functions, in GoNB's order
	Main func()
}

// Env names the environment variable that holds the id of the cell to run.
const Env = "MARGINALIA_CELL"

// Main runs the cell that the environment names, and ends the process. In a page whose sliders
// the cell serves (see display.Offer), the program stays.
func Main(cells []Cell) {
	id := os.Getenv(Env)
	os.Unsetenv(Env)
	known := ""
	for _, c := range cells {
		if c.ID == id {
			for _, f := range c.Init {
				f()
			}
			c.Main()
			end()
		}
		known += " " + c.ID
	}
	os.Stderr.WriteString("cellrun: " + Env + "=" + id + ", want one of the cells" + known + "\n")
	os.Exit(2)
}
