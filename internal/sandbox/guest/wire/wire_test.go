package wire_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/testkit/must"
)

var errStop = errors.New("stop")

type point struct{ X, y float64 }

type node struct {
	Name string
	Next *node
	Sub  []*node
}

type kernel interface{ K(a, b []float64) float64 }

type gauss struct{ Gamma float64 }

func (g gauss) K(a, b []float64) float64 { return g.Gamma * a[0] * b[0] }

// odd is a kernel whose type only one side knows.
type odd struct{ calls *int }

func (o odd) K(a, b []float64) float64 { *o.calls++; return a[0] - b[0] }

type proxyKernel struct {
	wire.Remote
	end *wire.End
}

func (p proxyKernel) K(a, b []float64) (r float64) {
	var k kernel = p
	p.end.Invoke("kernel.K", []any{&k, &a, &b}, []any{&r})
	return r
}

type typed struct {
	Row int
	Err error
}

func (t *typed) Error() string { return fmt.Sprint("row ", t.Row) }
func (t *typed) Unwrap() error { return t.Err }

// A model is the guest's type; stub is what the judge has for it.
type model struct{ w []float64 }

func (m *model) Fit(x []float64) { m.w = append(m.w, x...) }
func (m model) Sum() (s float64) {
	for _, w := range m.w {
		s += w
	}
	return s
}

type stub struct{ wire.Handle }

// pair returns the two ends of a wire, in one process. funcs are the guest's.
func pair(funcs map[string]any) (judge, guest *wire.End) {
	table := func(e *wire.End, judge bool) *wire.Table {
		t := wire.NewTable()
		if judge {
			wire.HandleType[stub](t)
		} else {
			wire.HandleType[model](t)
		}
		t.Type((*gauss)(nil))
		t.Type((**typed)(nil))
		t.Type((**node)(nil))
		wire.Proxy(t, func(r wire.Remote) kernel { return proxyKernel{r, e} })
		t.Func("kernel.K", kernel.K)
		t.Sentinel(errStop)
		return t
	}
	judge = wire.NewEnd(true, func(e *wire.End) *wire.Table { return table(e, true) })
	guest = wire.NewEnd(false, func(e *wire.End) *wire.Table { return table(e, false) })
	for _, name := range slices.Sorted(maps.Keys(funcs)) {
		guest.Func(name, funcs[name])
		if t := reflect.TypeOf(funcs[name]); !strings.Contains(t.String(), "model") {
			judge.Func(name, reflect.Zero(t).Interface()) // its types get their numbers
		}
	}
	judge.Send = func(b []byte) ([]byte, error) { return guest.Serve(b), nil }
	guest.Send = func(b []byte) ([]byte, error) { return judge.Serve(b), nil }
	return judge, guest
}

// Each value comes back as it was: NaN with its bits, nil and empty, cycles.
func TestEcho(t *testing.T) {
	nan := math.Float64frombits(0x7ff8000000000123)
	ring := &node{Name: "a", Next: &node{Name: "b"}}
	ring.Next.Next = ring
	ring.Sub = []*node{ring, nil, ring.Next}
	v := struct {
		B  bool
		F  []float64
		C  complex128
		S  string
		E  []int
		N  []int
		M  map[string][]int
		NM map[string]int
		P  *point
		A  [3]point
		I  any
		G  []any
		R  *node
		Z  *struct{}
		U8 []byte
		I3 []int32
		F3 float32
	}{true, []float64{nan, math.Inf(-1), math.Copysign(0, -1)}, complex(1, nan), "ä\x00\xff", []int{}, nil,
		map[string][]int{"x": {1}, "": nil}, nil, &point{1, 2}, [3]point{{1, 2}, {3, 4}}, gauss{2}, []any{1, "s", nil, []float64{1}, map[string]any{"k": 2.5}},
		ring, &struct{}{}, []byte("abc"), []int32{-1, 1 << 30}, 1.5}
	f := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeOf(v)}, []reflect.Type{reflect.TypeOf(v)}, false), func(in []reflect.Value) []reflect.Value { return in })
	judge, _ := pair(map[string]any{"echo": f.Interface()})
	w := v
	w.S, w.R, w.F = "", nil, nil
	must.Do(t, judge.Call("echo", []any{&v}, []any{&w}))
	if fmt.Sprintf("%x", w.F) != fmt.Sprintf("%x", v.F) || math.Float64bits(w.F[0]) != math.Float64bits(nan) {
		t.Errorf("got %x, want %x", w.F, v.F)
	}
	if w.R != v.R {
		t.Error("the ring came back as another one")
	}
	w.F, w.C, v.C, w.R, v.R, v.F = nil, 0, 0, nil, nil, nil
	if !reflect.DeepEqual(v, w) {
		t.Errorf("got %+v, want %+v", w, v)
	}
}

