package logistic

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Path returns the models of a regularisation path: model i is that of l with the penalties
// λL1 and λL2 for λ = lambdas[i] ≥ 0. So Regression{L1: 1} has a path over the values of L1,
// Regression{L2: 1} one over those of L2, and L1 = α with L2 = 1 - α is the elastic net of
// glmnet, where λ is n times smaller, since glmnet divides the likelihood by n.
//
//	l := logistic.Regression{L1: 1}
//	lambdas, err := l.Lambdas(mlkit.Options{}, X, y)
//	…
//	models, err := l.Path(mlkit.Options{}, lambdas, X, y) // models[i] has L1 = lambdas[i]
//
// The fits go from the largest λ down, and each begins at the model before, the first one at
// Start (Jerome Friedman, Trevor Hastie and Robert Tibshirani, "Regularization Paths for
// Generalized Linear Models via Coordinate Descent", 2010, section 2.5). Each ends within its
// Tol of the minimum, wherever it began. Trace is called in all of them.
//
// Path returns an error if an argument or hyperparameter is invalid. If a fit returns a
// *SeparableError or a *mlkit.NotConvergedError, Path ends: the error names λ, and it comes
// with the models so far, nil for the λ below.
func (l Regression) Path(o mlkit.Options, lambdas []float64, X *mat.Dense, y []int) ([]*Model, error) {
	if err := l.penalised("Path"); err != nil {
		return nil, err
	}
	if len(lambdas) == 0 {
		return nil, fmt.Errorf("logistic: Path: lambdas is empty, want at least one λ, such as those of Lambdas")
	}
	fits, order := make([]Regression, len(lambdas)), make([]int, len(lambdas))
	for i, lambda := range lambdas {
		fits[i], order[i] = l, i
		fits[i].L1, fits[i].L2 = lambda*l.L1, lambda*l.L2
		if err := fits[i].check(); err != nil {
			return nil, fmt.Errorf("%w (Path, lambdas[%d] = %v)", err, i, lambda)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lambdas[j], lambdas[i]) })
	models := make([]*Model, len(lambdas))
	for _, i := range order {
		fits[i].Start = l.Start
		m, err := fits[i].FitWith(o, X, y)
		if m == nil {
			return nil, err
		}
		models[i] = m
		if err != nil {
			return models, fmt.Errorf("%w (Path, lambdas[%d] = %v)", err, i, lambdas[i])
		}
		l.Start = &m.LinearMachine
	}
	return models, nil
}

// MaxL1 returns the largest useful L1: the smallest with which all weights are 0,
//
//	max |Σ vᵢ([yᵢ = k] - p_k) xᵢⱼ| over the classes k and the columns j,
//
// up to rounding. There p_k is the share of class k in the sum of the weights vᵢ, to which the
// biases alone fit its probability, and the sum is the derivative of the log-likelihood with
// respect to w_kj (Friedman, Hastie and Tibshirani, section 2.5). It depends on the units of
// the columns and on ClassWeights, and on no other field.
//
// MaxL1 returns an error if an argument or hyperparameter is invalid. Of o it takes the weights.
func (l Regression) MaxL1(o mlkit.Options, X *mat.Dense, y []int) (float64, error) {
	if err := l.check(); err != nil {
		return 0, err
	}
	s, err := l.labelled(o, X, y)
	if err != nil {
		return 0, err
	}
	n, d := s.X.Dims()
	total, p, mean := 0.0, make([]float64, len(s.classes)), make([]float64, d)
	for i, k := range s.index {
		total += s.weight(i)
		p[k] += s.weight(i)
		floats.AddScaled(mean, s.weight(i), s.X.RawRowView(i))
	}
	floats.Scale(1/total, p)
	floats.Scale(1/total, mean)
	pulls := mat.NewDense(len(s.classes), d, nil)
	x := make([]float64, d)
	for i := range n {
		floats.SubTo(x, s.X.RawRowView(i), mean) // leaves the sum as it is, with smaller rounding errors
		for k := range s.classes {
			t := 0.0
			if s.index[i] == k {
				t = 1
			}
			floats.AddScaled(pulls.RawRowView(k), s.weight(i)*(t-p[k]), x)
		}
	}
	most := floats.Norm(pulls.RawMatrix().Data, math.Inf(1))
	if !check.Finite(most) {
		return 0, fmt.Errorf("logistic: MaxL1: the derivative of the likelihood at w = 0 is out of range, want columns of X of smaller numbers")
	}
	return most, nil
}

// Lambdas returns the values for Path that glmnet chooses by default: 100, from the largest
// useful one λ₁ down to 10⁻⁴λ₁, or 10⁻²λ₁ if X has fewer rows than columns, with the same ratio
// from each to the next. λ₁ is MaxL1 over L1, with which all weights are 0. With L2 alone no
// weights are 0, and λ₁ is 1000 MaxL1 over L2, as if a thousandth of the penalty was L1.
//
// Lambdas returns an error if MaxL1 does, or if all columns of X are constant.
func (l Regression) Lambdas(o mlkit.Options, X *mat.Dense, y []int) ([]float64, error) {
	if err := l.penalised("Lambdas"); err != nil {
		return nil, err
	}
	strongest, err := l.MaxL1(o, X, y)
	if err != nil {
		return nil, err
	}
	strongest /= math.Max(l.L1, 1e-3*(l.L1+l.L2))
	if !(strongest > 0 && check.Finite(strongest)) {
		return nil, fmt.Errorf("logistic: Lambdas: the largest λ is %v, want a positive number: columns of X that are not all constant, beside L1 = %v and L2 = %v", strongest, l.L1, l.L2)
	}
	n, d := X.Dims()
	for _, v := range o.Weights {
		if v == 0 {
			n-- // absent
		}
	}
	least := 1e-4
	if n < d {
		least = 1e-2
	}
	lambdas := make([]float64, 100)
	for i := range lambdas {
		lambdas[i] = strongest * math.Pow(least, float64(i)/float64(len(lambdas)-1))
	}
	return lambdas, nil
}

// penalised returns an error if there is no penalty for λ to multiply.
func (l Regression) penalised(method string) error {
	if l.L1 == 0 && l.L2 == 0 {
		return fmt.Errorf("logistic: %s: Regression.L1 and L2 are 0, want one of them above, which λ multiplies", method)
	}
	return nil
}
