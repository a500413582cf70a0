package perceptron_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// Novikoff's theorem with the largest possible margin, found by the hard-margin SVM. On
// samples with their mirror images, (x, y) and (-x, -y), its b is 0. For any order and
// rate, the perceptron makes at most (R/Δ)² mistakes in its primal and dual form, and
// both forms make the same ones.
func TestMistakeBound(t *testing.T) {
	bounded, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		X, y := testkit.Samples(t, 2)
		bias := drawBias(t)
		E := extended(X, bias)
		n, d := E.Dims()
		mirrored, labels := mat.NewDense(2*n, d, nil), make([]int, 2*n)
		R := 0.0
		for i := range n {
			x := E.RawRowView(i)
			R = max(R, floats.Norm(x, 2))
			mirrored.SetRow(i, x)
			floats.ScaleTo(mirrored.RawRowView(n+i), -1, x)
			labels[i], labels[n+i] = y[i], -y[i]
		}
		widest, err := svm.Classifier{C: math.Inf(1), Tol: 1e-6}.Fit(mirrored, labels)
		if err != nil {
			return // no hyperplane through the origin separates the extended samples
		}
		bounded++
		margin := 1 / math.Sqrt(2*widest.Primal) // from the primal ½‖w‖² at margins 1
		bound := R * R / margin / margin * (1 + 1e-4)
		rate := rapid.Float64Range(0.1, 10).Draw(t, "rate")
		seed := rapid.Uint64().Draw(t, "seed")
		for _, p := range []perceptron.Perceptron{
			{Bias: bias, MaxIter: 1 << 20}, {Bias: bias, MaxIter: 1 << 20, Rate: rate},
			{Bias: bias, MaxIter: 1 << 20, Shuffle: true, Seed: seed},
		} {
			m, err := p.Fit(X, y)
			if err != nil {
				t.Fatal(err)
			}
			if float64(m.Mistakes) > bound {
				t.Errorf("%+v: %d mistakes, the bound is %v", p, m.Mistakes, bound)
			}
			q, err := perceptron.NewNovikoff(X, y, m.Hyperplane, bias)
			if err != nil {
				t.Fatal(err)
			}
			if q.Bound < bound/(1+2e-4) {
				t.Errorf("%+v: a bound %v below that of the largest margin, %v", p, q.Bound, bound)
			}
		}
		m, err := perceptron.Perceptron{Bias: bias, MaxIter: 1 << 20}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		dual, err := perceptron.Dual{Bias: bias, MaxIter: 1 << 20}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		h := dual.Hyperplane()
		if dual.Mistakes != m.Mistakes || !floats.EqualApprox(h.W, m.W, 1e-9) || math.Abs(h.B-m.B) > 1e-9 {
			t.Errorf("dual: %d mistakes, %+v; primal: %d, %+v", dual.Mistakes, h, m.Mistakes, m.Hyperplane)
		}
	})
	if bounded*20 < all {
		t.Errorf("%d of %d problems were separable, too few to see anything", bounded, all)
	}
}

// A perceptron through the origin makes the same mistakes at any rate, and on samples
// that are all scaled alike (CMU, "invariant to scaling"), here by a power of two to
// exclude rounding.
func TestScaleInvariance(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "log₂ scale"))
		scaled := mat.DenseCopyOf(X)
		scaled.Scale(scale, X)
		p := perceptron.Perceptron{Bias: mlkit.NoBias, MaxIter: 50}
		a, errA := p.Fit(X, y)
		b, errB := p.Fit(scaled, y)
		if a.Mistakes != b.Mistakes || (errA == nil) != (errB == nil) {
			t.Errorf("%d mistakes (%v), scaled by %v %d (%v)", a.Mistakes, errA, scale, b.Mistakes, errB)
		}
		floats.Scale(scale, a.W)
		if errA == nil && !floats.Equal(a.W, b.W) {
			t.Errorf("w = %v, scaled %v", a.W, b.W)
		}
	})
}

// The ratchet: each hyperplane that enters the pocket makes fewer mistakes than the one
// before. The model's count is that of the last.
func TestPocketProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		before, pocket := len(y)+1, mlkit.Hyperplane{}
		m, err := perceptron.Pocket{Epochs: 20, Seed: rapid.Uint64().Draw(t, "seed"), Trace: func(s perceptron.PocketStep) bool {
			// It enters again when its run becomes longer.
			same := s.Pocket.B == pocket.B && floats.Equal(s.Pocket.W, pocket.W)
			if now := wrong(s.Pocket, X, y); s.Replaced && !same {
				if now >= before {
					t.Errorf("draw %d: the pocket goes from %d errors to %d", s.Step, before, now)
				}
				before, pocket = now, mlkit.Hyperplane{W: slices.Clone(s.Pocket.W), B: s.Pocket.B}
			}
			return true
		}}.Fit(X, y)
		if n := (*mlkit.NotConvergedError)(nil); err != nil && !errors.As(err, &n) {
			t.Fatal(err)
		}
		if w := wrong(m.Hyperplane, X, y); w != m.Errors {
			t.Errorf("%d errors counted, there are %d", m.Errors, w)
		}
	})
}

