package assignment

import (
	"maps"
	"regexp"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A names knows which names of the lecturer's notebook concern students' programs. A name that the release
// does not show is free for students to use, with any meaning.
type names struct {
	owners  map[string]*Cell        // of names that tests or students may mean, and of methods of such types
	shown   map[string]bool         // identifiers in the released code, and in code spans of its prose
	stubs   map[string]*gonb.Decls  // what released answers declare, by the cell
	imports map[string]*gonb.Import // of released cells
}

// releasedSetting, in metadata.marginalia of a notebook, says that its answers are stubs: all of it has been released.
const releasedSetting = "released"

// Released marks a notebook as one that students have: its answers hide nothing.
func Released(nb *nbformat.Notebook) {
	nb.Metadata = maps.Clone(nb.Metadata)
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	nb.Metadata["marginalia"] = map[string]any{releasedSetting: true}
}

// readNames finds out what students see of the names in the lecturer's notebook.
func (a *Assignment) readNames() error {
	nb, err := nbformat.Decode(a.notebook)
	if err != nil {
		return err
	}
	settings, _ := nb.Metadata["marginalia"].(map[string]any)
	if settings[releasedSetting] != true {
		clear := func(*nbformat.Notebook) ([]nbgrader.Removed, error) { return nbgrader.ClearSolutions(nb, nbgrader.Go) }
		for _, clear := range []func(*nbformat.Notebook) ([]nbgrader.Removed, error){clear, nbgrader.ClearHiddenTests, nbgrader.ClearMarkSchemes} {
			if _, err := clear(nb); err != nil {
				return err
			}
		}
	}
	n := names{owners: map[string]*Cell{}, shown: map[string]bool{}, stubs: map[string]*gonb.Decls{}, imports: map[string]*gonb.Import{}}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			for _, span := range codeSpan.FindAllString(c.Source, -1) {
				maps.Copy(n.shown, identifiers(span))
			}
			continue
		}
		maps.Copy(n.shown, identifiers(c.Source))
		meta, err := nbgrader.Read(c)
		if err != nil {
			return err
		}
		if d, err := declarations(idOf(meta, c), c.Source); err == nil && d != nil {
			n.stubs[idOf(meta, c)] = d
			maps.Copy(n.imports, d.Imports)
		}
	}
	for name, c := range a.names {
		of, method, isMethod := strings.Cut(name, "~")
		switch {
		case c.Meta.Kind() == nbgrader.Tests || strings.HasPrefix(name, "_~"):
		case !c.answer(), isMethod && !a.hides(n, of), !isMethod && !a.hides(n, name):
			n.owners[name] = c
		}
		if isMethod && n.shown[of] && n.shown[method] {
			n.shown[name] = true
		}
	}
	a.known = n
	return nil
}

// codeSpan is code in prose, in single quotes or as a block.
var codeSpan = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")

// hides reports whether an answer declares a name that neither tests nor students can mean.
func (a *Assignment) hides(n names, name string) bool {
	c := a.names[name]
	return c != nil && c.answer() && !n.shown[name] && !a.bridge.Needs(name)
}

// owner returns the cell of the lecturer's notebook that a name of students' programs belongs to, nil if it is free.
func (a *Assignment) owner(name string) *Cell { return a.known.owners[name] }
