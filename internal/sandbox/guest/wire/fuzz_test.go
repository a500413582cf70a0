package wire_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"marginalia/internal/sandbox/guest/wire"
)

type graph struct {
	N    *node
	M    map[any]*graph
	Maps []map[string]int
	F    func(float64) float64
	K    kernel
	E    error
	A    any
	H    *stub
	S    [][]float64
	T    []*graph
}

// A guest of the same shape: its own type stands where the judge has a handle.
type guestGraph struct {
	N    *node
	M    map[any]*guestGraph
	Maps []map[string]int
	F    func(float64) float64
	K    kernel
	E    error
	A    any
	H    *model
	S    [][]float64
	T    []*guestGraph
}

// errOwn is the guest's: the judge has another in its place.
var errOwn = fmt.Errorf("own: %w", errStop)

// rich returns two ends whose table has all that crosses. The judge's messages arrive as they are;
// tap sees those of the guest, on their way, and may change them.
func rich(tap func([]byte) []byte) (judge, guest *wire.End) {
	common := func(e *wire.End, isJudge bool) *wire.Table {
		t := wire.NewTable()
		if e == nil {
			return t
		}
		t.Type((*gauss)(nil))
		t.Type((**typed)(nil))
		t.Type((**node)(nil))
		wire.Proxy(t, func(r wire.Remote) kernel { return proxyKernel{r, e} })
		t.Func("kernel.K", kernel.K)
		t.Sentinel(errStop)
		if isJudge {
			t.Own(wire.NewError("errOwn"))
		} else {
			t.Own(errOwn)
		}
		return t
	}
	judge = wire.NewEnd(true, func(e *wire.End) *wire.Table {
		t := common(e, true)
		wire.HandleType[stub](t)
		t.Type((**graph)(nil))
		t.Type((*func(*graph, any, func(*graph) *graph) (*graph, any, error))(nil))
		return t
	})
	guest = wire.NewEnd(false, func(e *wire.End) *wire.Table {
		t := common(e, false)
		wire.HandleType[model](t)
		t.Type((**guestGraph)(nil))
		t.Func("f", func(g *guestGraph, x any, f func(*guestGraph) *guestGraph) (*guestGraph, any, error) {
			own := &guestGraph{T: []*guestGraph{g, nil}, H: &model{[]float64{1}}, K: odd{new(int)}, E: errors.Join(errStop, errOwn, &typed{3, errors.New("x")}),
				Maps: []map[string]int{{"a": 1}, nil}, M: map[any]*guestGraph{math.NaN(): nil, 1: g, "k": {}}, F: math.Sqrt, A: []any{1, "s", gauss{2}, nil}}
			own.T[1], own.S = own, [][]float64{{1, 2, 3}}
			own.S = append(own.S, own.S[0][1:])
			own.T = append(own.T, f(own))
			return own, x, own.E
		})
		return t
	})
	judge.Limit = 1 << 20
	judge.Send = func(b []byte) ([]byte, error) { return tap(guest.Serve(b)), nil }
	guest.Send = func(b []byte) ([]byte, error) { return judge.Serve(tap(b)), nil }
	return judge, guest
}

// exchange has a test call the function f with a function of its own, and uses what came back as a test
// would.
func exchange(judge *wire.End) error {
	back := func(g *graph) *graph {
		if g != nil && g.F != nil {
			defer func() { _ = recover() }()
			g.F(2)
		}
		return g
	}
	n := &node{Name: "judge's"}
	n.Next = n
	g, x, k := &graph{N: n, K: odd{new(int)}, H: &stub{}, S: make([][]float64, 2)}, any("x"), back
	var r *graph
	var y any
	var e error
	err := judge.Call("f", []any{&g, &x, &k}, []any{&r, &y, &e})
	if err != nil {
		return err
	}
	return judge.Call("f", []any{&r, &y, &k}, []any{&g, &x, &e})
}

// Whatever a guest says, the judge takes memory in proportion to it and goes on. The first bytes say which
// message of an exchange is replaced; without one, the whole exchange is as it should be.
func FuzzGuest(f *testing.F) {
	var all [][]byte
	judge, _ := rich(func(b []byte) []byte { all = append(all, b); return b })
	if err := exchange(judge); err != nil {
		f.Fatal(err)
	}
	for i, b := range all {
		f.Add(uint8(i), b)
		for at := 0; at < len(b); at += 7 {
			c := append([]byte(nil), b...)
			c[at] ^= 1 << (at % 8)
			f.Add(uint8(i), c)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, forged []byte) {
		if len(forged) > 1<<16 {
			return
		}
		i := 0
		judge, _ := rich(func(b []byte) []byte {
			if i++; i-1 == int(which) {
				return forged
			}
			return b
		})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = exchange(judge)
		runtime.ReadMemStats(&after)
		// 128 bytes for each of a message, and as much again for garbage, of the message and of
		// those that answer it; 4 MiB for the rest of the exchange, of nested calls too.
		if n, max := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+2*1024*len(forged)); n > max {
			t.Errorf("%d bytes of memory for a message of %d, want at most %d", n, len(forged), max)
		}
	})
}
