package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Process generates targets: y = F(x) + Sigma·ε, where ε is random with mean 0 and
// variance 1.
type Process struct {
	F     func(x []float64) float64 // the targets' mean
	Sigma float64                   // ≥ 0, the targets' standard deviation
}

// check checks F and Sigma.
func (p Process) check() error {
	if p.F == nil {
		return fmt.Errorf("eval: Process.F is nil, want a function of a sample")
	}
	if !(p.Sigma >= 0 && p.Sigma <= math.MaxFloat64) {
		return fmt.Errorf("eval: Process.Sigma = %v, want a number that is at least 0", p.Sigma)
	}
	return nil
}

// truth returns F of the rows of A, which must have d columns; d = 0 means any number.
// name is the name of A in errors.
func (p Process) truth(name string, A *mat.Dense, d int) ([]float64, error) {
	if err := matrix(name, A, d); err != nil {
		return nil, err
	}
	n, _ := A.Dims()
	f := make([]float64, n)
	for i := range f {
		f[i] = p.F(mat.Row(nil, i, A))
		if math.IsNaN(f[i]) || math.IsInf(f[i], 0) {
			return nil, fmt.Errorf("eval: Process.F(%s[%d]) = %v for %v, want a finite number", name, i, f[i], A.RawRowView(i))
		}
	}
	return f, nil
}

// truths returns F of the rows of X and of T, for models trained on X and tested on T.
func (p Process) truths(X, T *mat.Dense) (f, truth []float64, err error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	if truth, err = p.truth("T", T, 0); err != nil {
		return nil, nil, err
	}
	_, d := T.Dims()
	f, err = p.truth("X", X, d)
	return f, truth, err
}

// matrix checks that A has rows, finite elements and d columns; d = 0 means any number.
// name is the name of A in errors.
func matrix(name string, A *mat.Dense, d int) error {
	if A == nil || A.IsEmpty() {
		return fmt.Errorf("eval: %s is empty, want at least one row and one column", name)
	}
	n, columns := A.Dims()
	if d > 0 && columns != d {
		return fmt.Errorf("eval: %s has %d columns, want %d, as many as the other samples", name, columns, d)
	}
	for i := range n {
		if err := finite(fmt.Sprintf("%s[%d]", name, i), A.RawRowView(i)); err != nil {
			return err
		}
	}
	return nil
}

// predictions fits a model to X and y and returns its scores of T.
func predictions[M mlkit.Scorer](fit func(X *mat.Dense, y []float64) (M, error), X *mat.Dense, y []float64, T *mat.Dense) ([]float64, error) {
	m, err := fit(X, y)
	if _, err = unfinished(m, err); err != nil {
		return nil, err
	}
	scores, err := answers(m, "Scores", "T", T, func() []float64 { return m.Scores(nil, T) })
	if err != nil {
		return nil, err
	}
	return scores, finite("Scores(T)", scores)
}
