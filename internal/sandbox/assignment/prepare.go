package assignment

import (
	"context"
	"errors"

	"marginalia/internal/notebook/nbformat"
)

// everywhere are packages that guests import for themselves.
var everywhere = []string{"marginalia/internal/sandbox/guest/worker", "marginalia/internal/sandbox/guest/wire", "os"}

// maxPrepared is how many packages are prepared for one submission. It is far more than a page of code imports.
const maxPrepared = 100

// prepare has the go command compile, for the type checker and for guests, the packages that a submission imports and may import, if this
// process has not done so before. What that takes depends on what the machine has compiled before, so it must not be taken from
// the submission's time: tell says when it begins and when it is over.
func (a *Assignment) prepare(ctx context.Context, nb *nbformat.Notebook, tell func(compileReply) bool) error {
	var paths []string
	add := func(path string) {
		if !a.prepared[path] && len(paths) < maxPrepared {
			a.prepared[path] = true
			paths = append(paths, path)
		}
	}
	if a.prepared == nil {
		a.prepared = map[string]bool{}
		for _, path := range append(a.Imports(), everywhere...) {
			add(path)
		}
	}
	g := &Guest{assignment: a}
	cells, _ := a.submitted(nb)
	for _, c := range cells {
		d, err := declarations(c.id, c.Source)
		if err != nil || d == nil {
			continue // Assemble says so
		}
		for _, i := range d.Imports {
			if !a.prepared[i.Path] && g.refused(i) == "" {
				add(i.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	tell(compileReply{Prepares: true})
	err := errors.Join(a.checker.Load(ctx, paths), a.toolchain.prepare(ctx, a.root, paths, true))
	tell(compileReply{Prepared: true})
	return err
}
