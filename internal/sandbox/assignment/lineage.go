package assignment

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strings"

	"marginalia/internal/sandbox/guest/bridge"
)

// moves are functions of libraries that hand numbers on, or round to whole ones.
var moves = strings.Fields(`At AtVec Row Col RawRowView RowView ColView RawMatrix RawVector T TVec Dims Slice SliceVec NewDense NewVecDense NewSymDense NewDiagDense
	NewTriDense DenseCopyOf VecDenseCopyOf Copy CopyVec CloneFrom CloneFromVec Set SetVec SetRow SetCol SetSym Zero Reset Max Min MaxIdx MinIdx Reverse
	Abs Floor Ceil Trunc Round RoundToEven Copysign Inf NaN Signbit Len Count`)

// computes reports whether a function of a library returns, or writes, numbers that it has rounded.
func computes(callee *types.Func) bool {
	if callee.Pkg() == nil || slices.Contains(moves, callee.Name()) {
		return false
	}
	path := callee.Pkg().Path()
	return path == "math" || path == "math/cmplx" || strings.HasPrefix(path, "gonum.org/") || strings.HasPrefix(path, "marginalia/mlkit")
}

// A bearer is what has a lineage: a variable, or a result of a function of the notebook.
type bearer struct {
	types.Object
	result int // -1 is a variable, or all results
	deep   bool
}

// lineage returns that of the floats in an expression. Variables depend on each other in cycles, so theirs grow until
// nothing changes.
func (f *flow) lineage(e ast.Expr) lineage {
	for {
		l, bearers, changed := f.of(e, true), len(f.bearers), false
		for _, b := range f.bearers {
			if now := f.borne(b); now != f.values[b] {
				f.values[b], changed = now, true
			}
		}
		if !changed && len(f.bearers) == bearers {
			return l
		}
	}
}

// value is what is known of a bearer so far.
func (f *flow) value(b bearer) lineage {
	if _, ok := f.values[b]; !ok && b.Object != nil {
		f.values[b] = 0
		f.bearers = append(f.bearers, b)
	}
	return f.values[b]
}

// borne returns what follows for a bearer from what is known of others.
func (f *flow) borne(b bearer) (l lineage) {
	sources := f.sources[b.Object]
	if _, ok := b.Object.(*types.Func); ok {
		sources = f.results[b.Object]
	} else if len(sources) == 0 {
		l = handed
	}
	for _, s := range sources {
		call, isCall := ast.Unparen(s.Expr).(*ast.CallExpr)
		switch {
		case b.result >= 0 && s.result != b.result:
		case isCall && b.result < 0:
			l |= f.called(call, s.result, b.deep)
		default:
			l |= f.of(s.Expr, b.deep)
		}
	}
	return l | f.known[b.Object]
}

// of returns the lineage of an expression, as far as those of variables are known. Of a struct that is written out, deep has
// what its fields hold.
func (f *flow) of(e ast.Expr, deep bool) (l lineage) {
	tv := f.info.Types[e]
	if tv.Value != nil {
		return ofConstant(tv)
	}
	union := func(all ...ast.Expr) {
		for _, e := range all {
			l |= f.of(e, deep)
		}
	}
	object := func(obj types.Object) {
		if obj == nil {
			return
		}
		if f.assignment.side(obj) == bridge.Answer && obj.Parent() == f.assignment.whole.Pkg.Scope() {
			l |= ofAnswer
		} else {
			l |= f.value(bearer{obj, -1, deep})
		}
	}
	switch x := e.(type) {
	case *ast.Ident:
		object(f.info.ObjectOf(x))
	case *ast.ParenExpr:
		union(x.X)
	case *ast.StarExpr:
		union(x.X)
	case *ast.UnaryExpr:
		union(x.X)
	case *ast.SliceExpr:
		union(x.X)
	case *ast.TypeAssertExpr:
		union(x.X)
	case *ast.IndexExpr:
		union(x.X)
	case *ast.SelectorExpr:
		if field := f.field(x); field != nil {
			object(field)
			l |= f.of(x.X, false) & ofAnswer
		} else {
			object(f.info.ObjectOf(x.Sel))
		}
	case *ast.BinaryExpr:
		if union(x.X, x.Y); f.floats(x) && (l != 0 || x.Op == token.QUO) && !f.scales(x) {
			l |= rounded
		}
	case *ast.CompositeLit:
		if _, ok := tv.Type.Underlying().(*types.Struct); ok && !deep {
			return 0
		}
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if f.info.Types[e].Value == nil { // a constant in a list is data
				union(e)
			}
		}
	case *ast.FuncLit: // what it returns, if it is called
		for _, r := range f.returned(x.Type, x.Body) {
			union(r.Expr)
		}
	case *ast.CallExpr:
		return f.called(x, -1, deep)
	}
	return l
}

