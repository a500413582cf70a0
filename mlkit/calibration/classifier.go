package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/multiclass"
)

// Classifier is an algorithm for two classes and Platt's sigmoid, which makes probabilities
// of its scores.
//
//	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 10}}
//
// The machine that predicts is trained on all samples. The sigmoid is fitted to the scores of
// samples that a machine was not trained on: cross-validation divides the samples into parts,
// and the scores of each come from a machine trained on the others (Platt, 2000; see
// FitPlatt). The scores of the model are log odds, so its labels and probabilities agree; its
// labels are not always those of the machine, whose boundary need not be where the
// probability is ½.
//
// If the machines rank samples that they were not trained on in the wrong order, A would be
// positive, and the model would contradict its machine. A is 0 then, and all samples get the
// same probability.
//
// multiclass.ProbableOneVsOne and multiclass.ProbableOneVsRest take a Classifier for many
// classes. The machines of all parts and pairs are fitted as one set, by the algorithm's
// FitMachines if it has one.
type Classifier[M mlkit.ClassifierModel] struct {
	Algorithm mlkit.Algorithm[M, int] // required: an algorithm for two classes, labelled -1 and +1

	// Folds is the number of parts, at least 2; 0 means 5. There are never more parts than
	// distinct samples.
	Folds int

	// Seed determines the random order in which samples are dealt to parts. The parts have
	// the same number of samples of a class, or one more or less; equal samples of a class
	// count as one and stay together, so that no machine knows a sample that it scores.
	Seed uint64
}

// Fit trains on the rows of X (n×d) with labels y[i], each -1 or +1.
//
// If a machine does not converge, Fit returns the model with a *mlkit.NotConvergedError that
// names the fold; its scores count like the others'. Fit returns an error if X, y or c is
// invalid, if the algorithm does, or if a class has fewer than two distinct samples: one to
// train on, and one to score.
func (c Classifier[M]) Fit(X *mat.Dense, y []int) (*ClassifierModel[M], error) {
	return c.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context, and with weights for the machines and for the sigmoid, if the
// algorithm takes weights. It reports each machine that is done. If the algorithm returns a *mlkit.NotConvergedError that wraps the
// context's error, or if the context ends between its fits, so does FitWith; the sigmoid is that
// of the machine's score then, with A = -1 and B = 0.
func (c Classifier[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ClassifierModel[M], error) {
	if err := check.TwoClasses("calibration", X, y); err != nil {
		return nil, err
	}
	if err := check.Weights("calibration", len(y), o.Weights); err != nil {
		return nil, err
	}
	models, errs := c.fitMachines(o.ContextOrBackground(), X, []multiclass.Problem{{Y: y, Weights: o.Weights}}, func(machines int) func() {
		return work.Counted(o, "calibration: Classifier", machines)
	})
	return models[0], errs[0]
}

// check checks the fields.
func (c Classifier[M]) check() error {
	if check.Nil(c.Algorithm) {
		return errors.New("calibration: Classifier.Algorithm is nil, want an algorithm for two classes, such as svm.Classifier{}")
	}
	if c.Folds < 0 || c.Folds == 1 {
		return fmt.Errorf("calibration: Classifier.Folds = %d, want at least 2, or 0 for 5", c.Folds)
	}
	return nil
}

// A calibrated is the fit of a Classifier to one problem, without its samples of weight 0.
type calibrated struct {
	multiclass.Problem
	parts  [][]int   // of the samples of the problem: see deal
	first  int       // the place among all fits of that to all samples; those without a part follow
	scores []float64 // of each sample, by the machine that was trained without it
}

// FitMachines fits a model to each problem, for a model of many classes: see
// multiclass.Joint. It fits the machines of all parts of all problems together.
func (c Classifier[M]) FitMachines(ctx context.Context, X *mat.Dense, problems []multiclass.Problem, done func()) (models []*ClassifierModel[M], errs []error) {
	return c.fitMachines(ctx, X, problems, func(machines int) func() {
		var fitted atomic.Int64
		count, total := int64(len(problems)), int64(machines)
		return func() {
			if n := fitted.Add(1); n*count/total > (n-1)*count/total {
				done() // as often as there are problems
			}
		}
	})
}

// fitMachines is FitMachines. It calls counter with the number of machines to fit, and the
// function that this returns after each.
func (c Classifier[M]) fitMachines(ctx context.Context, X *mat.Dense, problems []multiclass.Problem, counter func(machines int) func()) (models []*ClassifierModel[M], errs []error) {
	models, errs = make([]*ClassifierModel[M], len(problems)), make([]error, len(problems))
	all, equal := make([]calibrated, len(problems)), firstEqual(X)
	var fits []multiclass.Problem
	for k, p := range problems {
		if errs[k] = c.check(); errs[k] != nil {
			return models, errs
		}
		q := present(p)
		parts, err := deal(q, equal, c.Folds, c.Seed)
		if err != nil {
			errs[k] = err
			return models, errs
		}
		all[k] = calibrated{q, parts, len(fits), make([]float64, len(q.Y))}
		fits = append(fits, p) // which numbers the samples as the caller does
		for _, part := range parts {
			fits = append(fits, without(q, part))
		}
	}
	machines, failures := multiclass.FitMachines(ctx, c.Algorithm, X, fits, counter(len(fits)))
	for k, a := range all {
		for f, err := range failures[a.first : a.first+len(a.parts)+1] {
			if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
				errs[k] = err
				if f > 0 {
					errs[k] = fmt.Errorf("%w (calibration, fold %d of %d)", err, f-1, len(a.parts))
				}
				return models, errs
			}
		}
	}
	stopped := c.score(ctx, X, all, machines, failures)
	for k, a := range all {
		m := &ClassifierModel[M]{machines[a.first], Platt{A: -1}}
		fit := slices.Clone(failures[a.first : a.first+len(a.parts)+1])
		if stopped == nil {
			var err error
			if m.Sigmoid, err = a.sigmoid(); err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
				errs[k] = err
				return models, errs
			}
			fit = append(fit, err)
		}
		models[k], errs[k] = m, a.unfinished(m, fit, stopped)
	}
	return models, errs
}

