package program

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// The last expression behind %%, %%time or %%bench shows itself, as in other notebooks. The program calls
// marginalia/show with it, on the same line, so that no line of a program moves. Columns move behind the
// expression alone, and only where it has no error of its own, since one with an error stays as it is.

// ShowPath is the package whose Value shows the last expression, and ShowName its name in programs, with a
// mark behind it where a cell has that word.
const (
	ShowPath = "marginalia/show"
	ShowName = "marginalia_show"
)

// ShowLast has a program, the text of its file, show its last expression. It returns nil if the program
// has none that shows itself. It is not sure where that depends on a package that imp does not have.
func ShowLast(name string, text []byte, imp types.Importer) (edited []byte, sure bool) {
	s, sure := parseLast(name, text, imp)
	if s == nil {
		return nil, sure
	}
	edited = s.wrap(text, 0)
	return slices.Insert(edited, s.at(s.file.Name.End()), []byte("; import "+s.name+" "+strconv.Quote(ShowPath))...), true
}

// ShowLast has the program show its last expression, if that shows itself, by the types that imp has.
func (p *Program) ShowLast(imp types.Importer) {
	if s, _ := parseLast(p.FileName(), []byte(p.File().Text), imp); s != nil {
		p.show(s)
	}
}

// Shown returns the last expression of a function of a checked program if that shows itself, nil if not. opened
// says that the function is what stands behind %%; otherwise it is looked whether it begins as that does.
func (p *Program) Shown(f *ast.FuncDecl, opened bool) ast.Expr {
	list := f.Body.List
	if !opened {
		list = behind(list)
	}
	if e := lastOf(list); e != nil && shows(e, p.Info, p.Errors) {
		return e
	}
	return nil
}

// show has the program show an expression of its file.
func (p *Program) show(s *shown) {
	expr := strings.Fields(p.File().Text[s.at(s.expr.Pos()):s.at(s.expr.End())])
	p.Shows = fmt.Sprintf("%s, line %d: %s", p.ID, p.File().Origins[s.fset.PositionFor(s.expr.Pos(), false).Line-1].Line+1, strings.Join(expr, " "))
	main, decls := *p.Main, *p.Decls
	main.Text = string(s.wrap([]byte(main.Text), len(p.File().Text)-len(main.Text)-1)) // it ends the file
	decls.Imports = maps.Clone(decls.Imports)
	decls.Imports[s.name] = &gonb.Import{Path: ShowPath, Alias: s.name, Added: true}
	p.Main, p.Decls, p.file = &main, &decls, gonb.File{}
}

// shown is an expression that shows itself.
type shown struct {
	fset *token.FileSet
	file *ast.File
	expr ast.Expr
	name string // of the package that shows it
}

func newShown(fset *token.FileSet, file *ast.File, expr ast.Expr, text string) *shown {
	name := ShowName
	for strings.Contains(text, name) {
		name += "_"
	}
	return &shown{fset, file, expr, name}
}

func (s *shown) at(p token.Pos) int { return s.fset.PositionFor(p, false).Offset }

// wrap puts a call of Value around the expression, in a text that begins at an offset of the file.
func (s *shown) wrap(text []byte, begin int) []byte {
	from, to := s.at(s.expr.Pos())-begin, s.at(s.expr.End())-begin
	return slices.Concat(text[:from], []byte(s.name+".Value("), text[from:to], []byte(")"), text[to:])
}

// parseLast returns the last expression of a program if that shows itself, nil if not. It is not sure
// where that depends on a package that imp does not have.
func parseLast(name string, text []byte, imp types.Importer) (s *shown, sure bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil || last(f) == nil {
		return nil, true
	}
	lacking := &lacks{Importer: imp}
	var errors []types.Error
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: lacking, FakeImportC: true, Error: func(err error) {
		errors = append(errors, err.(types.Error)) // as types.Config has it
	}}
	_, _ = conf.Check("main", fset, []*ast.File{f}, info) // the compiler says what is wrong
	if shows(last(f), info, errors) && can(lacking) {
		return newShown(fset, f, last(f), string(text)), true
	}
	return nil, !lacking.some
}

// can reports whether a program can import the package that shows values: not where a notebook's module
// does not require marginalia.
func can(imp types.Importer) bool {
	_, err := imp.Import(ShowPath)
	return err == nil
}

