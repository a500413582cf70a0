package site

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"marginalia/internal/testkit/must"
)

// A field belongs to the type that declares it, also if another is made of that one, generic or not,
// whichever file comes first.
func TestFieldOf(t *testing.T) {
	const declared, made = "package p\n\ntype One[M any] struct{ Binary M }\n\ntype Plain struct{ Rate float64 }\n", "package p\n\ntype Probable[M any] One[M]\n\ntype Same Plain\n\ntype Int One[int]\n"
	for _, sources := range [][]string{{declared, made}, {made, declared}} {
		set := token.NewFileSet()
		var files []*ast.File
		for _, source := range sources {
			files = append(files, must.Get(parser.ParseFile(set, "", source, 0)).Or(t))
		}
		pkg := must.Get(new(types.Config).Check("p", set, files, nil)).Or(t)
		l := &library{fields: map[*types.Package]map[*types.Var]string{}}
		for typ, want := range map[string]string{"One": "One.Binary", "Probable": "One.Binary", "Int": "One.Binary", "Plain": "Plain.Rate"} {
			field := pkg.Scope().Lookup(typ).Type().Underlying().(*types.Struct).Field(0)
			if got := l.field(field.Origin()); got != want {
				t.Errorf("the field of %s is %q, want %q", typ, got, want)
			}
		}
	}
}
