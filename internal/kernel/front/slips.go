//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/program"
)

// slips returns what vet has found in a cell whose program has run to its end, and where GoNB does not do what
// the cell says. Slips in declarations of earlier cells were said there.
func (f *front) slips(r *request, p *program.Program) (text string) {
	if f.builds == nil || r.raw || r.cell.Silent {
		return ""
	}
	cell := strconv.Itoa(r.count)
	for _, problem := range p.Problems {
		if problem.Cell == cell && !problem.Fatal {
			text += mistake.Slip(problem.Line+1, problem.What)
		}
	}
	found := f.builds.Vetted()
	if len(found) == 0 || p.NoGo || p.Test {
		return text
	}
	built, err := os.ReadFile(filepath.Join(f.build, p.FileName()))
	if err != nil {
		return text
	}
	for _, s := range found {
		if at, ok := p.Origin(string(built), s.Line); ok && at.Cell == cell {
			text += mistake.Slip(at.Line+1, s.Words)
		}
	}
	return text
}