// score sets the scores of all samples by the machines that were trained without them. It
// returns an error if a score is not finite, or if ctx ended that or a fit.
func (c Classifier[M]) score(ctx context.Context, X *mat.Dense, all []calibrated, machines []M, failures []error) error {
	type job struct{ problem, fold int }
	var jobs []job
	for k, a := range all {
		for f := range a.parts {
			jobs = append(jobs, job{k, f})
		}
	}
	for _, err := range failures {
		var e *mlkit.NotConvergedError
		if errors.As(err, &e) && e.Err != nil {
			return e.Err
		}
	}
	return work.Each(len(jobs), runtime.GOMAXPROCS(0), func(j int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, f := all[jobs[j].problem], jobs[j].fold
		held := make([]int, len(a.parts[f]))
		for t, i := range a.parts[f] {
			held[t] = rows.Number(i, a.Rows)
		}
		for t, s := range machines[a.first+1+f].Scores(nil, rows.Select(X, held)) {
			a.scores[a.parts[f][t]] = s
		}
		return nil
	})
}

// sigmoid fits the sigmoid to the scores.
func (a calibrated) sigmoid() (Platt, error) {
	for f, part := range a.parts {
		for _, i := range part {
			if s := a.scores[i]; !check.Finite(s) {
				return Platt{}, fmt.Errorf("calibration: X[%d] has the score %v by the machine of fold %d, want a finite number", rows.Number(i, a.Rows), s, f)
			}
		}
	}
	p, err := FitPlatt(a.scores, a.Y, a.Weights)
	if err == nil && p.A > 0 {
		clear(a.scores)
		p, err = FitPlatt(a.scores, a.Y, a.Weights)
	}
	return p, err
}

// unfinished returns the error for the first that has not converged of the machine of all
// samples, those of the folds and the sigmoid, or for the context that stopped the scoring; nil
// if there is none.
func (a calibrated) unfinished(model any, failures []error, stopped error) error {
	for f, err := range failures {
		var e *mlkit.NotConvergedError
		if !errors.As(err, &e) {
			continue
		}
		reason := err.Error()
		if f > 0 && f <= len(a.parts) {
			reason = fmt.Sprintf("fold %d of %d: %s", f-1, len(a.parts), reason)
		}
		return &mlkit.NotConvergedError{Algorithm: "calibration: Classifier", Iterations: e.Iterations, Residual: e.Residual, Reason: reason, Model: model, Err: e.Err}
	}
	if stopped != nil {
		return &mlkit.NotConvergedError{Algorithm: "calibration: Classifier", Residual: math.Inf(1), Reason: "stopped before the sigmoid was fitted: " + stopped.Error(), Model: model, Err: stopped}
	}
	return nil
}
