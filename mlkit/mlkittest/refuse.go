package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// refuse gives the fit every sort of bad input for its kind.
func refuse(k kind, _ samples, m any) error {
	_, any := field(m, "Classes") // of a model that has them any label is one
	for _, c := range badInputs(k, k.signs && !any) {
		err := withoutPanic(func() error {
			_, err := k.fit(c.samples)
			return err
		})
		if err := refusal(err, c.say); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// refusal checks that err refuses an argument, names it, and says what is wanted instead.
func refusal(err error, argument string) error {
	if err == nil {
		return errors.New("no error")
	}
	var unfinished *mlkit.NotConvergedError
	if errors.As(err, &unfinished) {
		return fmt.Errorf("the error %q says that the fit was tried", err)
	}
	if err := named(err, argument); err != nil {
		return err
	}
	if !strings.Contains(err.Error(), "want") {
		return fmt.Errorf("the message %q does not say what is wanted", err)
	}
	return nil
}

type badInput struct {
	name string
	samples
	say string // what the error must name
}

func badInputs(k kind, signs bool) []badInput {
	with := func(change func(*samples)) samples {
		s := k.new()
		change(&s)
		return s
	}
	whole := k.new()
	n, d := whole.X.Dims()
	bad := []badInput{
		{"X nil", with(func(s *samples) { s.X = nil }), "X"},
		{"X empty", samples{X: new(mat.Dense)}, "X"},
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range [][2]int{{0, 0}, {5, 1}, {n - 1, d - 1}} {
			place := fmt.Sprintf("X[%d][%d]", at[0], at[1])
			bad = append(bad, badInput{
				fmt.Sprintf("%v in %s", v, place),
				with(func(s *samples) { s.X.Set(at[0], at[1], v) }),
				place,
			})
		}
	}
	if whole.labels == nil && whole.targets == nil {
		return bad
	}
	lengthen := func(by int) func(s *samples) {
		return func(s *samples) {
			s.labels, s.targets = resized(s.labels, by), resized(s.targets, by)
		}
	}
	bad = append(bad,
		badInput{"y nil", with(lengthen(-n)), "y"},
		badInput{"y too short", with(lengthen(-1)), "y"},
		badInput{"y too long", with(lengthen(+1)), "y"})
	for _, i := range []int{0, 7, n - 1} {
		place := fmt.Sprintf("y[%d]", i)
		if whole.targets != nil {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				bad = append(bad, badInput{fmt.Sprintf("%v in %s", v, place), with(func(s *samples) { s.targets[i] = v }), place})
			}
		}
		if whole.labels != nil && signs {
			for _, label := range []int{0, 3, -2} {
				bad = append(bad, badInput{fmt.Sprintf("%d in %s", label, place), with(func(s *samples) { s.labels[i] = label }), place})
			}
		}
	}
	return bad
}

// resized returns v with by elements added, copies of the first, or removed if by is
// negative. It returns nil if nothing is left or v is nil.
func resized[T any](v []T, by int) []T {
	switch {
	case v == nil || by == -len(v):
		return nil
	case by < 0:
		return v[:len(v)+by]
	}
	return append(v, slices.Repeat(v[:1], by)...)
}

// named checks that a message has the form "pkg: what: rule" and contains argument, if
// not empty, as a separate word.
func named(err error, argument string) error {
	pkg, rest, ok := strings.Cut(err.Error(), ": ")
	if !ok || pkg == "" || strings.Contains(pkg, " ") {
		return fmt.Errorf("the message %q does not begin with the package", err)
	}
	if argument != "" && !regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(argument)+`(\W|$)`).MatchString(rest) {
		return fmt.Errorf("the message %q does not name %s", err, argument)
	}
	return nil
}
