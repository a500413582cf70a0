//go:build !js

package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/workspace"
)

// A Package is what the go command says of one.
type Package struct {
	ImportPath, Name, Dir      string
	Standard                   bool
	GoFiles, CgoFiles, Imports []string

	Downloaded bool `json:"-"` // it is of a module in the module cache
}

const packageFields = "ImportPath,Name,Dir,Standard,GoFiles,CgoFiles,Imports,Export,Error,Module"

// Package returns a package that a program imports, directly or not; nil if there is none.
func (c *Checker) Package(path string) *Package { return c.packages[path] }

// Import returns what a package that a program imports exports. A Checker is a types.Importer.
func (c *Checker) Import(path string) (*types.Package, error) { return c.imp.Import(path) }

// Load has the go command compile packages, so that a program that imports them is checked at once.
func (c *Checker) Load(ctx context.Context, paths []string) error { return c.load(ctx, paths) }

// load has the go command compile packages, as far as its cache has not got
// them, and notes where their export data is. What can't be found is left out,
// and noted in absent if it is for want of a module.
func (c *Checker) load(ctx context.Context, paths []string) error {
	var missing []string
	for _, p := range paths {
		if !c.tried[p] && p != "C" && p != "unsafe" {
			c.tried[p] = true
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return c.list(ctx, missing)
}

// list runs `go list`. For a package of a module that others bring along, and
// that go.mod does not require itself, the go command refuses all that it was
// asked for ("updates to go.mod needed"): then the halves are asked for by
// themselves, until it is known which packages those are.
func (c *Checker) list(ctx context.Context, paths []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-mod=readonly", "-e", "-export", "-deps", "-json=" + packageFields, "--"}, paths...)...)
	cmd.Dir, cmd.Env = c.dir, c.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil || len(out) > 0:
		return c.listed(out)
	case len(paths) > 1:
		half := len(paths) / 2
		if err := c.list(ctx, paths[:half]); err != nil {
			return err
		}
		return c.list(ctx, paths[half:])
	case ofModule(paths[0]):
		c.absent[paths[0]] = true
		return nil
	}
	return fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
}

// listed takes in what `go list` wrote.
func (c *Checker) listed(out []byte) error {
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var p struct {
			Package
			Export string
			Error  *struct{ Err string }
			Module *struct {
				Main    bool
				Replace *struct{ Version string }
			}
		}
		if err := dec.Decode(&p); err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		m := p.Module
		p.Downloaded = m != nil && !m.Main && (m.Replace == nil || m.Replace.Version != "")
		c.packages[p.ImportPath] = &p.Package
		if p.Export != "" {
			c.exports[p.ImportPath] = p.Export
			c.tried[p.ImportPath] = true // what others import need not be asked for again
		}
		if p.Error != nil && ofModule(p.ImportPath) && noModule.MatchString(p.Error.Err) {
			c.absent[p.ImportPath] = true
		}
	}
	return nil
}

// noModule is how the go command says that go.mod and go.sum do not have the
// module of a package.
var noModule = regexp.MustCompile(`no required module provides package|cannot find module providing package|missing go\.sum entry|updates to go\.mod needed`)

// ofModule reports whether path can only be that of a package in a module that
// is fetched: its first element is a domain.
func ofModule(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// advice says why a package is missing, and what to do.
func (c *Checker) advice(path string) string {
	of := func(modules []string) string {
		i := slices.IndexFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
		if i < 0 {
			return ""
		}
		return modules[i]
	}
	if m := of(workspace.Absent(c.dir)); m != "" {
		return fmt.Sprintf("and a replace line in %s gives its module %s a folder without a go.mod, or its vendor folder has no such package: mend that", c.adds, m)
	}
	if c.modules == nil {
		cmd := exec.Command("go", "list", "-m")
		cmd.Dir, cmd.Env = c.dir, c.env
		out, _ := cmd.Output() // without it the advice is go get's
		c.modules = append([]string{}, strings.Fields(string(out))...)
	}
	if m := of(c.modules); m != "" {
		return fmt.Sprintf("and the module %s has none of this path: check the spelling of the import", m)
	}
	return fmt.Sprintf("whose module go.mod does not require: run `go get %s` in %s (the kernel fetches modules by itself, tests take those that go.mod pins)", path, c.adds)
}

// missing notes that a program needs a package whose module go.mod does not
// require, or a declaration of a cell that does. On the kernel, which fetches
// modules while it builds, such a cell may well run; a test uses what go.mod
// and go.sum pin, and says what to add to them.
func (c *Checker) missing(s *Session, p *Program) {
	if p.Compiles {
		for _, name := range p.Own.Names() {
			delete(s.lost, name)
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(p.Decls.Imports)) {
		i := p.Decls.Imports[key]
		if !c.absent[i.Path] {
			continue
		}
		where := "it uses"
		if len(i.At) > 0 && i.At[0].Cell == p.ID {
			where = fmt.Sprintf("line %d:", i.At[0].Line+1)
		}
		p.Missing = append(p.Missing, fmt.Sprintf("%s package %s, ", where, i.Path)+c.advice(i.Path))
	}
	if p.Missing != nil {
		for _, name := range p.Own.Names() {
			s.lost[name] = p.ID
		}
		return
	}
	for _, e := range p.Errors {
		name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
		if id := s.lost[name]; undefined && id != "" {
			text := fmt.Sprintf("it uses %s of cell %s, which could not be built: a module is missing, see there", name, id)
			if !slices.Contains(p.Missing, text) {
				p.Missing = append(p.Missing, text)
			}
		}
	}
}
