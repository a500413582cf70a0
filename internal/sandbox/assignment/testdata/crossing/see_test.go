package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"
)

func hex(xs []float64) (s string) {
	for _, x := range xs {
		s += fmt.Sprintf(" %016x", math.Float64bits(x))
	}
	return s
}

func TestBasic(t *testing.T) {
	for _, a := range []All{{}, {true, math.MinInt64, -128, -32768, math.MinInt32, math.MinInt64, math.MaxUint64, 255, 65535, math.MaxUint32, math.MaxUint64, 1 << 63,
		math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64, complex(1, float32(math.Inf(-1))), complex(math.NaN(), math.Copysign(0, -1)), "a\x00\xff\xc3(ü\u2028", '\U0010ffff', 'y', 5}} {
		b, p := Basic(a)
		t.Logf("%+v", b)
		t.Logf("%#v", *p)
		t.Log(b == a, p.hid, math.Signbit(imag(b.C128)))
	}
	for _, s := range []string{"", "plain", "\xff\xfe", "a\xc3", "\xed\xa0\x80", "\x00", "日本語\n\t\"", string(rune(0xfffd))} {
		two, b, r := Text(s)
		t.Logf("%q %x %v %t %d %d", two, b, r, r == nil, len(two), len(b))
	}
}

func TestFloats(t *testing.T) {
	x := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0x7ff8000000000123), math.Float64frombits(0xfff0000000000001), math.MaxFloat64, 5e-324, 0.1}
	t.Log(hex(Floats(x)))
	f := []float32{0, float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc00123), float32(math.Inf(-1)), 1e-45}
	for _, v := range Single(f) {
		t.Logf("%08x", math.Float32bits(v))
	}
	m := map[float64]int{math.NaN(): 1, math.Copysign(0, -1): 2, math.Inf(1): 3}
	t.Log(Keys(m), m)
}

func TestNils(t *testing.T) {
	s, m, p, f, e, a, b := Nils(nil, nil, nil, nil, nil, nil, nil)
	t.Log(s == nil, m == nil, p == nil, f == nil, e == nil, a == nil, b == nil)
	n := 0
	s, m, p, f, e, a, b = Nils([]int{}, map[string]int{}, &n, func() { n++ }, ErrEmpty, []int(nil), []byte{})
	t.Log(s == nil, m == nil, p == nil, f == nil, e == nil, a == nil, b == nil)
	t.Logf("%#v %#v %v %#v %#v %d %d", s, m, p == &n, a, b, len(s), cap(s))
	f()
	f()
	t.Log(n, *p, e == ErrEmpty)
	var none *int
	a = Echo(none)
	t.Logf("%T %v", a, a == nil)
	k, ok := Echo(Kernel(nil)).(Kernel)
	t.Log(k, ok)
}

func TestInterfaceValues(t *testing.T) {
	for _, a := range []any{nil, 1, int8(-1), 2.5, float32(1) / 3, "s\xff", true, 'x', byte(1), 1i, complex64(2), uintptr(7), Point{1, 2}, &Point{3, 4}, Celsius(1.5), []float64{1, math.NaN()}, [][]float64{{1}, nil}, map[string]any{"a": 1, "b": []any{nil, "x"}},
		All{S: "x"}, Gauss{2}, &Gauss{3}, Code(3)} {
		t.Log(Kinds(a))
		b := Echo(a)
		t.Logf("%T %+v %t", b, deref(b), reflect.TypeOf(a) == reflect.TypeOf(b))
	}
	p := &Point{1, 2}
	t.Log(Echo(p) == any(p), Echo(*p) == any(*p), Echo("x") == any("x"))
}

func deref(a any) any {
	switch p := a.(type) {
	case *Point:
		return *p
	case *Gauss:
		return *p
	}
	return a
}

func TestComposites(t *testing.T) {
	a := [3]Point{{1, 2}, {3, 4}, {5, 6}}
	m := map[Point][]string{{3, 4}: {"gone"}, {5, 6}: nil, {7, math.Inf(1)}: {}}
	b, n := Turn(a, m)
	t.Log(a, b, len(m), m, n)
	n[Point{}] = nil
	t.Log(len(m), len(n), m[Point{7, math.Inf(1)}] == nil, m[Point{}] == nil)
	x, y := &Node{Name: "x", Tags: map[string][]int{}}, &Node{Name: "y", Any: 3}
	y.Left, x.Any = x, y
	r := Link(x, y, []*Node{x, y, x})
	t.Log(r == y, x.Left == y, x.Right == x, y.Left == x, x.Any == any(y), y.Name, x.Tags, y.Inner.Grid, x.Inner.Ptr == y.Inner.Ptr, *x.Inner.Ptr)
	*r.Inner.Ptr = 9
	t.Log(*x.Inner.Ptr, *y.Inner.Ptr)
}

