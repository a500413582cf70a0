package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

func rulesOf[M mlkit.Classifier]() []rule[M] {
	return []rule[M]{
		{"separates", "two well separated classes are learnt without an error", separates[M]},
		{"classes", "Predict is +1 where Score ≥ 0 and -1 elsewhere", classes[M]},
		{"refit", "the same input gives the same bits, on however many processors", refit[M]},
		{"input", "Fit changes neither X nor y", input[M]},
		{"no-reference", "a model keeps no reference to X or y", noReference[M]},
		{"views", "X may be a view of a larger matrix", views[M]},
		{"batch", "the plural methods do row by row what the singular ones do, on any mat.Matrix", batch[M]},
		{"destination", "a destination that is not nil is written to and returned", destination[M]},
		{"opposite", "which class is called +1 changes only the sign of the scores", opposite[M]},
		{"dimension", "one column is enough", dimension[M]},
		{"gob", "a model encodes itself with encoding/gob", roundTrip[M](viaGob[M])},
		{"json", "a model encodes itself with encoding/json", roundTrip[M](viaJSON[M])},
		{"refuse", "bad input is an error that names the package, the argument and the row", refuse[M]},
		{"one-class", "two classes are asked for", oneClass[M]},
	}
}

func separates[M mlkit.Classifier](fit fitter[M]) error {
	X, y, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	for i, label := range m.Predictions(nil, X) {
		if label != y[i] {
			return fmt.Errorf("row %d, %v, is labelled %d, want %d", i, X.RawRowView(i), label, y[i])
		}
	}
	return nil
}

func classes[M mlkit.Classifier](fit fitter[M]) error {
	_, _, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	for i := range 41 {
		for j := range 41 {
			x := []float64{float64(i-20) / 5, float64(j-20) / 5}
			want := -1
			if m.Score(x) >= 0 {
				want = +1
			}
			if got := m.Predict(x); got != want {
				return fmt.Errorf("Score(%v) = %v and Predict is %d, want %d", x, m.Score(x), got, want)
			}
		}
	}
	return nil
}

func refit[M mlkit.Classifier](fit fitter[M]) error {
	X, y, first, err := fitClouds(fit)
	if err != nil {
		return err
	}
	for _, procs := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(procs)
		again, err := fit(X, y)
		runtime.GOMAXPROCS(before)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(first, again) {
			return fmt.Errorf("with GOMAXPROCS=%d the model is %+v, before it was %+v", procs, again, first)
		}
	}
	return nil
}

func input[M mlkit.Classifier](fit fitter[M]) error {
	X, y, _, err := fitClouds(fit)
	if err != nil {
		return err
	}
	X0, y0 := clouds()
	if !mat.Equal(X, X0) {
		return errors.New("the samples X were changed")
	}
	if !slices.Equal(y, y0) {
		return fmt.Errorf("y was changed")
	}
	return nil
}

func noReference[M mlkit.Classifier](fit fitter[M]) error {
	X, y, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	X0, _ := clouds()
	before := m.Scores(nil, X0)
	X.Scale(-3, X)
	for i := range y {
		y[i] = -y[i]
	}
	return sameScores(before, m.Scores(nil, X0))
}

func views[M mlkit.Classifier](fit fitter[M]) error {
	X, y, want, err := fitClouds(fit)
	if err != nil {
		return err
	}
	n, d := X.Dims()
	larger := mat.NewDense(n+2, d+2, nil)
	for i := range n + 2 {
		for j := range d + 2 {
			larger.Set(i, j, math.NaN())
		}
	}
	view := larger.Slice(1, n+1, 1, d+1).(*mat.Dense)
	view.Copy(X)
	got, err := fit(view, y)
	if err != nil {
		return err
	}
	if err := sameScores(want.Scores(nil, X), got.Scores(nil, X)); err != nil {
		return err
	}
	return sameScores(want.Scores(nil, X), want.Scores(nil, view))
}

func batch[M mlkit.Classifier](fit fitter[M]) error {
	X, _, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	for _, A := range []mat.Matrix{X, mat.DenseCopyOf(X.T()).T()} {
		scores, labels := m.Scores(nil, A), m.Predictions(nil, A)
		n, _ := A.Dims()
		if len(scores) != n || len(labels) != n {
			return fmt.Errorf("%d scores and %d labels of %d rows of %T", len(scores), len(labels), n, A)
		}
		for i := range n {
			x := mat.Row(nil, i, A)
			if s := m.Score(x); math.Abs(s-scores[i]) > 1e-12*math.Abs(s) {
				return fmt.Errorf("row %d of %T: Scores has %v, Score is %v", i, A, scores[i], s)
			}
			if p := m.Predict(x); p != labels[i] {
				return fmt.Errorf("row %d of %T: Predictions has %d, Predict is %d", i, A, labels[i], p)
			}
		}
	}
	return nil
}

