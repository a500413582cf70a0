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
// rate, the perceptron makes at most (R/Δ)² mistakes. The bound of a hyperplane is not below
// that of the widest, and that of its multiples is the same.
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
			m := testkit.Try(p.Fit(X, y)).Or(t)
			if float64(m.Mistakes) > bound {
				t.Errorf("%+v: %d mistakes, the bound is %v", p, m.Mistakes, bound)
			}
			q := testkit.Try(perceptron.NewNovikoff(X, y, m.Hyperplane, bias)).Or(t)
			if q.Bound < bound/(1+2e-4) {
				t.Errorf("%+v: a bound %v below that of the largest margin, %v", p, q.Bound, bound)
			}
			h := m.Hyperplane.Clone()
			floats.Scale(7, h.W)
			h.B *= 7
			if q7, err := perceptron.NewNovikoff(X, y, h, bias); err != nil || math.Abs(q7.Bound-q.Bound) > 1e-9*q.Bound {
				t.Errorf("%+v: bound %v, of 7(w, b) %v, %v", p, q.Bound, q7.Bound, err)
			}
		}
	})
	if bounded*20 < all {
		t.Errorf("%d of %d problems were separable, too few to see anything", bounded, all)
	}
}

// A perceptron makes the same mistakes on samples that are all scaled alike (CMU, "invariant to
// scaling"), without a bias and with one that has the samples' unit, and at any rate, with any
// bias. Here the factors are powers of two to exclude rounding.
func TestScaleInvariance(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "log₂ scale"))
		scaled := mat.DenseCopyOf(X)
		scaled.Scale(scale, X)
		p := perceptron.Perceptron{Bias: drawBias(t), MaxIter: 50}
		a, errA := p.Fit(X, y)
		if p.Bias != mlkit.FreeBias {
			b, errB := p.Fit(scaled, y)
			if !slices.Equal(a.MistakesPerEpoch, b.MistakesPerEpoch) || (errA == nil) != (errB == nil) {
				t.Errorf("mistakes %v (%v), scaled by %v %v (%v)", a.MistakesPerEpoch, errA, scale, b.MistakesPerEpoch, errB)
			}
			floats.Scale(1/scale, b.W)
			if errA == nil && !floats.Equal(a.W, b.W) {
				t.Errorf("w = %v, scaled %v", a.W, b.W)
			}
		}
		p.Rate = scale
		c, errC := p.Fit(X, y)
		floats.Scale(1/scale, c.W)
		same := slices.Equal(a.MistakesPerEpoch, c.MistakesPerEpoch) && (errA == nil) == (errC == nil)
		if !same || errA == nil && !floats.Equal(a.W, c.W) {
			t.Errorf("rate %v: w/ρ = %v (%v), want %v (%v)", scale, c.W, errC, a.W, errA)
		}
	})
}

// Each step of the perceptron is a vote: the hyperplanes are those of a Perceptron, until that
// ends, the votes sum to the steps, the average is weighted by the votes, and the last
// hyperplane is the final one.
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
		voted := testkit.Try(traced.Fit(X, y)).Or(t)
		averaged := testkit.Try(perceptron.Averaged(p).Fit(X, y)).Or(t)
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
		mistakes := 0
		online := perceptron.Perceptron{Bias: p.Bias, MaxIter: p.Epochs, Shuffle: p.Shuffle, Seed: p.Seed}
		online.Trace = func(s perceptron.Step) bool {
			if s.Mistake {
				if h := voted.Hyperplanes[mistakes]; !floats.Equal(h.W, s.After.W) || h.B != s.After.B {
					t.Errorf("hyperplane %d is %+v, the perceptron's %+v", mistakes, h, s.After)
				}
				mistakes++
			}
			return true
		}
		if _, err := online.Fit(X, y); err == nil && mistakes != voted.Mistakes {
			t.Errorf("%d mistakes, of the perceptron %d", voted.Mistakes, mistakes)
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
