//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/build"
)

// A program of GoNB depends on the cells above as text, never on what they have computed. So the
// programs of the running cell and of those that wait are composed here as GoNB will compose them,
// and built while earlier cells run. If GoNB asks the go command for exactly one of these, it is
// there. After a cell that fails, the others are aborted. A wrong guess costs its build and nothing else.

// ahead is how many cells that wait are built.
const ahead = 3

// lookAhead begins to build what is known to be executed.
func (f *front) lookAhead() {
	if f.builds == nil || f.gonb == nil {
		return
	}
	var requests []*request
	if r := f.running(); r != nil {
		requests = append(requests, r)
	}
	requests = append(requests, f.cells...)
	if len(requests) == 1 {
		for _, code := range requests[0].cell.Next {
			requests = append(requests, &request{cell: execution{Code: code}})
		}
	}
	requests = requests[:min(1+ahead, len(requests))]
	if !slices.ContainsFunc(requests, func(r *request) bool { return !r.foreseen }) {
		return
	}
	s := f.session.Clone()
	for _, r := range requests {
		p := s.Step(strconv.Itoa(r.count), r.cell.Code)
		s.Remember(p)
		foreseen := r.foreseen
		r.foreseen = true
		if foreseen || p.NoGo || strings.Contains(r.cell.Code, "%wasm") {
			continue
		}
		args := []string{"build"}
		if p.Test {
			args = []string{"test", "-c"}
		}
		c := build.Command{
			Go: f.builds.Go, Dir: f.build, Env: slices.Concat(os.Environ(), p.Env, []string{"PWD=" + f.build}),
			Args: slices.Concat(args, []string{"-o", filepath.Join(f.build, filepath.Base(f.build))}, p.Flags),
		}
		f.builds.Ahead(f.life, c, p)
	}
}
