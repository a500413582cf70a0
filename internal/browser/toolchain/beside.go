package toolchain

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
)

// Beside are packages that cells may import beside those of the repository: a course's.
type Beside struct {
	Dir      string   // where the go command finds them, and those of the repository
	Patterns []string // of the packages
	// Hidden reports whether pages must not have the package in a folder, whatever imports it.
	Hidden func(dir string) bool

	// Fault is set by Build: why the manifest has none of these packages.
	Fault error
}

// collect lists the packages of patterns and those beside them, and notes which pages lack. Their versions
// are those that the first of beside chooses.
func collect(ctx context.Context, root string, m *manifest.Manifest, patterns []string, beside []*Beside) ([]listed, error) {
	from, found := root, make([][]listed, len(beside))
	for i, o := range beside {
		if len(o.Patterns) == 0 { // the go command would take the folder's package
			continue
		}
		var err error
		if found[i], err = run(ctx, o.Dir, environ(o.Dir), append([]string{"-e", "--"}, o.Patterns...)); err != nil {
			for _, path := range o.Patterns {
				m.Lacking[path] = words(err.Error())
			}
		} else if from == root {
			from = o.Dir
		}
	}
	packages, err := list(ctx, from, environ(from), patterns)
	if err != nil && from != root {
		for i, o := range beside {
			o.Fault, found[i] = err, nil
		}
		packages, err = list(ctx, root, environ(root), patterns)
	}
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	for _, p := range packages {
		dirs[p.ImportPath] = p.Dir
	}
	for i, o := range beside {
		more := o.take(found[i], dirs, m.Lacking)
		for _, p := range more {
			dirs[p.ImportPath] = p.Dir
		}
		packages = append(packages, more...)
	}
	for path, why := range m.Lacking { // of these a kernel knows what else may be meant
		if strings.Contains(why, " is not in std") {
			delete(m.Lacking, path)
		}
	}
	return packages, nil
}

// take returns the packages that pages can have and that are not among those in dirs, the folders by import
// path, and notes why they can't have the others. All have what they import before them.
func (o *Beside) take(all []listed, dirs, lacking map[string]string) (more []listed) {
	for _, p := range all {
		known, ok := dirs[p.ImportPath]
		switch {
		case ok && p.Dir != "" && known != p.Dir:
			o.Fault = fmt.Errorf("its %s is another than that of the rest, and a site has one", p.ImportPath)
			return nil
		case ok || p.ImportPath == "unsafe" || p.Name == "main":
			continue
		}
		if why := o.lacks(p, lacking); why != "" {
			lacking[p.ImportPath] = why
		} else {
			more = append(more, p)
		}
	}
	return more
}

// lacks says why pages can't have a package, "" if they can.
func (o *Beside) lacks(p listed, lacking map[string]string) string {
	if o.Hidden != nil && p.Dir != "" && o.Hidden(p.Dir) {
		return "it lies in a folder that the site leaves out"
	}
	if p.Error != nil {
		if p.needsC() {
			return "it needs cgo"
		}
		return words(p.Error.Err)
	}
	for _, path := range p.paths() {
		if why := lacking[path]; why != "" {
			return path + " is missing: " + why
		}
	}
	if p.Export == "" {
		return "the go command has not compiled it"
	}
	return ""
}

// Imported returns the packages that cells of notebooks import, sorted.
func Imported(notebooks ...*nbformat.Notebook) []string {
	paths := map[string]bool{}
	for _, nb := range notebooks {
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			decls, _, err := gonb.Read(c.ID, c.Source).Parse()
			if err != nil { // the cell says so when it runs
				continue
			}
			for _, i := range decls.Imports {
				if i.Path != "C" && module.CheckImportPath(i.Path) == nil {
					paths[i.Path] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// needsC reports whether all files of a package were left out, and one of them is C, too.
func (p listed) needsC() bool {
	return len(p.GoFiles) == 0 && slices.ContainsFunc(p.IgnoredGoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// words are the first words of the go command, without the folders of this computer, which a site tells nobody.
func words(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "toolchain: ") && !strings.HasPrefix(line, "go: downloading ") {
			line = strings.NewReplacer("; ", ", ", ": import lookup disabled by -mod=readonly", "").Replace(line)
			return folder.ReplaceAllString(line, "$1$2")
		}
	}
	return "the go command does not say why"
}

// folder matches the folder of a file: of an absolute path, of one that begins with a dot, and of a Go file.
var folder = regexp.MustCompile(`(^|[\s("'])(?:\.{0,2}/[^\s:)"']*/|[^\s:)"']*/([^\s:/)"']+\.go:))`)
