package calibration

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/svm"
)

func failed(_ Platt, err error) error { return err }

// By hand: the targets of two samples are the probabilities 2/3 and 1/3, so As + B is
// -log 2 at s and log 2 at -s: B = 0, A = -log 2 / s. This holds for every s with a
// finite A. Scaling the scores by a power of two scales only A.
func TestPlattUnits(t *testing.T) {
	for _, s := range []float64{1e300, 1e160, 1, 1e-5, 1e-100, 1e-300, math.MaxFloat64} {
		p, err := FitPlatt([]float64{s, -s}, []int{+1, -1}, nil)
		if err != nil || math.Abs(p.A*s+math.Ln2) > 1e-8 || math.Abs(p.B) > 1e-8 || math.Abs(p.Prob(s)-2./3) > 1e-8 {
			t.Errorf("scores ±%v: %+v, %v, want A = %v", s, p, err, -math.Ln2/s)
		}
	}
	scores, y := []float64{3, 1, 0.5, -0.25, -2, 1.5, -1}, []int{1, 1, -1, 1, -1, 1, -1}
	want := testkit.Try(FitPlatt(scores, y, nil)).Or(t)
	for _, e := range []int{-1000, -30, 1, 30, 1000} {
		scaled := make([]float64, len(scores))
		for i, s := range scores {
			scaled[i] = math.Ldexp(s, e)
		}
		if p, err := FitPlatt(scaled, y, nil); err != nil || math.Ldexp(p.A, e) != want.A || p.B != want.B {
			t.Errorf("2^%d: %+v, %v, want A = %v times as much", e, p, err, want)
		}
	}
	if p, err := FitPlatt([]float64{5e-324, -5e-324}, []int{+1, -1}, nil); err == nil || !strings.Contains(err.Error(), "scale them to larger numbers") {
		t.Errorf("the smallest numbers: %+v, %v, want an error", p, err)
	}
}

// By hand, with two distinct scores the fit is exact: at +1 are 3 positive samples and 1
// negative one, at -1 the reverse. The targets are 5/6 and 1/6. Their mean at +1 is
// (3·5/6 + 1/6)/4 = ⅔, so A + B = -log 2, and B = 0.
func TestPlatt(t *testing.T) {
	p := testkit.Try(FitPlatt([]float64{1, 1, 1, 1, -1, -1, -1, -1}, []int{1, 1, 1, -1, -1, -1, -1, 1}, nil)).Or(t)
	samples.Near(t, "A", []float64{p.A}, []float64{-math.Ln2}, 1e-8)
	samples.Near(t, "B", []float64{p.B}, []float64{0}, 1e-8)
	samples.Near(t, "P(1)", []float64{p.Prob(1)}, []float64{2. / 3}, 1e-8)
	if p.Prob(1e6) != 1 || p.Prob(-1e6) != 0 {
		t.Errorf("far away: %v and %v", p.Prob(1e6), p.Prob(-1e6))
	}
	for i, q := range p.Probs(nil, []float64{1, -2, 0}) {
		if s := []float64{1, -2, 0}[i]; q != p.Prob(s) {
			t.Errorf("P(%v) = %v among others, %v alone", s, q, p.Prob(s))
		}
	}
	samples.Near(t, "P + (1-P)", []float64{p.Prob(30) + p.Prob(-30)}, []float64{1}, 1e-15)

	// With equal scores P is the mean target, (n₊ t₊ + n₋ t₋)/n = (3·4/5 + 1/3)/4.
	p = testkit.Try(FitPlatt([]float64{2, 2, 2, 2}, []int{1, 1, 1, -1}, nil)).Or(t)
	samples.Near(t, "P", []float64{p.Prob(2)}, []float64{(3*4./5 + 1./3) / 4}, 1e-8)

	for _, c := range []struct {
		err error
		say string
	}{
		{failed(FitPlatt(nil, nil, nil)), "calibration: scores is empty"},
		{failed(FitPlatt([]float64{1}, nil, nil)), "calibration: len(y) = 0"},
		{failed(FitPlatt([]float64{1, 2}, []int{1, 1}, nil)), "calibration: y has only"},
		{failed(FitPlatt([]float64{1, math.NaN()}, []int{1, -1}, nil)), "calibration: scores[1] = NaN"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("got %v, want %q", c.err, c.say)
		}
	}
}

