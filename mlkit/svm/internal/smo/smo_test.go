package smo

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// newFit returns a fit of the rows of X under k, with the same bound for all multipliers.
func newFit(k kernel.Kernel, C, tol float64, X *mat.Dense, y []int) *Fit {
	n := len(y)
	_, linear := k.(kernel.Linear)
	f := &Fit{Samples: Samples{X: X}, Kernel: k, Linear: linear, CacheBytes: 1 << 20, Dual: Dual{
		Y: make([]float64, n), C: make([]float64, n), Hard: math.IsInf(C, 1), Tol: tol, MaxIter: 20000,
		Alpha: make([]float64, n), G: make([]float64, n),
	}}
	for i := range y {
		f.Y[i], f.C[i] = float64(y[i]), C
	}
	return f
}

// overlapping returns n samples of two clouds in d dimensions that overlap.
func overlapping(n, d int, seed uint64) (X *mat.Dense, y []int) {
	X, y = samples.Clouds(n, d, 2, seed)
	for i := range y {
		y[i] = 1 - 2*y[i]
	}
	return X, y
}

// violation evaluates m - M of f from its definition, with float64 rows of the kernel.
func violation(f *Fit) float64 {
	d := Dual{Y: f.Y, C: f.C, Alpha: f.Alpha, G: make([]float64, len(f.Y))}
	row := make([]float64, len(f.Y))
	for i := range d.G {
		d.G[i] = f.Y[i]
		for j, v := range kernel.Row(row, f.Kernel, f.Samples.Row(i), f.Samples.Dense()) {
			d.G[i] -= f.Alpha[j] * f.Y[j] * v
		}
	}
	return d.Violation()
}

// Optimise reads nothing but Rows: with rows that say so it solves a problem by hand. Two
// samples at 0 and 2 with the labels - and + have K₁₁ = K₁₂ = 0 and K₂₂ = 4. Then w = 2α,
// the dual 2α - 2α² is largest at α = ½, and b = -1.
func TestOptimise(t *testing.T) {
	rows := &exact{kernel: kernel.Linear{}, X: mat.NewDense(2, 1, []float64{0, 2}), cache: newRowCache[float64](2, 2, 8, 0, nil)}
	d := &Dual{Y: []float64{-1, 1}, C: []float64{1, 1}, K: []float64{0, 4}, MaxIter: 10, Alpha: make([]float64, 2), G: []float64{-1, 1}}
	ended, err := Optimise(work.Never{}, d, rows)
	if ended != Converged || err != nil || d.Iterations != 1 {
		t.Errorf("ended as %d after %d iterations, %v", ended, d.Iterations, err)
	}
	if d.Alpha[0] != 0.5 || d.Alpha[1] != 0.5 || d.B() != -1 || d.Violation() != 0 {
		t.Errorf("α = %v, b = %v, violation %v", d.Alpha, d.B(), d.Violation())
	}
}

