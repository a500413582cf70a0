package derive

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

// PerceptronRun is a run of the perceptron from w = 0 with rate 1, mistake by mistake,
// with a hyperplane that separates its samples. With a bias, everything refers to samples
// (x, c), extended by a constant c, and weights (w, b/c); see mlkit.Bias.
type PerceptronRun struct {
	Mistakes []PerceptronMistake

	AHat []float64 // â, the normal of the separating hyperplane, of any length
	M    float64   // m = min y(â·x) > 0 over the samples
	R    float64   // R = max‖x‖ over the samples; β in Yuille
}

// PerceptronMistake is a correction: After = Before + Y·X.
type PerceptronMistake struct {
	X      []float64
	Y      int
	Before []float64
	After  []float64
}

// NewPerceptronRun runs p on the rows of X with labels y, each -1 or +1, and records
// every mistake. h is any hyperplane that separates the samples, such as one learnt
// earlier, or perceptron.WidestThroughOrigin, which gives the smallest bound. p must start
// from 0 with rate 1; its Trace is called as usual. NewPerceptronRun returns an error if
// h does not separate the samples, if Fit rejects them, or if there was no mistake. A run
// that MaxIter ends early is accepted.
func NewPerceptronRun(p perceptron.Perceptron, X *mat.Dense, y []int, h mlkit.Hyperplane) (PerceptronRun, error) {
	if p.Start != nil || p.Rate != 0 && p.Rate != 1 {
		return PerceptronRun{}, errors.New("derive: the perceptron has a Start or a Rate, want neither: Novikoff's theorem starts from 0 in steps of yx")
	}
	quantities, err := perceptron.NewNovikoff(X, y, h, p.Bias)
	if err != nil {
		return PerceptronRun{}, err
	}
	c := constant(p.Bias, X)
	r := PerceptronRun{AHat: extended(h, c), M: quantities.M, R: quantities.R}
	trace := p.Trace
	p.Trace = func(s perceptron.Step) bool {
		if s.Mistake {
			x := slices.Clone(s.X)
			if c > 0 {
				x = append(x, c)
			}
			r.Mistakes = append(r.Mistakes, PerceptronMistake{X: x, Y: s.Y, Before: extended(s.Before, c), After: extended(s.After, c)})
		}
		return trace == nil || trace(s)
	}
	var early *mlkit.NotConvergedError
	if _, err := p.Fit(X, y); err != nil && !errors.As(err, &early) {
		return PerceptronRun{}, err
	}
	if len(r.Mistakes) == 0 {
		return PerceptronRun{}, errors.New("derive: the perceptron made no mistake, want a run with at least one")
	}
	return r, nil
}

// constant returns the constant c that extends the samples.
func constant(bias mlkit.Bias, X *mat.Dense) float64 {
	switch bias {
	case mlkit.NoBias:
		return 0
	case mlkit.RadiusBias:
		n, _ := X.Dims()
		var r2 float64
		for i := range n {
			r2 = max(r2, norm2(X.RawRowView(i)))
		}
		return math.Sqrt(r2)
	}
	return 1
}

// extended returns (w, b/c), or w if c is 0.
func extended(h mlkit.Hyperplane, c float64) []float64 {
	w := slices.Clone(h.W)
	if c > 0 {
		w = append(w, h.B/c)
	}
	return w
}

// halfGamma returns γ/2 in EE-559's notation, the margin of the samples with respect to
// w*.
func (r PerceptronRun) halfGamma() float64 { return r.M / math.Sqrt(norm2(r.AHat)) }

// star returns w*, of length 1.
func (r PerceptronRun) star() []float64 { return scaled(1/math.Sqrt(norm2(r.AHat)), r.AHat) }

// perMistake returns f of every mistake, with k counted from 0.
func (r PerceptronRun) perMistake(f func(k int, m PerceptronMistake) float64) []float64 {
	return each(len(r.Mistakes), func(k int) float64 { return f(k, r.Mistakes[k]) })
}

// given describes the run.
func (r PerceptronRun) given() string {
	star := r.star()
	s := fmt.Sprintf(`For a run with %d mistakes, R = $%s$, $w^*=%s$, $\gamma/2=%s$; one number for each mistake, in their order. The samples $y_{n_k}x_{n_k}$ were`,
		len(r.Mistakes), numTeX(r.R), tuple(star), numTeX(r.halfGamma()))
	for k, m := range r.Mistakes {
		if k == shown {
			s += ", …"
			break
		}
		if k > 0 {
			s += ","
		}
		s += fmt.Sprintf(" $%s$", tuple(scaled(float64(m.Y), m.X)))
	}
	return s + ":"
}

// drawPerceptronRun draws samples on both sides of a hyperplane through the origin, at a
// distance of at least 0.05, and runs the perceptron on them.
func drawPerceptronRun(rng *rand.Rand) PerceptronRun {
	d, n := 1+rng.IntN(4), 1+rng.IntN(10)
	h := mlkit.Hyperplane{W: normal(rng, d)}
	X := mat.NewDense(n, d, normal(rng, n*d))
	y := labels(rng, n)
	for i, y := range y {
		// Reflect x if it is on the wrong side, and move it away from the hyperplane.
		x := X.RawRowView(i)
		distance := h.Distance(x)
		floats.AddScaled(x, (float64(y)*(math.Abs(distance)+0.05)-distance)/h.Norm(), h.W)
	}
	r, err := NewPerceptronRun(perceptron.Perceptron{Bias: mlkit.NoBias}, X, y, h)
	if err != nil {
		return drawPerceptronRun(rng) // rounding, or w was drawn as 0
	}
	return r
}

// examplePerceptronRun returns the run of Theodoridis, example 3.2, with the hyperplane
// it ends with: two mistakes, R = √2, γ/2 = 1/√2.
func examplePerceptronRun() PerceptronRun {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	r, err := NewPerceptronRun(perceptron.Perceptron{}, X, []int{+1, +1, -1, -1}, mlkit.Hyperplane{W: []float64{-1, 1}})
	if err != nil {
		panic(err) // the four points are separable
	}
	return r
}
