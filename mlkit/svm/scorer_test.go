package svm

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
)

// Scores evaluated together equal those of Score, up to the documented rounding error,
// also for a matrix that is not a *mat.Dense, for samples far away, and where squares
// overflow.
func TestScoresTogether(t *testing.T) {
	testkit.NoEmulation(t)
	X, y := twoGaussians(2500, 6, 2)
	Z, _ := twoGaussians(101, 6, 7)
	Z.Set(3, 2, 1e200)
	Z.Set(4, 1, 1e12)
	for name, k := range map[string]kernel.Kernel{"Gauss": kernel.RBF{Gamma: 0.5}, "cubic": kernel.Polynomial{Degree: 3, Gamma: 0.05, Coef0: 1}} {
		m := testkit.Try(Classifier{C: 0.1, Kernel: k, Tol: 0.1}.Fit(X, y)).Or(t)
		if newScorer([]*Model{m}, 8) == nil || newScorer([]*Model{m}, 7) != nil {
			t.Fatalf("%s: with %d support vectors, 8 samples are to be scored together, 7 not", name, len(m.Vectors))
		}
		got, transposed := m.Scores(nil, Z), m.Scores(nil, mat.DenseCopyOf(Z.T()).T())
		labels := m.Predictions(nil, Z)
		for i, s := range got {
			x := Z.RawRowView(i)
			want := m.Score(x)
			if math.IsNaN(want) && math.IsNaN(s) {
				continue // Inf - Inf
			}
			size := math.Abs(m.B)
			for j, v := range m.Vectors {
				size += math.Abs(m.Coef[j] * k.Eval(v, x) * (1 + 0.5*floats.Dot(v, v)))
			}
			if name == "Gauss" {
				size *= 1 + 0.5*min(floats.Dot(x, x), 1500)
			}
			if !(math.Abs(s-want) <= 1e-15*size || s == want) {
				t.Errorf("%s: score %d is %v, alone %v; off by %v of Σ |αk|", name, i, s, want, math.Abs(s-want)/size)
			}
			if transposed[i] != s {
				t.Errorf("%s: score %d is %v, of the transposed %v", name, i, s, transposed[i])
			}
			if labels[i] != rows.Side(s) {
				t.Errorf("%s: label %d is %d, want the side of %v", name, i, labels[i], s)
			}
		}
	}
}

// threeClasses returns samples of three normal distributions, 2 apart, labelled 5, 0 and
// 2.
func threeClasses(n int) (X *mat.Dense, y []int) {
	random := rand.New(rand.NewPCG(11, 12))
	X, y = mat.NewDense(n, 4, nil), make([]int, n)
	for i := range y {
		class := random.IntN(3)
		y[i] = []int{5, 0, 2}[class]
		for j := range 4 {
			X.Set(i, j, random.NormFloat64())
		}
		X.Set(i, class, 2+X.At(i, class))
	}
	return X, y
}

// Machines fitted concurrently, in reused memory, equal those fitted alone, on any number
// of processors. Machines share a support vector as one slice, which is evaluated once.
// Labels are those of Predict, also after encoding and decoding.
func TestMachinesTogether(t *testing.T) {
	testkit.NoEmulation(t)
	X, y := threeClasses(2000)
	Z, _ := threeClasses(300)
	c := Classifier{C: 1, Kernel: kernel.RBF{Gamma: 1}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	one := testkit.Try(multiclass.OneVsOne[*Model]{Binary: c}.Fit(X, y)).Or(t)
	all := testkit.Try(multiclass.OneVsRest[*Model]{Binary: c}.Fit(X, y)).Or(t)
	runtime.GOMAXPROCS(1)
	again, err := multiclass.OneVsOne[*Model]{Binary: c}.Fit(X, y)
	if err != nil || !reflect.DeepEqual(again, one) {
		t.Errorf("one processor: other machines, %v", err)
	}
	for k, pair := range one.Pairs {
		Y, signs := mat.NewDense(len(one.Rows[k]), 4, nil), make([]int, len(one.Rows[k]))
		for j, i := range one.Rows[k] {
			Y.SetRow(j, X.RawRowView(i))
			signs[j] = -1
			if y[i] == pair[0] {
				signs[j] = 1
			}
		}
		alone, err := c.Fit(Y, signs)
		if err != nil || !reflect.DeepEqual(alone, one.Machines[k]) {
			t.Errorf("%v: another machine than alone, %v", pair, err)
		}
	}
	slicesOf := func(machines []*Model) (vectors, different int) {
		seen := map[*float64]bool{}
		for _, m := range machines {
			vectors += len(m.Vectors)
			for _, v := range m.Vectors {
				seen[&v[0]] = true
			}
		}
		return vectors, len(seen)
	}
	for name, machines := range map[string][]*Model{"one-vs-one": one.Machines, "one-vs-rest": all.Machines} {
		vectors, different := slicesOf(machines)
		s := newScorer(machines, 100)
		if s == nil || len(s.vectors) != different || different >= vectors {
			t.Errorf("%s: %d support vectors in %d slices, scored as %+v", name, vectors, different, s)
		}
	}
	want, wantAll := make([]int, 300), make([]int, 300)
	for i := range want {
		want[i], wantAll[i] = one.Predict(Z.RawRowView(i)), all.Predict(Z.RawRowView(i))
	}
	var decoded multiclass.OneVsOneModel[*Model]
	text := testkit.Try(json.Marshal(one)).Or(t)
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	if got := one.Predictions(nil, Z); !slices.Equal(got, want) {
		t.Errorf("one-vs-one: labels %v, alone %v", got, want)
	}
	if got := decoded.Predictions(nil, Z); !slices.Equal(got, want) {
		t.Errorf("one-vs-one, decoded: labels %v, alone %v", got, want)
	}
	if got := all.Predictions(nil, Z); !slices.Equal(got, wantAll) {
		t.Errorf("one-vs-rest: labels %v, alone %v", got, wantAll)
	}
	if got := (&multiclass.OneVsOneModel[*Model]{Classes: []int{3}}).Predictions(nil, Z); got[0] != 3 {
		t.Errorf("without machines: %v, want the only class", got[:3])
	}
}
