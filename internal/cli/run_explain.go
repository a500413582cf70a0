package cli

import (
	"errors"
	"fmt"
	"go/scanner"
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
)

// explain prints the error of cell i, with notebook, cell and line, and the
// end of what the cell printed.
func (r *notebookRun) explain(i int) {
	c, result := r.code[i], r.results[i]
	stderr := colours.ReplaceAllString(result.Text("stderr"), "")
	var lines []string
	for _, e := range compileErrors(result.Traceback) {
		lines = append(lines, fmt.Sprintf("%s: %s", r.place(e[1], e[2]), lastLine(e[3])))
	}
	var list scanner.ErrorList
	var syntax *cell.SyntaxError
	_, _, err := r.program.Source.Parse()
	if lines == nil && programFile.MatchString(result.EValue) && errors.As(err, &syntax) && errors.As(err, &list) {
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
	what, more := headline(celltest.Stable(result.EValue))
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			what = strings.TrimSpace(line)
			break
		}
	}
	fmt.Fprintf(r.log, "%s#%s: %s\n%s", r.name, r.frame(stderr), what, indented(more+lastLines(result.Text("stdout"), 10)+lastLines(stderr, 10)))
}

// headline splits an error of the kernel into its first line and the others,
// without what says only that the go command failed.
func headline(evalue string) (first, more string) {
	evalue = failedToRun.ReplaceAllString(evalue, "")
	evalue = strings.TrimPrefix(strings.TrimPrefix(evalue, "executing special commands in cell: "), "marginalia: ")
	first, more, _ = strings.Cut(strings.TrimSpace(evalue), "\n")
	return first, lastLines(more, 10)
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

// place writes notebook, cell and line of a place that GoNB gives by execution count.
func (r *notebookRun) place(count, line string) string {
	n, _ := strconv.Atoi(count)
	if id, ok := r.ids[n]; ok {
		return fmt.Sprintf("%s#%s:%s", r.name, id, line)
	}
	return fmt.Sprintf("%s, cell [%s], line %s", r.name, count, line)
}

// lastLine returns the last line of s that is not blank.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
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
