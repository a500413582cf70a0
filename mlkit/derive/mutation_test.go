package derive

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/testkit"
)

// Every step of every derivation is mutated, by a sign, by a factor and in a single
// element. Check must name the step, or the next one if the first step of a chain was
// changed.
func TestMutations(t *testing.T) {
	testkit.Long(t)
	mutate(t, LDAToLogistic())
	mutate(t, UnequalCovariances())
	mutate(t, EqualMeans())
	mutate(t, NormalEquations())
	mutate(t, PrimalToDual())
	mutate(t, HingeFromSlacks())
	mutate(t, PerceptronAsGradient())
	mutate(t, NovikoffOnARun())
	mutate(t, PosteriorToLogisticLoss())
}

func mutate[Q any](t *testing.T, d Derivation[Q]) {
	t.Helper()
	for i, s := range d.Steps {
		number, relation := i+1, s.Relation
		if relation == Start {
			number, relation = i+2, opposite(d.Steps[i+1].Relation)
		}
		for _, m := range mutations(relation) {
			changed := d
			changed.Steps = slices.Clone(d.Steps)
			changed.Steps[i].Value = func(q Q) []float64 {
				v := slices.Clone(s.Value(q))
				m.change(v)
				return v
			}
			_, err := changed.Check(80, 11)
			var e *StepError
			if !errors.As(err, &e) {
				if isZero(d, i) && m.ofZero {
					continue
				}
				t.Errorf("%s: step %d with %s passes: %v", d.Title, i+1, m.name, err)
			} else if e.Number != number {
				t.Errorf("%s: step %d with %s: step %d is named, want %d", d.Title, i+1, m.name, e.Number, number)
			}
		}
	}
}

// opposite returns the relation of a step to the next one.
func opposite(r Relation) Relation {
	switch r {
	case AtMost:
		return AtLeast
	case AtLeast:
		return AtMost
	}
	return r
}

// isZero reports whether step i is 0 at all points, where factors have no effect.
func isZero[Q any](d Derivation[Q], i int) bool {
	for p := range 50 {
		if floats.Norm(d.Steps[i].Value(d.Draw(source(11, p))), math.Inf(1)) != 0 {
			return false
		}
	}
	return true
}

type mutation struct {
	name   string
	change func(v []float64)
	ofZero bool // whether the change leaves 0 unchanged
}

// mutations returns the changes that must be detected in a step with relation r. An
// inequality may still hold with the other sign or a small factor, but not if its upper
// bound is halved or its lower bound doubled.
func mutations(r Relation) []mutation {
	factor := func(name string, s float64) mutation {
		return mutation{name, func(v []float64) { floats.Scale(s, v) }, true}
	}
	shift := func(name string, s float64) mutation {
		return mutation{name, func(v []float64) { v[len(v)-1] += s * (1 + floats.Norm(v, math.Inf(1))) }, false}
	}
	switch r {
	case AtMost:
		return []mutation{factor("half of it", 0.5), shift("an element far too small", -10)}
	case AtLeast:
		return []mutation{factor("twice as much", 2), shift("an element far too large", 10)}
	}
	return []mutation{
		factor("the other sign", -1), factor("0.1 % more", 1.001), factor("0.1 % less", 0.999),
		factor("half of it", 0.5), factor("twice as much", 2),
		shift("one element off", 1e-4),
	}
}
