package gonb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A File is Go source with the origin of each of its lines.
type File struct {
	Text    string
	Origins []Origin
}

// writer builds a File line by line.
type writer struct {
	text    strings.Builder
	origins []Origin
}

func (w *writer) file() File { return File{w.text.String(), w.origins} }

// emit appends text, all of whose lines come from one place.
func (w *writer) emit(text string, at Origin) {
	w.text.WriteString(text)
	for range strings.Count(text, "\n") {
		w.origins = append(w.origins, at)
	}
}

// block appends text line i of which comes from at[i].
func (w *writer) block(text string, at []Origin) {
	w.text.WriteString(text)
	lines := strings.Count(text, "\n")
	w.origins = append(w.origins, at[:min(lines, len(at))]...)
	w.origins = append(w.origins, make([]Origin, max(0, lines-len(at)))...)
}

// Compose writes the program as GoNB writes its main.go: imports, types,
// constants, variables, functions, each sorted by key, and main. The order
// matters: package variables are initialised and init functions run in it.
func (d *Decls) Compose(main *Func) File {
	var w writer
	w.emit("package main", Origin{})
	for _, key := range slices.Sorted(maps.Keys(d.Imports)) {
		if i := d.Imports[key]; i.Added {
			w.emit(fmt.Sprintf("; import %s %q", i.Alias, i.Path), Origin{})
		}
	}
	w.emit("\n\n", Origin{})
	d.compose(&w, true)
	w.emit("\n", Origin{})
	w.block(main.Text+"\n", main.At)
	return w.file()
}

// Source returns the text of a cell with these declarations.
func (d *Decls) Source() string {
	var w writer
	d.compose(&w, false)
	return w.text.String()
}

// compose writes the declarations, for a program or as they were read.
func (d *Decls) compose(w *writer, program bool) {
	if len(d.Imports) > 0 {
		w.emit("import (\n", Origin{})
		for _, key := range slices.Sorted(maps.Keys(d.Imports)) {
			i := d.Imports[key]
			if i.Added {
				continue
			}
			alias := i.Alias
			if alias != "" {
				alias += " "
			}
			w.block(fmt.Sprintf("\t%s%q\n", alias, i.Path), i.At)
		}
		w.emit(")\n\n", Origin{})
	}
	if len(d.Types) > 0 {
		for _, key := range slices.Sorted(maps.Keys(d.Types)) {
			w.block("type "+d.Types[key].Text+"\n", d.Types[key].At)
		}
		w.emit("\n", Origin{})
	}
	for _, block := range d.ConstBlocks() {
		w.block(ConstDecl(block))
		w.emit("\n", Origin{})
	}
	if len(d.Vars) > 0 {
		w.emit("var (\n", Origin{})
		for _, key := range slices.Sorted(maps.Keys(d.Vars)) {
			v := d.Vars[key]
			if v.Tuple == nil || v.Tuple[0] == v {
				w.block("\t"+v.Spec()+"\n", v.At)
			}
			if program && v.Blank() { // which GoNB reads anew after goimports, under another key
				w.block("\t"+v.Spec()+"\n", v.At)
			}
		}
		w.emit(")\n\n", Origin{})
	}
	for _, key := range slices.Sorted(maps.Keys(d.Funcs)) {
		f := d.Funcs[key]
		text := f.Text
		if program && f.IsInit() {
			text = strings.Replace(text, f.Key, "init", 1)
		}
		if len(f.Doc) > 0 {
			w.block(strings.Join(f.Doc, "\n")+"\n", f.DocAt)
		}
		w.block(text+"\n", f.At)
		w.emit("\n", Origin{})
	}
}

// IsInit reports whether f is an init_* function, which GoNB renders as func init.
func (f *Func) IsInit() bool { return strings.HasPrefix(f.Key, "init_") }

// ConstBlocks returns the constants in the blocks they were declared in, the
// blocks sorted by their first name. As in GoNB, a block is found by its head
// alone: one whose head was removed or redefined is lost.
func (d *Decls) ConstBlocks() [][]*Const {
	var blocks [][]*Const
	for _, key := range slices.Sorted(maps.Keys(d.Consts)) {
		c := d.Consts[key]
		if c.prev != nil {
			continue
		}
		var block []*Const
		for ; c != nil; c = c.next {
			block = append(block, c)
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// ConstDecl returns the declaration of a block, and the origin of each of its lines.
func ConstDecl(block []*Const) (text string, at []Origin) {
	var w writer
	if len(block) == 1 {
		w.block("const "+block[0].spec()+"\n", block[0].At)
	} else {
		w.emit("const (\n", Origin{})
		for _, c := range block {
			w.block("\t"+c.spec()+"\n", c.At)
		}
		w.emit(")\n", Origin{})
	}
	return w.text.String(), w.origins
}

func (c *Const) spec() string { return spec(c.Name, c.Type, c.Value) }

// Spec returns the text behind `var`: names, type and value.
func (v *Var) Spec() string { return spec(strings.Join(v.Names(), ", "), v.Type, v.Value) }

// Blank reports whether v is that of a `var _ = …`, with no name declared.
func (v *Var) Blank() bool {
	return !slices.ContainsFunc(v.Names(), func(name string) bool { return name != "_" })
}

// Names returns the variables that are declared together with v, v included.
func (v *Var) Names() []string {
	if v.Tuple == nil {
		return []string{v.Name}
	}
	var names []string
	for _, o := range v.Tuple {
		names = append(names, o.Name)
	}
	return names
}

func spec(names, typ, value string) string {
	if typ != "" {
		names += " " + typ
	}
	if value != "" {
		names += " = " + value
	}
	return names
}

// Head returns the first constant of the group in which a constant was declared, "" if there
// is no such constant. The constant is lost if another declaration has replaced the first, or
// %rm has removed it: GoNB finds the group by it.
func (d *Decls) Head(name string) (head string, lost bool) {
	c := d.Consts[name]
	if c == nil {
		return "", false
	}
	for c.prev != nil {
		c = c.prev
	}
	return c.Name, d.Consts[c.Name] != c
}
