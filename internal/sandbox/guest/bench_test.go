package guest_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/sandbox/guest"
)

// What a call costs, in the interpreter and compiled: nothing crosses, 1000 numbers, a matrix, and
// a call back for each of 40,000 pairs. In each but the last the student's function does next to nothing.
//
//	MARGINALIA_TEST=long go test ./internal/sandbox/guest -run '^$' -bench Call -benchmem
func BenchmarkCall(b *testing.B) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		in := start(b, b.Context(), mode)
		w, n := make([]float64, 1000), 0
		m := mat.NewDense(200, 200, nil)
		x, k, K := make([]float64, 200), func(a, b float64) float64 { return a * b }, []float64(nil)
		for _, c := range []struct {
			name, f       string
			args, results []any
		}{
			{"empty", "Goroutines", []any{&n}, []any{&n}},
			{"1000 numbers", "First", []any{&w}, []any{&w}},
			{"matrix 200x200", "Matrix", []any{&m}, []any{&m}},
			{"40000 callbacks", "Gram", []any{&x, &k}, []any{&K}},
		} {
			b.Run(fmt.Sprint([]string{"interpreted ", "compiled "}[mode], c.name), func(b *testing.B) {
				for b.Loop() {
					if err := in.End.Call(c.f, c.args, c.results); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
