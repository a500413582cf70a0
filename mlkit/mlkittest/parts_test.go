package mlkittest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// puppet is a means whose methods can be replaced.
type puppet struct {
	*means
	score    func(x []float64) float64
	scores   func(dst []float64, X mat.Matrix) []float64
	predict  func(x []float64) int
	prob     func(x []float64) float64
	encoding error
}

func (p puppet) Score(x []float64) float64 { return p.score(x) }
func (p puppet) Predict(x []float64) int   { return p.predict(x) }
func (p puppet) Prob(x []float64) float64  { return p.prob(x) }

func (p puppet) Scores(dst []float64, X mat.Matrix) []float64 {
	if p.scores != nil {
		return p.scores(dst, X)
	}
	return each(dst, X, p.Score)
}

// pull returns a fit of puppets that change sets up.
func pull(change func(p *puppet, X *mat.Dense, y []int) error) func(X *mat.Dense, y []int) (puppet, error) {
	return func(X *mat.Dense, y []int) (puppet, error) {
		m, err := fitMeans("")(X, y)
		p := puppet{means: m, score: m.Score, predict: m.Predict, prob: m.Prob}
		if err == nil {
			err = change(&p, X, y)
		}
		return p, err
	}
}

// set is a change that needs no samples.
func set(change func(p *puppet)) func(p *puppet, X *mat.Dense, y []int) error {
	return func(p *puppet, _ *mat.Dense, _ []int) error {
		change(p)
		return nil
	}
}

// always is a score or a label that does not depend on the sample.
func always[R any](v R) func([]float64) R { return func([]float64) R { return v } }

// only tests a single rule of k.
func only(k kind, name string) error {
	var except []string
	for _, r := range k.rules {
		if r.name != name {
			except = append(except, r.name)
		}
	}
	return run(k, except)
}

// Each part of a rule is found on its own.
func TestParts(t *testing.T) {
	fits := 0
	type X = *mat.Dense
	for _, c := range []struct {
		rule, part string
		change     func(p *puppet, A X, y []int) error
		want       string
	}{
		{"finite", "first fit", func(*puppet, X, []int) error { return errors.New("means: no, want more") }, "are refused: means: no"},
		{"refit", "error", func(*puppet, X, []int) error {
			if fits++; fits > 1 {
				return errors.New("means: enough")
			}
			return nil
		}, "means: enough"},
		{"input", "y", func(_ *puppet, _ X, y []int) error { y[3] = -y[3]; return nil }, "y was changed"},
		{"no-reference", "y", func(p *puppet, _ X, y []int) error {
			p.score = func([]float64) float64 { return float64(y[0]) }
			return nil
		}, "Score of row 0"},
		{"views", "fit", func(_ *puppet, A X, _ []int) error {
			if A.RawMatrix().Stride != 2 {
				return errors.New("means: X is a view")
			}
			return nil
		}, "X is a view"},
		{"views", "scores", set(func(p *puppet) {
			p.scores = func(_ []float64, A mat.Matrix) []float64 {
				n, _ := A.Dims()
				dst := make([]float64, n)
				if D, ok := A.(*mat.Dense); ok {
					for i := range dst {
						dst[i] = p.Score(D.RawMatrix().Data[2*i : 2*i+2])
					}
				}
				return dst
			}
		}), "views: Scores of row"},
		{"batch", "rows", set(func(p *puppet) {
			p.scores = func([]float64, mat.Matrix) []float64 { return make([]float64, 24) }
			p.score = always(0.0)
		}), "gives 24 rows for 7 rows"},
		{"batch", "subset", set(func(p *puppet) {
			p.scores = func(_ []float64, A mat.Matrix) []float64 {
				n, _ := A.Dims()
				return each(nil, A, func(x []float64) float64 { return p.Score(x) + float64(24-n) })
			}
		}), "Scores of *mat.Dense: Score of row 0"},
		{"destination", "written", set(func(p *puppet) {
			p.scores = func(dst []float64, A mat.Matrix) []float64 {
				if dst == nil {
					n, _ := A.Dims()
					return slices.Repeat([]float64{1}, n)
				}
				return dst
			}
		}), "Scores of row 0"},
		{"dimension", "NaN", func(p *puppet, A X, _ []int) error {
			if _, d := A.Dims(); d == 1 {
				p.score = always(math.NaN())
			}
			return nil
		}, "is [NaN]"},
		{"extreme", "small", extremePart(func(v float64) bool { return v != 0 && math.Abs(v) < 1e-100 }), "with X times 1e-200"},
		{"extreme", "zero", extremePart(func(v float64) bool { return v == 0 }), "with X times 0"},
		{"extreme", "column", extremePart(func(v float64) bool { return v == 1e6 }), "with a column of 1e6"},
		{"opposite", "error", func(_ *puppet, _ X, y []int) error {
			if y[0] < 0 {
				return errors.New("means: y begins with -1")
			}
			return nil
		}, "y begins with -1"},
		{"prob", "range", set(func(p *puppet) { p.prob = always(1.01) }), "= 1.01"},
		{"prob", "below", set(func(p *puppet) { p.prob = always(-0.01) }), "= -0.01"},
		{"classes", "zero", set(func(p *puppet) {
			p.score = always(0.0)
			p.predict = always(-1)
		}), "want 1"},
		{"classes", "NaN label", set(func(p *puppet) { p.predict = always(0) }), "Predict is 0"},
		{"nan", "panic", set(func(p *puppet) {
			p.predict = func(x []float64) int {
				if math.IsNaN(x[1]) {
					panic("no label for NaN")
				}
				return 1
			}
		}), "panic: no label for NaN"},
		{"json", "encoding", func(p *puppet, _ X, _ []int) error { p.encoding = errors.New("means: no encoding"); return nil }, "means: no encoding"},
		{"length", "long", set(func(p *puppet) { p.score = func(x []float64) float64 { return x[0] + x[1] } }), "takes 3 columns for 2"},
	} {
		err := only(twoClasses(pull(c.change)), c.rule)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: err = %v, want %q", c.rule, c.part, err, c.want)
		}
	}
}

