package eval

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// LearningPoint is the validation of models trained on Size samples.
type LearningPoint struct {
	Size int // training rows of each fold
	Validation
}

// LearningCurve cross-validates an algorithm on the first sizes[i] training rows of each fold,
// for each i; the test rows stay the same. Use folds with training rows in random order,
// such as those of Shuffled: otherwise the first rows may be of one class. It returns an
// error if a size exceeds the training rows of a fold. Otherwise it behaves like
// CrossValidate.
func LearningCurve[M any, Y int | float64](o mlkit.Options, p Plan, sizes []int, a mlkit.Algorithm[M, Y], measure Measure[M, Y], X *mat.Dense, y []Y) ([]LearningPoint, error) {
	if err := given(check.Nil(a), measure == nil); err != nil {
		return nil, err
	}
	if err := p.check(o, X, len(y)); err != nil {
		return nil, err
	}
	if len(sizes) == 0 {
		return nil, fmt.Errorf("eval: sizes is empty, want at least one")
	}
	for i, size := range sizes {
		for j, f := range p.Folds {
			if size < 1 || size > len(f.Train) {
				return nil, fmt.Errorf("eval: sizes[%d] = %d, want from 1 to %d, the training rows of fold %d", i, size, len(f.Train), j)
			}
		}
	}
	k := len(p.Folds)
	points := make([]LearningPoint, len(sizes))
	for i, size := range sizes {
		points[i] = LearningPoint{size, newValidation(k)}
	}
	err := p.forEach(o, len(sizes)*k, work.Counted(o, "eval: LearningCurve", len(sizes)*k), func(job int) error {
		i, j := job/k, job%k
		f := Fold{Train: p.Folds[j].Train[:sizes[i]], Test: p.Folds[j].Test}
		if err := runFold(o, points[i].Validation, j, f, a, measure, X, y); err != nil {
			return fmt.Errorf("eval: sizes[%d], fold %d: %w", i, j, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}

// Shuffled returns the folds with their training rows in a random order that depends on
// the seed.
func Shuffled(folds []Fold, seed uint64) []Fold {
	shuffled := make([]Fold, len(folds))
	for j, f := range folds {
		shuffled[j].Test = f.Test
		for _, k := range order(len(f.Train), true, seed+uint64(j)) {
			shuffled[j].Train = append(shuffled[j].Train, f.Train[k])
		}
	}
	return shuffled
}
