package eval

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// CrossScores returns for each row of X (n×d) its score by a model that was fitted without
// it: the model is fitted to the training rows of each fold and scores the test rows. Each
// row must be a test row once. Such scores are honest, as those of training samples are
// not: calibration.FitPlatt needs them, and NewROC shows with them how a model ranks
// samples that it has not seen.
//
// A fit that does not converge is no failure: its model scores like the others. If models have
// different Classes, since not all labels occur in the training rows of each fold, their scores
// mean different things, and CrossScores returns an error. All other errors and the concurrency
// are those of CrossValidate.
func CrossScores[M mlkit.Scorer, Y int | float64](o mlkit.Options, p Plan, a mlkit.Algorithm[M, Y], X *mat.Dense, y []Y) ([]float64, error) {
	if check.Nil(a) {
		return nil, errNoAlgorithm
	}
	if err := p.check(o, X, len(y)); err != nil {
		return nil, err
	}
	if err := p.once(len(y)); err != nil {
		return nil, err
	}
	scores, classes := make([]float64, len(y)), make([][]int, len(p.Folds))
	err := p.forEach(o, len(p.Folds), work.Counted(o, "eval: CrossScores", len(p.Folds)), func(j int) error {
		f := p.Folds[j]
		A, labels := Pick(X, y, f.Train)
		m, err := a.FitWith(of(o, f.Train), A, labels)
		if _, err = unfinished(m, err); err != nil {
			return fmt.Errorf("eval: fold %d: %w", j, err)
		}
		classes[j], _ = classesOf(m) // nil if it has none
		Z, _ := Pick(X, y, f.Test)
		some, err := answers(m, "Scores", "X", Z, func() []float64 { return m.Scores(nil, Z) })
		if err != nil {
			return fmt.Errorf("eval: fold %d: %w", j, err)
		}
		for k, i := range f.Test {
			scores[i] = some[k]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for j, c := range classes {
		if !slices.Equal(c, classes[0]) {
			return nil, fmt.Errorf("eval: the model of fold 0 has the classes %v, and that of fold %d %v, want the same, as with folds from KFold.Stratified", classes[0], j, c)
		}
	}
	return scores, nil
}

// once returns an error unless each of the n rows is a test row of one fold.
func (p Plan) once(n int) error {
	times := make([]int, n)
	for _, f := range p.Folds {
		for _, i := range f.Test {
			times[i]++
		}
	}
	for i, t := range times {
		if t != 1 {
			return fmt.Errorf("eval: row %d is a test row of %d folds of the plan, want one, as in those of KFold", i, t)
		}
	}
	return nil
}