// An origin far away does not matter as long as float64 has the differences of the scores. By
// hand, the targets ⅔ and ⅓ of two samples are fitted exactly, as in TestPlattUnits. Scores with
// the noise of a solver are separated too: 64 machines without free support vectors score -1
// to 1e-9, where Newton's method around the origin 0 crawls. What differs by rounding alone
// counts as equal: the mean target.
func TestPlattOrigin(t *testing.T) {
	for _, origin := range []float64{1, -1e3, 1e6, 1e9, -1e11} {
		p := testkit.Try(FitPlatt([]float64{origin + 1, origin - 1}, []int{+1, -1}, nil)).Or(t)
		samples.Near(t, "P", p.Probs(nil, []float64{origin + 1, origin - 1}), []float64{2. / 3, 1. / 3}, 1e-4)
	}
	near, y := make([]float64, 64), make([]int, 64)
	for i := range near {
		y[i] = 1 - 2*min(i%4, 1)
		near[i] = -1 + 1e-9*math.Sin(float64(i*i))*float64(2+y[i])
	}
	if p, err := FitPlatt(near, y, nil); err != nil || math.Abs(p.A) < 1e7 {
		t.Errorf("scores within 1e-9: %+v, %v", p, err)
	}
	p, err := FitPlatt([]float64{0.1, 0.1, math.Nextafter(0.1, 1), 0.1}, []int{1, 1, 1, -1}, nil)
	if err != nil || p.A != 0 {
		t.Errorf("scores within rounding: %+v, %v, want A = 0", p, err)
	}
	samples.Near(t, "P", []float64{p.Prob(0.1)}, []float64{(3*4./5 + 1./3) / 4}, 1e-8)
}

// Weights count samples, 0 included, in the likelihood and in the targets: the maximum is that
// of samples repeated as often. It is the same for weights so large or so unlike that products
// of their sums overflow.
func TestPlattWeighted(t *testing.T) {
	scores, y := []float64{3, 1, 0.5, -0.25, -2, 1.5, -1, 70}, []int{1, 1, -1, 1, -1, 1, -1, -1}
	weights := []float64{2, 1, 3, 1, 1, 2, 4, 0}
	var repeated []float64
	var labels []int
	for i, w := range weights {
		for range int(w) {
			repeated, labels = append(repeated, scores[i]), append(labels, y[i])
		}
	}
	want := testkit.Try(FitPlatt(repeated, labels, nil)).Or(t)
	p := testkit.Try(FitPlatt(scores, y, weights)).Or(t)
	samples.Near(t, "A, B", []float64{p.A, p.B}, []float64{want.A, want.B}, 1e-9)

	// With two distinct scores and large weights the targets are 1 and 0, and their means, ⅔ at
	// +1 and ⅓ at -1, are fitted exactly: A = -log 2, B = 0.
	scores, y = []float64{1, 1, -1, -1}, []int{1, -1, 1, -1}
	for _, w := range []float64{1e18, 1e200, 4e307} {
		p := testkit.Try(FitPlatt(scores, y, []float64{2 * w, w, w, 2 * w})).Or(t)
		samples.Near(t, "A, B", []float64{p.A, p.B}, []float64{-math.Ln2, 0}, 1e-8)
	}
	for _, c := range []struct {
		weights []float64
		say     string
	}{
		{[]float64{1}, "calibration: len(weights) = 1, want 4"},
		{[]float64{1, -1, 1, 1}, "calibration: weights[1] = -1"},
		{make([]float64, 4), "calibration: weights are all 0"},
		{[]float64{1, 0, 1, 0}, "calibration: the weights of the label -1 sum to 0, want a positive finite number"},
		{[]float64{1e308, 1, 1e308, 1}, "calibration: the weights of the label +1 sum to +Inf, want a positive finite number"},
	} {
		if _, err := FitPlatt(scores, y, c.weights); err == nil || !strings.HasPrefix(err.Error(), c.say) {
			t.Errorf("got %v, want %q", err, c.say)
		}
	}
}

