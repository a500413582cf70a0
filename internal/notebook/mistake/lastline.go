package mistake

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

const noUse = " is not used"

// withoutUnused leaves out that the last expression of the cell is not used, if something else is wrong in
// it: without that it would show itself.
func (f Failure) withoutUnused(e Explanation) Explanation {
	source, _ := f.Cells(f.Count)
	from := lastStatement(source)
	inLast := func(m Mistake) bool {
		return from > 0 && len(m.Places) > 0 && m.Places[0].Count == f.Count && m.Places[0].Line >= from
	}
	if !slices.ContainsFunc(e, func(m Mistake) bool { return inLast(m) && !strings.HasSuffix(m.Message, noUse) }) {
		return e
	}
	return slices.DeleteFunc(e, func(m Mistake) bool { return inLast(m) && strings.HasSuffix(m.Message, noUse) })
}

// lastStatement returns the line in which the last statement behind %% begins, 0 if there is none.
func lastStatement(source string) int {
	lines := strings.Split(source, "\n")
	for k := len(lines) - 1; k >= 0; k-- {
		if !strings.HasPrefix(lines[k], "%%") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "", "package p\nfunc _() {\n"+strings.Join(lines[k+1:], "\n")+"\n}", parser.SkipObjectResolution)
		if err != nil {
			return 0
		}
		if list := file.Decls[0].(*ast.FuncDecl).Body.List; len(list) > 0 {
			return set.Position(list[len(list)-1].Pos()).Line + k - 1 // line 3 is the one behind line k
		}
	}
	return 0
}