func TestAliases(t *testing.T) {
	in := [4]float64{1, 2, 3, 4}
	p, s := Cross(&in[0], in[:2], &in)
	t.Log(in, *p, s, len(s), cap(s), p == &in[2], &s[0] == &in[1])
	s[1] = 77
	t.Log(in, *p)
	base := []int{1, 2, 3, 4, 5, 6}
	short := base[1:3]
	more := Append(short)
	t.Log(base, short, more, len(more), cap(more), &more[0] == &base[1])
	more[0] = -1
	t.Log(base, short)
	full := base[0:2:2]
	more = Append(full)
	more[0] = 100
	t.Log(base, more)
	x := []float64{1, 2, 3, 4, 5}
	Fill(x[:3], x[2:])
	t.Log(x)
	Fill(x, x)
	t.Log(x)
	ss, mm := []string{"a"}, map[string]int{"old": 1}
	old := mm
	Replace(&ss, &mm)
	t.Log(ss, mm, old)
	three := Spare(2)
	t.Log(three, len(three))
}

func TestMatrices(t *testing.T) {
	a := mat.NewDense(3, 3, []float64{1, 2, 3, 4, math.NaN(), 6, 7, math.Inf(-1), 9})
	v := mat.NewVecDense(2, []float64{math.Copysign(0, -1), 2})
	out, tr, row := Dense(a, a.T(), v)
	t.Logf("%v %v %T %v %T %v", mat.Formatted(out), mat.Formatted(tr), tr, mat.Formatted(row), row, v.RawVector())
	a.Set(0, 1, -5)
	t.Log(tr.At(1, 0), row.AtVec(1), hex(a.RawMatrix().Data))
	_, tr, _ = Dense(mat.NewDense(1, 1, []float64{2}), mat.NewSymDense(1, []float64{3}), v)
	t.Log(mat.Formatted(tr), v.AtVec(0))
	b := mat.NewDense(4, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	w := Window(b)
	t.Logf("%+v %v", w.RawMatrix(), b.RawMatrix().Data)
	w.Set(1, 1, -1)
	t.Log(b.At(2, 2))
	w = Window(b.Slice(1, 4, 0, 3).(*mat.Dense))
	t.Log(w.RawMatrix().Stride, mat.Formatted(b), mat.Formatted(w))
	col := b.ColView(1).(*mat.VecDense)
	Dense(b, b, col)
	t.Log(mat.Formatted(b), col.RawVector())
	s := mat.NewSymDense(3, []float64{1, 2, 3, 0, 4, 5, 0, 0, 6})
	sym, tri, diag, band := Symmetric(s)
	t.Logf("%t %v %v %v %v", sym == mat.Symmetric(s), s.RawSymmetric(), tri.RawTriangular(), diag.RawBand(), band.RawBand())
	sb, tb, td := Others()
	t.Logf("%v %v %v %v", sb.RawSymBand(), tb.RawTriBand(), mat.Formatted(td), mat.Formatted(sb))
	d, n, none := Empty()
	t.Log(d.IsEmpty(), d.RawMatrix().Data == nil, n == nil, none == nil)
	for _, m := range []mat.Matrix{a, v, s, tri, diag, band, sb, tb, td, a.T(), v.T(), tri.TTri(), band.TBand(), (*mat.Dense)(nil), nil} {
		kind, back := Kind(m)
		t.Logf("%s %T %t", kind, back, m == back)
	}
	var chol mat.Cholesky
	t.Log(chol.Factorize(mat.NewSymDense(2, []float64{4, 1, 1, 3})))
	kind, back := Kind(&chol)
	t.Log(kind, mat.Formatted(back))
}

func TestErrors(t *testing.T) {
	for n := range 16 {
		err := Fail(n)
		if err == nil || n == 11 {
			t.Log(n, err == nil)
			continue
		}
		var row *RowError
		var code Code
		var own OwnError
		var num *strconv.NumError
		var cond mat.Condition
		t.Logf("%d %q", n, err.Error())
		t.Log(errors.Is(err, ErrEmpty), errors.Is(err, ErrShape), errors.Is(err, ErrOwn), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, strconv.ErrSyntax), errors.Is(err, ErrOther), errors.Is(err, os.ErrNotExist), err == ErrOwn)
		t.Log(errors.As(err, &row), errors.As(err, &code), code, errors.As(err, &own), errors.As(err, &num), errors.As(err, &cond), float64(cond))
		t.Log(errors.Unwrap(err))
		if row != nil {
			t.Log(row.Row, row.Err)
		}
		if num != nil {
			t.Logf("%q %q", num.Func, num.Num)
		}
		t.Log(Judge(err))
	}
	t.Log(Judge(nil), Judge(io.EOF), Judge(fmt.Errorf("x: %w", &RowError{1, io.EOF})), Judge(errors.Join(Code(7), ErrOwn)))
}

