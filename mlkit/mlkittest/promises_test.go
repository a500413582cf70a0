package mlkittest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// fitWeighted scores a sample by its inner product with Σ wᵢyᵢxᵢ / Σ wᵢ.
func fitWeighted[Y int | float64](fault string) func(o mlkit.Options, X *mat.Dense, y []Y) (line, error) {
	return func(o mlkit.Options, X *mat.Dense, y []Y) (line, error) {
		weights := o.Weights
		n, d := X.Dims()
		if weights != nil && len(weights) != n && fault != "too few weights" {
			return line{}, fmt.Errorf("fake: len(weights) = %d, want %d", len(weights), n)
		}
		if weights == nil {
			weights = make([]float64, n)
			floats.AddConst(1, weights)
			if fault == "weights of 1" {
				weights[0] = 2
			}
		}
		m, total := line{W: make([]float64, d)}, 0.0
		masses := map[Y]float64{}
		for i, w := range weights {
			if fault == "two classes" && y[i] > 1 {
				return line{}, fmt.Errorf("fake: y[%d] = %v, want -1 or +1", i, y[i])
			}
			masses[y[i]] += w
			bad := w < 0 && fault != "a weight of -1" || math.IsNaN(w) && fault != "a weight that is NaN" || math.IsInf(w, 1) && fault != "a weight of +Inf"
			if bad {
				return line{}, fmt.Errorf("fake: weights[%d] = %v, want a finite number, at least 0", i, w)
			}
			if fault == "weight 0" {
				w = max(w, 0.1)
			}
			if fault == "weight 3" {
				w = math.Sqrt(w)
			}
			total += w
			floats.AddScaled(m.W, w*float64(y[i]), X.RawRowView(i))
		}
		if total == 0 && fault != "weights of 0" {
			return line{}, errors.New("fake: weights are all 0, want a positive one")
		}
		present := 0
		for _, mass := range masses {
			if mass > 0 {
				present++
			}
		}
		if _, labels := any(y).([]int); labels && present == 1 && fault != "weights that leave one class" {
			return line{}, errors.New("fake: weights leave one class, want two")
		}
		if present == 2 && len(masses) == 3 && fault == "weight 0 removes a class" {
			return line{}, errors.New("fake: a class has weights of 0, want others")
		}
		floats.Scale(1/total, m.W)
		return m, nil
	}
}

func TestOfWeights(t *testing.T) {
	if err := TestWeights(fitWeighted[int](""), 1e-12); err != nil {
		t.Error(err)
	}
	if err := TestWeights(fitWeighted[float64](""), 1e-12); err != nil {
		t.Error(err)
	}
	if err := TestWeights(fitWeighted[int]("two classes"), 1e-12); err != nil {
		t.Error(err)
	}
	for _, fault := range []string{
		"weights of 1", "weight 0", "weight 3", "weight 0 removes a class", "weights that leave one class",
		"too few weights", "a weight of -1", "a weight that is NaN", "a weight of +Inf", "weights of 0",
	} {
		if err := TestWeights(fitWeighted[int](fault), 1e-12); err == nil || !strings.Contains("\n"+err.Error(), "\n"+fault) {
			t.Errorf("fault %q is not reported: %v", fault, err)
		}
	}
}

// An algorithm that takes weights without a word, one that refuses them in other words and one
// that fails without any are found.
func TestOfUnweighted(t *testing.T) {
	fit := func(refuse error, fail error) error {
		return TestUnweighted(func(o mlkit.Options) (line, error) {
			if o.Weights != nil {
				return line{}, refuse
			}
			return line{}, fail
		})
	}
	_, right := mlkit.Options{Weights: []float64{1}}.Unweighted("fake: Fit")
	if err := errors.Join(fit(right, nil), fit(right, &mlkit.NotConvergedError{})); err != nil {
		t.Error(err)
	}
	if fit(nil, nil) == nil || fit(errors.New("fake: no weights"), nil) == nil || fit(right, errors.New("fake")) == nil {
		t.Error("a fault is not reported")
	}
}

// ofRows is a model with numbers of each sample and of rows.
type ofRows struct {
	Alpha  []float64
	Rows   []int
	Trace  []ofStep
	Reason string
}

type ofStep struct{ Rows []int }

