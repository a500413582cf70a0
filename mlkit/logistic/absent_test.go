package logistic

import (
	"testing"

	"marginalia/mlkit/mlkittest"
)

// A fit without a penalty and those with few steps end with errors, which are the same too.
func TestAbsence(t *testing.T) {
	for name, l := range map[string]Regression{
		"default": {}, "Newton": {L2: 1, Solver: Newton}, "L-BFGS": {L2: 1, Solver: LBFGS},
		"L1": {L1: 0.1}, "descent": {L1: 0.1, Solver: CoordinateDescent}, "one step": {L2: 1, MaxIter: 1},
	} {
		if err := mlkittest.TestAbsence(l.FitWeighted); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := mlkittest.TestAbsence(l.FitClassesWeighted); err != nil {
			t.Errorf("%s, classes: %v", name, err)
		}
	}
}
