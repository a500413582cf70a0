package assignment

import (
	"go/ast"
	"go/token"
	"go/types"

	"marginalia/internal/sandbox/guest/bridge"
)

// A lineage is what is known of a number's last bits.
type lineage int

const (
	ofAnswer lineage = 1 << iota // an answer has returned it
	rounded                      // a test or a given cell has computed it, and rounded
	handed                       // it was only handed on: data, or a library's
)

// A flow follows numbers through the cells of a notebook. It knows which expressions a variable may hold, in
// whatever order the program assigns them.
type flow struct {
	assignment *Assignment
	info       *types.Info
	sources    map[types.Object][]held
	known      map[types.Object]lineage
	results    map[types.Object][]held // of functions
	passed     map[types.Object]bool   // to an answer
	values     map[bearer]lineage
	bearers    []bearer // with values
}

// A held is an expression that a variable may hold, or one of a call's results.
type held struct {
	ast.Expr
	result int // of several, -1 otherwise
}

func newFlow(a *Assignment) *flow {
	f := &flow{a, a.whole.Info, map[types.Object][]held{}, map[types.Object]lineage{}, map[types.Object][]held{}, map[types.Object]bool{}, map[bearer]lineage{}, nil}
	for n := range ast.Preorder(a.whole.Syntax) {
		f.visit(n)
	}
	for n := range ast.Preorder(a.whole.Syntax) {
		if call, ok := n.(*ast.CallExpr); ok {
			f.literal(call)
		}
	}
	delete(f.passed, nil) // what is no variable
	return f
}

// visit notes what a node assigns.
func (f *flow) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			f.assign(to, heldBy(n.Rhs, len(n.Lhs))[i])
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && f.floats(to) {
				f.known[f.root(to)] |= rounded
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) > 0 {
				f.assign(name, heldBy(n.Values, len(n.Names))[i])
			}
		}
	case *ast.RangeStmt:
		for _, to := range []ast.Expr{n.Key, n.Value} {
			if to != nil {
				f.assign(to, held{n.X, -1})
			}
		}
	case *ast.CompositeLit:
		s, ok := f.info.TypeOf(n).Underlying().(*types.Struct)
		for i, e := range n.Elts {
			kv, isKey := e.(*ast.KeyValueExpr)
			switch {
			case !ok:
			case isKey:
				f.assign(kv.Key, held{kv.Value, -1})
			case i < s.NumFields():
				f.sources[s.Field(i)] = append(f.sources[s.Field(i)], held{e, -1})
			}
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.FuncDecl:
		if n.Body != nil {
			f.results[f.info.Defs[n.Name]] = f.returned(n.Type, n.Body)
		}
	}
}

// call notes what a call assigns: parameters of a function of the notebook, or what a library's function writes to.
func (f *flow) call(n *ast.CallExpr) {
	callee := f.callee(n)
	if callee == nil {
		return
	}
	sig, _ := callee.Type().(*types.Signature)
	switch {
	case sig == nil:
	case callee.Pkg() == f.assignment.whole.Pkg:
		for i, arg := range n.Args {
			if f.assignment.side(callee) == bridge.Answer {
				f.passed[f.place(arg)] = true
			} else if sig.Params().Len() > 0 {
				p := sig.Params().At(min(i, sig.Params().Len()-1))
				f.sources[p] = append(f.sources[p], held{arg, -1})
			}
		}
	case computes(callee) && sig.Results().Len() == 0:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && sig.Recv() != nil { // G.Mul(X, Y)
			f.known[f.root(s.X)] |= rounded
		} else if len(n.Args) > 0 { // floats.Add(x, y)
			f.known[f.root(n.Args[0])] |= rounded
		}
	}
}

// literal notes what a call of a variable assigns: parameters of the function that it holds.
func (f *flow) literal(n *ast.CallExpr) {
	id, ok := n.Fun.(*ast.Ident)
	if !ok {
		return
	}
	for _, source := range f.sources[f.info.Uses[id]] {
		fun, ok := source.Expr.(*ast.FuncLit)
		if !ok {
			continue
		}
		i := 0
		for _, field := range fun.Type.Params.List {
			for _, name := range field.Names {
				if i < len(n.Args) {
					f.assign(name, held{n.Args[i], -1})
				}
				i++
			}
		}
	}
}

// assign notes that a variable may hold a value: the variable itself, or the one that it is a part of.
func (f *flow) assign(to ast.Expr, value held) {
	for _, obj := range []types.Object{f.root(to), f.field(to)} {
		if obj != nil {
			f.sources[obj] = append(f.sources[obj], value)
		}
	}
}

// root is the variable in which an expression lies.
func (f *flow) root(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return f.info.ObjectOf(x)
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// place is the field of a variable that an expression names, or is a part of, or the variable.
func (f *flow) place(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			if field := f.field(e); field != nil {
				return field
			}
			return f.root(e)
		}
	}
}

func (f *flow) field(e ast.Expr) types.Object {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if v, ok := f.info.Uses[s.Sel].(*types.Var); ok && v.IsField() {
			return v
		}
	}
	return nil
}

// callee is the function or method that a call names, nil if it calls a value.
func (f *flow) callee(n *ast.CallExpr) *types.Func {
	fun := ast.Unparen(n.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	callee, _ := f.info.Uses[id].(*types.Func)
	if callee != nil {
		callee = callee.Origin()
	}
	return callee
}

// heldBy are n values that some expressions have.
func heldBy(values []ast.Expr, n int) (all []held) {
	for i := range n {
		if len(values) == n {
			all = append(all, held{values[i], -1})
		} else {
			all = append(all, held{values[0], i})
		}
	}
	return all
}

// returned are what a function may return, each with the number of its result, without those of functions in it.
func (f *flow) returned(typ *ast.FuncType, body *ast.BlockStmt) (all []held) {
	n := 0
	if typ.Results != nil {
		n = typ.Results.NumFields()
		i := 0
		for _, field := range typ.Results.List {
			for _, name := range field.Names { // for a return without values
				all = append(all, held{name, i})
				i++
			}
		}
	}
	ast.Inspect(body, func(node ast.Node) bool {
		if r, ok := node.(*ast.ReturnStmt); ok && len(r.Results) == n {
			for i, e := range r.Results {
				all = append(all, held{e, i})
			}
		} else if ok && len(r.Results) == 1 {
			for i := range n {
				all = append(all, held{r.Results[0], i})
			}
		}
		_, inner := node.(*ast.FuncLit)
		return !inner
	})
	return all
}