// A fit that is right in all of these passes, and a fault in each is reported.
func TestOfAbsence(t *testing.T) {
	fit := func(fault string) func(o mlkit.Options, X *mat.Dense, y []int) (*ofRows, error) {
		return func(o mlkit.Options, X *mat.Dense, y []int) (*ofRows, error) {
			weights := o.Weights
			n, _ := X.Dims()
			m := &ofRows{Alpha: make([]float64, n)}
			for i := range n {
				if math.IsNaN(X.At(i, 0)) && fault != "NaN" {
					return nil, fmt.Errorf("fake: X[%d][0] is NaN, want a number", i)
				}
				if weights != nil && weights[i] == 0 {
					if fault == "Alpha" {
						m.Alpha[i] = 1e-300
					}
					continue
				}
				m.Alpha[i] = X.At(i, 0)
				m.Rows = append(m.Rows, i)
			}
			last := m.Rows[len(m.Rows)-1]
			m.Trace, m.Reason = []ofStep{{[]int{last}}}, fmt.Sprintf("X[%d] is the last of 3, after row %d", last, m.Rows[0])
			switch fault {
			case "Rows":
				m.Rows[1]--
			case "Trace":
				m.Trace[0].Rows[0] = len(m.Rows) - 1
			case "Reason":
				m.Reason = fmt.Sprintf("X[%d] is the last of %d", last, n)
			case "error":
				return m, fmt.Errorf("fake: row %d", len(m.Rows)-1)
			}
			return m, fmt.Errorf("fake: X[%d]", last)
		}
	}
	if err := TestAbsence(fit("")); err != nil {
		t.Error(err)
	}
	for _, fault := range []string{"Alpha", "Rows", "Trace", "Reason", "error", "NaN"} {
		if err := TestAbsence(fit(fault)); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("fault in %s: %v", fault, err)
		}
	}
}

func TestOfOrder(t *testing.T) {
	if err := TestOrder(func(X *mat.Dense, y []int) (line, error) { return fitWeighted[int]("")(mlkit.Options{}, X, y) }, 1e-12); err != nil {
		t.Error(err)
	}
	first := func(X *mat.Dense, y []float64) (line, error) {
		return line{W: mat.Row(nil, 0, X), B: y[0]}, nil
	}
	err := TestOrder(first, 1e-12)
	for _, order := range []string{"backwards", "in steps of 7", "one class first"} {
		// Row 0 stays first in all orders except "backwards".
		if reported := err != nil && strings.Contains(err.Error(), order); reported != (order == "backwards") {
			t.Errorf("%s: reported is %v: %v", order, reported, err)
		}
	}
	last := func(X *mat.Dense, y []float64) (line, error) {
		return line{W: mat.Row(nil, len(y)-2, X), B: y[0]}, nil
	}
	err = TestOrder(last, 1e-12)
	for _, order := range []string{"backwards", "in steps of 7", "one class first"} {
		if err == nil || !strings.Contains(err.Error(), order) {
			t.Errorf("%s is not reported: %v", order, err)
		}
	}
}

// onProcessors is a model whose score is not that of others with a number of processors.
type onProcessors struct {
	Processors int // of the fit
	Scoring    int // with which the score differs; 0 for none
}

func (o onProcessors) Score(x []float64) float64 {
	if runtime.GOMAXPROCS(0) == o.Scoring {
		return math.Nextafter(x[0], 0)
	}
	return x[0]
}

func TestOfBits(t *testing.T) {
	X := mat.NewDense(2, 1, []float64{1, 2})
	processors := runtime.GOMAXPROCS(0)
	fit := func(m onProcessors, err error) func() (onProcessors, error) {
		return func() (onProcessors, error) {
			fitted := m
			if runtime.GOMAXPROCS(0) != m.Processors {
				fitted.Processors = 0
			}
			return fitted, err
		}
	}
	limited := &mlkit.NotConvergedError{Algorithm: "fake: limited", Reason: "over"}
	for _, err := range []error{nil, limited} {
		if err := TestBits(X, fit(onProcessors{}, err)); err != nil {
			t.Error(err)
		}
		for _, n := range []int{2, 3, 7} {
			if err := TestBits(X, fit(onProcessors{Processors: n}, err)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("GOMAXPROCS=%d the model.Processors", n)) {
				t.Errorf("a fit that differs with %d processors is not reported: %v", n, err)
			}
			if err := TestBits(X, fit(onProcessors{Scoring: n}, err)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("GOMAXPROCS=%d Score of row 0", n)) {
				t.Errorf("a score that differs with %d processors is not reported: %v", n, err)
			}
		}
	}
	refused := errors.New("fake: refused")
	if err := TestBits(X, fit(onProcessors{}, refused)); !errors.Is(err, refused) {
		t.Errorf("err = %v, want %v", err, refused)
	}
	if got := runtime.GOMAXPROCS(0); got != processors {
		t.Errorf("GOMAXPROCS = %d afterwards, want %d", got, processors)
	}
}

// wait is a fit that only checks whether its context has ended.
func wait(fault string) func(ctx context.Context) (*line, error) {
	return func(ctx context.Context) (*line, error) {
		m := &line{W: []float64{1}}
		switch fault {
		case "over at once":
			if ctx.Err() == nil {
				return m, nil
			}
		case "deaf": // after a while
			for range 11 {
				if ctx.Err() != nil {
					break
				}
			}
			if ctx.Err() == nil {
				return m, nil
			}
		case "begins":
			return m, nil
		}
		for ctx.Err() == nil {
		}
		e := &mlkit.NotConvergedError{Algorithm: "fake: wait", Reason: "the context ended", Model: m, Err: ctx.Err()}
		switch fault {
		case "silent":
			return m, nil
		case "bare":
			return m, fmt.Errorf("fake: %w", ctx.Err())
		case "stranger":
			e.Err = errors.New("cancelled")
		case "no model":
			return nil, e
		}
		return m, e
	}
}

func TestOfContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	if err := TestContext(wait("")); err != nil {
		t.Error(err)
	}
	for fault, want := range map[string]string{
		"over at once": "looked at its context 1 times; it has to take longer",
		"deaf":         "looked at its context 12 times; it has to take longer, or to look more often",
		"begins":       "looked at its context 0 times",
		"silent":       "does not wrap context.Canceled",
		"bare":         "want *mlkit.NotConvergedError",
		"stranger":     "does not wrap context.Canceled",
		"no model":     "no model is returned",
	} {
		if err := TestContext(wait(fault)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("fault %q: err = %v, want %q", fault, err, want)
		}
	}
}

// climbs is a fit of three steps with a fault.
func climbs(fault string) func(o mlkit.Options) (*line, error) {
	return func(o mlkit.Options) (*line, error) {
		m := &line{W: []float64{1}}
		e := &mlkit.NotConvergedError{Algorithm: "fake: climb", Iterations: 3, Reason: "tired", Model: m}
		report := o.Report
		if report == nil {
			return m, e
		}
		p := mlkit.Progress{Algorithm: "fake: climb", Of: 3}
		switch fault {
		case "model":
			m.W[0] = math.Nextafter(1, 2)
		case "error":
			e.Residual = 1
		case "silent":
			return m, e
		case "algorithm":
			p.Algorithm = "climb"
		case "another":
			p.Algorithm = "fake: descent"
		case "from 0":
			p.Done = -1
		case "beyond":
			p.Of = 2
		case "deaf":
			report = func(p mlkit.Progress) {
				defer func() { _ = recover() }()
				o.Report(p)
			}
		case "together":
			// All can run before the first reports, and a report lets the next one run.
			var wait sync.WaitGroup
			begin := make(chan struct{})
			for range 8 {
				wait.Go(func() {
					<-begin
					for range 1000 {
						report(p)
					}
				})
			}
			close(begin)
			wait.Wait()
		}
		for range 3 {
			p.Done++
			report(p)
			switch fault {
			case "falls":
				p.Done--
			case "more and more":
				p.Of++
			}
		}
		return m, e
	}
}

func TestOfReport(t *testing.T) {
	if err := TestReport(climbs("")); err != nil {
		t.Error(err)
	}
	for fault, want := range map[string]string{
		"model":         "with Report, the model.W[0] is 1.0000000000000002, want 1",
		"error":         "with Report, the error.Residual is 1, want 0",
		"silent":        "without a report",
		"algorithm":     "the field Algorithm: ",
		"another":       "the reports are of \"fake: descent\", the error of \"fake: climb\"",
		"from 0":        "report 0 has Done = 0 after 0",
		"beyond":        "report 2 has Done = 3 after 2, want more, and at most Of = 2",
		"falls":         "report 1 has Done = 1 after 1",
		"more and more": "report 1 is of \"fake: climb\", 4 at most",
		"together":      "two calls of Report are concurrent",
		"deaf":          "a panic in Report reaches the caller as <nil>",
	} {
		if err := TestReport(climbs(fault)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("fault %q: err = %v, want %q", fault, err, want)
		}
	}
}

func TestOfNotConverged(t *testing.T) {
	good := mlkit.NotConvergedError{Algorithm: "fake: climb", Iterations: 3, Residual: 2, Reason: "the top is higher than that"}
	m := &line{W: []float64{1}}
	type unencodable struct{ F func() }
	for _, c := range []struct {
		fault string
		m     any
		err   func(e *mlkit.NotConvergedError) error
		want  string // empty for no error
	}{
		{"none", m, func(e *mlkit.NotConvergedError) error { return e }, ""},
		{"not separable", m, func(e *mlkit.NotConvergedError) error { return &mlkit.NotSeparableError{Fit: e} }, ""},
		{"no error", m, func(e *mlkit.NotConvergedError) error { return nil }, "has no error"},
		{"other error", m, func(e *mlkit.NotConvergedError) error { return errors.New("fake: no") }, "want *mlkit.NotConvergedError"},
		{"algorithm", m, func(e *mlkit.NotConvergedError) error { e.Algorithm = "climb"; return e }, "does not begin with the package"},
		{"iterations", m, func(e *mlkit.NotConvergedError) error { e.Iterations = 0; return e }, "counts 0 iterations"},
		{"residual", m, func(e *mlkit.NotConvergedError) error { e.Residual = math.NaN(); return e }, "Residual NaN"},
		{"reason", m, func(e *mlkit.NotConvergedError) error { e.Reason = ""; return e }, "no Reason"},
		{"model", m, func(e *mlkit.NotConvergedError) error { e.Model = &line{}; return e }, "is returned beside an error that has"},
		{"no model", nil, func(e *mlkit.NotConvergedError) error { return e }, "no model is returned"},
		{"encoding", unencodable{}, func(e *mlkit.NotConvergedError) error { return e }, "the model beside the error"},
	} {
		err := TestNotConverged(func() (any, error) {
			e := good
			e.Model = c.m
			return c.m, c.err(&e)
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("fault %q: err = %v, want %q", c.fault, err, c.want)
		}
	}
}
