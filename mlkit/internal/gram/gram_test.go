package gram

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/internal/work"
)

var functions = map[string]Function{
	"Gauss":  {Gauss: true, Gamma: 0.05},
	"linear": {Gamma: 1, Degree: 1},
	"cubic":  {Gamma: 0.1, Coef0: 1, Degree: 3},
}

// of evaluates the kernel by its definition.
func (f Function) of(x, z []float64) float64 {
	if f.Gauss {
		return math.Exp(-f.Gamma * math.Pow(floats.Distance(x, z, 2), 2))
	}
	return math.Pow(f.Gamma*floats.Dot(x, z)+f.Coef0, float64(f.Degree))
}

// samples returns an n×d matrix with the given share of zeros; its last row equals the
// first.
func points(n, d int, zeros, mean float64) *mat.Dense {
	random := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			if random.Float64() >= zeros {
				X.Set(i, j, mean+random.NormFloat64())
			}
		}
	}
	X.SetRow(n-1, X.RawRowView(0))
	return X
}

// Rows match the definition to the precision of float32, and have the same bits whether
// requested together or alone. The diagonal has the same rounding.
func TestMatrix(t *testing.T) {
	ctx := context.Background()
	old := &Matrix{panels: make([]float32, 64*20*2), squares: make([]float32, 64*2)}
	for name, f := range functions {
		for _, c := range []struct {
			n, d        int
			zeros, mean float64
		}{{40, 1, 0, 0}, {7, 3, 0, 0}, {64, 5, 0.5, 0}, {65, 20, 0, 100}, {131, 33, 0.8, 0}, {200, 64, 0, 9}} {
			X := points(c.n, c.d, c.zeros, c.mean)
			shift := testkit.Try(Shift(ctx, f, c.n, c.d, X.RawRowView)).Or(t)
			for _, dirty := range [][]float32{old.panels, old.squares} {
				for i := range dirty {
					dirty[i] = float32(math.NaN())
				}
			}
			m, ok, err := New(ctx, f, c.n, c.d, X.RawRowView, shift, old)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				if name != "cubic" || c.mean < 100 {
					t.Errorf("%s, %+v: refused", name, c)
				}
				continue
			}
			which := make([]int, c.n)
			together, alone := make([][]float32, c.n), [][]float32{make([]float32, m.Padded())}
			for i := range which {
				which[i], together[i] = i, make([]float32, m.Padded())
			}
			if err := m.Rows(ctx, together, which); err != nil {
				t.Fatal(err)
			}
			if (shift != nil) != (c.mean > 1 && name != "cubic") {
				t.Errorf("%s, %+v: shift %v", name, c, shift)
			}
			if shift != nil {
				for i := range c.n {
					floats.Sub(X.RawRowView(i), shift)
				}
			}
			diagonal := m.Diagonal(nil)
			for i, row := range together {
				if err := m.Rows(ctx, alone, []int{i}); err != nil || !reflect.DeepEqual(alone[0], row) {
					t.Fatalf("%s, %+v: row %d differs alone, %v", name, c, i, err)
				}
				if row[i] != diagonal[i] || f.Gauss && row[i] != 1 {
					t.Errorf("%s, %+v: K_%d%d = %v, on the diagonal %v", name, c, i, i, row[i], diagonal[i])
				}
				for j := range c.n {
					x, z := X.RawRowView(i), X.RawRowView(j)
					// The rounding of the samples and of sums of d products, relative
					// to the two norms.
					size := 1 + f.Gamma*(floats.Dot(x, x)+floats.Dot(z, z))
					if !f.Gauss {
						size = f.Gamma*floats.Norm(x, 2)*floats.Norm(z, 2) + f.Coef0
						size = float64(f.Degree) * math.Pow(size, float64(f.Degree))
					}
					if want := f.of(x, z); !(math.Abs(float64(row[j])-want) <= float64(c.d+8)*0x1p-24*size) {
						t.Fatalf("%s, %+v: K_%d%d = %v, want %v", name, c, i, j, row[j], want)
					}
				}
			}
			if f.Gauss && (together[0][c.n-1] != 1 || together[c.n-1][0] != 1) {
				t.Errorf("%+v: k of equal samples is %v", c, together[0][c.n-1])
			}
		}
	}
}