// The passes of float32 rows choose the working sets of the clear form, and update g as it
// does, when the rows hold small whole numbers, which float32 does not round.
func TestPasses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const n = 2*partSize + 83 // three parts, the last no multiple of any vector length
	X := mat.NewDense(n, 3, nil)
	// The parts differ, so that working sets come from all of them.
	X.Apply(func(i, _ int, _ float64) float64 { return float64(random.IntN(9) - 4 + i/partSize%2) }, X)
	y := make([]int, n)
	for i := range y {
		y[i] = 1 - 2*random.IntN(2)
	}
	testkit.Set(t, &FastFrom, 1)
	fast := newFit(kernel.Linear{}, 1, 1e-3, X, y)
	clear := newFit(kernel.Linear{}, 1, 1e-3, X, y)
	a, err := newShrinking(work.Never{}, fast)
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	r := clear.inFloat64()
	if clear.Origin != nil || fast.Origin != nil {
		t.Fatal("the samples have been shifted, and are not whole numbers any more")
	}
	fast.K = testkit.Try(a.diagonal(work.Never{})).Or(t)
	if clear.K, err = r.diagonal(work.Never{}); err != nil || !floats.Equal(clear.K, fast.K) {
		t.Fatalf("diagonals %v and %v, %v", clear.K, fast.K, err)
	}
	for _, f := range []*Fit{fast, clear} {
		f.G = append([]float64(nil), f.Y...)
	}
	var steps [2][][2]int
	for k, f := range []*Fit{clear, fast} {
		f.MaxIter = 25 // while multipliers are few and g is far from rounding
		f.Trace = func(i, j int) (bool, error) { steps[k] = append(steps[k], [2]int{i, j}); return true, nil }
	}
	testkit.Try(r.optimise(work.Never{}, &clear.Dual)).Or(t)
	testkit.Try(a.optimise(work.Never{}, &fast.Dual)).Or(t)
	if len(steps[0]) < 5 {
		t.Fatalf("%d steps, want more", len(steps[0]))
	}
	for k, step := range steps[0] {
		if k >= len(steps[1]) || steps[1][k] != step {
			t.Fatalf("steps on %v, want %v", steps[1], steps[0])
		}
	}
	_, m, M := fast.First()
	if got := a.active.rows.ahead; got.m != m || got.M != M {
		t.Errorf("m = %v and M = %v of Update, want %v and %v", got.m, got.M, m, M)
	}
	if !floats.EqualApprox(clear.G, fast.G, 1e-12) || !floats.EqualApprox(clear.Alpha, fast.Alpha, 1e-12) {
		t.Errorf("g = %v, want %v", fast.G, clear.G)
	}
}

// A multiplier that moves as far as it can is exactly at its bound, despite rounding, so
// that it counts as at its bound.
func TestMoveOntoBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		// The conversions round: no compiler may fuse the products with the differences
		// below.
		bound := float64(random.Float64() * 10)
		alpha := float64(bound * random.Float64())
		for _, sign := range []float64{+1, -1} {
			d := &Dual{Alpha: []float64{alpha}, C: []float64{bound}}
			Δ := d.move(0, sign, d.room(0, sign))
			want := 0.0
			if sign > 0 {
				want = bound
			}
			if d.Alpha[0] != want || Δ != want-alpha {
				t.Fatalf("α = %v of %v moved by %v to %v, want %v", alpha, bound, Δ, d.Alpha[0], want)
			}
		}
	}
}

// If float32 is too coarse, the fit goes on with float64 rows and converges: with samples
// in narrow clusters, where steps within one cluster after another see only rounding
// error, and with (γx·z + 1)⁵ of samples far from 0.
func TestFloat32GivesUp(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	clusters, labels := mat.NewDense(1000, 2, nil), make([]int, 1000)
	for i := range labels {
		labels[i] = 1 - 2*(i%2)
		clusters.Set(i, 0, float64(i%10)+1e-6*random.NormFloat64()+2e-6*float64(labels[i]))
		clusters.Set(i, 1, 1e-6*random.NormFloat64())
	}
	X, y := overlapping(1003, 7, 3)
	X.Apply(func(_, _ int, v float64) float64 { return v + 1000 }, X)
	for name, c := range map[string]struct {
		f       *Fit
		largest float64 // largest k(x, x)
	}{
		"clusters": {newFit(kernel.RBF{Gamma: 0.5}, 1e9, 1e-6, clusters, labels), 1},
		"far":      {newFit(kernel.Polynomial{Degree: 5, Gamma: 1e-6, Coef0: 1}, 1, 1e-2, X, y), 33210},
	} {
		f := c.f
		if ended, err := f.Solve(work.Never{}); ended != Converged || err != nil {
			t.Errorf("%s: ended as %d, %v", name, ended, err)
			continue
		}
		if f.exact == nil {
			t.Errorf("%s: float32 has not been given up", name)
		}
		rounding := 1e-15 * c.largest * floats.Sum(f.Alpha)
		if v := violation(f); rounding > f.Tol/100 || !(v <= f.Tol+rounding) || !(math.Abs(f.Violation()-v) <= rounding) {
			t.Errorf("%s: violation %v, in truth %v, want at most %v; rounding may make %v", name, f.Violation(), v, f.Tol, rounding)
		}
	}
}

