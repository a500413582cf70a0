package export

import (
	"cmp"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// declarations writes every declaration once, in the order of the notebook, and the
// main of each cell behind what the cell declares. Those of one line are sorted by
// name, so that the same notebook always becomes the same files.
func (g *generator) declarations() {
	type decl struct {
		at   gonb.Origin
		name string
		emit func()
	}
	var decls []decl
	put := func(at []gonb.Origin, name string, emit func()) { decls = append(decls, decl{at[0], name, emit}) }
	for _, t := range g.union.Types {
		put(t.At, t.Name, func() { g.write("type "+t.Text+"\n", t.At) })
	}
	for _, block := range g.union.ConstBlocks() {
		put(block[0].At, block[0].Name, func() { g.write(gonb.ConstDecl(block)) })
	}
	for key, v := range g.union.Vars { // each `_` has a key of its own
		if v.Tuple == nil || v.Tuple[0] == v {
			put(v.At, key, func() { g.variable(v) })
		}
	}
	for _, fn := range g.union.Funcs {
		put(slices.Concat(fn.DocAt, fn.At), fn.Key, func() { g.function(fn) })
	}
	for _, p := range g.programs {
		if p.shared() {
			put([]gonb.Origin{{Cell: p.ID, Line: math.MaxInt}}, "main", func() { g.main(p) })
		}
	}
	slices.SortFunc(decls, func(a, b decl) int {
		return cmp.Or(cmp.Compare(g.place[a.at.Cell], g.place[b.at.Cell]), cmp.Compare(a.at.Line, b.at.Line), strings.Compare(a.name, b.name))
	})
	for _, d := range decls {
		d.emit()
	}
}

var (
	notIdent = regexp.MustCompile(`[^A-Za-z0-9_]`)
	mainName = regexp.MustCompile(`^func\s+main\b`)
	blankEnd = regexp.MustCompile(`\n\s*\n}$`) // as GoNB ends what it makes of %%
)

// main writes the main of a cell as a function of its own name.
func (g *generator) main(p *unit) {
	name := g.fresh("cell_" + notIdent.ReplaceAllString(p.ID, "_"))
	g.mains[p.ID] = name
	text := mainName.ReplaceAllString(p.Main.Text, "func "+name)
	g.write(blankEnd.ReplaceAllString(text, "\n}")+"\n", p.Main.At)
}

// variable declares variables without their value, and a function that sets them.
func (g *generator) variable(v *gonb.Var) {
	if v.Blank() { // checked by the compiler, that is all
		g.write("var "+v.Spec()+"\n", v.At)
		return
	}
	set := ""
	for _, name := range v.Names() {
		if name == "_" {
			continue
		}
		typ := v.Type
		if typ == "" {
			typ = types.TypeString(g.owner[name].Pkg.Scope().Lookup(name).Type(), g.qualify)
		}
		g.write(fmt.Sprintf("var %s %s\n", name, typ), v.At[:1])
		if v.Value != "" {
			if set == "" {
				set = g.fresh("init_var_" + name)
			}
			g.initVar[name] = set
		}
	}
	if set != "" {
		g.write(fmt.Sprintf("func %s() { %s = %s }\n", set, strings.Join(v.Names(), ", "), v.Value), v.At)
	}
}

// qualify returns the name of a package in the files that import it.
func (g *generator) qualify(pkg *types.Package) string {
	if pkg.Path() == "main" { // the programs' own
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(g.imports)) {
		if g.imports[name] == pkg {
			return name
		}
	}
	name := g.fresh(pkg.Name())
	g.imports[name] = pkg
	return name
}

// function declares a function, an init function under a name of its own.
func (g *generator) function(fn *gonb.Func) {
	text := fn.Text
	switch {
	case fn.Key == "init":
		name := g.fresh("init_plain")
		g.initFn[fn.Key] = name
		text = strings.Replace(text, "init", name, 1)
	case fn.IsInit():
		g.initFn[fn.Key] = fn.Key
	}
	at := fn.At
	if len(fn.Doc) > 0 {
		text = strings.Join(fn.Doc, "\n") + "\n" + text
		at = append(slices.Clone(fn.DocAt), at...)
	}
	g.write(text+"\n", at)
}

// write appends text, whose lines come from at, to the program. A line directive stands before
// it, and again wherever the next line does not follow in the cell; within a
// raw string, where none can stand, GoNB's own lint has complained already.
func (g *generator) write(text string, at []gonb.Origin) {
	text = formatted(text)
	inside := gonb.InsideToken(text)
	last := gonb.Origin{}
	for i, line := range strings.SplitAfter(text, "\n") {
		if line == "" {
			continue
		}
		o := last
		o.Line++
		if i < len(at) && at[i].Cell != "" {
			o = at[i]
		}
		if (i == 0 || o != (gonb.Origin{Cell: last.Cell, Line: last.Line + 1})) && o.Cell != "" && !inside[i] {
			fmt.Fprintf(&g.body, "//line %s#%s:%d\n", g.notebook, o.Cell, o.Line+1)
		}
		g.body.WriteString(line)
		last = o
	}
	g.body.WriteByte('\n')
}

// formatted returns text as gofmt writes it, if that leaves every line where it is.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	old, lines := strings.Split(text, "\n"), strings.Split(string(out), "\n")
	same := slices.EqualFunc(old, lines, func(a, b string) bool {
		return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
	})
	if !same {
		return text
	}
	return string(out)
}
