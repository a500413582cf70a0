package eval

import "gonum.org/v1/gonum/stat"

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
	// the sum of the three parts by rounding error.
	MSE float64

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

// decompose computes everything except MSE from the predictions of each run.
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