// scales reports whether an expression multiplies or divides by a power of two, which is exact.
func (f *flow) scales(x *ast.BinaryExpr) bool {
	power := func(e ast.Expr) bool {
		value := f.info.Types[e].Value
		if value == nil || value.Kind() != constant.Int && value.Kind() != constant.Float {
			return false
		}
		v, _ := constant.Float64Val(value)
		fraction, _ := math.Frexp(v)
		return math.Abs(fraction) == 0.5
	}
	return x.Op == token.MUL && (power(x.X) || power(x.Y)) || x.Op == token.QUO && power(x.Y)
}

// called returns the lineage of what a call returns, or of one of several results.
func (f *flow) called(x *ast.CallExpr, result int, deep bool) (l lineage) {
	if tv := f.info.Types[x]; tv.Value != nil {
		return ofConstant(tv)
	}
	args := func() {
		for _, arg := range x.Args {
			if f.floats(arg) {
				l |= f.of(arg, deep)
			}
		}
	}
	callee := f.callee(x)
	switch {
	case f.info.Types[x.Fun].IsType():
		args() // a number that was whole is exact
	case callee == nil: // a built-in, or a function that is a value
		if args(); !f.info.Types[x.Fun].IsBuiltin() {
			l |= f.of(x.Fun, deep)
		}
	case callee.Pkg() == f.assignment.whole.Pkg && f.assignment.side(callee) == bridge.Answer:
		l = ofAnswer
	case callee.Pkg() == f.assignment.whole.Pkg:
		l = f.value(bearer{callee, result, deep})
	default:
		args()
		if s, ok := x.Fun.(*ast.SelectorExpr); ok && callee.Signature().Recv() != nil {
			l |= f.of(s.X, deep)
		}
		if computes(callee) {
			l |= rounded
		} else if callee.Pkg() == nil || callee.Pkg().Path() != "math" {
			l |= handed
		}
	}
	return l
}

// ofConstant is 0 of a constant that a float holds with bits to spare, as 1.5 and 1e9: what comes to it comes to it exactly. 0.1 is
// rounded.
func ofConstant(tv types.TypeAndValue) lineage {
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsFloat == 0 {
		return 0
	}
	v, _ := constant.Float64Val(tv.Value)
	spare := 12
	if b.Kind() == types.Float32 {
		spare = 52 - 12
	}
	if m := math.Float64bits(v) & (1<<52 - 1); m != 0 && bits.TrailingZeros64(m) < spare {
		return rounded
	}
	return 0
}

// floats reports whether an expression has floats, or may lead to some.
func (f *flow) floats(e ast.Expr) bool {
	return hasFloats(f.info.TypeOf(e), map[types.Type]bool{})
}

func hasFloats(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Pointer:
		return hasFloats(u.Elem(), seen)
	case *types.Slice:
		return hasFloats(u.Elem(), seen)
	case *types.Array:
		return hasFloats(u.Elem(), seen)
	case *types.Map:
		return hasFloats(u.Elem(), seen) || hasFloats(u.Key(), seen)
	case *types.Struct:
		for v := range u.Fields() {
			if hasFloats(v.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if hasFloats(v.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		return t.String() == "gonum.org/v1/gonum/mat.Matrix"
	}
	return false
}
