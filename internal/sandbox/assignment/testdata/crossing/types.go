package main

import (
	"fmt"
	"math"
)

type linear struct{ a float64 }

func (l linear) K(x, y float64) float64 { return l.a * x * y }

func NewKernel(a float64) Kernel {
	if a < 0 {
		return Gauss{-a}
	}
	return linear{a}
}

func Gram(k Kernel, x []float64) (g [][]float64) {
	for _, a := range x {
		var row []float64
		for _, b := range x {
			row = append(row, k.K(a, b))
		}
		g = append(g, row)
	}
	return g
}

type steps struct{ n int }

func (s *steps) Next(step ...int) (n int) {
	if len(step) == 0 {
		step = []int{1}
	}
	for _, k := range step {
		s.n += k
	}
	return s.n
}
func (s *steps) Reset() error {
	if s.n == 0 {
		return ErrEmpty
	}
	s.n = 0
	return nil
}

func NewCounter() Counter { return &steps{} }

func Twice(c Counter) (Counter, int) { return c, c.Next(2) + c.Next() }

type Perceptron struct {
	w    []float64
	bias float64
	seen int
}

func NewPerceptron(n int) *Perceptron { return &Perceptron{w: make([]float64, n)} }

func (p *Perceptron) Fit(x [][]float64, y []float64) error {
	if len(x) != len(y) {
		return fmt.Errorf("fit: %w", ErrShape)
	}
	for range 10 {
		for i := range x {
			if p.Predict(x[i]) != y[i] {
				for j := range p.w {
					p.w[j] += y[i] * x[i][j]
				}
				p.bias += y[i]
				p.seen++
			}
		}
	}
	return nil
}

func (p Perceptron) Predict(x []float64) float64 {
	s := p.bias
	for j := range p.w {
		s += p.w[j] * x[j]
	}
	return math.Copysign(1, s)
}

func (p *Perceptron) Mistakes() int     { return p.seen }
func (p Perceptron) Weights() []float64 { return p.w }
func (p Perceptron) String() string     { return fmt.Sprintf("w=%v b=%g", p.w, p.bias) }

func (p Perceptron) Trained(seen int) Perceptron { p.seen = seen; return p }

func Several(n int) []Perceptron { return make([]Perceptron, n) }

func Total(all []Perceptron) (n int) {
	for _, p := range all {
		n += p.seen
	}
	return n
}

func Best(all []*Perceptron, by map[string]*Perceptron) (Perceptron, *Perceptron) {
	all[0].seen = 100
	by["new"] = all[1]
	return *all[0], by["new"]
}