// append writes into the spare capacity of a slice here, and makes a new array beyond it. TestProperty has what else a
// function changes in place.
func TestAppend(t *testing.T) {
	judge, _ := pair(map[string]any{"append": func(w []float64, x float64) []float64 { return append(w, x) }})
	b := []float64{1, 2, 3}
	one, x := b[:1], 9.0
	var r []float64
	must.Do(t, judge.Call("append", []any{&one, &x}, []any{&r}))
	if b[1] != 9 || &r[0] != &b[0] || cap(r) != 3 {
		t.Errorf("append into spare capacity: %v, %v, cap %d", b, r, cap(r))
	}
	full := []float64{1}
	must.Do(t, judge.Call("append", []any{&full, &x}, []any{&r}))
	if &r[0] == &full[0] || !slices.Equal(r, []float64{1, 9}) {
		t.Errorf("append beyond the capacity: %v", r)
	}
}

// All that a growing slice once was crosses with no value read twice, in whatever order it is met.
func TestGrown(t *testing.T) {
	judge, guest := pair(map[string]any{"last": func(all [][]*node) *node { return all[len(all)-1][0] }})
	judge.Limit, guest.Limit = 1<<17, 1<<17
	grown := make([]*node, 600) // 180,300 values in all their slices
	for i := range grown {
		grown[i] = &node{}
	}
	for _, order := range []string{"longer", "shorter", "mixed"} {
		var all [][]*node
		for n := range grown {
			all = append(all, grown[:n+1])
		}
		switch order {
		case "shorter":
			slices.Reverse(all)
		case "mixed":
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		var first *node
		if err := judge.Call("last", []any{&all}, []any{&first}); err != nil || first != grown[0] {
			t.Errorf("%s: %p, %v, want %p", order, first, err, grown[0])
		}
	}
}

// Functions cross both ways and come home as themselves.
func TestFunctions(t *testing.T) {
	judge, _ := pair(map[string]any{
		"gram": func(x []float64, k func(a, b float64) float64) (K []float64) {
			for _, a := range x {
				for _, b := range x {
					K = append(K, k(a, b))
				}
			}
			return K
		},
		"scaled": func(g float64) func(a, b float64) float64 { return func(a, b float64) float64 { return g * a * b } },
		"same":   func(f func() int) func() int { return f },
		"sum": func(xs ...int) (s int) {
			for _, x := range xs {
				s += x
			}
			return s
		},
	})
	x := []float64{1, 2}
	var k func(a, b float64) float64
	g := 3.0
	must.Do(t, judge.Call("scaled", []any{&g}, []any{&k}))
	var K []float64
	must.Do(t, judge.Call("gram", []any{&x, &k}, []any{&K}))
	if want := []float64{3, 6, 6, 12}; !slices.Equal(K, want) {
		t.Errorf("gram with the guest's kernel: %v, want %v", K, want)
	}
	calls := 0
	k = func(a, b float64) float64 { calls++; return a - b }
	must.Do(t, judge.Call("gram", []any{&x, &k}, []any{&K}))
	if want := []float64{0, -1, 1, 0}; !slices.Equal(K, want) || calls != 4 {
		t.Errorf("gram with the judge's kernel: %v, want %v; %d calls", K, want, calls)
	}
	f := func() int { calls++; return calls }
	same := f
	for range 3 {
		must.Do(t, judge.Call("same", []any{&same}, []any{&same}))
	}
	if reflect.ValueOf(same).Pointer() != reflect.ValueOf(f).Pointer() {
		t.Error("a function that came home is not itself")
	}
	f = nil
	if err := judge.Call("same", []any{&f}, []any{&same}); err != nil || same != nil {
		t.Errorf("nil came back as a function, %v", err)
	}
	xs, s := []int{1, 2, 3}, 0
	if err := judge.Call("sum", []any{&xs}, []any{&s}); err != nil || s != 6 {
		t.Errorf("sum = %d, %v", s, err)
	}
}

// Interfaces cross by value where the type is known, else by reference.
func TestInterfaces(t *testing.T) {
	guestCalls := 0
	judge, _ := pair(map[string]any{
		"use":  func(k kernel) float64 { return k.K([]float64{5}, []float64{2}) },
		"type": func(k kernel) string { return fmt.Sprintf("%T", k) },
		"make": func() kernel { return odd{&guestCalls} },
	})
	calls, r, s := 0, 0.0, ""
	for _, c := range []struct {
		k    kernel
		want float64
		typ  string
	}{{gauss{2}, 20, "wire_test.gauss"}, {odd{&calls}, 3, "wire_test.proxyKernel"}} {
		if err := judge.Call("use", []any{&c.k}, []any{&r}); err != nil || r != c.want {
			t.Errorf("%T: %v, want %v, %v", c.k, r, c.want, err)
		}
		if err := judge.Call("type", []any{&c.k}, []any{&s}); err != nil || s != c.typ {
			t.Errorf("%T arrives as %s, want %s, %v", c.k, s, c.typ, err)
		}
	}
	var k kernel
	must.Do(t, judge.Call("make", nil, []any{&k}))
	if r := k.K([]float64{1}, []float64{3}); r != -2 || calls != 1 || guestCalls != 1 {
		t.Errorf("the guest's kernel: %v, calls %d and %d", r, calls, guestCalls)
	}
	if err := judge.Call("type", []any{&k}, []any{&s}); err != nil || s != "wire_test.odd" {
		t.Errorf("the guest's kernel comes home as %s, %v", s, err)
	}
}

func TestErrors(t *testing.T) {
	judge, _ := pair(map[string]any{
		"fail": func(i int) error {
			return []error{nil, errStop, fmt.Errorf("row 3: %w", errStop), &typed{4, errStop}, fmt.Errorf("in: %w", &typed{5, nil}), errors.Join(errors.New("a"), errStop), fmt.Errorf("in: %w", accepts{})}[i]
		},
	})
	for i, c := range []struct {
		text string
		stop bool
		row  int
	}{{"", false, 0}, {"stop", true, 0}, {"row 3: stop", true, 0}, {"row 4", true, 4}, {"in: row 5", false, 5}, {"a\nstop", true, 0}, {"in: accepts", true, 0}} {
		var err error
		must.Do(t, judge.Call("fail", []any{&i}, []any{&err}))
		row, text := 0, ""
		if e, ok := errors.AsType[*typed](err); ok {
			row = e.Row
		}
		if err != nil {
			text = err.Error()
		}
		if text != c.text || errors.Is(err, errStop) != c.stop || row != c.row {
			t.Errorf("%d: %q, is stop %v, row %d, want %q, %v, %d", i, text, errors.Is(err, errStop), row, c.text, c.stop, c.row)
		}
	}
}

// accepts has a method Is, as syscall.Errno has.
type accepts struct{}

func (accepts) Error() string        { return "accepts" }
func (accepts) Is(target error) bool { return target == errStop }

// Readers compare with io.EOF, which crosses as itself though no table names it.
func TestEOF(t *testing.T) {
	judge, _ := pair(map[string]any{"read": func(f func() error) (bool, bool) { err := f(); return err == io.EOF, err == io.ErrUnexpectedEOF }})
	for _, err := range []error{io.EOF, io.ErrUnexpectedEOF} {
		end, early, f := false, false, func() error { return err }
		if says := judge.Call("read", []any{&f}, []any{&end, &early}); says != nil || end != (err == io.EOF) || early == end {
			t.Errorf("%v is io.EOF %t, io.ErrUnexpectedEOF %t; %v", err, end, early, says)
		}
	}
}

// A value of the guest's own type stays there, one for each variable here.
func TestHandles(t *testing.T) {
	judge, _ := pair(map[string]any{
		"new":   func(w []float64) model { return model{w} },
		"ptr":   func(w []float64) *model { return &model{w} },
		"Fit":   (*model).Fit,
		"Sum":   model.Sum,
		"same":  func(a, b *model) bool { return a == b },
		"slice": func() []model { return []model{{[]float64{1}}, {[]float64{2}}} },
	})
	fit := func(m *stub, x ...float64) {
		t.Helper()
		must.Do(t, judge.Call("Fit", []any{&m, &x}, nil))
	}
	sum := func(m stub, want float64) {
		t.Helper()
		var s float64
		if err := judge.Call("Sum", []any{&m}, []any{&s}); err != nil || s != want {
			t.Errorf("sum %v, want %v, %v", s, want, err)
		}
	}
	var a stub
	sum(a, 0)
	fit(&a, 1, 2)
	sum(a, 3)
	b := a // a copy, as of any struct
	fit(&b, 10)
	sum(a, 3)
	sum(b, 13)
	var p, q *stub
	w, same := []float64{5}, false
	must.Do(t, judge.Call("ptr", []any{&w}, []any{&p}))
	q = p
	fit(q, 1)
	sum(*p, 6)
	if err := judge.Call("same", []any{&p, &q}, []any{&same}); err != nil || !same {
		t.Errorf("one pointer is two over there, %v", err)
	}
	q = &a
	if err := judge.Call("same", []any{&p, &q}, []any{&same}); err != nil || same {
		t.Errorf("two pointers are one over there, %v", err)
	}
	var ms []stub
	must.Do(t, judge.Call("slice", nil, []any{&ms}))
	sum(ms[0], 1)
	sum(ms[1], 2)
}

func TestPanics(t *testing.T) {
	judge, _ := pair(map[string]any{
		"index":  func(x []float64) float64 { x[0] = 4; return x[len(x)] },
		"text":   func() { panic("not implemented") },
		"error":  func() { panic(fmt.Errorf("bad: %w", errStop)) },
		"number": func() { panic(1.5) },
		"named":  func() { panic(kind("x")) },
		"call":   func(f func()) { f() },
	})
	x, r := []float64{1}, 0.0
	for name, want := range map[string]string{"index": "runtime error: index out of range [1] with length 1", "text": "not implemented",
		"error": "bad: stop", "number": "1.5", "named": `wire_test.kind("x")`} {
		args, results := []any{}, []any{}
		if name == "index" {
			args, results = []any{&x}, []any{&r}
		}
		err := judge.Call(name, args, results)
		p, ok := errors.AsType[*wire.PanicError](err)
		if !ok || p.Text != want {
			t.Errorf("%s: %v, want %s", name, err, want)
			continue
		}
		if !slices.ContainsFunc(p.Stack, func(f wire.Frame) bool { return strings.HasSuffix(f.File, "wire_test.go") && f.Line > 0 }) {
			t.Errorf("%s: no line of this file in %v", name, p.Stack)
		}
	}
	if x[0] != 4 {
		t.Error("what was changed before a panic is lost")
	}
	f := func() { panic("mine") }
	if err := judge.Call("call", []any{&f}, nil); err == nil || err.Error() != "panic: mine" {
		t.Errorf("a panic of the judge's function: %v", err)
	}
}

type kind string

// An error that crosses and comes back is the same error, by itself or wrapped. errors.Unwrap, Is and As
// find in an error of the other side what they find in one program.
func TestErrorsBack(t *testing.T) {
	judge, _ := pair(map[string]any{
		"wrap": func(f func() error) error { return fmt.Errorf("wrapped: %w", f()) },
		"fail": func(i int) error {
			return []error{fmt.Errorf("one: %w", &typed{4, errStop}), errors.Join(&typed{5, nil}, errStop), hidden{3}}[i]
		},
		"hidden": func(err error) bool { _, ok := errors.AsType[hidden](err); return ok },
	})
	own := errors.New("the test's own")
	f, got := func() error { return own }, error(nil)
	if err := judge.Call("wrap", []any{&f}, []any{&got}); err != nil || !errors.Is(got, own) || errors.Unwrap(got) != own || got.Error() != "wrapped: the test's own" {
		t.Errorf("the judge's error came back as %v, wrapping %v; %v", got, errors.Unwrap(got), err)
	}
	for i, single := range []bool{true, false, false} {
		err := judge.Call("fail", []any{&i}, []any{&got})
		row, ok := errors.AsType[*typed](got)
		if err != nil || ok != (i < 2) || ok && row.Row != 4+i || errors.Is(got, errStop) != (i < 2) || (errors.Unwrap(got) != nil) != single {
			t.Errorf("%d: %v wraps %v, row %v; %v", i, got, errors.Unwrap(got), row, err)
		}
	}
	again, i, known := error(nil), 2, false
	if err := judge.Call("fail", []any{&i}, []any{&again}); err != nil || again != got {
		t.Errorf("equal errors are different here: %v, %v; %v", got, again, err)
	}
	if err := judge.Call("hidden", []any{&got}, []any{&known}); err != nil || !known {
		t.Errorf("the guest's error comes home as another: %v", err)
	}
}

type hidden struct{ n int }

func (h hidden) Error() string { return fmt.Sprint("hidden ", h.n) }

// An error that an answer declares has the text and causes of the current guest's error in the judge, and
// nothing of an earlier guest's.
func TestOwnErrors(t *testing.T) {
	stands := wire.NewError("ErrOwn")
	for _, theirs := range []error{fmt.Errorf("own: %w", errStop), errors.New("another student's")} {
		end := func(judge bool, own error) *wire.End {
			return wire.NewEnd(judge, func(*wire.End) *wire.Table {
				table := wire.NewTable()
				table.Sentinel(errStop)
				table.Own(own)
				table.Func("fail", func() error { return fmt.Errorf("in: %w", theirs) })
				return table
			})
		}
		judge, guest := end(true, stands), end(false, theirs)
		judge.Send = func(b []byte) ([]byte, error) { return guest.Serve(b), nil }
		var got error
		must.Do(t, judge.Call("fail", nil, []any{&got}))
		if !errors.Is(got, stands) || stands.Error() != theirs.Error() || errors.Is(got, errStop) != errors.Is(theirs, errStop) {
			t.Errorf("%v, which is %q here and %q there", got, stands, theirs)
		}
	}
}

// A recover on the other side gets the value of a panic, if its type can cross.
func TestPanicValues(t *testing.T) {
	judge, _ := pair(map[string]any{
		"panics": func(i int) { panic([]any{"words", 1.5, errStop, fmt.Errorf("in: %w", errStop), gauss{2}, odd{nil}}[i]) },
		"index":  func(x []int) int { return x[len(x)] },
		"guard": func(f func()) (v any) {
			defer func() { v = recover() }()
			f()
			return nil
		},
	})
	value := func(name string, args ...any) any {
		t.Helper()
		p, ok := errors.AsType[*wire.PanicError](judge.Call(name, args, nil))
		if !ok {
			t.Fatalf("%s did not panic", name)
		}
		return p.Value
	}
	for i, want := range []any{"words", 1.5, errStop, nil, gauss{2}, nil} {
		switch got := value("panics", &i); {
		case i == 3:
			if err, ok := got.(error); !ok || err.Error() != "in: stop" || !errors.Is(err, errStop) {
				t.Errorf("an error that wraps: %v", got)
			}
		case got != want: // a type that only the guest has is nothing here
			t.Errorf("%d: %v, want %v", i, got, want)
		}
	}
	var none []int
	if err, ok := value("index", &none).(runtime.Error); !ok || err.Error() != "runtime error: index out of range [0] with length 0" {
		t.Errorf("not the runtime's error: %v", err)
	}
	f, got := func() { panic(errStop) }, any(nil)
	if err := judge.Call("guard", []any{&f}, []any{&got}); err != nil || got != any(errStop) {
		t.Errorf("the guest recovers from %v, %v", got, err)
	}
}
