package celltest

import (
	"strconv"
	"strings"

	"marginalia/internal/notebook/checks"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
)

// inCell names a place in a %test cell, or in another cell, as the kernel does: by its id,
// since cells have no numbers here.
func (s *Suite) inCell(r *run) func(file, line string) string {
	return func(file, line string) string {
		_, id, ok := strings.Cut(file, "#")
		if n, _ := strconv.Atoi(line); !ok { // a program of its own
			if n < 1 || n > len(r.cell.Lines) {
				return ""
			}
			id, line, _ = strings.Cut(r.cell.Lines[n-1], ":")
		}
		if id != r.cell.ID {
			return "cell " + id + ", line " + line
		}
		return "line " + line
	}
}

// reworded returns the outputs of a %test cell with its results in few words, as the kernel
// shows them (package checks).
func (s *Suite) reworded(r *run, outs []nbformat.Output) []nbformat.Output {
	w := checks.Words{Place: s.inCell(r)}
	var kept []nbformat.Output
	last := -1 // of stdout, in kept
	for _, o := range outs {
		if o.Type == "stream" && o.Name == "stdout" {
			if o.Text = w.Take(o.Text); last < 0 || o.Text != "" {
				last = len(kept)
			} else {
				continue
			}
		}
		kept = append(kept, o)
	}
	if last >= 0 {
		kept[last].Text += w.Rest()
	}
	return nbformat.MergeStreams(kept)
}

// failedChecks returns the results of the tests of a %test cell that failed, with what these
// logged; "" if none did, or if one crashed, of which the stack says more.
func (s *Suite) failedChecks(r *run) string {
	if !outputs.IsTest(r.nb.Source) {
		return ""
	}
	var failed strings.Builder
	for _, o := range s.reworded(r, r.outputs()) {
		if o.Name == "stderr" && mistake.HasStack(o.Text) {
			return ""
		}
		if o.Name != "stdout" {
			continue
		}
		within := -1 // how far the result is indented to which a line belongs
		for line := range strings.Lines(o.Text) {
			text := strings.TrimLeft(line, " ")
			indent := len(line) - len(text)
			if strings.HasPrefix(text, "✗ ") {
				within = indent
			} else if indent <= within || strings.HasPrefix(text, "✓ ") {
				within = -1
			}
			if within >= 0 {
				failed.WriteString(line)
			}
		}
	}
	return strings.TrimRight(failed.String(), "\n")
}
