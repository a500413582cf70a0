package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Where Python's habits lead without an error, in a call that go vet has nothing to say of.

const matPath = "gonum.org/v1/gonum/mat"

var prints = regexp.MustCompile(`^(?:P|Fp|Sp)rint(?:f|ln)?$`)

// own returns the findings in a file.
func own(fset *token.FileSet, file *ast.File, info *types.Info) (found []Finding) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		say := func(format string, args ...any) {
			found = append(found, Finding{fset.Position(call.Pos()).Line, fmt.Sprintf(format, args...)})
		}
		switch fun := called(call, info).(type) {
		case *types.Builtin:
			if name := fun.Name(); name == "print" || name == "println" {
				say("%s writes to the error stream: fmt.Println prints", name)
			}
		case *types.Func:
			if fun.Pkg() == nil || fun.Pkg().Path() != "fmt" || !prints.MatchString(fun.Name()) {
				return true
			}
			if strings.HasSuffix(fun.Name(), "f") && !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return printsValues(info.Types[arg].Value) }) {
				return true
			}
			for _, arg := range call.Args {
				if t := info.TypeOf(arg); isMatrix(t) && (!types.IsInterface(t) || ofGonum(arg, info)) {
					it, named := "it", "…"
					if name, ok := arg.(*ast.Ident); ok {
						it, named = name.Name, reference(t)+name.Name
					}
					say("fmt.%s prints the fields of a %s: as the last line of a cell %s is a table, and mat.Formatted(%s) is its text",
						fun.Name(), types.TypeString(t, (*types.Package).Name), it, named)
					break
				}
			}
		}
		return true
	})
	return found
}

// typeOf are the verbs that print the type of a value, or where it is.
var typeOf = regexp.MustCompile(`%[^%a-zA-Z]*[Tp]`)

// printsValues reports whether a format prints nothing but values.
func printsValues(format constant.Value) bool {
	return format != nil && format.Kind() == constant.String && strings.Contains(constant.StringVal(format), "%") && !typeOf.MatchString(constant.StringVal(format))
}

// ofGonum reports whether a value comes from a call of gonum/mat, as A.T() does. Another interface may hold a type
// of the cell's own, which has a text.
func ofGonum(x ast.Expr, info *types.Info) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun, ok := called(call, info).(*types.Func)
	return ok && fun.Pkg() != nil && fun.Pkg().Path() == matPath
}

// called returns what a call calls by its name, nil for others.
func called(call *ast.CallExpr, info *types.Info) types.Object {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return info.Uses[fun]
	case *ast.SelectorExpr:
		return info.Uses[fun.Sel]
	}
	return nil
}

// isMatrix reports whether a type is one of gonum/mat, or a pointer to one, that has dimensions. None of
// them has a text.
func isMatrix(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != matPath {
		return false
	}
	dims, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), "Dims")
	return dims != nil
}

// reference is what stands before a value of a type to make it a matrix, which pointers are.
func reference(t types.Type) string {
	if _, isStruct := t.Underlying().(*types.Struct); isStruct {
		return "&"
	}
	return ""
}
