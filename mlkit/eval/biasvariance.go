package eval

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
)

// Decomposition splits the mean squared error of a regression into three parts,
//
//	E (y - g(x;D))² = (E_D g(x;D) - f(x))² + E_D (g(x;D) - E_D g(x;D))² + s²
//	                  Bias²                  Variance                    Noise
//
// where g is the model trained on the set D and y = f(x) + noise is an unseen target
// (Theodoridis, "The Bias-Variance Dilemma"; EE-559, "the bias-variance tradeoff"; Geman,
// Bienenstock and Doursat, "Neural networks and the bias/variance dilemma", 1992). The
// numbers are means over the test points.
type Decomposition struct {
	Bias2, Variance, Noise float64 // the parts of the mean squared error

	// MSE is the mean of (y - g(x;D))² over training sets and targets. It differs from
	// the sum of the three parts by rounding error, and with random targets also by
	// chance: StdErr is the standard error of the difference.
	MSE, StdErr float64

	Points []PointDecomposition // one per test point
	Runs   int                  // number of training sets
}

// PointDecomposition is the decomposition at one test point.
type PointDecomposition struct {
	Truth    float64 // f(x)
	Mean     float64 // E_D g(x;D)
	Bias     float64 // Mean - Truth
	Variance float64
}

// Sum returns Bias2 + Variance + Noise.
func (d Decomposition) Sum() float64 { return d.Bias2 + d.Variance + d.Noise }

// Resampling configures the random training sets.
type Resampling struct {
	Runs    int // number of training sets; 0 means 200
	Seed    uint64
	Workers int // concurrent fits; 0 means one per processor. Does not change the results
}

// BiasVariance estimates the decomposition at the rows of T from random training sets.
// Their samples come from inputs, which may always return the same X (a fixed design).
// Their targets come from the process, with Gaussian noise. Several goroutines call fit
// and inputs concurrently. The model of a fit that has not converged counts like any
// other.
//
// The variance divides by the number of runs, so that without noise the sum is the MSE.
// Bias2 is then too large by about Variance/Runs.
func BiasVariance[M mlkit.Scorer](ctx context.Context, r Resampling, p Process, inputs func(rng *rand.Rand) *mat.Dense, fit func(X *mat.Dense, y []float64) (M, error), T *mat.Dense) (Decomposition, error) {
	if fit == nil || inputs == nil {
		return Decomposition{}, fmt.Errorf("eval: inputs or fit is nil, want two functions")
	}
	if err := p.check(); err != nil {
		return Decomposition{}, err
	}
	truth, err := p.truth("T", T, 0)
	if err != nil {
		return Decomposition{}, err
	}
	runs, err := r.runs(len(truth))
	if err != nil {
		return Decomposition{}, err
	}
	_, d := T.Dims()
	predicted, targets := make([][]float64, runs), make([][]float64, runs)
	err = forEach(ctx, runs, r.Workers, func(i int) error {
		rng := rand.New(rand.NewPCG(r.Seed, uint64(i)))
		noisy := func(f []float64) []float64 {
			y := make([]float64, len(f))
			for j := range y {
				y[j] = f[j] + p.Sigma*rng.NormFloat64()
			}
			return y
		}
		X := inputs(rng)
		f, err := p.truth("inputs", X, d)
		if err != nil {
			return fmt.Errorf("%w, in run %d", err, i)
		}
		predicted[i], err = predictions(fit, X, noisy(f), T)
		if err != nil {
			return fmt.Errorf("eval: run %d: %w", i, err)
		}
		targets[i] = noisy(truth)
		return nil
	})
	if err != nil {
		return Decomposition{}, err
	}
	parts := decompose(truth, p.Sigma*p.Sigma, predicted)
	excess := make([]float64, runs) // squared error minus that against the truth
	for i, g := range predicted {
		for j, v := range g {
			e := (targets[i][j] - v) * (targets[i][j] - v)
			parts.MSE += e
			excess[i] += e - (v-truth[j])*(v-truth[j])
		}
		excess[i] /= float64(len(truth))
	}
	parts.MSE /= float64(runs * len(truth))
	if p.Sigma > 0 {
		parts.StdErr = stat.StdErr(stat.StdDev(excess, nil), float64(runs))
	}
	return parts, nil
}