// The packed samples and the rows have the same bits for any number of goroutines.
func TestMatrixShared(t *testing.T) {
	const n, d = 1500, 300 // packing is work for several goroutines
	X := points(n, d, 0.5, 0)
	which := []int{0, 7, 700, 64, 1499, 63, 1, 2, 3, 1000, 1001, 1002}
	rows := func(p int) [][]float32 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p))
		m, ok, err := New(context.Background(), functions["Gauss"], n, d, X.RawRowView, nil, nil)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		m.Team = work.NewTeam(p)
		defer m.Team.Close()
		if got := [2]int{processors(n * d * width), m.Team.Workers()}; got != [2]int{p, p} {
			t.Errorf("%d goroutines with %d processors", got, p)
		}
		dst := [][]float32{m.Diagonal(nil)}
		for range which {
			dst = append(dst, make([]float32, m.Padded()))
		}
		if err := m.Rows(context.Background(), dst[1:], which); err != nil {
			t.Fatal(err)
		}
		return dst
	}
	want := rows(1)
	for _, p := range []int{2, 5} {
		if !reflect.DeepEqual(rows(p), want) {
			t.Errorf("%d processors: other rows", p)
		}
	}
}

// Features that are 0 in all samples are not stored, and the rows are the same without
// them.
func TestMatrixZeros(t *testing.T) {
	ctx := context.Background()
	for name, f := range functions {
		X := points(70, 6, 0.3, 0)
		wide := mat.NewDense(70, 9, nil)
		for i := range 70 {
			for k, to := range []int{1, 2, 4, 5, 6, 7} {
				wide.Set(i, to, X.At(i, k))
			}
		}
		m, ok, err := New(ctx, f, 70, 6, X.RawRowView, nil, nil)
		q, okWide, errWide := New(ctx, f, 70, 9, wide.RawRowView, nil, nil)
		if !ok || !okWide || err != nil || errWide != nil {
			t.Fatal(name, ok, okWide, err, errWide)
		}
		if len(q.panels) != len(m.panels) {
			t.Errorf("%s: %d numbers are packed, want %d", name, len(q.panels), len(m.panels))
		}
		got, want := [][]float32{make([]float32, 128)}, [][]float32{make([]float32, 128)}
		for i := range 70 {
			if err := errors.Join(m.Rows(ctx, want, []int{i}), q.Rows(ctx, got, []int{i})); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: row %d differs, %v", name, i, err)
			}
		}
	}
	if _, ok, err := New(ctx, functions["cubic"], 70, 6, mat.NewDense(70, 6, nil).RawRowView, nil, nil); ok || err != nil {
		t.Errorf("all 0: %v, %v, want them refused", ok, err)
	}
}

// New refuses samples for which float32 is too coarse.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		f     Function
		scale float64
	}{
		{functions["Gauss"], 100}, // γ‖x‖² = 500
		{functions["Gauss"], 1e200},
		{functions["linear"], 1e-8},
		{functions["linear"], 1e10},
		{functions["cubic"], 1e4},
	} {
		X := points(10, 3, 0, 0)
		X.Scale(c.scale, X)
		if _, ok, err := New(context.Background(), c.f, 10, 3, X.RawRowView, nil, nil); ok || err != nil {
			t.Errorf("%+v at %v: accepted", c.f, c.scale)
		}
	}
}

func TestSums(t *testing.T) {
	ctx := context.Background()
	for name, f := range functions {
		for _, c := range []struct{ m, n, d int }{{1, 1, 1}, {5, 31, 4}, {6, 32, 7}, {20, 100, 13}, {2000, 40, 300}} {
			if c.m > 1000 && !f.Gauss && !testkit.IsLong(t) {
				continue // other kernels share the samples in the same way
			}
			Z, X := points(c.m, c.d, 0.3, 0), points(c.n, c.d, 0.3, 0)
			shift := make([]float64, c.d)
			if f.Gauss {
				for k := range shift {
					shift[k] = float64(k%5) / 10
				}
			} else {
				shift = nil
			}
			z, terms := make([][]float64, c.m), make([][]Term, c.m)
			for j := range z {
				z[j] = Z.RawRowView(j)
				terms[j] = []Term{{Sum: j % 3, Coef: float64(j%7) - 3}, {Sum: 2, Coef: 0.5}}
			}
			var used Space // reused, with the contents of earlier calls
			sums := func() [][]float64 {
				dst := [][]float64{make([]float64, c.n), make([]float64, c.n), make([]float64, c.n)}
				for i := range dst[1] {
					dst[1][i] = 10
				}
				if err := Sums(ctx, dst, f, z, terms, c.n, X.RawRowView, shift, &used); err != nil {
					t.Fatal(err)
				}
				return dst
			}
			got := sums()
			step := 1
			if c.m > 1000 && !testkit.IsLong(t) {
				step = 7 // a few samples of a large problem are enough
			}
			for i := 0; i < c.n; i += step {
				want, size := [3]float64{0, 10, 0}, [3]float64{1, 1, 1}
				for j := range z {
					k := f.of(z[j], X.RawRowView(i))
					for _, term := range terms[j] {
						want[term.Sum] += term.Coef * k
						size[term.Sum] += math.Abs(term.Coef) * (math.Abs(k) + 1)
					}
				}
				for s := range got {
					if v := got[s][i]; !(math.Abs(v-want[s]) <= 1e-14*size[s]*float64(c.d)) {
						t.Fatalf("%s, %+v: sum %d of sample %d is %v, want %v", name, c, s, i, v, want[s])
					}
				}
			}
			was := runtime.GOMAXPROCS(1)
			one := sums()
			runtime.GOMAXPROCS(7)
			seven := sums()
			runtime.GOMAXPROCS(was)
			if !reflect.DeepEqual(one, got) || !reflect.DeepEqual(seven, got) {
				t.Errorf("%s, %+v: the sums depend on the number of processors", name, c)
			}
		}
	}
}

