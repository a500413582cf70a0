package bridge_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"marginalia/internal/sandbox/guest/bridge"
	"marginalia/internal/testkit/must"
)

// problems joins the judge and the guest of a program. What begins with Answer is an answer's, what begins
// with Test a test's; a method is where its name says, the rest is given.
func problems(t *testing.T, text string) []bridge.Problem {
	t.Helper()
	fset := token.NewFileSet()
	file := must.Get(parser.ParseFile(fset, "p.go", "package main\n"+text, 0)).Or(t)
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
		Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("main", fset, []*ast.File{file}, info)
	must.Do(t, err)
	_, all := bridge.New(pkg, info, file, func(o types.Object) bridge.Side {
		switch {
		case strings.HasPrefix(o.Name(), "Answer"):
			return bridge.Answer
		case strings.HasPrefix(o.Name(), "Test"):
			return bridge.Test
		}
		return bridge.Given
	})
	return all
}

// What can't cross is refused, by name.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func AnswerF(c chan int) {}\nfunc TestX() { AnswerF(nil) }", "AnswerF: a channel"},
		{"type box struct{ c []chan int }\nfunc AnswerF() (b box) { return }\nfunc TestX() { AnswerF() }", "AnswerF: a channel"},
		{"import \"unsafe\"\nfunc AnswerF(p unsafe.Pointer) {}\nfunc TestX() { AnswerF(nil) }", "AnswerF: an unsafe.Pointer"},
		{"import \"sync\"\ntype box struct{ mu sync.Mutex }\nfunc AnswerF(*box) {}\nfunc TestX() { AnswerF(nil) }", "AnswerF: a sync.Mutex"},
		{"func AnswerF(interface{ M() }) {}\nfunc TestX() { AnswerF(nil) }", "AnswerF: interface{M()} has no name"},
		{"type AnswerT[E any] struct{ e E }\nfunc TestX() { _ = AnswerT[int]{} }", "AnswerT is a generic type"},
		{"type AnswerT = int\nfunc TestX() { _ = AnswerT(1) }", "AnswerT is an alias"},
		{"type AnswerT interface{ M() }\nfunc TestX() { var _ AnswerT }", "AnswerT is an interface"},
		{"func AnswerF[E any](e E) {}\nfunc TestX[E any](e E) { AnswerF(e) }", "AnswerF is used for the type parameters of another function"},
		{"func AnswerF() int { return 1 }\nvar x = AnswerF()", "AnswerF is used when the program starts"},
		{"func AnswerF() int { return 1 }\nfunc given() int { return AnswerF() }\nvar x = func() int { return given() }()", "AnswerF is used when the program starts"},
		{"func AnswerF() int { return 1 }\nfunc init() { AnswerF() }", "AnswerF is used when the program starts"},
		{"var AnswerV = 1\nvar x = AnswerV + 1", "AnswerV is used when the program starts"},
		{"var AnswerV = 1\nfunc TestX() { AnswerV = 2 }", "AnswerV is the student's program's, and is set here"},
		{"var AnswerV = []int{1}\nfunc given() { AnswerV[0]++ }", "AnswerV is the student's program's, and is set here"},
		{"var AnswerV = 1\nfunc TestX() { p := &AnswerV; _ = p }", "AnswerV is the student's program's, and is set here"},
		{"var v = 1\nfunc AnswerF() int { return v }\nfunc TestX() { v = 2; AnswerF() }", "v is set here, and answers and tests have one each"},
		{"var v = map[string]int{}\nfunc AnswerF() { v[\"a\"] = 1 }\nfunc TestX() { AnswerF(); _ = v }", "v is set here, and answers and tests have one each"},
		{"type AnswerT struct{ W int }\nfunc TestX() { p := new(AnswerT); _ = p.W }", "AnswerT.W is a field of a type that an answer declares"},
		{"type AnswerT struct{ W int }\nfunc TestX() { _ = AnswerT{3} }", "AnswerT{…} has fields of a type that an answer declares"},
		{"type AnswerT struct{ W int }\nfunc TestX() { var a, c AnswerT; _ = a == c }", "two values of AnswerT, a type that an answer declares, are compared"},
		{"type AnswerT struct{ W int }\nfunc TestX() { var a AnswerT; c := a; _ = &c }", "a value of AnswerT, a type that an answer declares, is copied"},
		{"type AnswerT struct{ W int }\nfunc TestX() { p := new(AnswerT); _ = []AnswerT{*p} }", "a value of AnswerT, a type that an answer declares, is copied"},
		{"type AnswerT struct{ W int }\nfunc TestX() { p := new(AnswerT); _ = append([]AnswerT(nil), *p) }", "a value of AnswerT, a type that an answer declares, is copied"},
	} {
		if all := problems(t, c.text); len(all) != 1 || !strings.HasPrefix(all[0].Text, c.want) {
			t.Errorf("%s\n%v, want %s…", c.text, all, c.want)
		}
	}
}

// What looks like it, and crosses.
func TestTaken(t *testing.T) {
	for _, text := range []string{
		"func AnswerF(x ...float64) (sum float64) { return }\nvar x = func() float64 { return AnswerF(1) }\nvar y = AnswerF\nfunc TestX() { x(); y() }",
		"type iface interface{ M() error }\nfunc AnswerF(iface) {}\nfunc TestX() { AnswerF(nil) }",
		"func AnswerF[E int | float64](e E) E { return e }\nfunc TestX() { AnswerF(1); AnswerF(2.5) }",
		"type AnswerT struct{ c chan int }\nfunc (t *AnswerT) AnswerM() {}\nfunc TestX() { (&AnswerT{}).AnswerM() }",
		"var AnswerV = []int{1}\nvar v = 1\nfunc AnswerF() int { return v }\nfunc given() int { v++; return v }\nfunc TestX() { w := AnswerV; w[0] = v + AnswerF() + given() }",
		"type AnswerT struct{ W int }\nfunc AnswerNew() (t AnswerT) { return }\nfunc TestX() { a, c := AnswerNew(), AnswerNew(); p := &a; _, _ = p == &c, AnswerT{} }",
	} {
		if all := problems(t, text); len(all) != 0 {
			t.Errorf("%s\n%v", text, all)
		}
	}
}