// lacks notes whether a package was missing.
type lacks struct {
	types.Importer
	some bool
}

func (l *lacks) Import(path string) (*types.Package, error) {
	p, err := l.Importer.Import(path)
	l.some = l.some || err != nil
	return p, err
}

// last returns the expression that is the last statement behind %%, nil if there is none.
func last(f *ast.File) ast.Expr {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Recv == nil && d.Name.Name == "main" && d.Body != nil {
			return lastOf(behind(d.Body.List))
		}
	}
	return nil
}

func lastOf(list []ast.Stmt) ast.Expr {
	for _, s := range slices.Backward(list) {
		if _, empty := s.(*ast.EmptyStmt); empty { // of semicolons
			continue
		}
		if s, ok := s.(*ast.ExprStmt); ok && !prints.MatchString(types.ExprString(s.X)) {
			return s.X
		}
		return nil
	}
	return nil
}

// behind returns the statements of a main function that stand behind %%, %%time or %%bench, nil if a cell
// writes it out. A call of package stays may stand before what opens it.
func behind(list []ast.Stmt) []ast.Stmt {
	for i, s := range list[:min(2, len(list))] {
		switch s := s.(type) {
		case *ast.DeferStmt:
			if types.ExprString(s.Call) == "marginalia_timing.Start()()" {
				return list[i+1:]
			}
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			switch f := types.ExprString(call.Fun); {
			case f == "flag.Parse":
				return list[i+1:]
			case f == "marginalia_timing.Repeat" && len(call.Args) == 1:
				if f, ok := call.Args[0].(*ast.FuncLit); ok {
					return f.Body.List
				}
			}
		}
	}
	return nil
}

// prints are the calls that end most cells: they need no types.
var prints = regexp.MustCompile(`^fmt\.(Print|Println|Printf)\(`)

// shows reports whether the value of the last expression shows itself: one that Go refuses as not used, or
// the result of a call. One with an error of its own does not, so that the compiler's words stay.
func shows(e ast.Expr, info *types.Info, errors []types.Error) bool {
	var own []types.Error
	for _, err := range errors {
		if e.Pos() <= err.Pos && err.Pos < e.End() {
			own = append(own, err)
		}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.FuncLit: // brackets behind it are missing
		return false
	case *ast.UnaryExpr:
		if x.Op == token.ARROW { // it waits
			return false
		}
	case *ast.CallExpr:
		if f := info.Types[x.Fun]; !f.IsType() && !f.IsBuiltin() {
			return len(own) == 0 && returns(x, info)
		}
	}
	v := info.Types[e]
	return v.IsValue() && len(own) == 1 && strings.HasSuffix(own[0].Msg, "is not used") && passes(v)
}

// passes reports whether a value can be an argument: a constant without a type may be too large for the
// type that it would get.
func passes(v types.TypeAndValue) bool {
	b, ok := v.Type.(*types.Basic)
	if !ok || v.Value == nil {
		return true
	}
	switch b.Kind() {
	case types.UntypedInt:
		_, ok = constant.Int64Val(v.Value)
	case types.UntypedRune:
		r, exact := constant.Int64Val(v.Value)
		ok = exact && r == int64(rune(r))
	case types.UntypedFloat:
		x, _ := constant.Float64Val(v.Value)
		ok = !math.IsInf(x, 0)
	}
	return ok
}

// returns reports whether a call returns something to show. An error alone is not, nor is what a
// function returns that prints, reads or writes: how many bytes, and whether that went well.
func returns(call *ast.CallExpr, info *types.Info) bool {
	var results []string
	switch t := info.Types[call].Type.(type) {
	case nil:
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			results = append(results, v.Type().String())
		}
	default:
		results = []string{t.String()}
	}
	count := len(results) == 2 && (results[0] == "int" || results[0] == "int64") && results[1] == "error" && transfers.MatchString(called(call.Fun))
	return !count && slices.ContainsFunc(results, func(t string) bool { return t != "error" && t != "invalid type" })
}

// transfers are the names of functions that print, read, write or copy.
var transfers = regexp.MustCompile(`^([FS]?[Pp]rint|[FS]?[Ss]can|[Ww]rite|[Rr]ead|[Cc]opy)`)

// called is the last name of a function that is called.
func called(f ast.Expr) string {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
