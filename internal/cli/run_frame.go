package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/cell"
	"marginalia/internal/program"
)

// stackFrame is a frame of a stack in the program that GoNB built, with or
// without the place that GoNB puts before it.
var stackFrame = regexp.MustCompile(`(?m)^\s+(?:\[\[.*?\]\]\s*)?(\S.*[/\\]main(?:_test)?\.go):(\d+)`)

// frame returns the cell and line of the first frame of a stack that is in a
// cell, as id:line, or id if it can't be told: the id of cell i.
//
// GoNB says where a frame is too, but not if what it read of the pipe ends
// within the name of the file, and another line if it ends within the number.
// So the program is composed once more. GoNB adds what goimports found to the
// imports, which come first: counted from the end, lines are the same.
func (r *notebookRun) frame(i int, stack string) string {
	file, read := r.composed(i), map[string][]string{}
	ours := strings.Split(file.Text, "\n")
	for _, m := range stackFrame.FindAllStringSubmatch(stack, -1) {
		name := m[1]
		if read[name] == nil {
			text, err := os.ReadFile(name)
			if err != nil { // the kernel is gone, and its files with it
				break
			}
			read[name] = strings.Split(string(text), "\n")
		}
		theirs := read[name]
		n, _ := strconv.Atoi(m[2])
		k := n - 1 - len(theirs) + len(ours)
		if n < 1 || n > len(theirs) || k < 0 || k >= len(file.Origins) || ours[k] != theirs[n-1] {
			continue
		}
		if at := file.Origins[k]; at.Cell != "" {
			return fmt.Sprintf("%s:%d", at.Cell, at.Line+1)
		}
	}
	return r.code[i].ID
}

// composed is the program of cell i as the kernel built it, after the cells
// that were executed before it.
func (r *notebookRun) composed(i int) cell.File {
	s := program.NewSession(filepath.Dir(r.name))
	var p *program.Program
	for j, c := range r.code[:i+1] {
		if r.results[j] == nil {
			continue
		}
		p = s.Step(c.ID, c.Source)
		if compileErrors(r.results[j].Traceback) == nil {
			s.Remember(p)
		}
	}
	return p.File
}
