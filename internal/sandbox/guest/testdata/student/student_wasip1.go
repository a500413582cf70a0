package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/sandbox/guest/testdata/arithmetic"
	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/sandbox/guest/worker"
)

func Update(w, x []float64, y int) ([]float64, bool) {
	s := 0.0
	for i := range w {
		s += w[i] * x[i]
	}
	if float64(y)*s > 0 {
		return w, false
	}
	for i := range w {
		w[i] += float64(y) * x[i]
	}
	return w, true
}

func Forever() {
	for i := 0; ; i++ {
		if i < 0 {
			return
		}
	}
}

// Copies spends nearly all of its time in copies of memory.
func Copies() {
	a, b := make([]byte, 16<<20), make([]byte, 16<<20)
	for {
		copy(a, b)
	}
}

// ForeverAfter calls back once.
func ForeverAfter(f func()) {
	f()
	Forever()
}

func Hog() int {
	var all [][]byte
	for {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		all = append(all, b)
		if len(all) < 0 {
			return 1
		}
	}
}

func Leave(code int) { fmt.Println("--- PASS"); os.Exit(code) }

func Nil() int { var p *int; return *p }

func Deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + Deep(n-1)
}

// DeepAndBack calls back every now and then.
func DeepAndBack(n int, f func()) int {
	if n == 0 {
		return 0
	}
	if n%1000 == 0 {
		f()
	}
	return 1 + DeepAndBack(n-1, f)
}

func Goexit() { runtime.Goexit() }

func Deadlock() { <-make(chan int) }

func Elsewhere() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); panic("in a goroutine") }()
	wg.Wait()
}

func Goroutines(n int) (s int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); mu.Lock(); s += i; mu.Unlock() }()
	}
	wg.Wait()
	return s
}

func Flood() {
	for range 1 << 14 {
		fmt.Println("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789")
	}
}

func Now() (int64, int64, float64) {
	t := time.Now()
	time.Sleep(time.Hour)
	return t.Unix(), int64(time.Since(t)), rand.Float64()
}

func Outside() []string {
	var all []string
	for _, name := range []string{"/etc/passwd", ".", "/proc/self/environ", "nothere.csv", "sub/nothere.csv", ""} {
		_, err := os.ReadFile(name)
		all = append(all, fmt.Sprint(err, errors.Is(err, fs.ErrNotExist)))
	}
	_, err := os.Stat("nothere.csv")
	all = append(all, fmt.Sprint(err))
	list, err := os.ReadDir(".")
	all = append(all, fmt.Sprint(list, err))
	dir, err := os.Getwd()
	all = append(all, fmt.Sprint(dir, err))
	for _, err := range []error{os.WriteFile("x", nil, 0o600), os.Mkdir("x", 0o700), os.Remove("x"), os.Rename("x", "y"), os.Chdir("x")} {
		all = append(all, fmt.Sprint(err))
	}
	return append(all, fmt.Sprint(os.Args, os.Environ()))
}

func Gram(x []float64, k func(a, b float64) float64) (K []float64) {
	for _, a := range x {
		for _, b := range x {
			K = append(K, k(a, b))
		}
	}
	return K
}

func Gaussian(gamma float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return gamma * a * b }
}

func Work(n int) float64 {
	s := 0.0
	for i := range n {
		s += float64(i%7) * 0.5
	}
	return s
}

func Nest(n int, f func(int) int) int {
	if n == 0 {
		return 0
	}
	return 1 + f(n-1)
}

var kept = map[string]int{}

// State tells all that may differ between two runs: addresses, collections, the order of a map, what
// package variables hold, numbers of goroutines.
func State(grow int) string {
	for i := range 9 {
		kept[fmt.Sprint(grow, i)]++
	}
	b := make([][]byte, grow)
	for i := range b {
		b[i] = make([]byte, 1<<20)
		b[i][grow] = 1
	}
	if grow%3 == 0 {
		b = nil
		runtime.GC()
	}
	go func() { <-make(chan int) }()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%p %d %d %d %d %v %d %s", &b, m.NumGC, m.HeapAlloc, m.Sys, m.Mallocs, order(), runtime.NumGoroutine(), time.Now())
}

func order() (names []string) {
	for name := range kept {
		names = append(names, name)
	}
	return names
}

func First(x []float64) []float64 { x[0]++; return x }

func Matrix(m *mat.Dense) *mat.Dense { m.Set(0, 0, 1+m.At(0, 0)); return m }

func init() {
	worker.Serve(func(e *wire.End) *wire.Table {
		t := wire.NewTable()
		t.Type((**mat.Dense)(nil))
		for name, f := range map[string]any{"Update": Update, "Forever": Forever, "Copies": Copies, "ForeverAfter": ForeverAfter, "Hog": Hog, "Leave": Leave, "Nil": Nil, "Deep": Deep, "DeepAndBack": DeepAndBack,
			"Goexit": Goexit, "Deadlock": Deadlock, "Elsewhere": Elsewhere, "Goroutines": Goroutines, "Flood": Flood, "Now": Now,
			"Outside": Outside, "Gram": Gram, "Gaussian": Gaussian, "Work": Work, "Nest": Nest, "State": State, "First": First, "Matrix": Matrix,
			"Loops": arithmetic.Loops, "Product": arithmetic.Product, "Map": arithmetic.Map} {
			t.Func(name, f)
		}
		return t
	}, func() { fmt.Println("a cell") })
}