func TestReaders(t *testing.T) {
	for _, r := range []io.Reader{strings.NewReader("a\nb"), iotest.ErrReader(io.ErrUnexpectedEOF), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab")))} {
		lines, err := Lines(r)
		t.Log(lines, err, errors.Is(err, io.ErrUnexpectedEOF))
	}
	t.Log(First(fstest.MapFS{"b": {Data: []byte("text")}}, "a", "b"))
	t.Log(First(fstest.MapFS{}, "a"))
}

func TestErrorsBack(t *testing.T) {
	stop := fmt.Errorf("stop: %w", io.EOF)
	err := Until(func(i int) error {
		if i == 3 {
			return stop
		}
		return nil
	})
	t.Log(err, errors.Is(err, stop), errors.Is(err, io.EOF), errors.Unwrap(err) == stop)
	h := Fail(7)
	t.Log(IsHidden(h), IsHidden(fmt.Errorf("w: %w", h)), IsHidden(stop), h == Fail(7), Until(func(int) error { return h }))
	_, ok := Fail(3).(interface{ Timeout() bool })
	t.Log(ok)
}

func TestFunctions(t *testing.T) {
	n := 0
	t.Log(Integrate(func(x float64) float64 { n++; return x * x }, 0, 1, 10), n)
	f := Compose(math.Sqrt, func(x float64) float64 { return -x }, Compose(), Compose(math.Abs, Gauss{1}.sq))
	t.Log(f(16), f(4), Integrate(f, 1, 2, 4), Compose(f, f)(81))
	add, get := Tally()
	add2, _ := Tally()
	t.Log(add(1, 2), add(), add([]int{3}...), add2(9))
	t.Log(get())
	var pong func(int, func(int) int) int
	depth := 0
	pong = func(n int, ping func(int) int) int { depth++; return ping(n) + Ping(0, pong) }
	t.Log(Ping(6, pong), depth)
	xs := []int{3, 1, 2}
	Sort(xs, func(a, b int) bool { return a > b })
	t.Log(xs)
	m := Map([]string{"a", "bcd"}, func(s string) int { return len(s) })
	g := Map([]float64{1, 2}, func(x float64) func(float64) float64 { return func(y float64) float64 { return x*10 + y } })
	t.Log(m, g[0](1), g[1](2), Map[int, string](nil, nil) == nil)
	p, method := NewPerceptron(1), Perceptron.Predict
	t.Log(method(*p, []float64{1}), p.Predict([]float64{2}))
}

func TestDuring(t *testing.T) {
	xs := []float64{1, 2, 3}
	During(xs, func(now []float64, i int) { t.Log(i, now) })
	t.Log(xs)
}

func TestInterfaces(t *testing.T) {
	for _, k := range []Kernel{NewKernel(2), NewKernel(-1), Gauss{2}, &Gauss{2}, mine{3}} {
		t.Log(Gram(k, []float64{0, 1, 2}))
	}
	c := NewCounter()
	t.Log(c.Next(), c.Next(5, 6), c.Next([]int{}...), c.Reset(), c.Reset() == ErrEmpty)
	same, n := Twice(c)
	t.Log(n, same == c, same.Next(), c.Next())
	own := &my{}
	back, n := Twice(own)
	t.Log(n, back == Counter(own), own.n, back.Next(), own.Reset())
	var fit Fitter = NewPerceptron(2)
	t.Log(fit.Fit([][]float64{{1, 1}, {-1, -1}, {2, -3}}, []float64{1, -1, -1}), fit.Predict([]float64{1, 1}), errors.Is(fit.Fit(nil, []float64{1}), ErrEmpty))
}

