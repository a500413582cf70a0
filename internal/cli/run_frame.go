package cli

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// stackFrame is a frame of a stack in the program that GoNB built, with or
// without the place that GoNB puts before it.
var stackFrame = regexp.MustCompile(`(?m)^\s+(?:\[\[.*?\]\]\s*)?(\S.*[/\\]main(?:_test)?\.go):(\d+)`)

// frame returns the cell and line of the first frame of a stack that is in a
// cell, as id:line, or the id of the cell that is executed if it can't be told.
//
// GoNB says where a frame is too, but not if what it read of the pipe ends
// within the name of the file, and another line if it ends within the number.
// So the lines are looked up in the program as it was composed. GoNB adds what
// goimports found to the imports, which come first: counted from the end, lines
// are the same.
func (r *notebookRun) frame(stack string) string {
	file, read := r.program.File(), map[string][]string{}
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
	return r.program.ID
}
