package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync"
	"testing"

	"marginalia/internal/sandbox/guest/wire"
)

// A map crosses as the same message each time, whatever order Go visits it in.
func TestMapsInOrder(t *testing.T) {
	judge, _ := pair(map[string]any{"Take": func(map[any]int, map[float64]string, map[[2]int]bool) {}})
	send := judge.Send
	var first []byte
	judge.Send = func(request []byte) ([]byte, error) {
		if first == nil {
			first = bytes.Clone(request)
		} else if !bytes.Equal(request, first) {
			t.Errorf("%q, before %q", request, first)
		}
		return send(request)
	}
	for range 50 {
		a, b, c := map[any]int{"x": 1, 2: 2, nil: 3, 2.5: 4, true: 5, "y": 6}, map[float64]string{}, map[[2]int]bool{}
		for i := range 20 {
			b[float64(i)/3], c[[2]int{i % 3, i}] = fmt.Sprint(i), i%2 == 0
		}
		b[math.Inf(-1)] = ""
		if err := judge.Call("Take", []any{&a, &b, &c}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Goroutines of the judge take turns, also those that call in while a function of the judge's runs. Each gets its own results.
func TestGoroutinesTakeTurns(t *testing.T) {
	inside := 0
	judge, _ := pair(map[string]any{"Each": func(n int, f func(int) int) (s int) {
		if inside++; inside > 1 {
			t.Error("two calls run at once")
		}
		for i := range n {
			inside--
			k := f(i)
			inside++
			s += k
		}
		inside--
		return s
	}})
	each := func(n int, f func(int) int) (s int) {
		if err := judge.Call("Each", []any{&n, &f}, []any{&s}); err != nil {
			t.Error(err)
		}
		return s
	}
	var all sync.WaitGroup
	for g := range 50 {
		all.Go(func() {
			got := each(g, func(i int) int {
				result := make(chan int)
				go func() { result <- each(i, func(j int) int { return j }) }()
				return <-result
			})
			want := 0
			for i := range g {
				want += i * (i - 1) / 2
			}
			if got != want {
				t.Errorf("%d: %d, want %d", g, got, want)
			}
		})
	}
	all.Wait()
	if n := judge.Calls(); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}

// Two calls that would have to go on in turns are told so, and those that come when all is over.
func TestTurnsEnd(t *testing.T) {
	judge, _ := pair(map[string]any{"Evens": func(n int, yield func(int) bool) {
		for i := 0; i < n && yield(2*i); i++ {
		}
	}})
	var failed error
	judge.Raise = func(err error) { failed = err }
	evens := func(n int) iter.Seq[int] {
		return func(yield func(int) bool) {
			if err := judge.Call("Evens", []any{&n, &yield}, nil); err != nil && failed == nil {
				failed = err
			}
		}
	}
	next, stop := iter.Pull(evens(5))
	for i := range 3 {
		s := 0
		for v := range evens(4) {
			s += v
		}
		if v, ok := next(); v != 2*i || !ok || s != 12 {
			t.Errorf("%d %t %d", v, ok, s)
		}
	}
	stop()
	if failed != nil {
		t.Fatal(failed)
	}
	a, stopA := iter.Pull(evens(5))
	b, stopB := iter.Pull(evens(5))
	a()
	b()
	a()
	if failed == nil || judge.Over() != wire.ErrTurns {
		t.Errorf("%v, %v, want that calls can't go on in turns", failed, judge.Over())
	}
	stopA()
	stopB()
	over := errors.New("over")
	judge.Finish(over)
	n, f := 1, func(int) bool { return true }
	if err := judge.Call("Evens", []any{&n, &f}, nil); !errors.Is(err, wire.ErrTurns) {
		t.Errorf("behind the end: %v", err)
	}
}