// Each step of the perceptron is a vote: the hyperplanes are those of its trace, the
// votes sum to the steps, the average is weighted by the votes, and the last hyperplane
// is the final one.
func TestVotedProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		_, d := X.Dims()
		p := perceptron.Voted{
			Bias: drawBias(t), Epochs: rapid.IntRange(1, 8).Draw(t, "epochs"),
			Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		mean, steps := mlkit.Hyperplane{W: make([]float64, d)}, 0
		last := mlkit.Hyperplane{}
		traced := p
		traced.Trace = func(s perceptron.Step) bool {
			steps++
			floats.Add(mean.W, s.After.W)
			mean.B += s.After.B
			last = s.After
			return true
		}
		voted, err := traced.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := perceptron.Averaged(p).Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		votes := 0
		for _, c := range voted.Votes {
			votes += c
		}
		if votes != steps || steps != p.Epochs*len(y) || len(voted.Hyperplanes) != voted.Mistakes || averaged.Mistakes != voted.Mistakes {
			t.Errorf("%d votes of %d hyperplanes in %d steps, %d mistakes", votes, len(voted.Hyperplanes), steps, voted.Mistakes)
		}
		floats.Scale(1/float64(steps), mean.W)
		mean.B /= float64(steps)
		for _, h := range []mlkit.Hyperplane{averaged.Hyperplane, voted.Average()} {
			if !floats.EqualApprox(h.W, mean.W, 1e-9) || math.Abs(h.B-mean.B) > 1e-9*(1+math.Abs(mean.B)) {
				t.Errorf("average %+v, of the steps %+v", h, mean)
			}
		}
		for _, h := range []mlkit.Hyperplane{averaged.Last, voted.Hyperplanes[len(voted.Hyperplanes)-1]} {
			if !floats.Equal(h.W, last.W) || h.B != last.B {
				t.Errorf("last %+v, the steps end in %+v", h, last)
			}
		}
	})
}

// A perceptron that gives up returns a hyperplane that is no worse than the last one,
// and the batch perceptron the best it tried. Both count its mistakes correctly.
func TestBestProperty(t *testing.T) {
	gaveUp, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		X, y := testkit.Samples(t, 2)
		bias, epochs := drawBias(t), rapid.IntRange(1, 6).Draw(t, "epochs")
		last, least := 0, len(y)
		var final mlkit.Hyperplane
		m, err := perceptron.Perceptron{Bias: bias, MaxIter: epochs, TraceEpoch: func(e perceptron.Epoch) bool {
			last, final = wrong(e.Hyperplane, X, y), e.Hyperplane
			return true
		}}.Fit(X, y)
		var e *mlkit.NotConvergedError
		if errors.As(err, &e) {
			gaveUp++
			if w := wrong(m.Hyperplane, X, y); w > last || float64(w) != e.Residual {
				t.Errorf("%d samples on the wrong side, %v counted, %d of the last hyperplane", w, e.Residual, last)
			} else if same := m.B == final.B && floats.Equal(m.W, final.W); w == last && !same {
				t.Errorf("%+v, want the last hyperplane %+v, which makes as few mistakes", m.Hyperplane, final)
			}
		} else if err != nil || wrong(m.Hyperplane, X, y) > 0 {
			t.Errorf("%d samples on the wrong side and the error %v", wrong(m.Hyperplane, X, y), err)
		}
		m, err = perceptron.Batch{Bias: bias, MaxIter: epochs, Trace: func(s perceptron.BatchStep) bool {
			least = min(least, wrong(s.Before, X, y), wrong(s.After, X, y))
			return true
		}}.Fit(X, y)
		if w := wrong(m.Hyperplane, X, y); w != least || (err == nil) != (w == 0) || errors.As(err, &e) && float64(w) != e.Residual {
			t.Errorf("batch: %d samples on the wrong side, %d of the best; %v", w, least, err)
		}
	})
	if gaveUp*20 < all {
		t.Errorf("%d of %d problems were not solved, too few to see anything", gaveUp, all)
	}
}
