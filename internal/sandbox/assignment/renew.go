package assignment

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// renewal is the function of the judge's program that makes its package variables what they were at its start, so
// that no test finds what another has left in them. Its argument says whether the variables have been used.
const renewal = "marginalia_renew"

// renew adds the function renewal to the judge's declarations, and returns the variables that have to be zero before it is
// called. It sets variables in the order in which Go initialises them (The Go Programming Language Specification, "Package
// initialization"): that of the whole notebook, since what an initialiser may use of the answers it uses there too. Functions init
// become functions that it calls.
func (a *Assignment) renew(d *gonb.Decls) (variables []string) {
	var body strings.Builder
	at := []gonb.Origin{{}, {}}
	add := func(text string, from gonb.Origin) {
		body.WriteString(text + "\n")
		for range strings.Count(text, "\n") + 1 {
			at = append(at, from)
			from.Line++
		}
	}
	for _, i := range a.whole.Info.InitOrder {
		from := a.origin(a.whole, i.Rhs.Pos())
		if slices.ContainsFunc(a.Cells, func(c *Cell) bool { return c.ID == from.Cell && c.answer() }) {
			continue
		}
		var names []string
		blank := true
		for _, v := range i.Lhs {
			names = append(names, v.Name())
			blank = blank && v.Name() == "_"
		}
		if tv := a.whole.Info.Types[i.Rhs]; blank && (tv.Value != nil || tv.IsNil()) {
			continue
		}
		value := a.ofGuest(i.Rhs)
		if names[0] == a.student && a.student != "" {
			value = d.Vars[a.student].Value
		}
		add(strings.Join(names, ", ")+" = "+value, from)
	}
	add("}", gonb.Origin{})
	for _, key := range slices.Sorted(maps.Keys(d.Funcs)) {
		f := *d.Funcs[key]
		if f.Key != "init" && !f.IsInit() {
			continue
		}
		delete(d.Funcs, key)
		f.Text = strings.Replace(f.Text, f.Key, "marginalia_"+f.Key, 1)
		f.Key = "marginalia_" + f.Key
		d.Funcs[f.Key] = &f
		add(f.Key+"()", gonb.Origin{})
	}
	d.Funcs[renewal] = &gonb.Func{Key: renewal, Text: "func " + renewal + "(marginalia_used bool) {\nif marginalia_used {\n" + body.String() + "}", At: at}
	for _, key := range slices.Sorted(maps.Keys(d.Vars)) {
		if name := d.Vars[key].Name; name != "_" {
			variables = append(variables, name)
		}
	}
	return variables
}

// ofGuest returns the text of a part of the whole notebook in which calls that ask the guest stand for the answers' variables
// and constants, and the judge's own for time.After.
func (a *Assignment) ofGuest(n ast.Node) string {
	text, offset := a.whole.File().Text, func(pos token.Pos) int { return a.whole.Fset.PositionFor(pos, false).Offset }
	at := offset(n.Pos())
	var w strings.Builder
	for n := range ast.Preorder(n) {
		if a.isAfter(n) {
			w.WriteString(text[at:offset(n.Pos())] + "marginalia_after")
			at = offset(n.End())
		}
		if id, ok := n.(*ast.Ident); ok {
			if expr, ok := a.bridge.Value(a.whole.Info.Uses[id]); ok {
				w.WriteString(text[at:offset(id.Pos())] + expr)
				at = offset(id.End())
			}
		}
	}
	return w.String() + text[at:offset(n.End())]
}