// Each error names the one thing that is wrong.
func TestDecodeErrors(t *testing.T) {
	const sigmoid, machine = `{"a":-1,"b":0}`, `{"w":[1,2],"b":0,"alpha":null,"primal":0,"dual":0,"gap":0,"iterations":1,"converged":true}`
	var m ClassifierModel[*svm.LinearModel]
	for text, want := range map[string]string{
		`{"model":null,"sigmoid":` + sigmoid + `}`:            "calibration: decoding ClassifierModel: model is null, want a model of two classes",
		`{"model":` + machine + `,"sigmoid":{"a":0.5,"b":0}}`: "calibration: decoding ClassifierModel: sigmoid.a = 0.5, want at most 0",
		`{"model":` + machine + `}`:                           "calibration: decoding ClassifierModel: sigmoid is missing",
		`{"model":{},"sigmoid":` + sigmoid + `}`:              "calibration: decoding ClassifierModel: svm: decoding LinearModel: ",
		`{"model":` + machine + `,"sigmoid":{"a":-1}}`:        "calibration: decoding ClassifierModel: calibration: decoding Platt: b is missing",
	} {
		if err := json.Unmarshal([]byte(text), &m); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"models":[` + machine + `],"sigmoids":[]}`:                                     "calibration: decoding machines: len(sigmoids) = 0, want 1, one for each of models",
		`{"models":[` + machine + `,null],"sigmoids":[` + sigmoid + `,` + sigmoid + `]}`: "calibration: decoding machines: models[1] is null, want a model of two classes",
		`{"models":[` + machine + `],"sigmoids":[{"a":1,"b":0}]}`:                        "calibration: decoding machines: sigmoids[0].a = 1, want at most 0",
		`{"models":[]}`: "calibration: decoding machines: sigmoids is missing",
	} {
		if _, err := m.UnmarshalMachines([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	// A machine of three classes would panic when it is asked for a score.
	const two, three = `{"classes":[-1,1],"w":[[1],[2]],"b":[0,0],"rank":2,"mse":[0,0]}`, `{"classes":[0,1,2],"w":[[1],[2],[3]],"b":[0,0,0],"rank":2,"mse":[0,0,0]}`
	var line ClassifierModel[*leastsquares.ClassifierModel]
	if err := json.Unmarshal([]byte(`{"model":`+two+`,"sigmoid":`+sigmoid+`}`), &line); err != nil {
		t.Error(err)
	}
	const want = " has the classes [0 1 2], want two, for a score"
	if err := json.Unmarshal([]byte(`{"model":`+three+`,"sigmoid":`+sigmoid+`}`), &line); err == nil || err.Error() != "calibration: decoding ClassifierModel: model"+want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := line.UnmarshalMachines([]byte(`{"models":[` + two + `,` + three + `],"sigmoids":[` + sigmoid + `,` + sigmoid + `]}`)); err == nil || err.Error() != "calibration: decoding machines: models[1]"+want {
		t.Errorf("%v, want %s", err, want)
	}
}

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	m := samples.Models{T: t}
	m.Add(FitPlatt([]float64{1, 2, 0.5, -1, -2, 1.5, -0.5}, []int{1, -1, 1, -1, -1, 1, 1}, nil))
	X, y := mat.NewDense(6, 2, []float64{0, 1, 1, 4, 5, 7, -2, 0.5, 3, 3, 0, 0.25}), []int{-1, -1, +1, -1, +1, -1}
	m.Add(Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.Fit(X, y))
	m.Add(Classifier[*svm.LinearModel]{Algorithm: svm.Newton{}}.Fit(X, y))
	return m.All
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}