// extremePart makes the scores NaN if as is true of the last element of X.
func extremePart(as func(v float64) bool) func(p *puppet, X *mat.Dense, y []int) error {
	return func(p *puppet, X *mat.Dense, _ []int) error {
		if n, d := X.Dims(); as(X.At(n-1, d-1)) {
			p.score = always(math.NaN())
		}
		return nil
	}
}

// A fit that accepts any one bad input, or refuses it with a bad message, is found.
func TestRefuseEach(t *testing.T) {
	testkit.Long(t)
	for _, tested := range every("") {
		k, good := tested.kind, tested.fit
		for _, c := range badInputs(k, k.signs) {
			for _, answer := range []struct {
				err  error
				want string
			}{
				{nil, "no error"},
				{errors.New("fake: something is wrong, want it right"), "does not name"},
				{fmt.Errorf("fake: %s is wrong", c.say), "does not say what is wanted"},
				{fmt.Errorf("fake %s is wrong, want it right", c.say), "does not begin with the package"},
				{fmt.Errorf("fake: Z%s is wrong, want it right", c.say), "does not name"},
				{&mlkit.NotConvergedError{Algorithm: "fake: " + c.say, Reason: "want"}, "says that the fit was tried"},
			} {
				k.fit = func(s samples) (any, error) {
					if written(s) == written(c.samples) {
						return nil, answer.err
					}
					return good(s)
				}
				err := only(k, "refuse")
				if err == nil || !strings.Contains(err.Error(), answer.want) || !strings.Contains(err.Error(), c.name) {
					t.Errorf("%s, %s, answered with %v: err = %v, want %q", k.name, c.name, answer.err, err, answer.want)
				}
			}
		}
	}
}

// written returns all numbers of s as text.
func written(s samples) string {
	if s.X == nil {
		return fmt.Sprint(nil, s.labels, s.targets)
	}
	return fmt.Sprint(s.X.RawMatrix(), s.labels, s.targets)
}

