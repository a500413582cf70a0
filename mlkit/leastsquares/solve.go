package leastsquares

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// solution is the solution for M targets.
type solution struct {
	W         [][]float64 // M×d
	B         []float64
	rank      int
	mse       []float64
	left      float64 // of the equations if they are not solved, as a root mean square in the units of y
	residual  float64 // the largest |y - b| of a cancelled fit
	cancelled error   // the context's error, or nil
}

// solve solves the least squares problem of some samples.
func (l Regression) solve(ctx context.Context, name string, of data) (*solution, error) {
	l, of, err := l.weighed(name, of)
	if err != nil {
		return nil, err
	}
	s := &solution{W: make([][]float64, of.M), B: make([]float64, of.M)}
	p, err := l.problem(ctx, name, of)
	if err == nil {
		var f *fit
		if f, err = p.fit(ctx); err == nil {
			err = p.finish(ctx, s, f)
		}
	}
	switch {
	case ctx.Err() != nil:
		s.cancelled = ctx.Err()
		s.means(l.Bias, of)
	case err != nil:
		return nil, err
	default:
		for _, w := range s.W {
			if !check.AllFinite(w) {
				return nil, p.outOfRange()
			}
		}
	}
	for k, v := range s.mse {
		if !check.Finite(v) || !check.Finite(s.B[k]) {
			return nil, fmt.Errorf("leastsquares: %s: the errors overflow, want elements of X and y nearer to 1; scale them", name)
		}
	}
	return s, nil
}

func (p *problem) outOfRange() error {
	return fmt.Errorf("leastsquares: %s: the solution is out of range, want elements of X and y nearer to 1; scale them", p.name)
}

// largeProblem is the number of multiplications n·d·min(n, d) from which a Gram matrix is
// worth its cost: some 10 ms of reflections. Below it every processor gives the same
// bits.
var largeProblem = 1e8

// fit solves the problem with the solver for its method and shape.
func (p *problem) fit(ctx context.Context) (*fit, error) {
	if p.Solver == ByNormalEquations {
		return p.byNormalEquations(ctx)
	}
	wide := p.n < p.c+p.d
	exact, fast := p.tall, p.tallProducts
	if wide {
		exact, fast = p.wide, p.wideProducts
	}
	large := float64(p.n)*float64(p.d)*float64(min(p.n, p.d)) >= largeProblem
	if large && p.RankTol == 0 {
		if f, err := fast(ctx); f != nil || err != nil {
			return f, err
		}
	}
	return exact(ctx)
}

// means sets s to the model of a cancelled fit: W = 0 and, unless through the origin, B
// the weighted means of the targets.
func (s *solution) means(bias mlkit.Bias, of data) {
	_, d := of.X.Dims()
	total := floats.Sum(of.weights)
	s.rank, s.mse = 0, make([]float64, len(s.B))
	clear(s.B)
	for k := range s.W {
		s.W[k] = make([]float64, d)
	}
	y := make([]float64, len(s.B))
	for i, weight := range of.weights {
		if of.target(y, i); bias != mlkit.NoBias {
			floats.AddScaled(s.B, weight/total, y)
		}
	}
	for i, weight := range of.weights {
		of.target(y, i)
		for k, v := range y {
			v -= s.B[k]
			s.mse[k] += weight * v * v / total
			s.residual = math.Max(s.residual, math.Abs(v))
		}
	}
}

// unsolved returns the error of a fit that was cancelled, or whose equations are not solved;
// nil otherwise.
func (s *solution) unsolved(name string, model any) error {
	e := &mlkit.NotConvergedError{Algorithm: "leastsquares: " + name, Model: model}
	switch {
	case s.cancelled != nil:
		e.Residual, e.Err = s.residual, s.cancelled
		e.Reason = fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", s.cancelled)
	case s.left > 0:
		e.Residual = s.left
		e.Reason = fmt.Sprintf("rounding leaves %.2g of the equations, in the units of y; standardise the columns of X, leave out those that depend on others, or raise Lambda", s.left)
	default:
		return nil
	}
	return e
}

// NormalEquations returns XᵀX and Xᵀy for the rows of X (n×d), each extended by 1 as its
// last element, and the targets y[i] (Theodoridis, "Sum of Error Squares Estimation").
// XᵀX is (d+1)×(d+1) and Xᵀy has length d+1; with NoBias, which extends no row, they are
// d×d and d. The labels -1 and +1 can be targets too. It returns an error that
// names what is wrong with X, y or bias.
func NormalEquations(X *mat.Dense, y []float64, bias mlkit.Bias) (XtX *mat.SymDense, Xty *mat.VecDense, err error) {
	l := Regression{Bias: bias}
	if err := l.check("Regression", X); err != nil {
		return nil, nil, err
	}
	n, d := X.Dims()
	if err := checkTargets(n, y); err != nil {
		return nil, nil, err
	}
	p := d
	if bias != mlkit.NoBias {
		p++
	}
	sum, err := sumOfRows(context.Background(), n, p+1, func(dst []float64, i int) {
		dst[d] = 1 // overwritten below with NoBias
		copy(dst, X.RawRowView(i))
		dst[p] = y[i]
	})
	if err != nil {
		return nil, nil, err
	}
	Xty = mat.NewVecDense(p, nil)
	for j := range p {
		Xty.SetVec(j, sum.At(j, p))
	}
	XtX = mat.NewSymDense(p, nil)
	XtX.CopySym(sum)
	return XtX, Xty, nil
}