func destination[M mlkit.Classifier](fit fitter[M]) error {
	X, y, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	scores, labels := slices.Repeat([]float64{math.NaN()}, len(y)), make([]int, len(y))
	if got := m.Scores(scores, X); &got[0] != &scores[0] {
		return errors.New("method Scores returned another slice")
	}
	if got := m.Predictions(labels, X); &got[0] != &labels[0] {
		return errors.New("method Predictions returned another slice")
	}
	if !slices.Equal(labels, m.Predictions(nil, X)) {
		return fmt.Errorf("method Predictions wrote %v, want %v", labels, m.Predictions(nil, X))
	}
	return sameScores(m.Scores(nil, X), scores)
}

func opposite[M mlkit.Classifier](fit fitter[M]) error {
	X, y, m, err := fitClouds(fit)
	if err != nil {
		return err
	}
	for i := range y {
		y[i] = -y[i]
	}
	o, err := fit(X, y)
	if err != nil {
		return err
	}
	for i, s := range m.Scores(nil, X) {
		if t := o.Score(X.RawRowView(i)); math.Abs(s+t) > 1e-6*math.Abs(s) {
			return fmt.Errorf("row %d scores %v, and %v with the labels exchanged", i, s, t)
		}
	}
	return nil
}

func dimension[M mlkit.Classifier](fit fitter[M]) error {
	m, err := fit(mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []int{-1, -1, 1, 1})
	if err != nil {
		return err
	}
	if a, b := m.Predict([]float64{-3}), m.Predict([]float64{3}); a != -1 || b != +1 {
		return fmt.Errorf("labels are %d at -3 and %d at 3, want -1 and +1", a, b)
	}
	return nil
}

func refuse[M mlkit.Classifier](fit fitter[M]) error {
	bad := func(v float64) *mat.Dense {
		X, _ := clouds()
		X.Set(5, 1, v)
		return X
	}
	X, y := clouds()
	label := slices.Clone(y)
	label[7] = 3
	for _, c := range []struct {
		name string
		X    *mat.Dense
		y    []int
		say  string // what the error has to name
	}{
		{"X nil", nil, y, "X"},
		{"X empty", new(mat.Dense), nil, "X"},
		{"y nil", X, nil, "y"},
		{"y too short", X, y[:len(y)-1], "y"},
		{"y too long", X, append(slices.Clone(y), 1), "y"},
		{"NaN", bad(math.NaN()), y, "X[5][1]"},
		{"+Inf", bad(math.Inf(1)), y, "X[5][1]"},
		{"-Inf", bad(math.Inf(-1)), y, "X[5][1]"},
		{"label 3", X, label, "y[7]"},
	} {
		err := withoutPanic(func() error {
			_, err := fit(c.X, c.y)
			return err
		})
		if err == nil {
			return fmt.Errorf("%s: no error", c.name)
		}
		if err := named(err, c.say); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

func oneClass[M mlkit.Classifier](fit fitter[M]) error {
	for _, n := range []int{1, 6} {
		X, _ := clouds()
		_, err := fit(X.Slice(0, n, 0, 2).(*mat.Dense), slices.Repeat([]int{-1}, n))
		if err == nil {
			return fmt.Errorf("%d samples with label -1: no error", n)
		}
		if err := named(err, "y"); err != nil {
			return err
		}
	}
	return nil
}

// named checks the form of a message, "pkg: what: rule".
func named(err error, argument string) error {
	pkg, rest, ok := strings.Cut(err.Error(), ": ")
	if !ok || strings.Contains(pkg, " ") {
		return fmt.Errorf("the message %q does not begin with the package", err)
	}
	if !strings.Contains(rest, argument) {
		return fmt.Errorf("the message %q does not name %s", err, argument)
	}
	return nil
}

func sameScores(want, got []float64) error {
	for i := range want {
		if want[i] != got[i] {
			return fmt.Errorf("row %d scores %v, want %v", i, got[i], want[i])
		}
	}
	return nil
}
