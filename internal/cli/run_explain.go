package cli

import (
	"errors"
	"fmt"
	"go/scanner"
	"os"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/cell"
	"marginalia/internal/celltest"
)

var (
	// compileError is how GoNB names the place of an error of the compiler.
	compileError = regexp.MustCompile(`(?s)^Cell\[(\d+)\]: Line (\d+)\n(.*)`)
	colours      = regexp.MustCompile("\x1b\\[[0-9;]*m")
	programFile  = regexp.MustCompile(`\bmain(_test)?\.go:\d`)
	failedToRun  = regexp.MustCompile(`^failed to run ".*\n+`)

	// stackFrame is a frame of a stack in the program that GoNB built, with or
	// without the place that GoNB puts before it.
	stackFrame = regexp.MustCompile(`(?m)^\s+(?:\[\[.*?\]\]\s*)?(\S.*[/\\]main(?:_test)?\.go):(\d+)`)
)

// explain prints the error of a cell, with notebook, cell and line, and the
// end of what the cell printed.
func (r *notebookRun) explain(c *codeCell) {
	stderr := colours.ReplaceAllString(c.result.Text("stderr"), "")
	var lines []string
	for _, e := range compileErrors(c.result.Traceback) {
		n, _ := strconv.Atoi(e[1])
		place := fmt.Sprintf("%s, cell [%s], line %s", r.name, e[1], e[2])
		if id, ok := r.ids[n]; ok {
			place = fmt.Sprintf("%s#%s:%s", r.name, id, e[2])
		}
		what := strings.TrimSpace(e[3])
		lines = append(lines, place+": "+strings.TrimSpace(what[strings.LastIndexByte(what, '\n')+1:]))
	}
	var list scanner.ErrorList
	var syntax *cell.SyntaxError
	_, _, err := r.program.Source.Parse()
	if lines == nil && programFile.MatchString(c.result.EValue) && errors.As(err, &syntax) && errors.As(err, &list) {
		for _, e := range list {
			at := c.ID
			// The brace that closes main has no line in the cell: what lacks is before it.
			for n := min(e.Pos.Line, len(syntax.Origins)) - 1; n >= 0; n-- {
				if syntax.Origins[n].Cell != "" {
					at = fmt.Sprintf("%s:%d", c.ID, syntax.Origins[n].Line+1)
					break
				}
			}
			lines = append(lines, fmt.Sprintf("%s#%s: %s", r.name, at, e.Msg))
		}
	}
	if lines != nil {
		fmt.Fprintln(r.log, strings.Join(lines, "\n"))
		return
	}
	// That the go command failed says nothing.
	text := failedToRun.ReplaceAllString(celltest.Stable(c.result.EValue), "")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "executing special commands in cell: "), "marginalia: ")
	what, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			what = strings.TrimSpace(line)
			break
		}
	}
	fmt.Fprintf(r.log, "%s#%s: %s\n%s", r.name, r.frame(stderr), what, indented(lastLines(more, 10)+lastLines(c.result.Text("stdout"), 10)+lastLines(stderr, 10)))
}

// compileErrors returns the errors of the compiler: each has the execution count
// and the line that GoNB gives, and the text.
func compileErrors(traceback []string) (found [][]string) {
	for _, block := range traceback {
		if m := compileError.FindStringSubmatch(block); m != nil {
			found = append(found, m)
		}
	}
	return found
}

// lastLines returns the last n lines of s, and says how many it left out.
func lastLines(s string, n int) string {
	if s == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	left := ""
	if over := len(lines) - n; over > 0 {
		left = fmt.Sprintf("… %d lines\n", over)
		lines = lines[over:]
	}
	for i, line := range lines {
		if len(line) > 400 {
			lines[i] = line[:400] + "…"
		}
	}
	return left + strings.Join(lines, "\n") + "\n"
}

func indented(s string) string {
	if s = strings.TrimRight(s, "\n"); s == "" {
		return ""
	}
	return "\t" + strings.ReplaceAll(s, "\n", "\n\t") + "\n"
}

// frame returns the cell and line of the first frame of a stack that is in a
// cell, as id:line, or the id of the cell that is executed if it can't be told.
//
// GoNB says where a frame is too, but not if what it read of the pipe ends
// within the name of the file, and another line if it ends within the number.
// So the lines are looked up in the program.
func (r *notebookRun) frame(stack string) string {
	for _, m := range stackFrame.FindAllStringSubmatch(stack, -1) {
		text, err := os.ReadFile(m[1])
		if err != nil { // the kernel is gone, and its files with it
			break
		}
		n, _ := strconv.Atoi(m[2])
		if at, ok := r.program.Origin(string(text), n); ok {
			return fmt.Sprintf("%s:%d", at.Cell, at.Line+1)
		}
	}
	return r.program.ID
}