// BootstrapBiasVariance estimates the decomposition from samples alone. It draws training
// sets from X and y with replacement (the bootstrap, Bradley Efron, 1979); T and t are
// held-out samples and their targets. Since f is unknown, t replaces it: Bias2 contains
// the noise, and Noise is 0. The sum is the MSE.
func BootstrapBiasVariance[M mlkit.Scorer](ctx context.Context, r Resampling, fit func(X *mat.Dense, y []float64) (M, error), X *mat.Dense, y []float64, T *mat.Dense, t []float64) (Decomposition, error) {
	if fit == nil {
		return Decomposition{}, errNoFit
	}
	if err := checkSamples(X, len(y), "target"); err != nil {
		return Decomposition{}, err
	}
	if err := finite("y", y); err != nil {
		return Decomposition{}, err
	}
	_, d := X.Dims()
	if err := matrix("T", T, d); err != nil {
		return Decomposition{}, err
	}
	if m, _ := T.Dims(); len(t) != m {
		return Decomposition{}, fmt.Errorf("eval: len(t) = %d, want %d, one target for each row of T", len(t), m)
	}
	if err := finite("t", t); err != nil {
		return Decomposition{}, err
	}
	runs, err := r.runs(len(t))
	if err != nil {
		return Decomposition{}, err
	}
	predicted := make([][]float64, runs)
	err = forEach(ctx, len(predicted), r.Workers, func(i int) error {
		rng := rand.New(rand.NewPCG(r.Seed, uint64(i)))
		rows := make([]int, len(y))
		for k := range rows {
			rows[k] = rng.IntN(len(y))
		}
		A, a := Pick(X, y, rows)
		var err error
		predicted[i], err = predictions(fit, A, a, T)
		if err != nil {
			return fmt.Errorf("eval: run %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		return Decomposition{}, err
	}
	parts := decompose(t, 0, predicted)
	parts.MSE = meanSquare(predicted, func(j int, g float64) float64 { return (t[j] - g) * (t[j] - g) })
	return parts, nil
}

// decompose computes everything except MSE and StdErr from the predictions of each run.
func decompose(truth []float64, noise float64, predicted [][]float64) Decomposition {
	d := Decomposition{Noise: noise, Points: make([]PointDecomposition, len(truth)), Runs: len(predicted)}
	column := make([]float64, len(predicted))
	for j, f := range truth {
		for i, g := range predicted {
			column[i] = g[j]
		}
		mean, variance := stat.PopMeanVariance(column, nil)
		d.Points[j] = PointDecomposition{Truth: f, Mean: mean, Bias: mean - f, Variance: variance}
	}
	d.average()
	return d
}

// average sets Bias2 and Variance to their means over the points.
func (d *Decomposition) average() {
	m := float64(len(d.Points))
	for _, p := range d.Points {
		d.Bias2 += p.Bias * p.Bias / m
		d.Variance += p.Variance / m
	}
}

// meanSquare returns the mean of square(j, g) over runs and test points.
func meanSquare(predicted [][]float64, square func(j int, g float64) float64) float64 {
	sum := 0.0
	for _, g := range predicted {
		for j, v := range g {
			sum += square(j, v) / float64(len(g))
		}
	}
	return sum / float64(len(predicted))
}

// runs returns the number of runs. It returns an error if the predictions of all runs for
// m test points are too many to keep.
func (r Resampling) runs(m int) (int, error) {
	runs := cmp.Or(r.Runs, 200)
	if runs < 2 {
		return 0, fmt.Errorf("eval: Resampling.Runs = %d, want at least 2, or 0 for 200", runs)
	}
	if runs > maxNumbers/m {
		return 0, fmt.Errorf("eval: Resampling.Runs = %d, want at most %d for %d test points", runs, maxNumbers/m, m)
	}
	return runs, nil
}
