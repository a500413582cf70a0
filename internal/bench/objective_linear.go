package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// penalised is penalty(w, b) + C Σ loss(yᵢfᵢ).
func penalised(penalty func(w []float64, b float64) float64, loss func(margin float64) float64) objective {
	return func(t task, train, _ samples, s solution) (float64, error) {
		f, err := s.scores(train, 1)
		if err != nil {
			return 0, err
		}
		value := penalty(s.W[0], s.B[0])
		for i, row := range f {
			value += t.Params.C * loss(float64(train.y[i])*row[0])
		}
		return value, nil
	}
}

var (
	// squaredHinge is ½(‖w‖² + b²) + C Σ ξᵢ², and hinge the same with ξᵢ.
	squaredHinge = penalised(lengthWithBias, func(margin float64) float64 { return slack(margin) * slack(margin) })
	hinge        = penalised(lengthWithBias, slack)

	// logisticLoss is C Σ log(1 + exp(-yᵢfᵢ)) + ½‖w‖²; b has no penalty.
	logisticLoss = penalised(func(w []float64, _ float64) float64 { return floats.Dot(w, w) / 2 }, logLoss)
	// sparseLogisticLoss is the same with ‖w‖₁ as the penalty.
	sparseLogisticLoss = penalised(func(w []float64, _ float64) float64 { return floats.Norm(w, 1) }, logLoss)
)

func lengthWithBias(w []float64, b float64) float64 { return (floats.Dot(w, w) + b*b) / 2 }
func slack(margin float64) float64                  { return max(0, 1-margin) }
func logLoss(margin float64) float64 {
	return max(0, -margin) + math.Log1p(math.Exp(-math.Abs(margin)))
}

// scores are the scores of the samples for each of the rows of W, which are rows in
// number.
func (s solution) scores(train samples, rows int) ([][]float64, error) {
	n, d := train.X.Dims()
	if len(s.W) != rows || len(s.B) != rows {
		return nil, fmt.Errorf("%d rows of weights and %d biases, want %d", len(s.W), len(s.B), rows)
	}
	f := make([][]float64, n)
	for i := range f {
		f[i] = make([]float64, rows)
		for k, w := range s.W {
			if len(w) != d {
				return nil, fmt.Errorf("%d weights, want %d", len(w), d)
			}
			f[i][k] = floats.Dot(w, train.X.RawRowView(i)) + s.B[k]
		}
	}
	return f, nil
}

// softmaxLoss is -C Σ log P(Y = yᵢ | xᵢ) + ½ Σ ‖w_k‖²; biases have no penalty.
// Labels are 0 to K-1.
func softmaxLoss(t task, train, _ samples, s solution) (float64, error) {
	f, err := s.scores(train, t.Params.K)
	if err != nil {
		return 0, err
	}
	value := 0.0
	for _, w := range s.W {
		value += floats.Dot(w, w) / 2
	}
	for i, row := range f {
		value += t.Params.C * (floats.LogSumExp(row) - row[train.y[i]])
	}
	return value, nil
}

// fisher is ½ w·Σw - w·(m₊ - m₋), of which the w of linear discriminant analysis is
// the minimum; Σ is the pooled covariance with divisor n. The b must be
// that of the lecture for this w: the log-odds are 0 between the means, but for the
// priors.
func fisher(_ task, train, _ samples, s solution) (float64, error) {
	n, d := train.X.Dims()
	f, err := s.scores(train, 1)
	if err != nil {
		return 0, err
	}
	// With the scores f of the samples no Σ is needed: w·Σw is the variance of f about
	// the means of the classes, and w·m the mean of f.
	count, mean := map[int]float64{}, map[int]float64{}
	for i, y := range train.y {
		count[y]++
		mean[y] += f[i][0]
	}
	for y := range mean {
		mean[y] /= count[y]
	}
	square := 0.0
	for i, y := range train.y {
		square += (f[i][0] - mean[y]) * (f[i][0] - mean[y])
	}
	between := (mean[+1]+mean[-1])/2 - math.Log(count[+1]/count[-1])
	if !(math.Abs(between) <= 1e-5*(1+mat.Norm(mat.NewVecDense(d, s.W[0]), 2))) {
		return 0, fmt.Errorf("b is off by %g", between)
	}
	return square/float64(n)/2 - (mean[+1] - mean[-1]), nil
}

// squaredError is Σ (yᵢ - fᵢ)² + λ‖w‖². With more columns than samples and no λ, many w have
// no error, and the shortest is wanted: the objective is then ‖w‖², and any error is refused.
func squaredError(t task, train, _ samples, s solution) (float64, error) {
	f, err := s.scores(train, 1)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, row := range f {
		e := float64(train.y[i]) - row[0]
		sum += e * e
	}
	square := floats.Dot(s.W[0], s.W[0])
	if n, d := train.X.Dims(); t.Params.Lambda == 0 && n <= d {
		if !(sum <= 1e-10*float64(n)) {
			return 0, fmt.Errorf("the errors have the sum of squares %g, want 0", sum)
		}
		return square, nil
	}
	return sum + t.Params.Lambda*square, nil
}

// perceptronCost is Σ max(0, -yᵢfᵢ) of the hyperplane after the last pass. The
// perceptron does not minimise it; but from one start, in one order, every
// implementation goes the same way, and ends with the same cost.
func perceptronCost(_ task, train, _ samples, s solution) (float64, error) {
	f, err := s.scores(train, 1)
	if err != nil {
		return 0, err
	}
	cost := 0.0
	for i, row := range f {
		cost += max(0, -float64(train.y[i])*row[0])
	}
	return cost, nil
}
