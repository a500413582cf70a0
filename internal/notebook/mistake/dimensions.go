package mistake

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"

	"marginalia/internal/notebook/gonb"
)

// constructor is the function of gonum that has panicked, if it makes a matrix of data.
var constructor = regexp.MustCompile(`^goroutine [^\n]*\n(?:panic\([^\n]*\n[^\n]*\n)?gonum\.org/v1/gonum/mat\.(New\w+)\(`)

// product is the method of gonum that has panicked, if it multiplies.
var product = regexp.MustCompile(`^goroutine [^\n]*\n(?:panic\([^\n]*\n[^\n]*\n)?gonum\.org/v1/gonum/mat\.\(\*\w+\)\.Mul(?:Vec)?\(`)

// dimensionHint is the hint for gonum's "dimension mismatch", from the stack.
func (f Failure) dimensionHint(stack string, places []Place) string {
	if product.MatchString(stack) {
		return "A·B needs as many columns of A as rows of B; Dims says how many there are"
	}
	made := firstGroup(constructor, stack)
	if made == "" {
		return "the matrices or vectors have other dimensions than this needs; Dims says how many there are"
	}
	if made == "NewDense" && len(places) > 0 {
		if rows, columns, n, ok := f.literal(places[0]); ok {
			return fmt.Sprintf("%d rows of %d are %d values, and the data has %d", rows, columns, rows*columns, n)
		}
	}
	return "the data of " + made + " has another number of values than the matrix or vector"
}

// literal reads the numbers of mat.NewDense(rows, columns, []float64{…}) in a line.
func (f Failure) literal(p Place) (rows, columns, n int, ok bool) {
	source, _ := f.Cells(p.Count)
	file := gonb.Read("cell", source).File()
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", file.Text, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, 0, false
	}
	found := 0
	for node := range ast.Preorder(parsed) {
		call, is := node.(*ast.CallExpr)
		if !is || len(call.Args) != 3 || file.Origins[fset.Position(call.Pos()).Line-1].Line != p.Line-1 {
			continue
		}
		made, is := call.Fun.(*ast.SelectorExpr)
		data, literal := call.Args[2].(*ast.CompositeLit)
		r, okR := number(call.Args[0])
		c, okC := number(call.Args[1])
		if is && made.Sel.Name == "NewDense" {
			if found++; literal && okR && okC {
				rows, columns, n, ok = r, c, len(data.Elts), true
			}
		}
	}
	return rows, columns, n, ok && found == 1 && n != rows*columns
}

// number is the value of an integer literal.
func number(e ast.Expr) (int, bool) {
	literal, ok := e.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(literal.Value)
	return n, err == nil
}