// Between the last step of a shrunk active set and the evaluation of g, g does not match
// the multipliers. A NaN marks it.
func TestShrunkMarksG(t *testing.T) {
	X, y := overlapping(1000, 5, 10)
	f := newFit(kernel.RBF{Gamma: 0.02}, 100, 1e-3, X, y) // 8,364 iterations: it shrinks after 4,000
	f.MaxIter = 1e6
	ctx := work.Never{}
	a := testkit.Try(newShrinking(ctx, f)).Or(t)
	f.K = testkit.Try(a.diagonal(ctx)).Or(t)
	copy(f.G, f.Y)
	if ended, err := a.optimise(ctx, &f.Dual); ended != Converged || err != nil || a.active.index == nil {
		t.Fatalf("ended as %d with %d samples, %v", ended, len(a.active.Y), err)
	}
	if !math.IsNaN(floats.Sum(f.G)) {
		t.Error("g is finite before it has been evaluated")
	}
	if err := a.gradient(ctx, &f.Dual); err != nil || !(f.Violation() < 1) {
		t.Errorf("violation %v, %v", f.Violation(), err)
	}
}

// A model has the same bits as with a gradient in float64 for all samples, though float32 judges
// most of those with α = 0. This holds at any scale, with any bounds and number of features, and
// also for a fit that has not converged.
func TestJudged(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.Set(t, &FastFrom, 200)
	ctx := work.Never{}
	for _, c := range []struct {
		n, d         int
		scale, mean  float64
		gamma, C     float64
		zeros, steps int
		judged       float64 // the least share of α = 0 that stays judged
		noFree       bool    // each multiplier is 0 or C, and m < M for those that are C
	}{
		{n: 400, d: 2, scale: 1, gamma: 0.5, C: 1, judged: 0.9},
		{n: 400, d: 2, scale: 1, gamma: 0.5, C: 1, steps: 40},
		{n: 400, d: 2, scale: 1, gamma: 0.5, C: 1e-3, noFree: true},
		{n: 400, d: 3, scale: 1e-4, gamma: 1e7, C: 10, judged: 0.9},
		{n: 400, d: 3, scale: 1e4, mean: 1e5, gamma: 1e-9, C: 1, judged: 0.9}, // after the shift
		{n: 300, d: 60, scale: 1, gamma: 0.01, C: 5, judged: 0.5},
		{n: 300, d: 60, scale: 1, gamma: 0.02, C: 5, zeros: 5},
		{n: 400, d: 2, scale: 1, gamma: 0.5, C: 1e6, steps: 2000}, // the bound decides little
	} {
		X, y := overlapping(c.n, c.d, 7)
		random := rand.New(rand.NewPCG(1, 2))
		X.Apply(func(_, _ int, v float64) float64 {
			if c.zeros > 0 && random.IntN(10) < c.zeros {
				return 0
			}
			return c.scale*v + c.mean
		}, X)
		f := newFit(kernel.RBF{Gamma: c.gamma}, c.C, 1e-3, X, y)
		if f.MaxIter = c.steps; c.steps == 0 {
			f.MaxIter = 100000
		}
		for i := range f.C { // a few upper bounds differ
			f.C[i] *= 1 + float64(i%3)
		}
		if ended, err := f.Solve(ctx); err != nil || ended == Converged != (c.steps == 0) || f.exact != nil {
			t.Fatalf("%+v: ended as %d, %v", c, ended, err)
		}
		var support []int
		for i := range f.Alpha {
			if c.noFree {
				f.Alpha[i] = 0
				if r := floats.Distance(X.RawRowView(i), X.RawRowView(0), 2); y[i] == y[0] && math.Abs(r-1) < 0.2 {
					f.Alpha[i] = f.C[i] // a ring around sample 0, whose g is the smallest
				}
			}
			if f.Alpha[i] > 0 {
				support = append(support, i)
			}
		}
		near := support // copies of them with α = 0 are as near the margin as can be
		if c.noFree {
			near = []int{}
		}
		more := newFit(f.Kernel, 1, f.Tol, mat.NewDense(c.n+len(near), c.d, nil), slices.Concat(y, rows.Pick(y, near)))
		copy(more.Alpha, f.Alpha)
		copy(more.C, f.C)
		copy(more.Samples.X.RawMatrix().Data, X.RawMatrix().Data)
		for k, i := range near {
			more.Samples.X.SetRow(c.n+k, X.RawRowView(i))
		}
		a := testkit.Try(newShrinking(ctx, more)).Or(t)
		exact := more.Dual
		exact.G = make([]float64, len(more.Y))
		var others []int
		for i, α := range more.Alpha {
			if α == 0 {
				others = append(others, i)
			}
		}
		if err := errors.Join(a.gradient(ctx, &more.Dual), a.evaluateSupport(ctx, &exact, exact.G, support), a.evaluate(ctx, &exact, exact.G, support, others)); err != nil {
			t.Fatal(err)
		}
		if more.Violation() != exact.Violation() || more.Objectives() != exact.Objectives() {
			t.Errorf("%+v: violation %v, objectives %+v, exactly %v, %+v", c, more.Violation(), more.Objectives(), exact.Violation(), exact.Objectives())
		}
		b, judged := exact.B(), 0.0
		of := Dual{Y: rows.Pick(more.Y, support), C: rows.Pick(more.C, support), Alpha: rows.Pick(more.Alpha, support), G: rows.Pick(exact.G, support)}
		_, m, M := of.First()
		for i, g := range exact.G {
			if more.G[i] == g {
				continue
			}
			judged++
			if y := more.Y[i]; more.Alpha[i] != 0 || y > 0 && g >= M || y < 0 && g <= m || y*(more.G[i]-b) > 0 {
				t.Fatalf("%+v: gradient %d is %v, want %v, with b = %v", c, i, more.G[i], g, b)
			}
		}
		if zeros := float64(c.n - len(support)); judged < c.judged*zeros {
			t.Errorf("%+v: %v of %v judged in float32, want more", c, judged, zeros)
		}
	}
}

