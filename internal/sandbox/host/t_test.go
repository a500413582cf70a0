package host

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
)

// Each way in which a test can end gives the verdict that testing would give.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		test func(*T)
		want string // name, p(assed), f(ailed) or s(kipped), and number of messages, of each check
	}{
		"passes":          {func(t *T) {}, "[T p0]"},
		"logs":            {func(t *T) { t.Log("a"); t.Logf("%d", 1) }, "[T p2]"},
		"error":           {func(t *T) { t.Error("a"); t.Errorf("b") }, "[T f2]"},
		"fatal":           {func(t *T) { t.Fatal("a"); t.Error("b") }, "[T f1]"},
		"fail":            {func(t *T) { t.Fail() }, "[T f0]"},
		"skip":            {func(t *T) { t.Skip("a"); t.Error("b") }, "[T s1]"},
		"panic":           {func(t *T) { panic("a") }, "[T f1]"},
		"panic with nil":  {func(t *T) { panic(error(nil)) }, "[T f1]"},
		"subtests":        {func(t *T) { t.Run("a", func(t *T) {}); t.Run("b", func(t *T) { t.Error("x") }) }, "[T f0 T/a p0 T/b f1]"},
		"deep":            {func(t *T) { t.Run("a", func(t *T) { t.Run("b", func(t *T) { t.FailNow() }); t.Log("on") }) }, "[T f0 T/a f1 T/a/b f0]"},
		"panic in one":    {func(t *T) { t.Run("a", func(t *T) { panic(1) }); t.Run("b", func(t *T) {}) }, "[T f0 T/a f1 T/b p0]"},
		"same name":       {func(t *T) { t.Run("a", func(t *T) {}); t.Run("a", func(t *T) {}) }, "[T p0 T/a p0 T/a#01 p0]"},
		"slash":           {func(t *T) { t.Run("a/b", func(t *T) {}) }, "[T p0 T/a∕b p0]"},
		"cleanup":         {func(t *T) { t.Cleanup(func() { t.Error("late") }) }, "[T f1]"},
		"cleanup panics":  {func(t *T) { t.Cleanup(func() { t.Log("first") }); t.Cleanup(func() { panic("second") }) }, "[T f2]"},
		"student's panic": {func(t *T) { panic(&wire.PanicError{Text: "a"}) }, "[T f0]"},
		"guest ended":     {func(t *T) { panic(abort{err: &guest.ExitError{Code: 0}}) }, "[T f0]"},
		"recovered": {func(t *T) {
			defer func() { recover() }()
			panic(&wire.PanicError{Text: "a"})
		}, "[T p0]"},
		"left, and recovered": {func(t *T) { // a test that wants a panic
			defer func() { recover() }()
			Call("F", nil, nil) // there is no guest
		}, "[T f0]"},
		"left, and recovered in one": {func(t *T) {
			t.Run("a", func(t *T) { defer func() { recover() }(); Call("F", nil, nil) })
			t.Run("b", func(t *T) {})
		}, "[T f0 T/a f0 T/b p0]"},
		"no value, and recovered": {func(t *T) {
			defer func() { recover() }()
			Need("=Missing")
		}, "[T f0]"},
		"subtests in a loop": {func(t *T) {
			for i := range maxChecks + 1 {
				t.check.Name, t.subs = fmt.Sprint(i), nil // of each only the name is kept
				t.Run("", func(t *T) {})
			}
			t.check.Name = "on"
		}, fmt.Sprintf("[%d f0]", maxChecks)},
		"messages in a loop": {func(t *T) {
			for range 1000 {
				t.Error("a")
			}
		}, fmt.Sprintf("[T f%d]", maxMessages)},
	} {
		current.checks, current.over, absent["=Missing"] = 0, false, &wire.PanicError{Text: "it is not declared", Missing: true}
		root := newT("T", nil)
		root.run(c.test)
		var got []string
		for _, c := range root.all() {
			how := "f"
			switch {
			case c.Skipped && !c.Passed:
				how = "s"
			case c.Passed:
				how = "p"
			}
			got = append(got, fmt.Sprintf("%s %s%d", c.Name, how, len(c.Messages)))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// What a test borrows is given back.
func TestBorrowed(t *testing.T) {
	t.Setenv("MARGINALIA_JUDGE_TEST", "before")
	dir := ""
	test := newT("T", nil)
	test.run(func(t *T) {
		dir = t.TempDir()
		t.Setenv("MARGINALIA_JUDGE_TEST", "inside")
		if os.Getenv("MARGINALIA_JUDGE_TEST") != "inside" {
			t.Error("the variable is not set")
		}
		if t.Context().Err() != nil {
			t.Error("the context has ended")
		}
	})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || os.Getenv("MARGINALIA_JUDGE_TEST") != "before" || test.Failed() || test.Context().Err() == nil {
		t.Errorf("left: %v, %q; failed %v; context %v", err, os.Getenv("MARGINALIA_JUDGE_TEST"), test.Failed(), test.Context().Err())
	}
}

// A crash is told by its first line and the student's lines, as Go's runtime has them.
func TestCrash(t *testing.T) {
	text, frames := crash(&guest.ExitError{Code: 2, Crash: "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.Wait(...)\n\t/x/y/my-answer.cell:12\nruntime.goexit({})\n\t/go/src/runtime/asm_wasm.s:428 +0x1\nmain.main()\n\tother.cell:3 +0x5\n"})
	if text != "fatal error: all goroutines are asleep - deadlock!" || !slices.Equal(frames, []Place{{"my-answer", 12}, {"other", 3}}) {
		t.Errorf("%q, %v", text, frames)
	}
}

// Of a stack that has overflowed it is told who calls whom without end, wherever in the round it has ended.
func TestOverflow(t *testing.T) {
	const (
		even, odd = "main.even(...)\n\t/x/a.cell:1\n", "main.odd(0x2)\n\t/x/a.cell:4 +0x2\n"
		leaf, top = "main.leaf(0x2)\n\t/x/a.cell:9 +0x2\n", "main.Start(0x2)\n\t/x/a.cell:12 +0x2\n"
		length    = "main.(*List).Len(0x1)\n\t/x/a.cell:1 +0x5\n"
	)
	both := []Place{{"a", 1}, {"a", 4}}
	for trace, want := range map[string]struct {
		text   string
		frames []Place
	}{
		even + odd + even + odd + top:              {"stack overflow: even, odd call one another without end", both},
		odd + even + odd + even + odd + top:        {"stack overflow: even, odd call one another without end", both},
		leaf + odd + even + odd + even + odd + top: {"stack overflow: even, odd call one another without end", both},
		length + length + top:                      {"stack overflow: (*List).Len calls itself without end", []Place{{"a", 1}}},
		"sort.Ints(0x1)\n\t/go/sort.go:1\n":        {"stack overflow", nil},
	} {
		text, frames := crash(&guest.ExitError{Code: 2, Crash: "fatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1, 0xe})\n\t/go/panic.go:12 +0x3\n\ngoroutine 1 [running]:\n" + trace})
		if text != want.text || !slices.Equal(frames, want.frames) {
			t.Errorf("%s %v, want %v", text, frames, want)
		}
	}
}

// A matrix whose numbers disagree would have gonum read where nothing is.
func TestCheckMatrices(t *testing.T) {
	for _, c := range []struct {
		rows, cols, stride, n int
		ok                    bool
	}{{0, 0, 0, 0, true}, {2, 3, 3, 6, true}, {2, 3, 5, 8, true}, {2, 3, 5, 7, false}, {2, 3, 2, 6, false}, {-1, 3, 3, 9, false}, {1 << 62, 4, 4, 8, false}, {2, 1 << 40, 1 << 40, 3, false}, {3, 0, 0, 0, false}} {
		err := checkGeneral(blas64.General{Rows: c.rows, Cols: c.cols, Stride: c.stride, Data: make([]float64, c.n)})
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := checkGeneral(mat.NewDense(4, 5, nil).Slice(1, 3, 2, 4).(*mat.Dense).RawMatrix()); err != nil {
		t.Errorf("a part of a matrix: %v", err)
	}
}

// What a test says, many times, of a long value of a student's fits into what the grader reads of a judge.
func TestMessagesAreBounded(t *testing.T) {
	current.checks, current.said = 0, 0
	defer func() { current.said = 0 }()
	long := strings.Repeat("é", maxMessage)
	root := newT("T", nil)
	root.run(func(t *T) {
		for i := range 100 {
			t.Run(fmt.Sprint(i), func(t *T) { t.Error(long); panic(&wire.PanicError{Text: long}) })
		}
	})
	size := 0
	for _, c := range root.all() {
		size += len(c.Panic)
		for _, m := range c.Messages {
			size += len(m.Text)
			if !utf8.ValidString(m.Text) {
				t.Fatal("half a letter")
			}
		}
	}
	if size < maxSaid/2 || size > maxSaid+200*len("…") {
		t.Errorf("%d bytes of messages, want at most %d", size, maxSaid)
	}
}

// A panic of the student's whose value a test has let through is the student's, with its place.
func TestValueOfAPanic(t *testing.T) {
	current.checks = 0
	defer func() { current.panicked = nil }()
	for value, places := range map[any]int{"words": 1, "other words": 0, 3: 0} {
		root := newT("T", nil)
		root.run(func(*T) {
			current.panicked = &wire.PanicError{Text: "words", Value: "words", Stack: []wire.Frame{{File: "norm.cell", Line: 7}}}
			panic(value)
		})
		if c := root.check; c.Passed || len(c.Frames) != places || (c.Panic == "panic: words") != (places == 1) {
			t.Errorf("%v: %+v", value, c)
		}
	}
}

// Messages with pointers in them are the same in each run.
func TestAddresses(t *testing.T) {
	own := new([8]int)
	top := newT("T", nil)
	top.run(func(t *T) {
		t.Errorf("%p, and the number %#x", own, 0xc0ffee00c0ffee)
		panic(fmt.Sprintf("at %p", own))
	})
	var told []string
	for _, m := range top.all()[0].Messages {
		told = append(told, m.Text)
	}
	if want := []string{"0x…, and the number 0xc0ffee00c0ffee", "panic: at 0x…"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// A goroutine that is about to end is waited for; one that waits for something, or goes on, is not.
func TestMore(t *testing.T) {
	for name, c := range map[string]struct {
		goroutine func(end chan bool)
		want      bool
	}{
		"ends": {func(chan bool) {
			for range 1000 {
				runtime.Gosched()
			}
		}, false},
		"waits": {func(end chan bool) { <-end }, true},
		"goes on": {func(end chan bool) {
			for {
				select {
				case <-end:
					return
				default:
					runtime.Gosched()
				}
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			end := make(chan bool)
			before := runtime.NumGoroutine() + 1 // as with the one of watch
			defer func() { close(end); more(before) }()
			for range 3 {
				go c.goroutine(end)
			}
			if got := more(before); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
}
