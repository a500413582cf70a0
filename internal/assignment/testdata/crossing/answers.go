package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
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

func Dense(a *mat.Dense, b mat.Matrix, v *mat.VecDense) (*mat.Dense, mat.Matrix, mat.Vector) {
	r, c := a.Dims()
	var out mat.Dense
	out.Apply(func(i, j int, x float64) float64 { return x + b.At(i, j) }, a)
	a.Set(r-1, c-1, 99)
	v.SetVec(0, -v.AtVec(0))
	return &out, a.T(), a.RowView(0)
}

func Window(a *mat.Dense) *mat.Dense {
	w := a.Slice(1, 3, 1, 3).(*mat.Dense)
	w.Set(0, 0, 50)
	return w
}

func Symmetric(s *mat.SymDense) (mat.Symmetric, *mat.TriDense, *mat.DiagDense, *mat.BandDense) {
	n := s.SymmetricDim()
	s.SetSym(0, n-1, 3)
	t := mat.NewTriDense(n, mat.Lower, nil)
	d := mat.NewDiagDense(n, nil)
	b := mat.NewBandDense(n, n, 1, 1, nil)
	for i := range n {
		d.SetDiag(i, float64(i))
		for j := range i + 1 {
			t.SetTri(i, j, s.At(i, j))
		}
		if i > 0 {
			b.SetBand(i, i-1, s.At(i, i-1))
		}
	}
	return s, t, d, b
}

func Others() (*mat.SymBandDense, *mat.TriBandDense, *mat.Tridiag) {
	return mat.NewSymBandDense(3, 1, []float64{1, 2, 3, 4, 5, 0}), mat.NewTriBandDense(3, 1, mat.Upper, []float64{1, 2, 3, 4, 5, 0}), mat.NewTridiag(3, []float64{1, 2}, []float64{3, 4, 5}, []float64{6, 7})
}

func Kind(m mat.Matrix) (string, mat.Matrix) { return fmt.Sprintf("%T", m), m }

func Empty() (*mat.Dense, *mat.VecDense, mat.Matrix) { return &mat.Dense{}, nil, nil }

var ErrOwn = errors.New("own")

var ErrOther = fmt.Errorf("other: %w", ErrEmpty)

type OwnError struct{ Parts []string }

func (e OwnError) Error() string        { return strings.Join(e.Parts, "/") }
func (e OwnError) Is(target error) bool { return target == ErrOwn }

type hidden struct{ err error }

func (h hidden) Error() string { return "hidden " + h.err.Error() }
func (h hidden) Unwrap() error { return h.err }

func Fail(n int) error {
	switch n {
	case 0:
		return nil
	case 1:
		return ErrEmpty
	case 2:
		return fmt.Errorf("in Fail: %w", ErrShape)
	case 3:
		return &RowError{3, fmt.Errorf("deep: %w", ErrOwn)}
	case 4:
		return errors.Join(ErrOwn, &RowError{4, nil}, Code(7))
	case 5:
		return Code(7)
	case 6:
		return OwnError{[]string{"a", "b"}}
	case 7:
		return hidden{&RowError{7, ErrEmpty}}
	case 8:
		return fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)
	case 9:
		_, err := strconv.Atoi("x\xff")
		return err
	case 10:
		return errors.New("plain\nof two lines")
	case 11:
		var e *RowError
		return e
	case 12:
		return fmt.Errorf("two: %w, %w", ErrEmpty, io.EOF)
	case 13:
		return mat.Condition(1e17)
	case 14:
		return errors.Join(ErrOther, os.ErrNotExist)
	}
	return ErrOwn
}

func Until(f func(int) error) error {
	for i := 0; ; i++ {
		if err := f(i); err != nil {
			return fmt.Errorf("at %d: %w", i, err)
		}
	}
}

func IsHidden(err error) bool {
	var h hidden
	return errors.As(err, &h) && h.err != nil
}

func Judge(err error) string {
	var r *RowError
	var c Code
	return fmt.Sprint(err, errors.Is(err, ErrEmpty), errors.Is(err, ErrOwn), errors.Is(err, io.EOF), errors.As(err, &r), errors.As(err, &c), errors.Unwrap(err))
}

func Integrate(f func(float64) float64, a, b float64, n int) (sum float64) {
	for i := range n {
		sum += f(a + (b-a)*(float64(i)+0.5)/float64(n))
	}
	return sum * (b - a) / float64(n)
}

func Compose(fs ...func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func Tally() (add func(...int) int, get func() (n int, all []int)) {
	var all []int
	return func(x ...int) int { all = append(all, x...); return len(all) },
		func() (n int, _ []int) { return len(all), all }
}

func Ping(n int, pong func(int, func(int) int) int) int {
	if n == 0 {
		return 1
	}
	return n * pong(n-1, func(k int) int { return Ping(k, pong) })
}

func Sort(xs []int, less func(a, b int) bool) {
	slices.SortFunc(xs, func(a, b int) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return 0
	})
}

func During(xs []float64, look func([]float64, int)) {
	for i := range xs {
		xs[i]++
		look(xs, i)
	}
}

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

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}

func Map[A, B any](xs []A, f func(A) B) []B {
	var out []B
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Keys[K comparable, V any](m map[K]V) int { return len(m) }

func DivMod(a, b int) (q, r int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("divmod: %v", v)
		}
	}()
	q = a / b
	r = a % b
	return
}

func Long(n int) (string, []int) {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i * i
	}
	return strings.Repeat("ä\x00", n), xs
}

func Panics(n int, xs []int) int {
	xs[0] = n
	switch n {
	case 0:
		panic("words")
	case 1:
		panic(fmt.Errorf("wrapped: %w", ErrEmpty))
	case 2:
		panic(ErrOwn)
	case 3:
		panic(Point{1, math.Inf(1)})
	case 4:
		return xs[n]
	case 5:
		var m map[string]int
		m["a"] = 1
	case 6:
		var p *Node
		return len(p.Name)
	case 7:
		panic(3.5)
	case 8:
		var a any = "s"
		return a.(int)
	case 9:
		mat.NewDense(2, 2, nil).Mul(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil))
	case 10:
		panic(Celsius(-3))
	case 11:
		return 1 / (xs[0] - 11)
	case 12:
		panic(&RowError{12, ErrShape})
	case 14:
		var xs []int
		_ = make([]int, xs[0:n][0])
	}
	return -1
}

// Guard recovers from what f panics with.
func Guard(f func() int) (words string, err error) {
	defer func() {
		v := recover()
		words = fmt.Sprint(v)
		err, _ = v.(error)
	}()
	return fmt.Sprint(f()), nil
}

const Degree = 3

var Weights = []float64{1, 2, 3}

var calls int

func Change() int { calls++; Weights[0]++; return calls }