// Whenever a solution is cancelled, g belongs to the multipliers, or says that it does not
// by a NaN.
func TestCancelledConsistent(t *testing.T) {
	testkit.NoEmulation(t)
	X, y := overlapping(1000, 4, 10)
	some := 0
	for calls := 1; calls < 30000; calls = calls*3 + 1 {
		f := newFit(kernel.RBF{Gamma: 0.02}, 1000, 1e-3, X, y)
		ended, err := f.Solve(&samples.LateContext{Context: t.Context(), Calls: calls})
		if err != nil && !errors.Is(err, context.Canceled) || err == nil && ended != Cancelled && ended != OutOfSteps {
			t.Fatalf("after %d looks: ended as %d, %v", calls, ended, err)
		}
		if f.K == nil || math.IsNaN(floats.Sum(f.G)) {
			continue
		}
		some++
		if v := violation(f); !(math.Abs(f.Violation()-v) <= 1e-2) {
			t.Errorf("after %d looks and %d iterations: violation %v, in truth %v", calls, f.Iterations, f.Violation(), v)
		}
	}
	if some < 3 {
		t.Errorf("%d cancelled while g was known, want more", some)
	}
}

// Several workers take the steps of one, bit for bit. There are four parts of the samples,
// and rows that are evaluated ahead.
func TestWorkers(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.Set(t, &gram.Share, 1)
	X, y := overlapping(3*partSize+100, 5, 4)
	solve := func(workers int) (*Fit, [][2]int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		var steps [][2]int
		f := newFit(kernel.RBF{Gamma: 0.1}, 10, 1e-2, X, y)
		f.CacheBytes, f.MaxIter = 10<<20, testkit.Size(t, 400, 20000)
		f.Trace = func(i, j int) (bool, error) { steps = append(steps, [2]int{i, j}); return true, nil }
		if ended, err := f.Solve(work.Never{}); ended != Converged && !(ended == OutOfSteps && f.Iterations == f.MaxIter) || err != nil {
			t.Fatalf("%d workers: ended as %d, %v", workers, ended, err)
		}
		return f, steps
	}
	want, first := solve(1)
	got, steps := solve(3)
	if !reflect.DeepEqual(steps, first) || !floats.Equal(got.Alpha, want.Alpha) || !floats.Equal(got.G, want.G) {
		t.Errorf("3 workers take %d steps, one %d, and their solutions differ", len(steps), len(first))
	}
}