func TestOneClassEach(t *testing.T) {
	for _, label := range []int{-1, +1} {
		for _, n := range []int{1, 6} {
			fit := func(X *mat.Dense, y []int) (*means, error) {
				if len(y) == n && !slices.Contains(y, -label) {
					return &means{W: []float64{1, 1}}, nil
				}
				return fitMeans("")(X, y)
			}
			want := fmt.Sprintf("%d samples with label %+d: no error", n, label)
			if err := only(twoClasses(fit), "one-class"); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("err = %v, want %s", err, want)
			}
		}
	}
}

// crowd is a clusterer with arbitrary labels and predictions.
type crowd struct {
	Labels    []int
	Predicted []int
}

func (c crowd) Predict(x []float64) int                          { return c.Predicted[0] }
func (c crowd) Predictions(dst []int, X mat.Matrix) []int        { return c.Predicted }
func (c crowd) Transform(dst *mat.Dense, X mat.Matrix) mat.Dense { return mat.Dense{} }

func TestOtherParts(t *testing.T) {
	alternating := func(a, b int) []int { return slices.Repeat([]int{a, b}, 12) }
	of := func(m any) func(X *mat.Dense) (any, error) {
		return func(*mat.Dense) (any, error) { return m, nil }
	}
	for _, c := range []struct {
		part string
		k    kind
		rule string
		want string
	}{
		{"labels that are not predicted", clusterer(of(crowd{alternating(0, 1), alternating(1, 0)})), "groups", "labelled 0 and predicted 1"},
		{"no labels", clusterer(of(struct{ X int }{})), "groups", "0 labels of 24 rows"},
		{"not a struct", clusterer(of(7)), "groups", "0 labels of 24 rows"},
		{"one cluster", clusterer(of(crowd{nil, alternating(0, 0)})), "groups", "want two that alternate"},
		{"cluster 2", clusterer(of(crowd{nil, alternating(2, 1)})), "groups", "want two that alternate"},
		{"cluster -1", clusterer(of(crowd{nil, alternating(0, -1)})), "groups", "want two that alternate"},
		{"no method", mapping(of(crowd{})), "rows", "no method that begins with Transform"},
		{"error for equal targets", regression(func(X *mat.Dense, y []float64) (line, error) {
			if y[0] == y[1] {
				return line{}, errors.New("line: all targets are equal")
			}
			return fitLine("")(X, y)
		}), "constant", "all targets are equal"},
		{"error for other labels", manyClasses(func(X *mat.Dense, y []int) (centres, error) {
			if y[0] < -1000 {
				return centres{}, errors.New("centres: y is negative")
			}
			return fitCentres("")(X, y)
		}), "labels", "y is negative"},
	} {
		if err := only(c.k, c.rule); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: err = %v, want %q", c.part, err, c.want)
		}
	}
}

// A fit that ends correctly if its context ended before, but not if it ends during the
// fit, is found.
func TestOfContextUnderWay(t *testing.T) {
	err := TestContext(func(ctx context.Context) (*line, error) {
		if ctx.Err() != nil {
			return wait("")(ctx)
		}
		return wait("silent")(ctx)
	})
	if err == nil || !strings.Contains(err.Error(), "ends during the fit") {
		t.Errorf("err = %v", err)
	}
}

// TestOrder and the others report an algorithm whose fits fail, or whose name is not of
// the form "package: algorithm".
func TestOfErrors(t *testing.T) {
	no := errors.New("fake: no")
	if err := TestOrder(func(*mat.Dense, []int) (line, error) { return line{}, no }, 1); !errors.Is(err, no) {
		t.Errorf("err = %v", err)
	}
	err := TestNotConverged(func() (line, error) {
		m := line{W: []float64{1}}
		return m, &mlkit.NotConvergedError{Algorithm: "the climb", Iterations: 1, Reason: "tired", Model: m}
	})
	if err == nil || !strings.Contains(err.Error(), "does not begin with the package") {
		t.Errorf("err = %v", err)
	}
}
