package mlkittest

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

// means is a model that exercises the tests. It assigns a sample to the nearer of the two
// class means, so its score is w·x + b with w = m₊ - m₋. A fault breaks one clause of the
// contract.
type means struct {
	W     []float64
	B     float64
	Fault string
	X     *mat.Dense `json:"-"`
}

var (
	calls int          // lets a fault differ from fit to fit
	busy  atomic.Int64 // readers of a model that allows only one
)

func fitMeans(fault string) func(X *mat.Dense, y []int) (*means, error) {
	return func(X *mat.Dense, y []int) (*means, error) {
		if err := checkMeans(fault, X, y); err != nil {
			return nil, err
		}
		n, d := X.Dims()
		if fault == "dimension" && d == 1 {
			return nil, fmt.Errorf("means: X has 1 column, want 2")
		}
		if fault == "wide" && d > n {
			return nil, nil
		}
		m := &means{W: make([]float64, d), Fault: fault}
		var counts [2]float64
		for _, label := range y {
			counts[(label+1)/2]++
		}
		middle := make([]float64, d)
		stride := X.RawMatrix().Stride
		for i, label := range y {
			x := X.RawRowView(i)
			if fault == "views" && stride != d {
				x = X.RawMatrix().Data[i*d : i*d+d]
			}
			of := counts[(label+1)/2]
			floats.AddScaled(m.W, float64(label)/of, x)
			floats.AddScaled(middle, 0.5/of, x)
		}
		m.B = -floats.Dot(m.W, middle)
		switch fault {
		case "opposite":
			m.B = 0.5
		case "separates":
			floats.Scale(-1, m.W)
		case "finite":
			m.B = math.Inf(1)
		case "refit":
			calls++
			m.W[0] += float64(calls) / 100
		case "input":
			X.Set(n-1, 0, 0)
		case "no-reference":
			m.X = X
		}
		return m, nil
	}
}

func checkMeans(fault string, X *mat.Dense, y []int) error {
	if fault == "refuse" {
		return nil // run into whatever happens
	}
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("means: X is empty, want samples")
	}
	n, _ := X.Dims()
	if len(y) != n {
		return fmt.Errorf("means: len(y) = %d, want %d", len(y), n)
	}
	if fault == "one-sample" && n == 1 || fault == "extreme" && X.At(0, 0) > 1e100 {
		panic(fault)
	}
	seen := map[int]bool{}
	for i, label := range y {
		if label*label != 1 {
			return fmt.Errorf("means: y[%d] = %d, want -1 or +1", i, label)
		}
		seen[label] = true
		for j, v := range X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("means: X[%d][%d] = %v, want a finite number", i, j, v)
			}
			if math.Abs(v) > 1e100 {
				return fmt.Errorf("means: X[%d][%d] = %v, want a number whose square is one", i, j, v)
			}
		}
	}
	if len(seen) < 2 && fault != "one-class" {
		return fmt.Errorf("means: y has one class, want two")
	}
	return nil
}

func (m *means) Score(x []float64) float64 {
	switch {
	case m.X != nil:
		return floats.Dot(m.W, x) + m.X.At(0, 0)
	case m.Fault == "length":
		return m.B
	case m.Fault == "nan" && math.IsNaN(x[len(x)-1]):
		return 0
	case m.Fault == "concurrent":
		defer busy.Add(-1)
		if busy.Add(1) > 1 {
			return 0
		}
		runtime.Gosched()
	}
	return floats.Dot(m.W, x) + m.B
}

func (m *means) Scores(dst []float64, X mat.Matrix) []float64 {
	if m.Fault == "destination" {
		dst = nil
	}
	dst = each(dst, X, m.Score)
	if m.Fault == "batch" && len(dst) > 3 {
		dst[3]++
	}
	return dst
}

// each returns what f gives for the rows of X, in dst unless that is nil.
func each[R any](dst []R, X mat.Matrix, f func(x []float64) R) []R {
	n, _ := X.Dims()
	if dst == nil {
		dst = make([]R, n)
	}
	for i := range dst {
		dst[i] = f(mat.Row(nil, i, X))
	}
	return dst
}

func (m *means) Predict(x []float64) int {
	if s := m.Score(x); s >= 0 && (m.Fault != "classes" || s > 1) {
		return 1
	}
	return -1
}

func (m *means) Predictions(dst []int, X mat.Matrix) []int { return each(dst, X, m.Predict) }

func (m *means) Prob(x []float64) float64 {
	s := m.Score(x)
	switch m.Fault {
	case "prob":
		s = -s
	case "half":
		s -= 3
	}
	return 1 / (1 + math.Exp(-s))
}

func (*means) ModelKind() string { return "mlkittest.means" }

// MarshalJSON loses the weights of the model with fault "json", and with fault "file" orders the
// fields in another way each time.
func (m *means) MarshalJSON() ([]byte, error) {
	w := m.W
	if m.Fault == "json" {
		w = []float64{0, 0}
	}
	if calls++; m.Fault == "file" && calls%2 == 0 {
		return fmt.Appendf(nil, `{"B":%v,"W":[%v,%v],"Fault":"file"}`, m.B, w[0], w[len(w)-1]), nil
	}
	return fmt.Appendf(nil, `{"W":[%v,%v],"B":%v,"Fault":%q}`, w[0], w[len(w)-1], m.B, m.Fault), nil
}

// tested is a kind of model, with the test of its fits.
type tested struct {
	kind
	test func() error
}

// every returns all kinds, with a fault.
func every(fault string) []tested {
	return []tested{
		{twoClasses(fitMeans(fault)), func() error { return TestClassifier(fitMeans(fault)) }},
		{manyClasses(fitCentres(fault)), func() error { return TestManyClasses(fitCentres(fault)) }},
		{regression(fitLine(fault)), func() error { return TestRegression(fitLine(fault)) }},
		{mapping(fitShift(fault)), func() error { return TestMap(fitShift(fault)) }},
		{clusterer(fitHalves(fault)), func() error { return TestClusterer(fitHalves(fault)) }},
	}
}

func TestGoodModels(t *testing.T) {
	for _, k := range every("") {
		if err := k.test(); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}

// The rule of the same name finds each fault: one for each rule of two-class classifiers,
// which include the common ones, and for each further rule of the other kinds.
func TestFaults(t *testing.T) {
	testkit.Long(t)
	from := 0
	for i, k := range every("") {
		for _, r := range k.rules[from:] {
			err := every(r.name)[i].test()
			if err == nil || !strings.Contains("\n"+err.Error(), "\n"+r.name+": ") || !strings.Contains(err.Error(), r.why) {
				t.Errorf("fault %q of a %s is not reported: %v", r.name, k.name, err)
			}
		}
		from = len(commonRules)
	}
}

func TestExceptions(t *testing.T) {
	if err := TestClassifier(fitMeans("one-class"), "one-class"); err != nil {
		t.Error(err)
	}
	want := `mlkittest: no rule of a classifier of two classes is named "beauty"`
	if err := TestClassifier(fitMeans(""), "beauty"); err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}

// The rules' names are unique within a kind, and there are as many as in the package
// comment.
func TestRuleNames(t *testing.T) {
	seen := map[string]string{}
	for _, k := range every("") {
		mine := map[string]bool{}
		for _, r := range k.rules {
			if mine[r.name] || r.name == "" || r.why == "" {
				t.Errorf("the rule %q of a %s is not one of its own: %q", r.name, k.name, r.why)
			}
			mine[r.name] = true
			seen[r.name] = r.why
		}
	}
	if len(seen) != 29 {
		t.Errorf("%d names of rules, and the package comment lists 29", len(seen))
	}
}