// SelfSums adds the same terms as Sums in another order, across the borders of panels, blocks and
// chunks. The result does not depend on the number of processors. A term is at most three times the
// largest value of the kernel, and a missing one would show.
func TestSelfSums(t *testing.T) {
	ctx := context.Background()
	testkit.Set(t, &Share, 1)
	for name, f := range functions {
		for _, c := range []struct{ n, d int }{{1, 1}, {5, 4}, {32, 3}, {96, 2}, {97, 2}, {250, 5}, {200, 6000}, {3100, 2}} {
			if c.n*c.d > 2000 && !f.Gauss {
				continue // the order is the same
			}
			X := points(c.n, c.d, 0.3, 0)
			z, terms, coef, shift := make([][]float64, c.n), make([][]Term, c.n), make([]float64, c.n), []float64(nil)
			for j := range z {
				z[j], coef[j] = X.RawRowView(j), float64(j%7)-3
				terms[j] = []Term{{Coef: coef[j]}}
			}
			if f.Gauss {
				shift = z[0]
			}
			var used Space
			sums := func(processors int) []float64 {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				dst := make([]float64, c.n)
				dst[0] = 10
				if err := SelfSums(ctx, dst, f, z, coef, shift, &used); err != nil {
					t.Fatal(err)
				}
				return dst
			}
			got, want := sums(1), make([]float64, c.n)
			want[0] = 10
			if !floats.Equal(sums(5), got) {
				t.Errorf("%s, %+v: the sums depend on the number of processors", name, c)
			}
			if err := Sums(ctx, [][]float64{want}, f, z, terms, c.n, X.RawRowView, shift, nil); err != nil {
				t.Fatal(err)
			}
			largest := 0.0
			for _, x := range z {
				largest = max(largest, math.Abs(f.of(x, x)))
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-14*float64(c.n)*largest) {
					t.Fatalf("%s, %+v: sum %d is %v, want %v", name, c, i, got[i], want[i])
				}
			}
		}
	}
}

