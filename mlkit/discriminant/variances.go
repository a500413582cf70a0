package discriminant

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// spread holds how the columns vary about the class means, in one class or in all.
type spread struct {
	class   string    // " of class 3", or "" for all classes
	squares []float64 // the weighted sum of the squares of each column
	largest []float64 // the largest deviation in each
}

// variances returns the variances σ² of the columns about the class means, one row for
// each class, or a single row if the classes are pooled. To the columns that vary in X it
// adds a share of their variance in all samples, smoothing.
//
// A column that is the same in all samples has σ² = 0. One that varies in X, but not
// about the class means, is an error without smoothing. Other errors are of variances
// that overflow or underflow, and the context's.
func (g *gaussians) variances(ctx context.Context, algorithm string, divisor Divisor, smoothing float64, pooled bool) ([][]float64, error) {
	if !(smoothing >= 0 && check.Finite(smoothing)) {
		return nil, fmt.Errorf("discriminant: %s.VarSmoothing = %v, want a finite number of at least 0", algorithm, smoothing)
	}
	spreads, divisors, err := g.divided(ctx, algorithm, divisor, pooled)
	if err != nil {
		return nil, err
	}
	d := len(g.size)
	variances := make([][]float64, len(spreads))
	for k := range variances {
		variances[k] = make([]float64, d)
	}
	for j := range d {
		column, varies, err := g.ofColumn(algorithm, j, spreads, divisors)
		if err != nil {
			return nil, err
		}
		if !varies {
			continue
		}
		share := 0.0
		if smoothing > 0 {
			share = smoothing * g.total(spreads, j)
		}
		for k, s := range spreads {
			v := column[k] + share
			if v == 0 && smoothing == 0 {
				return nil, doesNotVary(algorithm, s.class, j, d)
			}
			if v < smallestNormal {
				return nil, fmt.Errorf("discriminant: %s%s: %w", algorithm, s.class, errTiny(j, v))
			}
			if !check.Finite(v) {
				return nil, fmt.Errorf("discriminant: %s%s: the variance of column %d of X overflows; scale it to smaller numbers", algorithm, s.class, j)
			}
			variances[k][j] = v
		}
	}
	return variances, nil
}

// divided returns the spread of each class, or a single one if the classes are pooled, and the
// divisors of the squares.
func (g *gaussians) divided(ctx context.Context, algorithm string, divisor Divisor, pooled bool) (spreads []spread, divisors []float64, err error) {
	if spreads, err = g.spreads(ctx); err != nil {
		return nil, nil, err
	}
	masses, means := g.masses, 1
	if pooled {
		spreads, masses, means = []spread{pool(spreads)}, []float64{floats.Sum(g.masses)}, len(g.classes)
	}
	divisors = make([]float64, len(spreads))
	for k, s := range spreads {
		if !pooled && g.counts[k] == 1 { // it has no spread: smoothing is all its variance
			divisors[k] = 1
			continue
		}
		if divisors[k], err = g.divisor(algorithm+s.class, divisor, masses[k], means); err != nil {
			return nil, nil, err
		}
	}
	return spreads, divisors, nil
}

// ofColumn returns the variance of column j in each spread, and whether the column varies in X.
func (g *gaussians) ofColumn(algorithm string, j int, spreads []spread, divisors []float64) (variances []float64, varies bool, err error) {
	variances, varies = make([]float64, len(spreads)), g.apart(j)
	for k, s := range spreads {
		variances[k], err = g.settled(j, s.squares[j]/divisors[k], func() float64 { return s.largest[j] })
		if err != nil {
			return nil, false, fmt.Errorf("discriminant: %s%s: %w", algorithm, s.class, err)
		}
		varies = varies || variances[k] > 0
	}
	return variances, varies, nil
}

// doesNotVary returns the error for a diagonal covariance whose element j is 0.
func doesNotVary(algorithm, class string, j, d int) error {
	e := &SingularError{Algorithm: "discriminant: " + algorithm, Population: "within the classes", Rows: d, Direction: make([]float64, d), Columns: []int{j}, remedy: "VarSmoothing"}
	e.Direction[j] = 1
	if class != "" {
		e.Population = class[1:]
	}
	return e
}

// spreads returns the spread of each class. The only error is the context's.
func (g *gaussians) spreads(ctx context.Context) ([]spread, error) {
	d := len(g.size)
	spreads := make([]spread, len(g.classes))
	for k, label := range g.classes {
		spreads[k] = spread{fmt.Sprintf(" of class %d", label), make([]float64, d), make([]float64, d)}
	}
	for i, k := range g.index {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s, w := spreads[k], g.weight(i)
		for j, z := range g.centred.RawRowView(i) {
			s.squares[j] += w * z * z
			s.largest[j] = max(s.largest[j], math.Abs(z))
		}
	}
	return spreads, nil
}

// pool returns the spread of all classes about their means.
func pool(spreads []spread) spread {
	all := spread{squares: make([]float64, len(spreads[0].squares)), largest: make([]float64, len(spreads[0].largest))}
	for _, s := range spreads {
		floats.Add(all.squares, s.squares)
		for j, v := range s.largest {
			all.largest[j] = max(all.largest[j], v)
		}
	}
	return all
}

// apart reports whether the class means of column j differ by more than rounding.
func (g *gaussians) apart(j int) bool {
	for _, mean := range g.means {
		if math.Abs(mean[j]-g.means[0][j]) > g.rounding(j) {
			return true
		}
	}
	return false
}

// total returns the variance of column j in all samples, with the divisor n: that about
// the class means and that of the class means.
func (g *gaussians) total(spreads []spread, j int) float64 {
	n, mean, v := floats.Sum(g.masses), 0.0, 0.0
	for k, c := range g.masses {
		mean += c / n * g.means[k][j]
	}
	for k, c := range g.masses {
		between := g.means[k][j] - mean
		v += c / n * between * between
	}
	for _, s := range spreads {
		v += s.squares[j] / n
	}
	return v
}
