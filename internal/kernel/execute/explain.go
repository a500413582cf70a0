package execute

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/outputs"
)

// failedToRun is the line in which GoNB says that the go command failed. It says nothing more.
var failedToRun = regexp.MustCompile(`^failed to run ".*\n+`)

// explain prints what is wrong with a cell, with notebook, cell and line, and the end of
// what the cell printed.
func (r *Run) explain(c *codeCell) {
	stderr := c.result.Text("stderr")
	e := r.failure(c).Explain()
	if e == nil {
		text := failedToRun.ReplaceAllString(outputs.Stable(c.result.EValue), "")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "executing special commands in cell: "), "marginalia: ")
		e = mistake.Explanation{{Message: strings.TrimSpace(text)}}
	}
	fmt.Fprint(r.log, outputs.Visible(e.Report(func(p mistake.Place) string {
		switch id, ok := r.ids[p.Count]; {
		case p.Line == 0:
			return fmt.Sprintf("%s#%s", r.Name, c.ID)
		case ok:
			return fmt.Sprintf("%s#%s:%d", r.Name, id, p.Line)
		}
		return fmt.Sprintf("%s, cell [%d], line %d", r.Name, p.Count, p.Line)
	}))+indented(lastLines(c.result.Text("stdout"), 10)+lastLines(stderr[:mistake.Crash(stderr)], 10)))
}

// failure is what the kernel has said of a cell that failed.
func (r *Run) failure(c *codeCell) mistake.Failure {
	return mistake.Failure{
		Count: c.result.ExecutionCount,
		Cells: func(count int) (string, bool) {
			for _, other := range r.code {
				if id, ok := r.ids[count]; ok && other.ID == id {
					return other.Source, true
				}
			}
			return "", false
		},
		Origin: func(file string, line int) (count, cellLine int, ok bool) {
			text, err := os.ReadFile(file)
			if err != nil { // the kernel is gone, and its files with it
				return 0, 0, false
			}
			at, ok := r.program.Origin(string(text), line)
			for count, id := range r.ids {
				if ok && id == at.Cell {
					return count, at.Line + 1, true
				}
			}
			return 0, 0, false
		},
		Remembered: r.session.Decls(), Waiting: r.waiting(c),
		EValue: c.result.EValue, Traceback: c.result.Traceback, Stderr: c.result.Text("stderr"),
	}
}

// waiting returns the cells that have not been executed when cell c has.
func (r *Run) waiting(c *codeCell) (cells []mistake.Neighbour) {
	where := "above"
	for _, other := range r.code {
		switch {
		case other == c:
			where = "below"
		case other.result == nil || other.result.ExecutionCount == 0:
			cells = append(cells, mistake.Neighbour{Source: other.Source, Where: where})
		}
	}
	return cells
}

// lastLines returns the last n lines of what a cell printed, and says how many it left out.
func lastLines(s string, n int) string {
	if s == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(outputs.Printed(s), "\n"), "\n")
	left := ""
	if over := len(lines) - n; over > 0 {
		left = fmt.Sprintf("… %d lines\n", over)
		lines = lines[over:]
	}
	for i, line := range lines {
		if len(line) > 400 {
			lines[i] = strings.ToValidUTF8(line[:400], "") + "…"
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
