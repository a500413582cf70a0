//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"marginalia/internal/notebook/checks"
)

// check returns what to show of text that a cell has printed on its standard output: of a
// %test cell its results in few words, with lines of the cell.
func (f *front) check(r *request, text string) string {
	if !r.asked {
		r.asked = true
		if strings.Contains(r.cell.Code, "%test") {
			r.checks = f.checks(r)
		}
	}
	if r.checks == nil {
		return text
	}
	return r.checks.Take(text)
}

// checks returns how to word what a cell prints, nil if it is no %test cell.
func (f *front) checks(r *request) *checks.Words {
	p := f.session.Clone().Step(strconv.Itoa(r.count), r.cell.Code)
	if !p.Test {
		return nil
	}
	return &checks.Words{Place: func(file, line string) string {
		built, err := os.ReadFile(filepath.Join(f.build, filepath.Base(file)))
		n, _ := strconv.Atoi(line)
		at, ok := p.Origin(string(built), n)
		switch {
		case err != nil || !ok:
			return ""
		case at.Cell == strconv.Itoa(r.count):
			return fmt.Sprintf("line %d", at.Line+1)
		}
		return fmt.Sprintf("cell [%s], line %d", at.Cell, at.Line+1)
	}}
}

// endChecks sends what is left of a %test cell's output.
func (f *front) endChecks(r *request) {
	if r.checks == nil {
		return
	}
	f.print(r.Message, "stdout", r.checks.Rest())
}
