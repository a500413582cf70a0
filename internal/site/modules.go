package site

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/notebook/nbformat"
)

// What cells of a course import is built for pages beside what those of the lectures do: the packages of its modules,
// and what else its notebooks name. A package that can't be built keeps no page from being made.

// importable is what the cells of a course import.
type importable struct {
	wanted map[string][]string          // by notebook
	beside map[string]*toolchain.Beside // by the folder where notebooks find packages
	from   map[string]string            // these folders, by the folder of notebooks
}

// imported finds the packages that cells of a course may import.
func (b *book) imported() (p importable, err error) {
	p = importable{map[string][]string{}, map[string]*toolchain.Beside{}, map[string]string{}}
	for _, file := range b.goNotebooks() {
		nb, err := nbformat.Read(file)
		if err != nil {
			return p, err
		}
		rel, in, from := b.rel(file), filepath.Dir(file), b.root
		if i, ok := b.imports[in]; ok {
			from = i.from
		}
		if p.beside[from] == nil {
			patterns, err := b.imports[in].patterns(b.dir)
			if err != nil {
				return p, err
			}
			p.beside[from] = &toolchain.Beside{Dir: from, Patterns: patterns, Hidden: b.hides}
		}
		p.from[path.Dir(rel)], p.wanted[rel] = from, toolchain.Imported(nb)
		p.beside[from].Patterns = append(p.beside[from].Patterns, p.wanted[rel]...)
	}
	return p, nil
}

// buildPackages builds the tools and packages in a folder. It returns the folders of the book whose notebooks'
// cells do not run.
func (b *book) buildPackages(ctx context.Context, dir, python string) (still map[string]bool, err error) {
	p, err := b.imported()
	if err != nil {
		return nil, err
	}
	var all []*toolchain.Beside
	for _, from := range slices.Sorted(maps.Keys(p.beside)) {
		all = append(all, p.beside[from])
	}
	m, err := toolchain.Build(ctx, b.root, dir, toolchain.Packages, python, all...)
	if err != nil {
		return nil, err
	}
	return b.still(p, m), nil
}

// still returns the folders whose notebooks' cells do not run, and notes what cells lack.
func (b *book) still(p importable, m *manifest.Manifest) map[string]bool {
	still := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(p.from)) {
		if fault := p.beside[p.from[folder]].Fault; fault != nil {
			still[folder] = true
			b.faults = append(b.faults, fmt.Errorf("%s: the cells of its notebooks do not run in their pages: %w", folder, fault))
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(p.wanted)) {
		for _, path := range p.wanted[rel] {
			if why := m.Lacking[path]; why != "" && m.Packages[path] == nil {
				b.faults = append(b.faults, fmt.Errorf("%s: cells that use %s do not run in its page: %s", rel, path, why))
			}
		}
	}
	return still
}

// goNotebooks are the notebooks of a course in Go.
func (b *book) goNotebooks() (files []string) {
	for _, file := range b.lectures {
		if nb, err := nbformat.Read(file); b.course() && err == nil && languageOf(nb) == "go" {
			files = append(files, file)
		}
	}
	return files
}

// patterns are those of the packages of a course's modules that lie in its folder.
func (i imports) patterns(dir string) (patterns []string, err error) {
	if i.modules == nil {
		return nil, nil
	}
	for _, home := range i.modules.Dirs {
		text, err := os.ReadFile(filepath.Join(home, "go.mod"))
		if err != nil {
			return nil, err
		}
		name, below := modfile.ModulePath(text), "."
		if rel, err := filepath.Rel(home, dir); err == nil && filepath.IsLocal(rel) { // the course is a part of the module
			below = filepath.ToSlash(rel)
		} else if rel, err := filepath.Rel(dir, home); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		patterns = append(patterns, path.Join(name, below, "..."))
	}
	return patterns, nil
}

// hides reports whether the site must not have what a folder has: the site leaves it out, or, if it lies elsewhere,
// it has what an assignment's students may not see.
func (b *book) hides(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel := b.rel(dir); filepath.IsLocal(rel) {
		return !b.holds(path.Join(rel, "x.go"))
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if lecturersFolder(dir) {
			return true
		}
	}
	return false
}