// Sums of a matrix's elements differ from the definition by no more than Error says, at any
// scale and with zeros, and are the same whatever the number of processors.
func TestRoughSums(t *testing.T) {
	ctx := context.Background()
	testkit.Set(t, &Share, 1)
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		n, d        int
		zeros       float64
		scale, most float64 // most is the largest γ‖x‖²
	}{{70, 1, 0, 1, 1}, {200, 3, 0, 1e-4, 50}, {150, 20, 0, 1e5, 5}, {150, 20, 0.7, 1, 100}, {100, 700, 0.8, 1, 3}, {300, 2, 0, 1, 199}} {
		X := points(c.n, c.d, c.zeros, 0)
		X.Scale(c.scale, X)
		square := 0.0
		for i := range c.n {
			square = max(square, floats.Dot(X.RawRowView(i), X.RawRowView(i)))
		}
		f := Function{Gauss: true, Gamma: c.most / square}
		m, ok, err := New(ctx, f, c.n, c.d, X.RawRowView, nil, nil)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		relative, absolute := m.Error()
		var of, at []int
		var coef []float64
		for i := range c.n {
			if i%3 != 0 {
				of, coef = append(of, i), append(coef, 100*random.Float64())
			} else {
				at = append(at, i)
			}
		}
		sums := func(processors int) []float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			dst := make([]float64, len(at))
			if err := m.Sums(ctx, dst, of, coef, at); err != nil {
				t.Fatal(err)
			}
			return dst
		}
		got, worst := sums(1), 0.0
		if !floats.Equal(sums(3), got) {
			t.Errorf("%+v: the sums depend on the number of processors", c)
		}
		for k, i := range at {
			want := 0.0
			for j, r := range of {
				want += coef[j] * f.of(X.RawRowView(r), X.RawRowView(i))
			}
			worst = max(worst, math.Abs(got[k]-want)/(relative*got[k]+absolute*floats.Sum(coef)))
		}
		if !(worst <= 1) || worst < 1e-5 {
			t.Errorf("%+v: an error of %v times what is said, want at most 1, and more than float64 makes", c, worst)
		}
	}
	for name, f := range functions {
		m, _, _ := New(ctx, f, 10, 2, points(10, 2, 0, 0).RawRowView, nil, nil)
		if relative, _ := m.Error(); math.IsInf(relative, 1) == f.Gauss {
			t.Errorf("%s: an error of %v", name, relative)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, X := functions["Gauss"], points(100, 3, 0, 0)
	if _, _, err := New(ctx, f, 100, 3, X.RawRowView, nil, nil); err != context.Canceled {
		t.Errorf("matrix: %v", err)
	}
	m, _, _ := New(context.Background(), f, 100, 3, X.RawRowView, nil, nil)
	if err := m.Rows(ctx, [][]float32{make([]float32, m.Padded())}, []int{0}); err != context.Canceled {
		t.Errorf("rows: %v", err)
	}
	if err := m.Sums(ctx, make([]float64, 1), []int{0}, []float64{1}, []int{1}); err != context.Canceled {
		t.Errorf("rough sums: %v", err)
	}
	z := [][]float64{X.RawRowView(0)}
	if err := SelfSums(ctx, []float64{0}, f, z, []float64{1}, nil, new(Space)); err != context.Canceled {
		t.Errorf("sums of the samples themselves: %v", err)
	}
	if err := Sums(ctx, [][]float64{make([]float64, 100)}, f, z, [][]Term{{{0, 1}}}, 100, X.RawRowView, nil, nil); err != context.Canceled {
		t.Errorf("sums: %v", err)
	}
}

// Each element differs from gonum's by at most the rounding errors of n products and
// their sum. The check of coarse ensures that the rough sums are really computed in
// float32.
func TestOuter(t *testing.T) {
	t.Run("float32", func(t *testing.T) { outers(t, true, 0x1p-23) })
	t.Run("float64", func(t *testing.T) { outers(t, false, 0x1p-52) })
}

func outers(t *testing.T, rough bool, unit float64) {
	for _, c := range []struct{ n, d int }{{1, 1}, {255, 5}, {256, 6}, {257, 33}, {2000, 70}, {5000, 20}} {
		X := points(c.n, c.d, 0.2, 1)
		sum := func(processors int) *mat.SymDense {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			sum := testkit.Try(Outer(context.Background(), c.n, c.d, SameReader(X.RawRowView), rough)).Or(t)
			return sum
		}
		got := sum(1)
		if !reflect.DeepEqual(sum(3), got) {
			t.Errorf("%+v: the sum depends on the number of processors", c)
		}
		if !rough { // the same sums of the columns of Xᵀ
			columns := testkit.Try(OuterOfColumns(context.Background(), c.n, c.d, func(panel []float64, width, feature, rows, from, count int) {
				for k := range count {
					copy(panel[k*width:][:rows], X.RawRowView(from + k)[feature:])
				}
			})).Or(t)
			if !mat.Equal(columns, got) {
				t.Errorf("%+v: the columns have another sum", c)
			}
		}
		var want, size mat.SymDense
		want.SymOuterK(1, X.T())
		size.SymOuterK(1, func() mat.Matrix {
			var abs mat.Dense
			abs.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, X)
			return abs.T()
		}())
		coarse := false
		for i := range c.d {
			for j := range c.d {
				d, most := math.Abs(got.At(i, j)-want.At(i, j)), float64(c.n)*size.At(i, j)
				if !(d <= most*unit) {
					t.Fatalf("%+v: element %d, %d is %v, want %v", c, i, j, got.At(i, j), want.At(i, j))
				}
				coarse = coarse || d > most*0x1p-52
			}
		}
		if c.n > 1 && coarse != rough {
			t.Errorf("%+v: as coarse as float32: %v, want %v", c, coarse, rough)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Outer(ctx, 10, 2, SameReader(points(10, 2, 0, 0).RawRowView), rough); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPart(t *testing.T) {
	ctx := context.Background()
	for name, f := range functions {
		X := points(150, 9, 0.3, 0)
		m, ok, err := New(ctx, f, 150, 9, X.RawRowView, nil, nil)
		if !ok || err != nil {
			t.Fatal(name, ok, err)
		}
		keep := []int{0, 3, 63, 64, 100, 149}
		p := m.Part(keep)
		whole, part := [][]float32{make([]float32, m.Padded())}, [][]float32{make([]float32, p.Padded())}
		for k, i := range keep {
			if err := errors.Join(m.Rows(ctx, whole, []int{i}), p.Rows(ctx, part, []int{k})); err != nil {
				t.Fatal(err)
			}
			for l, j := range keep {
				if part[0][l] != whole[0][j] {
					t.Errorf("%s: K_%d%d is %v in the part, want %v", name, i, j, part[0][l], whole[0][j])
				}
			}
		}
	}
}
