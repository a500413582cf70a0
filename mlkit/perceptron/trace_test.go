package perceptron_test

import (
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
)

// Tracing a fit changes nothing: the model and the error are the same, to the last bit, with
// traces that only look. Otherwise a lecture's picture would not show what is learnt.
func TestTraceChangesNothing(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		p := perceptron.Perceptron{
			Bias: drawBias(t), MaxIter: rapid.IntRange(1, 30).Draw(t, "passes"), StopEarly: rapid.Bool().Draw(t, "early"),
			ZeroIsPositive: rapid.Bool().Draw(t, "zero"), Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		traced := p
		traced.Trace = func(perceptron.Step) bool { return true }
		traced.TraceEpoch = func(perceptron.Epoch) bool { return true }
		same(t, p.Fit, traced.Fit, X, y)

		voted := perceptron.Voted{Bias: p.Bias, Epochs: p.MaxIter, Shuffle: p.Shuffle, Seed: p.Seed}
		tracedVoted := voted
		tracedVoted.Trace = traced.Trace
		same(t, voted.Fit, tracedVoted.Fit, X, y)
		same(t, perceptron.Averaged(voted).Fit, perceptron.Averaged(tracedVoted).Fit, X, y)

		pocket := perceptron.Pocket{Bias: p.Bias, Epochs: p.MaxIter, NoRatchet: p.Shuffle, Seed: p.Seed}
		tracedPocket := pocket
		tracedPocket.Trace = func(perceptron.PocketStep) bool { return true }
		same(t, pocket.Fit, tracedPocket.Fit, X, y)

		batch := perceptron.Batch{Bias: p.Bias, MaxIter: p.MaxIter}
		tracedBatch := batch
		tracedBatch.Trace = func(perceptron.BatchStep) bool { return true }
		same(t, batch.Fit, tracedBatch.Fit, X, y)

		dual := perceptron.Dual{Bias: p.Bias, MaxIter: p.MaxIter}
		tracedDual := dual
		tracedDual.Trace = func(perceptron.DualStep) bool { return true }
		same(t, dual.Fit, tracedDual.Fit, X, y)
	})
}

// same checks that two fits return equal models and errors.
func same[M any](t *rapid.T, fit, traced func(*mat.Dense, []int) (M, error), X *mat.Dense, y []int) {
	want, wantErr := fit(X, y)
	got, gotErr := traced(X, y)
	if !reflect.DeepEqual(got, want) || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Errorf("%+v, %v, traced %+v, %v", want, wantErr, got, gotErr)
	}
}
