package linear

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// opposed finds the first of the pairs that comparing all rows finds: with hyperplanes
// that tell other points apart, and with such that don't.
func TestOpposed(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	found, again := 0, 0
	for trial := range 600 {
		n, d := 2+random.IntN(60), 1+random.IntN(12)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range y {
			y[i] = 1 - 2*random.IntN(2)
			from := 0
			if trial%2 == 0 {
				from = d - min(d, 3)
			}
			for j := from; j < d; j++ {
				X.Set(i, j, float64(random.IntN(4)-1))
			}
		}
		p := Perceptron{Bias: []Bias{ExtendedByOne, ThroughOrigin}[trial%3%2]}
		r := newPerceptronRun(p, X, y)
		for j := range r.h.W {
			if r.h.W[j] = random.NormFloat64(); trial%2 == 0 {
				r.h.W[j] = float64(j / 3)
			}
		}
		want := [2]int{-1, -1}
		for i := n - 1; i >= 0; i-- {
			for j := n - 1; j >= i; j-- {
				same := mat.Equal(X.RowView(i), X.RowView(j))
				if i < j && same && y[i] != y[j] || i == j && p.Bias == ThroughOrigin && mat.Norm(X.RowView(i), 1) == 0 {
					want = [2]int{i, j}
				}
			}
		}
		v := new(verdict)
		r.judge([]*verdict{v}, r.h)
		i, j, ok := r.opposed(v)
		if ok != (want[0] >= 0) || ok && [2]int{i, j} != want {
			t.Fatalf("trial %d: rows %d and %d, %v, want %v", trial, i, j, ok, want)
		}
		if ok {
			found++
		}
		s := opposedSearch{perceptronRun: r, keys: make([]uint64, n), steps: 4 * n} // all the same
		if !s.run(v.wrong) {
			again++
		}
	}
	if found < 100 || found > 500 || again < 20 {
		t.Errorf("%d found and %d with too many alike, of 600: the trials test little", found, again)
	}
}

// The rows that are wrong are those that a loop finds, in the last block as well, and a
// point has the same score wherever it stands.
func TestJudgeMany(t *testing.T) {
	const d = 13
	for _, n := range []int{quickFrom, quickFrom + 1, quickFrom + 63} {
		X, y := clouds(n, d, 2, 5)
		for i := range y {
			y[i] = 2*y[i] - 1
		}
		for i := n - 7; i < n; i++ {
			X.SetRow(i, X.RawRowView(i-n+100))
		}
		r := newPerceptronRun(Perceptron{}, X, y)
		for j := range r.h.W {
			r.h.W[j] = X.At(3, j)
		}
		// On the hyperplane, but for the last bits.
		r.h.B = -r.h.Score(X.RawRowView(97))
		both := [2]*verdict{{}, {}}
		r.judge(both[:], r.pocket, r.h)
		if len(both[0].wrong) != n { // of w = 0 every score is a mistake
			t.Errorf("n = %d: %d mistakes of w = 0, want all", n, len(both[0].wrong))
		}
		got := map[int32]bool{}
		for _, i := range both[1].wrong {
			got[i] = true
		}
		for i := range y {
			s := r.h.Score(X.RawRowView(i))
			if far := s*s > 1e-18; far && got[int32(i)] != (s*float64(y[i]) <= 0) {
				t.Fatalf("n = %d: row %d has score %v and label %d; wrong: %v", n, i, s, y[i], got[int32(i)])
			}
		}
		for i := n - 7; i < n; i++ {
			if same := y[i] == y[i-n+100]; got[int32(i)] != got[int32(i-n+100)] && same {
				t.Errorf("n = %d: rows %d and %d are one point, and one is wrong", n, i, i-n+100)
			}
		}
	}
}