type mine struct{ a float64 }

func (m mine) K(x, y float64) float64 { return m.a + x - y }

type my struct{ n int }

func (m *my) Next(step ...int) (n int) { m.n += 10 * (1 + len(step)); return m.n }
func (m *my) Reset() error             { return &RowError{m.n, io.EOF} }

func (g Gauss) sq(x float64) float64 { return x * x * g.Width }

func TestOwnTypes(t *testing.T) {
	p := NewPerceptron(2)
	t.Log(p.Fit([][]float64{{1, 0}, {0, 1}}, []float64{-1, 1}), p.Mistakes(), p.Weights(), p.String())
	q := NewPerceptron(1).Trained(2)
	t.Log(p.Fit([][]float64{{1, 0}, {0, 1}}, []float64{1, -1}), p.Mistakes(), q.Mistakes(), p.Weights(), q.Weights(), q.String())
	var zero Perceptron
	t.Log(zero.Mistakes(), zero.Weights() == nil, (&zero).String(), new(Perceptron).Predict(nil))
	all := []*Perceptron{p, &q}
	by := map[string]*Perceptron{"p": p}
	best, fresh := Best(all, by)
	t.Log(best.Mistakes(), all[0].Mistakes(), p.Mistakes(), fresh == by["new"], fresh == all[1], len(by))
	t.Log(all[1].Fit([][]float64{{1, 0}}, []float64{1}), fresh.Mistakes(), q.Mistakes(), best.Mistakes())
	more := Several(3)
	t.Log(more[0].Fit([][]float64{{1}}, []float64{-1}), more[0].Mistakes(), more[1].Mistakes(), Total(more), len(more))
	t.Logf("%v %s", p, q)
	var none *Perceptron
	t.Log(none == nil)
}

func TestGeneric(t *testing.T) {
	t.Log(Sum[int](), Sum(1, 2, 3), Sum(0.1, 0.2), Sum([]Celsius{1.5, 2}...), Sum[float64](nil...))
	q, r, err := DivMod(7, 2)
	t.Log(q, r, err)
	q, r, err = DivMod(7, 0)
	t.Log(q, r, err)
	s, xs := Long(200_000)
	h := 0
	for i, b := range []byte(s) {
		h = h*31 + int(b) + xs[i%len(xs)]
	}
	t.Log(len(s), len(xs), h)
}

func TestPanics(t *testing.T) {
	for n := range 16 {
		xs := []int{-5}
		func() {
			defer func() {
				v := recover()
				err, isError := v.(error)
				_, isRuntime := v.(interface{ RuntimeError() })
				t.Logf("%d %v %v", n, v, xs)
				t.Log(v == nil, isError, isRuntime, v == any(ErrOwn), v == any("words"), v == any(3.5), v == any(Celsius(-3)), v == any(mat.ErrShape), errors.Is(err, ErrEmpty))
				if p, ok := v.(Point); ok {
					t.Log(p.X, p.Y)
				}
			}()
			t.Log(Panics(n, xs))
		}()
	}
	for _, v := range []any{"text", 4, ErrShape, fmt.Errorf("of the test: %w", ErrOwn), Point{1, 2}, io.EOF} {
		words, err := Guard(func() int { panic(v) })
		t.Log(words, err, errors.Is(err, ErrEmpty), errors.Is(err, ErrOwn), err == io.EOF)
	}
	words, err := Guard(func() int { return Panics(0, []int{0}) })
	t.Log(words, err)
	words, err = Guard(func() int { return []int{}[len(words)] })
	t.Log(words, err)
}

func TestVariables(t *testing.T) {
	t.Log(Degree, Weights, calls)
	t.Log(Change(), Change(), Weights, calls)
	for range 2 {
		Change()
	}
	t.Log(calls, Weights[0], len(Weights))
}

func TestSubtests(t *testing.T) {
	t.Run("leaves", func(t *testing.T) {
		t.Log(Integrate(func(x float64) float64 { t.SkipNow(); return x }, 0, 1, 2))
	})
	t.Run("goes on", func(t *testing.T) { t.Log(Sum(1, 2)) })
}
