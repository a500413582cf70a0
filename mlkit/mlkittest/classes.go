package mlkittest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

func separates(_ kind, s samples, m any) error {
	for i, label := range m.(mlkit.Predictor).Predictions(nil, s.X) {
		if label != s.labels[i] {
			return fmt.Errorf("row %d, %v, is labelled %d, want %d", i, s.X.RawRowView(i), label, s.labels[i])
		}
	}
	return nil
}

func oneClass(k kind, s samples, _ any) error {
	for _, n := range []int{1, 6} {
		for _, label := range []int{-1, +1} {
			_, err := k.fit(samples{
				X:      mat.DenseCopyOf(s.X.Slice(0, n, 0, 2)),
				labels: slices.Repeat([]int{label}, n),
			})
			if err := refusal(err, "y"); err != nil {
				return fmt.Errorf("%d samples with label %+d: %w", n, label, err)
			}
		}
	}
	return nil
}

// grid calls f with points throughout the plane until it returns an error.
func grid(f func(x []float64) error) error {
	for i := range 41 {
		for j := range 41 {
			if err := f([]float64{float64(i-20) / 5, float64(j-20) / 5}); err != nil {
				return err
			}
		}
	}
	return nil
}

func signOfScore(_ kind, _ samples, fitted any) error {
	m := fitted.(mlkit.ClassifierModel)
	return grid(func(x []float64) error {
		want := -1
		if m.Score(x) >= 0 {
			want = +1
		}
		if got := m.Predict(x); got != want {
			return fmt.Errorf("Score(%v) = %v and Predict is %d, want %d", x, m.Score(x), got, want)
		}
		return nil
	})
}

func opposite(k kind, s samples, m any) error {
	for i := range s.labels {
		s.labels[i] = -s.labels[i]
	}
	o, err := k.fit(s)
	if err != nil {
		return err
	}
	for i, a := range m.(mlkit.Scorer).Scores(nil, s.X) {
		if b := o.(mlkit.Scorer).Score(s.X.RawRowView(i)); math.Abs(a+b) > 1e-6*math.Abs(a) {
			return fmt.Errorf("row %d scores %v, and %v with the labels exchanged", i, a, b)
		}
	}
	return nil
}

// sortedClasses accepts a model without the field Classes.
func sortedClasses(_ kind, s samples, m any) error {
	got, ok := field(m, "Classes")
	if !ok {
		return nil
	}
	want := slices.Clone(s.labels)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		return fmt.Errorf("the field Classes is %v, want %v", got, want)
	}
	return nil
}

// anyLabels renames the classes but keeps their order, so the predictions must stay the
// same.
func anyLabels(k kind, s samples, m any) error {
	want := m.(mlkit.Predictor).Predictions(nil, s.X)
	rename := func(label int) int { return 1000*label - 1<<40 }
	for i := range s.labels {
		s.labels[i] = rename(s.labels[i])
	}
	renamed, err := k.fit(s)
	if err != nil {
		return err
	}
	for i, got := range renamed.(mlkit.Predictor).Predictions(nil, s.X) {
		if got != rename(want[i]) {
			return fmt.Errorf("row %d is labelled %d, want %d for what was %d", i, got, rename(want[i]), want[i])
		}
	}
	return nil
}

type prober interface{ Prob(x []float64) float64 }

// probOfTwo accepts a model without probabilities.
func probOfTwo(_ kind, _ samples, m any) error {
	p, ok := m.(prober)
	if !ok {
		return nil
	}
	type pair struct{ score, prob float64 }
	var pairs []pair
	err := grid(func(x []float64) error {
		v := pair{m.(mlkit.Scorer).Score(x), p.Prob(x)}
		if !(v.prob >= 0 && v.prob <= 1) {
			return fmt.Errorf("Prob(%v) = %v", x, v.prob)
		}
		pairs = append(pairs, v)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
	for i := 1; i < len(pairs); i++ {
		if a, b := pairs[i-1], pairs[i]; a.score < b.score && a.prob > b.prob+1e-12 {
			return fmt.Errorf("scores %v and %v have probabilities %v and %v", a.score, b.score, a.prob, b.prob)
		}
	}
	return nil
}

func halfOfTwo(_ kind, _ samples, m any) error {
	p, ok := m.(prober)
	if !ok {
		return nil
	}
	return grid(func(x []float64) error {
		label, prob := m.(mlkit.Predictor).Predict(x), p.Prob(x)
		if float64(label)*(prob-0.5) < -1e-12 {
			return fmt.Errorf("Prob(%v) = %v and Predict is %d", x, prob, label)
		}
		return nil
	})
}

// posterior returns the method of m for the probabilities of all classes, or nil.
func posterior(m any) func(x []float64) []float64 {
	for _, f := range methodsOf(m) {
		if f.kind == "Posterior" && f.one != nil {
			return f.one
		}
	}
	return nil
}

func probOfMany(_ kind, _ samples, m any) error {
	p := posterior(m)
	if p == nil {
		return nil
	}
	return grid(func(x []float64) error {
		v := p(x)
		if !(floats.Min(v) >= 0 && floats.Max(v) <= 1 && math.Abs(floats.Sum(v)-1) <= 1e-12) {
			return fmt.Errorf("the probabilities of %v are %v", x, v)
		}
		return nil
	})
}

func likeliest(_ kind, _ samples, m any) error {
	classes, ok := field(m, "Classes")
	p := posterior(m)
	if p == nil || !ok {
		return nil
	}
	return grid(func(x []float64) error {
		v := p(x)
		label := m.(mlkit.Predictor).Predict(x)
		if i := slices.Index(classes, label); i < 0 || v[i] < floats.Max(v)-1e-12 {
			return fmt.Errorf("the probabilities of %v are %v and Predict is %d", x, v, label)
		}
		return nil
	})
}
