package kernel

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/notebook/cursor"
)

// A Question asks which names may stand at a place, or what the name there is. Package complete answers it, in a
// program of its own, since it has the type checker.
type Question struct {
	Main, Earlier string            // the files of package cursor
	Offsets       []int             // in Main: of the cursor or, for what a name is, of the names to try
	Exports       map[string]string // the files with the export data of what these import, by import path
	Packages      []string          // the names of packages that cells can import
	Prefix        int               // code points of the name before the cursor
}

// Ask returns the question about a place in a cell that was not executed: at is the number of code points before it. The host
// has loaded the files that it names. It returns false if there is no name.
func (k *Kernel) Ask(cell string, at int, inspect bool) (q Question, ok bool, err error) {
	p, ok := cursor.Find(cell, at)
	if !ok || p.Comment && !inspect {
		return q, false, nil
	}
	q.Main, q.Earlier = p.Files(k.session.Decls(), k.find)
	shift := len(q.Main) - len(p.File) // of all lines but the first
	for q.Prefix < p.At && cursor.InName(p.Text[p.At-1-q.Prefix]) {
		q.Prefix++
	}
	if !inspect || p.OnName() {
		q.Offsets = append(q.Offsets, p.Offset+shift)
	}
	for inspect && p.Outwards() {
		q.Offsets = append(q.Offsets, p.Offset+shift)
	}
	if len(q.Offsets) == 0 {
		return q, false, nil
	}
	q.Exports, err = k.exports(q.Main, q.Earlier)
	names := map[string]bool{}
	for _, p := range k.m.Packages {
		names[p.Name] = names[p.Name] || p.Exports != nil
	}
	for name, ok := range names {
		if ok {
			q.Packages = append(q.Packages, name)
		}
	}
	slices.Sort(q.Packages)
	return q, err == nil, err
}

// find returns the package that a name means; of the members only one that is being typed may be none.
func (k *Kernel) find(name string, members []string) string {
	path, ok := k.m.Find(name, slices.DeleteFunc(slices.Clone(members), func(m string) bool { return m == "" || !token.IsExported(m) }))
	if !ok {
		path, _ = k.m.Find(name, nil)
	}
	return path
}

// exports loads the export data of what files import, as far as cells can.
func (k *Kernel) exports(files ...string) (map[string]string, error) {
	found := map[string]manifest.File{}
	for _, text := range files {
		f, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly) // as far as it parses
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if _, ok := k.m.PackageName(path); err == nil && ok {
				found[path] = k.m.Packages[path].Export
			}
		}
	}
	dir, err := k.host.Load(slices.Collect(maps.Values(found)))
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for path, file := range found {
		names[path] = filepath.Join(dir, file.Name)
	}
	return names, nil
}
