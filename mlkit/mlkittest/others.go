package mlkittest

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
)

func learns(_ kind, s samples, m any) error {
	n := float64(len(s.targets))
	d := floats.Distance(m.(mlkit.Scorer).Scores(nil, s.X), s.targets, 2)
	if mse, variance := d*d/n, stat.PopVariance(s.targets, nil); mse > variance/10 {
		return fmt.Errorf("the mean squared error is %v of a variance of %v", mse, variance)
	}
	return nil
}

func constantTargets(k kind, s samples, _ any) error {
	for i := range s.targets {
		s.targets[i] = 3
	}
	m, err := k.fit(s)
	if err != nil {
		return err
	}
	for i, v := range m.(mlkit.Scorer).Scores(nil, s.X) {
		if math.Abs(v-3) > 1e-6 {
			return fmt.Errorf("row %d scores %v, and all targets are 3", i, v)
		}
	}
	return nil
}

func transformsRows(_ kind, s samples, m any) error {
	found := false
	for _, f := range methodsOf(m) {
		if f.kind != "Transform" || f.all == nil {
			continue
		}
		found = true
		rows := f.all(s.X)
		if n, _ := s.X.Dims(); len(rows) != n {
			return fmt.Errorf("%s gives %d rows for %d", f.name, len(rows), n)
		}
		if len(rows[0]) == 0 {
			return fmt.Errorf("%s gives no columns", f.name)
		}
	}
	if !found {
		return errors.New("no method that begins with Transform takes a matrix and a destination")
	}
	return nil
}

func groups(_ kind, s samples, m any) error {
	labels, ok := field(m, "Labels")
	if p, isPredictor := m.(mlkit.Predictor); isPredictor {
		predicted := p.Predictions(nil, s.X)
		for i := range labels {
			if labels[i] != predicted[i] {
				return fmt.Errorf("row %d is labelled %d and predicted %d", i, labels[i], predicted[i])
			}
		}
		labels, ok = predicted, true
	}
	if n, _ := s.X.Dims(); !ok || len(labels) != n {
		return fmt.Errorf("%d labels of %d rows", len(labels), n)
	}
	// The clouds alternate: even rows and odd rows.
	for i, label := range labels {
		if label != labels[i%2] || label < 0 || label > 1 || labels[0] == labels[1] {
			return fmt.Errorf("the labels are %v, want two that alternate", labels)
		}
	}
	return nil
}
