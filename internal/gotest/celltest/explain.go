package celltest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/outputs"
)

var (
	// programPlace is a place in the program of a cell that is built by itself.
	programPlace = regexp.MustCompile(`[^\s:]*\bmain(?:_test)?\.go:(\d+)(?::\d+)?`)
	// notebookPlace is how other programs name one, with the folder they were built in.
	notebookPlace = regexp.MustCompile(`[^\s:]*?([^\s:/]*\.ipynb#[\w-]+:\d+)(?::\d+)?`)
	packageLine   = regexp.MustCompile(`(?m)^# .*\n`)
)

// explain says why a cell failed: its error and what it wrote to stderr, with the
// places in the notebook. A stack is reduced to these places.
func (s *Suite) explain(r *run) string {
	if failed := s.failedChecks(r); failed != "" {
		return outputs.Printed(failed)
	}
	var text strings.Builder
	for _, o := range r.outs {
		switch {
		case o.Type == "error" && !strings.HasSuffix(text.String(), o.EValue+"\n"): // stderr ends with the exit status, too
			text.WriteString(o.EValue + "\n")
		case o.Name == "stderr":
			text.WriteString(o.Text)
		}
	}
	words := programPlace.ReplaceAllStringFunc(packageLine.ReplaceAllString(text.String(), ""), func(place string) string {
		line, _ := strconv.Atoi(programPlace.FindStringSubmatch(place)[1])
		if line < 1 || line > len(r.cell.Lines) {
			return place
		}
		return fmt.Sprintf("%s#%s", filepath.Base(s.file), r.cell.Lines[line-1])
	})
	words = notebookPlace.ReplaceAllString(words, "$1")
	var kept []string
	inStack := false
	for line := range strings.Lines(words) {
		line = strings.TrimRight(line, "\n")
		inStack = outputs.InStack(inStack, line)
		place := notebookPlace.FindString(line)
		switch {
		case !inStack && strings.TrimSpace(line) != "":
			kept = append(kept, line)
		case inStack && place != "" && kept[len(kept)-1] != "  at "+place:
			kept = append(kept, "  at "+place)
		}
	}
	return outputs.Printed(strings.Join(append(kept, r.hints()...), "\n"))
}

// hints say what to do about a cell that does not parse, in the kernel's words.
func (r *run) hints() (lines []string) {
	if r.cell.Fails == "" {
		return nil
	}
	source := func(count int) (string, bool) { return r.nb.Source, count == 1 }
	for _, m := range (mistake.Failure{Count: 1, Cells: source, EValue: r.cell.Fails}).Explain() {
		if m.Hint != "" {
			lines = append(lines, "→ "+m.Hint)
		}
	}
	return lines
}

// missed says what may be missing here that a cell finds on the kernel: what earlier cells
// leave behind that did not run, such as files, and what lies beside the notebook.
func (s *Suite) missed(r *run) (notes []string) {
	var cells []string
	for _, earlier := range s.runs {
		if earlier == r {
			break
		}
		// %ls, %help and the like leave nothing behind.
		if _, untestable := s.skip(earlier); untestable && !strings.HasSuffix(earlier.cell.Skip, "works only on the kernel") {
			cells = append(cells, fmt.Sprintf("%s (%s)", earlier.cell.ID, earlier.cell.Skip))
		}
	}
	if cells != nil {
		notes = append(notes, "cells before it did not run here, so that what they leave behind is missing: "+strings.Join(cells, ", "))
	}
	if s.away != "" && r.cell.Outside {
		notes = append(notes, fmt.Sprintf("the notebook is not in %s any more, so that its cells run in %s: copy the files there that they read", s.away, s.dir))
	}
	return notes
}
