package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// refuse gives the fit bad input of every sort that its kind knows.
func refuse(k kind) error {
	for _, c := range badInputs(k) {
		err := withoutPanic(func() error {
			_, err := k.fit(c.samples)
			return err
		})
		if err == nil {
			return fmt.Errorf("%s: no error", c.name)
		}
		var unfinished *mlkit.NotConvergedError
		if errors.As(err, &unfinished) {
			return fmt.Errorf("%s: the error %q says that the fit was tried", c.name, err)
		}
		if err := named(err, c.say); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if !strings.Contains(err.Error(), "want") {
			return fmt.Errorf("%s: the message %q does not say what is wanted", c.name, err)
		}
	}
	return nil
}

type badInput struct {
	name string
	samples
	say string // what the error has to name
}

func badInputs(k kind) []badInput {
	with := func(change func(*samples)) samples {
		s := k.new()
		change(&s)
		return s
	}
	element := func(v float64) samples {
		return with(func(s *samples) { s.X.Set(5, 1, v) })
	}
	bad := []badInput{
		{"X nil", with(func(s *samples) { s.X = nil }), "X"},
		{"X empty", samples{X: new(mat.Dense)}, "X"},
		{"NaN", element(math.NaN()), "X[5][1]"},
		{"+Inf", element(math.Inf(1)), "X[5][1]"},
		{"-Inf", element(math.Inf(-1)), "X[5][1]"},
	}
	switch s := k.new(); {
	case s.labels != nil:
		n := len(s.labels)
		bad = append(bad,
			badInput{"y nil", with(func(s *samples) { s.labels = nil }), "y"},
			badInput{"y too short", with(func(s *samples) { s.labels = s.labels[:n-1] }), "y"},
			badInput{"y too long", with(func(s *samples) { s.labels = append(s.labels, s.labels[0]) }), "y"})
		if !slices.Contains(s.labels, 0) {
			bad = append(bad,
				badInput{"label 3", with(func(s *samples) { s.labels[7] = 3 }), "y[7]"},
				badInput{"label 0", with(func(s *samples) { s.labels[9] = 0 }), "y[9]"})
		}
	case s.targets != nil:
		n := len(s.targets)
		bad = append(bad,
			badInput{"y nil", with(func(s *samples) { s.targets = nil }), "y"},
			badInput{"y too short", with(func(s *samples) { s.targets = s.targets[:n-1] }), "y"},
			badInput{"y too long", with(func(s *samples) { s.targets = append(s.targets, 1) }), "y"},
			badInput{"target NaN", with(func(s *samples) { s.targets[7] = math.NaN() }), "y[7]"},
			badInput{"target Inf", with(func(s *samples) { s.targets[9] = math.Inf(-1) }), "y[9]"})
	}
	return bad
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
