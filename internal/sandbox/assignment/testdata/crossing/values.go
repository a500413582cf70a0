package main

import (
	"fmt"
	"slices"
	"strings"
)

func Basic(a All) (All, *All) { b := a; b.hid++; return a, &b }

func Text(s string) (string, []byte, []rune) { return s + s, []byte(s), []rune(s) }

func Floats(x []float64) []float64 { return slices.Clone(x) }

func Single(x []float32) []float32 { return slices.Clone(x) }

func Nils(s []int, m map[string]int, p *int, f func(), e error, a any, b []byte) ([]int, map[string]int, *int, func(), error, any, []byte) {
	return s, m, p, f, e, a, b
}

func Kinds(a any) string { return fmt.Sprintf("%T %v", a, a) }

func Echo(a any) any { return a }

func Turn(a [3]Point, m map[Point][]string) ([3]Point, map[Point][]string) {
	a[0], a[2] = a[2], a[0]
	m[a[0]] = append(m[a[0]], "first")
	delete(m, a[1])
	return a, m
}

func Link(a, b *Node, all []*Node) *Node {
	a.Left, a.Right = b, a
	b.Name += "!"
	all[0].Tags["new"] = []int{len(all)}
	all[1].Inner.Grid[1][2] = -7
	x := 2.5
	a.Inner.Ptr, b.Inner.Ptr = &x, &x
	return b
}

func Cross(x *float64, xs []float64, in *[4]float64) (*float64, []float64) {
	*x += 1
	xs[0] *= 2
	in[3] = -1
	return &in[2], in[1:3]
}

func Append(xs []int) []int { return append(xs, 7, 8) }

func Fill(a, b []float64) {
	for i := range a {
		a[i] += 1
	}
	for i := range b {
		b[i] *= 10
	}
}

func Replace(s *[]string, m *map[string]int) {
	*s = append(*s, "more")
	*m = map[string]int{"fresh": 1}
}

func Spare(n int) []int { return make([]int, n, 3*n) }

func Long(n int) (string, []int) {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i * i
	}
	return strings.Repeat("ä\x00", n), xs
}

const Degree = 3

var Weights = []float64{1, 2, 3}

var calls int

func Change() int { calls++; Weights[0]++; return calls }
