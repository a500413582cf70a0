package gonb

import (
	"strings"
	"testing"
)

// Every line between the first and the last is where it was, so that errors have the cell's lines and columns.
func TestTimed(t *testing.T) {
	for _, tt := range []struct{ cell, main string }{
		{"%%time\nx := 1 // one\n\tf(x)", "func main() { defer marginalia_timing.Start()()\nx := 1 // one\n\tf(x)\n}"},
		{"//gonb:%%bench \r\nf()\n", "func main() { marginalia_timing.Repeat(func() {\nf()\n\n}) }"},
		{"\n \n%%time\nf()", "func main() { defer marginalia_timing.Start()()\n\n\nf()\n}"},
		{"%%time", "func main() { defer marginalia_timing.Start()()\n}"},
	} {
		c := Read("a", tt.cell)
		decls, main, err := c.Parse()
		if err != nil || main.Text != tt.main || len(c.Commands) != 0 || decls.Imports["marginalia_timing"] == nil || len(decls.Imports) != 1 {
			t.Errorf("%q: main is %q, commands %v, imports %v, %v; want %q", tt.cell, main.Text, c.Commands, decls.Imports, err, tt.main)
			continue
		}
		given := strings.Split(tt.cell, "\n")
		file := c.File()
		for i, line := range strings.Split(file.Text, "\n") {
			if i < len(file.Origins) && file.Origins[i].Cell == "a" {
				if at := file.Origins[i].Line; at == 0 || given[at] != line && strings.TrimSpace(line) != "" { // blank lines are no places
					t.Errorf("%q: %q is said to be line %d", tt.cell, line, at)
				}
			}
		}
	}
	for _, cell := range []string{"", "%%", "%% time", "%%timeit", "x\n%%time", "%%time 3", " %%time", "\n %%time", "\n\n"} {
		if got := Timed(cell); got != cell {
			t.Errorf("%q becomes %q", cell, got)
		}
	}
}
