package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// TestOrder tests that the order of the samples does not matter: a fit of the rows in
// another order gives the same scores, to the relative tolerance tol. Use it for
// algorithms whose problem has a single solution, not for those that process one sample
// at a time. Y is int for labels -1 and +1, float64 for targets.
func TestOrder[M any, Y int | float64](fit func(X *mat.Dense, y []Y) (M, error), tol float64) error {
	s := mixed()
	n := len(s.labels)
	forwards, err := fitAs(fit, s)
	if err != nil {
		return err
	}
	want := realNumbers(outputs(forwards, s.X))
	var broken []error
	for _, order := range []struct {
		name string
		row  func(i int) int
	}{
		{"backwards", func(i int) int { return n - 1 - i }},
		{"in steps of 7", func(i int) int { return i * 7 % n }},
		{"one class first", func(i int) int { return i*2%n + i*2/n }},
	} {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = order.row(i)
		}
		m, err := fitAs(fit, s.pick(rows))
		if err == nil {
			err = same(want, realNumbers(outputs(m, s.X)), tol)
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("with the rows %s: %w", order.name, err))
		}
	}
	return errors.Join(broken...)
}

// TestWeights tests a method FitWith with sample weights, to the relative tolerance tol. Weight 0
// must remove a sample, and a class whose samples all have weight 0; weight k must repeat a
// sample k times, and weights of 1 must equal no weights (nil). TestAbsence tests weight 0 bit
// for bit. Negative or non-finite
// weights, too few, weights that are all 0, and those that leave a single class must be
// refused with an error that names them. Y is int for labels, float64 for targets. The
// classes overlap. A fit of labels is given three of them too, and may refuse those with an
// error that names y.
func TestWeights[M any, Y int | float64](fit func(o mlkit.Options, X *mat.Dense, y []Y) (M, error), tol float64) error {
	s := mixed()
	n := len(s.labels)
	all := make([]int, n)
	ones := make([]float64, n)
	for i := range n {
		all[i], ones[i] = i, 1
	}
	without := func(removed ...int) []int {
		return slices.DeleteFunc(slices.Clone(all), func(i int) bool { return slices.Contains(removed, i) })
	}
	weights := func(w float64, rows ...int) []float64 {
		v := slices.Clone(ones)
		for _, i := range rows {
			v[i] = w
		}
		return v
	}
	unweighted := func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{}, X, y) }
	type equal struct {
		rule    string
		samples samples
		weights []float64
		rows    []int // the equivalent unweighted rows
	}
	equals := []equal{
		{"weights of 1 are no weights", s, ones, all},
		{"weight 0 removes a sample", s, weights(0, 4, 9, 14), without(4, 9, 14)},
		{"weight 3 repeats a sample", s, weights(3, 5, 8), slices.Concat(all, []int{5, 5, 8, 8})},
	}
	type refused struct {
		name    string
		weights []float64
		say     string
	}
	refusals := []refused{
		{"too few weights", ones[1:], "weights"},
		{"a weight of -1", weights(-1, 6), "weights[6]"},
		{"a weight that is NaN", weights(math.NaN(), 6), "weights[6]"},
		{"a weight of +Inf", weights(math.Inf(1), 6), "weights[6]"},
		{"weights of 0", make([]float64, n), "weights"},
	}
	var broken []error
	if _, labels := any(Y(0)).(int); labels {
		minus := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return s.labels[i] > 0 })
		refusals = append(refusals, refused{"weights that leave one class", weights(0, minus...), "weights"})

		three := s.pick(all)
		third := []int{0, 3, 4, 9, 13, 14, 16}
		for _, i := range third {
			three.labels[i] = 2
		}
		if _, err := fitAs(unweighted, three); refusal(err, "y[0]") != nil { // not a fit of two classes
			equals = append(equals, equal{"weight 0 removes a class", three, weights(0, third...), without(third...)})
		}
	}
	for _, c := range equals {
		plain, err := fitAs(unweighted, c.samples.pick(c.rows))
		if err == nil {
			var m any
			m, err = fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{Weights: c.weights}, X, y) }, c.samples)
			if err == nil {
				err = same(realNumbers(outputs(plain, s.X)), realNumbers(outputs(m, s.X)), tol)
			}
			want, _ := field(plain, "Classes")
			if classes, _ := field(m, "Classes"); err == nil && !slices.Equal(classes, want) {
				err = fmt.Errorf("its Classes are %v, want %v", classes, want)
			}
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", c.rule, err))
		}
	}
	for _, c := range refusals {
		err := withoutPanic(func() error {
			_, err := fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{Weights: c.weights}, X, y) }, s)
			return err
		})
		if err := refusal(err, c.say); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(broken...)
}

// TestUnweighted tests a method FitWith that takes no weights: it must refuse them with an error
// that says so, and fit without them.
func TestUnweighted[M any](fit func(o mlkit.Options) (M, error)) error {
	if _, err := fit(mlkit.Options{}); err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		return fmt.Errorf("without weights: %w", err)
	}
	const want = " takes no weights of samples, want Options.Weights = nil"
	if _, err := fit(mlkit.Options{Weights: []float64{1, 1}}); err == nil || !strings.Contains(err.Error(), want) {
		return fmt.Errorf("with weights the error is %v, want one that says %q", err, want)
	}
	return nil
}

// TestBits tests that a fit gives the same bits for any number of processors. Fits with
// GOMAXPROCS 1, 2, 3 and 7 must return models that are equal in all fields and give the same
// numbers for the rows of X. The rule refit tests the same with samples that are too few for
// an algorithm to share its work among goroutines; give TestBits enough. An error with which
// the fit returns a model must be the same each time.
func TestBits[M any](X *mat.Dense, fit func() (M, error)) error {
	again := func() (any, error) { return result(fit()) }
	m, err := fitWith(1, again)
	if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		return err
	}
	return sameForAll(X, again, m, scoresWith(1, m, X))
}

// sameForAll returns an error if fit gives a model other than want, or with other outputs for
// the rows of X, with some number of processors.
func sameForAll(X *mat.Dense, fit func() (any, error), want any, outputs []output) error {
	for _, processors := range []int{1, 2, 3, 7} {
		m, err := fitWith(processors, fit)
		if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
			return err
		}
		if err := sameBits(want, m); err != nil {
			return fmt.Errorf("with GOMAXPROCS=%d %w", processors, err)
		}
		if err := same(outputs, scoresWith(processors, m, X), 0); err != nil {
			return fmt.Errorf("with GOMAXPROCS=%d %w", processors, err)
		}
	}
	return nil
}

func fitWith(processors int, fit func() (any, error)) (any, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	return fit()
}

func scoresWith(processors int, m any, X *mat.Dense) []output {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	return outputs(m, X)
}

// fitAs fits s with its labels converted to Y.
func fitAs[M any, Y int | float64](fit func(X *mat.Dense, y []Y) (M, error), s samples) (m any, err error) {
	y := make([]Y, len(s.labels))
	for i, label := range s.labels {
		y[i] = Y(label)
	}
	err = withoutPanic(func() error {
		m, err = fit(s.X, y)
		return err
	})
	return m, err
}

// mixed returns two classes that overlap. No line separates them and neither surrounds the
// other, so every sensible problem has a finite solution.
func mixed() samples {
	s := twoClouds()
	for _, i := range []int{2, 11, 17} {
		s.labels[i] = -s.labels[i]
	}
	return s
}
