package notebooks

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
)

// A section can be taught with those alone that it needs: its cells use names that these declare, or
// cells outside of all sections, such as the helpers at a lecture's beginning.
func TestSectionsStandAlone(t *testing.T) {
	c := readCourse(t)
	for file, nb := range notebooks(t) {
		for _, fault := range c.strangers(t, file, nb) {
			t.Error(fault)
		}
	}
}

// The names of a section that it does not need are found, those of sections it needs are not, nor are a
// variable of a cell's own and a field.
func TestStrangers(t *testing.T) {
	code := func(id, source string) *nbformat.Cell {
		return &nbformat.Cell{ID: id, Type: "code", Source: source, Metadata: map[string]any{}}
	}
	section := func(id, heading string, after ...any) *nbformat.Cell {
		return &nbformat.Cell{ID: id, Type: "markdown", Source: heading, Metadata: map[string]any{"marginalia": map[string]any{"after": after}}}
	}
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{
		code("helpers", "func help() int { return 1 }"),
		section("one", "## 1. One"), code("a", "func first() int { return help() }"),
		section("two", "## 2. Two"), code("b", "type box struct{ first int }\n\n%%\nb := box{first: help()}\nfirst := b.first\n_ = first"),
		section("three", "## 3. Three", "#One"), code("c", "%%\n_ = first()"),
		section("four", "## 4. Four"), code("d", "%%\n_ = first()"),
	}}
	course, faults := newCourse(outline("x.ipynb", nb))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	got := course.strangers(t, "x.ipynb", nb)
	want := []string{`x.ipynb, cell d: first is declared in cell a of section 1, which section 4 does not need by metadata.marginalia.after: move it to a section that both need, or to the helpers`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// strangers says which names the sections of a lecture use and only others of its sections declare.
func (c course) strangers(t *testing.T, file string, nb *nbformat.Notebook) (faults []string) {
	t.Helper()
	type place struct{ section, cell string }
	declared := map[string]place{}
	in := map[string]int{} // the section of a cell
	for _, k := range c.of(file) {
		for _, cell := range c.sections[k].cells {
			in[cell.ID] = k
		}
	}
	for _, n := range nb.Cells {
		if n.Type != "code" {
			continue
		}
		decls, main, err := gonb.Read(n.ID, n.Source).Parse()
		if err != nil {
			continue // one that shows an error
		}
		k, within := in[n.ID]
		if within {
			f, err := parser.ParseFile(token.NewFileSet(), "", decls.Compose(main).Text, 0)
			if err != nil {
				t.Fatalf("%s, cell %s: %v", file, n.ID, err)
			}
			seen := map[string]bool{}
			for _, id := range f.Unresolved {
				p, ok := declared[id.Name]
				if !ok || seen[id.Name] {
					continue
				}
				seen[id.Name] = true
				needs := slices.ContainsFunc(append(c.before(k), k), func(j int) bool {
					return c.sections[j].file == file && c.sections[j].number == p.section
				})
				if !needs {
					faults = append(faults, file+", cell "+n.ID+": "+id.Name+" is declared in cell "+p.cell+" of section "+p.section+", which section "+c.sections[k].number+
						" does not need by metadata.marginalia.after: move it to a section that both need, or to the helpers")
				}
			}
		}
		for _, name := range decls.Names() {
			if within {
				declared[name] = place{c.sections[k].number, n.ID}
			} else {
				delete(declared, name)
			}
		}
	}
	return faults
}
