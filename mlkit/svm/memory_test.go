package svm

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
)

// manyGaussians returns counts[k] samples of each class k in d dimensions, around means
// drawn from N(0, I), with standard deviation 1.
func manyGaussians(d int, counts ...int) (X *mat.Dense, y []int) {
	random := rand.New(rand.NewPCG(11, 12))
	var all []float64
	mean := make([]float64, d)
	for k, count := range counts {
		for j := range mean {
			mean[j] = random.NormFloat64()
		}
		for range count {
			for _, v := range mean {
				all = append(all, v+random.NormFloat64())
			}
			y = append(y, k)
		}
	}
	return mat.NewDense(len(y), d, all), y
}

// Fitting many machines one after another allocates the models, some numbers for each of
// their samples and, once, the panels and cached rows of the largest fit. More machines do
// not need more of these: otherwise garbage would stay until the heap has doubled, which
// with large samples is never.
func TestMachinesMemory(t *testing.T) {
	testkit.Long(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	counts := []int{500, 510, 530, 560, 600, 660, 740}
	const n, padded, d, cached = 660 + 740, 1408, 48, 200 // n of the largest machine, which is the last; panels have 64 rows
	X, y := manyGaussians(d, counts...)
	c := Classifier{C: 1, Kernel: kernel.RBF{Gamma: 0.02}, CacheBytes: cached * 4 * padded}
	fit := func() *multiclass.OneVsOneModel[*Model] {
		m := testkit.Try(multiclass.OneVsOne[*Model]{Binary: c}.Fit(X, y)).Or(t)
		return m
	}
	fit() // allocate what is made at first use
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := fit()
	runtime.ReadMemStats(&after)
	got := after.TotalAlloc - before.TotalAlloc

	samples, vectors, distinct := 0, 0, map[*float64]bool{}
	for _, machine := range m.Machines {
		samples += len(machine.Alpha)
		vectors += len(machine.Support)
		for _, v := range machine.Vectors {
			distinct[&v[0]] = true
		}
	}
	// For each machine: Alpha, Slacks, Tau, Bounds and rows of X. For each of its support
	// vectors: the row in Support and in Free or AtBound, which grow by doubling, the
	// coefficient, and the slice header.
	model := 5*8*samples + vectors*(8+3*8+8+24)
	// For each distinct support vector: the copy, and an entry of the map that finds it.
	copies := len(distinct) * (d*8 + 128)
	// Once: the panels, the cached rows, as much as two dozen labels per sample, and the
	// support vectors of one machine for its sums.
	working := 4*padded*d + 4*padded*cached + 24*8*n + 8*n*d
	// Each fit: y, g, its diagonal twice, its sum, two bounds of float32, what has been
	// guessed, the lists of the cache, and two slices and a term for each support vector.
	scratch := samples*(5*8+2*4+1+24+2*8) + vectors*(3*24+16)
	// An eighth is left free on purpose, and the allocator rounds sizes up.
	want := (model + copies + working + scratch) * 6 / 5
	t.Logf("%d bytes, of the models %d, copies %d, working %d, scratch %d, want at most %d", got, model, copies, working, scratch, want)
	if got > uint64(want) {
		t.Errorf("%d bytes, want at most %d", got, want)
	}
}

// The machines of a multiclass model share one copy of each support vector and do not
// hold rows of X.
func TestMachinesOwn(t *testing.T) {
	X, y := manyGaussians(4, 30, 30, 30)
	for name, machines := range map[string]func() ([]*Model, [][]int, error){
		"one-vs-one": func() ([]*Model, [][]int, error) {
			m, err := multiclass.OneVsOne[*Model]{Binary: Classifier{}}.Fit(X, y)
			return m.Machines, m.Rows, err
		},
		"one-vs-rest": func() ([]*Model, [][]int, error) {
			m, err := multiclass.OneVsRest[*Model]{Binary: Classifier{}}.Fit(X, y)
			return m.Machines, nil, err
		},
	} {
		models, rows, err := machines()
		if err != nil {
			t.Fatal(err)
		}
		of, shared := map[int]*float64{}, 0
		for k, m := range models {
			for s, i := range m.Support {
				if rows != nil {
					i = rows[k][i]
				}
				at := &m.Vectors[s][0]
				if !reflect.DeepEqual(m.Vectors[s], X.RawRowView(i)) || at == &X.RawRowView(i)[0] {
					t.Fatalf("%s: machine %d: support vector %d is no copy of row %d", name, k, s, i)
				}
				if of[i] == at {
					shared++
				} else if of[i] != nil {
					t.Errorf("%s: two copies of row %d", name, i)
				}
				of[i] = at
			}
		}
		if shared == 0 {
			t.Errorf("%s: no vector is shared", name)
		}
	}
}

// If samples are so large that one fit uses several processors, fewer machines are fitted
// concurrently, with the same result.
func TestMachinesLarge(t *testing.T) {
	few, y := manyGaussians(20, 500, 500, 500)
	X := mat.NewDense(1500, 2200, nil) // 2.2 million numbers per pair of classes, most of them 0
	X.Slice(0, 1500, 1000, 1020).(*mat.Dense).Copy(few)
	rbf := kernel.RBF{Gamma: 0.05}
	for _, c := range []struct {
		c       Classifier
		n, want int
	}{
		{Classifier{}, 1000, 2}, {Classifier{Kernel: rbf}, 3000, 4}, {Classifier{Kernel: rbf}, 999, 1},
		{Classifier{Kernel: opaque{rbf}}, 3000, 1}, {Classifier{Kernel: kernel.RBF{Gamma: 100}}, 3000, 1}, // float32 is too coarse
		{Classifier{C: math.Inf(1)}, 3000, 1},
	} {
		if got := c.c.processors(X, c.n); got != c.want {
			t.Errorf("a fit by %+v to %d samples keeps %d processors busy, want %d", c.c, c.n, got, c.want)
		}
	}
	o := multiclass.OneVsOne[*Model]{Binary: Classifier{Kernel: rbf}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := testkit.Try(o.FitWith(mlkit.Options{}, X, y)).Or(t)
	counts := []int{2, 5}
	if !testkit.IsLong(t) {
		counts = counts[1:]
	}
	for _, p := range counts {
		runtime.GOMAXPROCS(p)
		got, err := o.FitWith(mlkit.Options{}, X, y)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d processors: another model, %v", p, err)
		}
	}
}
