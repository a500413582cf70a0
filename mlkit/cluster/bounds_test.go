package cluster

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

// While centres move, by less and less, labels and distances equal those computed among all
// centres, bit for bit: with samples and centres on a grid, where there are ties, with squares
// that underflow or overflow, and with centres that change in place. Most samples are skipped.
func TestBounds(t *testing.T) {
	for name, unit := range map[string]float64{"": 1, "tiny": 0x1p-530, "huge": 0x1p511, "grid": 0} {
		const n, d, k = 400, 3, 7
		random := rand.New(rand.NewPCG(2, 3))
		X := blobs(n, d, k)
		grid := func(_, _ int, v float64) float64 { return math.Round(v / 4) }
		if unit == 0 {
			X.Apply(grid, X)
		} else {
			X.Scale(unit, X)
		}
		var centres [][]float64
		for i := range k {
			centres = append(centres, mat.Row(nil, i, X))
		}
		b := newBounds(X, k)
		labels, distances, kept := make([]int, n), make([]float64, n), 0
		for step := range 40 {
			b.move(centres)
			before := append([]float64(nil), b.lower...)
			b.nearest(labels, distances, 0, 150)
			b.nearest(labels, distances, 150, n)
			for i := range n {
				label, distance := nearestCenter(X.RawRowView(i), centres)
				if math.IsInf(distance, 1) || distance < tiny {
					label = labels[i] // the label of simd.Nearest, which compares squares alone
				}
				if labels[i] != label || distances[i] != distance {
					t.Fatalf("%s, step %d, sample %d: centre %d at %v, want %d at %v", name, step, i, labels[i], distances[i], label, distance)
				}
				if step > 0 && b.lower[i] < before[i] {
					kept++
				}
			}
			for _, c := range centres {
				for j := range c {
					if move := random.NormFloat64() / float64(step+1); unit > 0 {
						c[j] += unit * move
					} else {
						c[j] += math.Round(move)
					}
				}
			}
		}
		if unit == 1 && kept < 39*n/2 {
			t.Errorf("%d of %d searches skipped, want half", kept, 39*n)
		}
	}
}

// With bounds and without them, and with any number of workers, a model has the same bits.
func TestKMeansPaths(t *testing.T) {
	X := blobs(7000, 5, 6) // work.Divide makes four parts of them
	fit := func(with bool, processors int) *KMeansModel {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		testkit.Set(t, &bounded, with)
		m := testkit.Try(KMeans{K: 8, Restarts: 3}.Fit(X)).Or(t)
		return m
	}
	want := fit(false, 1)
	for _, c := range []struct {
		bounded    bool
		processors int
	}{{true, 1}, {true, 3}, {false, 3}} {
		m := fit(c.bounded, c.processors)
		if m.Inertia != want.Inertia || m.Iterations != want.Iterations {
			t.Errorf("%+v: J = %v after %d iterations, want %v after %d", c, m.Inertia, m.Iterations, want.Inertia, want.Iterations)
		}
		for k := range m.Centers {
			if !floats.Equal(m.Centers[k], want.Centers[k]) {
				t.Errorf("%+v: centre %d is %v, want %v", c, k, m.Centers[k], want.Centers[k])
			}
		}
	}
}
