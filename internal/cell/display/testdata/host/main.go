// Command host is a cell whose figure goes to the host that runs its
// WebAssembly: the page of a site (js), a grader (wasip1).
package main

import (
	"marginalia/internal/cell/display"
	"marginalia/plotting"
)

func main() {
	display.Use(display.Func(host))
	plotting.Show("loss", plotting.New("", plotting.Line(nil, []float64{4, 2, 1})))
}
