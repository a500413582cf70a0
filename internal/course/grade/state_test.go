package grade_test

import (
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// state is an assignment whose tests share variables, start goroutines, wait and iterate.
var state = [][3]string{
	{"given", "given", `import (
	"flag"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"
)

var (
	readings = []float64{base, 4, 6}
	base     = first()
	count    int
	both, _  = pair()
	table    = map[string][]int{"a": {1}}
	later    = func() int { return Limit + len(readings) }
)

func first() float64 { return 2 }

func pair() (*int, error) { return new(int), nil }

func init_count() { count += 7 }

func within(d time.Duration, f func() int) (int, bool) {
	done := make(chan int, 1)
	go func() { done <- f() }()
	select {
	case n := <-done:
		return n, true
	case <-time.After(d):
		return 0, false
	}
}`},
	{"answer", "answer", `const Limit = 5

func Halve(x []float64) {
	for i := range x {
		x[i] /= 2
	}
}

func Steps(n int) int {
	k := 0
	for ; n != 1; k++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return k
}

func Evens(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(2*i); i++ {
		}
	}
}

func Each(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

func Fail(n int) int { return []int{1}[n] }

func Deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + Deep(n-1)
}`},
	{"tests", "tests", `%test
var mine []int

func changes(t *testing.T) {
	if fmt.Sprint(readings, base, count, *both, table, mine, later()) != "[2 4 6] 2 7 0 map[a:[1]] [] 8" {
		t.Error(readings, base, count, *both, table, mine, later())
	}
	Halve(readings)
	if fmt.Sprint(readings) != "[1 2 3]" {
		t.Error("what a test has changed it sees:", readings)
	}
	base, count, *both, table["b"], mine = 9, 9, 9, nil, append(mine, 1)
	later = nil
}

func TestChanges(t *testing.T)      { changes(t) }
func TestChangesAgain(t *testing.T) { changes(t) }

func TestWithin(t *testing.T) {
	if n, ok := within(time.Second, func() int { return Steps(27) }); n != 111 || !ok {
		t.Fatal(n, ok)
	}
}

func TestWithinEndless(t *testing.T) {
	t.Run("endless", func(t *testing.T) {
		if _, ok := within(time.Second, func() int { return Steps(0) }); !ok {
			t.Fatal("Steps(0) takes longer than a second")
		}
	})
	t.Run("right", func(t *testing.T) {
		if n, ok := within(time.Second, func() int { return Steps(27) }); n != 111 || !ok {
			t.Fatal(n, ok)
		}
	})
}

func TestWithinPanic(t *testing.T) {
	if n, ok := within(time.Second, func() int { return Fail(1) }); n != 0 || !ok {
		t.Fatal(n, ok)
	}
}

func TestWithinRecovered(t *testing.T) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		Fail(1)
	}()
	if fmt.Sprint(<-done) != "runtime error: index out of range [1] with length 1" {
		t.Error("no panic")
	}
}

func TestMany(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := 0
			Each(i, func(n int) { s += n + Steps(2) - 1 })
			if s != i*(i-1)/2 {
				t.Errorf("Each(%d) adds up to %d", i, s)
			}
		}()
	}
	wg.Wait()
}

func TestInside(t *testing.T) { // goroutines in a function that an answer calls
	Each(3, func(int) {
		done := make(chan int)
		go func() { done <- Steps(27) }()
		if <-done != 111 {
			t.Error("Steps(27)")
		}
	})
}

func TestPull(t *testing.T) {
	next, stop := iter.Pull(Evens(10))
	defer stop()
	for i := range 3 {
		a, _ := next()
		s := 0
		for b := range Evens(6) {
			s += b
		}
		if a != 2*i || s != 30 {
			t.Error(a, s)
		}
	}
}

func TestPullLeft(t *testing.T) {
	next, _ := iter.Pull(Evens(10))
	if a, _ := next(); a != 0 {
		t.Error(a)
	}
}

func TestTurns(t *testing.T) {
	next, stop := iter.Pull(Evens(10))
	defer stop()
	for b := range Evens(6) {
		if a, _ := next(); a != b {
			t.Error(a, b)
		}
	}
}

func TestDeep(t *testing.T) {
	t.Run("ten thousand", func(t *testing.T) {
		if n := Deep(10_000); n != 10_000 {
			t.Error(n)
		}
	})
	t.Run("endless", func(t *testing.T) { Deep(-1) })
}

func TestAlone(t *testing.T) {
	if flag.Lookup("state") != nil {
		t.Error("the flag is there")
	}
	flag.Int("state", 1, "")
}

func TestLast(t *testing.T) { changes(t) }`},
}

// Each test finds the notebook's variables as new, in the judge that the one before it has run in too. Goroutines that call answers
// take turns; a call that has no end costs its own check, and nothing of it is left in the next test.
func TestState(t *testing.T) {
	tier.Long(t)
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}}
	for _, c := range state {
		own := &nbformat.Cell{ID: c[0], Type: "code", Source: c[2], Metadata: map[string]any{}}
		m := nbgrader.Meta{ID: c[0], Locked: c[1] != "answer", Solution: c[1] == "answer", Grade: c[1] == "tests"}
		if m.Grade {
			m.Points = 1
		}
		nbgrader.Write(own, m)
		nb.Cells = append(nb.Cells, own)
	}
	a := must.Get(assignment.Read(t.Context(), nb, root(t))).Or(t)
	program := must.Get(a.BuildJudge(t.Context(), t.TempDir())).Or(t)
	g, err := a.Assemble(t.Context(), nb, nil, nil)
	if err != nil || len(g.Notes) > 0 {
		t.Fatal(err, g)
	}
	wasm := must.Get(g.Build(t.Context(), t.TempDir())).Or(t)
	p := grade.NewProcess(program, "")
	defer p.Close()
	q := host.Request{Wasm: wasm}
	for _, name := range a.Tests[0].Funcs {
		q.Tests, q.Seconds = append(q.Tests, name), append(q.Seconds, 20)
	}
	results := must.Get(p.Ask(t.Context(), q)).Or(t)
	want := map[string]string{
		"TestWithinEndless":         " ",
		"TestWithinEndless/endless": " Steps(0) takes longer than a second",
		"TestWithinPanic":           "panic: runtime error: index out of range [1] with length 1 ",
		"TestDeep":                  " ",
		"TestDeep/endless":          "stack overflow: Deep calls itself without end ",
		"TestTurns":                 "a call of the student's program waits for another one",
	}
	for i, r := range results {
		for _, c := range r.Checks {
			text := ""
			if !c.Passed {
				text = c.Panic + " "
				for _, m := range c.Messages {
					text += m.Text
				}
			}
			if w := want[c.Name]; text != w && (c.Name != "TestTurns" || !strings.HasPrefix(text, w)) {
				t.Errorf("%s: %q, want %q", c.Name, text, w)
			}
			if c.Name == "TestTurns" && (len(c.Messages) == 0 || c.Messages[0].Cell != "tests" || c.Messages[0].Line != 106) {
				t.Errorf("TestTurns: %+v, want the line of the range statement", c.Messages)
			}
		}
		if r.Checks[0].Name != q.Tests[i] {
			t.Errorf("%s is the result of %s", r.Checks[0].Name, q.Tests[i])
		}
	}
}
