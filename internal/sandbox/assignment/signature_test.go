package assignment

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"marginalia/internal/testkit/must"
)

// Types that are the same have the same text, by whichever of Go's names they are called. Others have another.
func TestSignature(t *testing.T) {
	const source = `package p

type T struct{}

func F1(a []byte, b rune, c any, d map[string]any, e chan byte) (f [2]int32) { return }
func F2(x []uint8, y int32, z interface{}, m map[string]interface{}, n chan uint8) [2]rune { panic(0) }
func F3[A, B any](A, ...B) {}
func F4[B interface{}, A interface{}](x B, y ...A) {}
func F5(a []byte, b rune, c any, d map[string]any, e <-chan byte) (f [2]int32) { return }
func F6(a []byte, b rune, c any, d map[string]error, e chan byte) (f [2]int32) { return }
func F7[A, B comparable](A, ...B) {}
func F8[A any, B interface{ ~int }](A, ...B) {}
func (T) M(interface{}) {}
func (*T) N(any) {}
`
	fset := token.NewFileSet()
	f := must.Get(parser.ParseFile(fset, "", source, parser.SkipObjectResolution)).Or(t)
	p := must.Get((&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, nil)).Or(t)
	same := map[string]int{"F1": 1, "F2": 1, "F3": 2, "F4": 2, "F5": 3, "F6": 4, "F7": 5, "F8": 6}
	for a, i := range same {
		for b, k := range same {
			x, y := signature(p.Scope().Lookup(a)), signature(p.Scope().Lookup(b))
			if (x == y) != (i == k) {
				t.Errorf("%s is %s, %s is %s", a, x, b, y)
			}
		}
	}
}
