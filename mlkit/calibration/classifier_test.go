package calibration_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// With a part for each sample, the order in which samples are dealt does not matter: the
// machine is that of all samples, and the sigmoid that of the scores of each sample left out.
// Both are computed here without Classifier. So are the models of many classes, whose posteriors
// follow from those of their pairs.
func TestLeaveOneOut(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	X = mat.DenseCopyOf(X.Slice(20, 80, 0, 4))
	y = y[20:80]
	machine := svm.Classifier{Kernel: kernel.RBF{Gamma: 0.5}, Tol: 1e-8}
	scores, weights := make([]float64, 60), make([]float64, 60)
	for i := range y {
		for j := range y {
			weights[j] = 1
			if slices.Equal(X.RawRowView(i), X.RawRowView(j)) {
				weights[j] = 0 // it knows no copies either: row 42 is row 101 of Iris and 142
			}
		}
		m := testkit.Try(machine.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
		scores[i] = m.Score(X.RawRowView(i))
	}
	want := testkit.Try(calibration.FitPlatt(scores, y, nil)).Or(t)
	all := testkit.Try(machine.Fit(X, y)).Or(t)
	for _, seed := range []uint64{0, 5} {
		m := testkit.Try(calibration.Classifier[*svm.Model]{Algorithm: machine, Folds: 60, Seed: seed}.Fit(X, y)).Or(t)
		samples.Near(t, "A, B", []float64{m.Sigmoid.A, m.Sigmoid.B}, []float64{want.A, want.B}, 1e-6)
		samples.Near(t, "probabilities", m.Probs(nil, X), want.Probs(nil, all.Scores(nil, X)), 1e-6)
		samples.Near(t, "the machine's scores", m.Model.Scores(nil, X), all.Scores(nil, X), 0)
	}
}

// nearest is an algorithm that scores a sample by which class has the nearer mean, times sign.
type nearest struct {
	sign   float64
	fitted func(X *mat.Dense, y []int)
	score  float64 // if not 0, that of all samples
}

func (a nearest) FitWith(_ mlkit.Options, X *mat.Dense, y []int) (*mlkit.Hyperplane, error) {
	if a.fitted != nil {
		a.fitted(X, y)
	}
	if a.score != 0 {
		return &mlkit.Hyperplane{W: []float64{0}, B: a.score}, nil
	}
	mean, count := [2]float64{}, [2]float64{}
	for i, label := range y {
		mean[(label+1)/2] += X.At(i, 0)
		count[(label+1)/2]++
	}
	minus, plus := mean[0]/count[0], mean[1]/count[1]
	return &mlkit.Hyperplane{W: []float64{a.sign * (plus - minus)}, B: -a.sign * (plus*plus - minus*minus) / 2}, nil
}

// A machine that ranks samples in the wrong order would get an increasing sigmoid, and the
// probabilities would contradict its labels. Instead all samples get the mean of the targets,
// by hand (5·6/7 + 3·1/5)/8 for five samples against three.
func TestWrongOrder(t *testing.T) {
	X, y := mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, -1, -2, -3}), []int{1, 1, 1, 1, 1, -1, -1, -1}
	right, err := calibration.Classifier[*mlkit.Hyperplane]{Algorithm: nearest{sign: 1}}.Fit(X, y)
	if err != nil || !(right.Sigmoid.A < 0) || right.Predict([]float64{-1}) != -1 {
		t.Fatalf("in order: %+v, %v", right, err)
	}
	m, err := calibration.Classifier[*mlkit.Hyperplane]{Algorithm: nearest{sign: -1}}.Fit(X, y)
	if err != nil || m.Sigmoid.A != 0 {
		t.Fatalf("%+v, %v, want A = 0", m, err)
	}
	for _, x := range []float64{-3, 0, 5, 1e308} {
		samples.Near(t, "P", []float64{m.Prob([]float64{x})}, []float64{(5*6./7 + 3*1./5) / 8}, 1e-9)
	}
}

// Each sample is scored once, by a machine that has not seen it or a copy of it, and each
// machine has samples of both classes, of a rare one too: two samples and five folds. The same
// is true of a problem that is some rows of X.
func TestFoldsOfClassifier(t *testing.T) {
	const n = 47
	X, y := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range n {
		X.Set(i, 0, float64(i/2)) // copies: rows 2k and 2k+1, of one label
		y[i] = -1
		if i/2 == 7 || i/2 == 20 {
			y[i] = +1
		}
	}
	larger, some := mat.NewDense(n+3, 1, nil), make([]int, n)
	larger.Slice(3, n+3, 0, 1).(*mat.Dense).Copy(X)
	for i := range some {
		some[i] = i + 3
	}
	for _, c := range []struct {
		folds, want int
		some        bool
	}{{0, 5, false}, {2, 2, false}, {3, 3, false}, {24, 24, false}, {100, 24, false}, {4, 4, true}} {
		var mu sync.Mutex
		sizes, left := []int{}, map[float64]int{}
		a := nearest{sign: 1, fitted: func(X *mat.Dense, y []int) {
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, len(y))
			in, signs := map[float64]int{}, map[int]bool{}
			for i, label := range y {
				in[X.At(i, 0)]++
				signs[label] = true
			}
			for v := range n/2 + 1 {
				switch in[float64(v)] {
				case 0:
					left[float64(v)]++
				case 1:
					if v < n/2 {
						t.Errorf("%d folds: one copy of %d is left out, one not", c.folds, v)
					}
				}
			}
			if len(signs) < 2 {
				t.Errorf("%d folds: a machine of one class", c.folds)
			}
		}}
		p := calibration.Classifier[*mlkit.Hyperplane]{Algorithm: a, Folds: c.folds, Seed: 3}
		_, err := p.Fit(X, y)
		if c.some {
			sizes, left = nil, map[float64]int{}
			_, errs := p.FitMachines(t.Context(), larger, []multiclass.Problem{{Rows: some, Y: y}}, func() {})
			err = errs[0]
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(sizes) != c.want+1 || slices.Max(sizes) != n {
			t.Errorf("%d folds: fits of %v samples, want %d besides that of all", c.folds, sizes, c.want)
		}
		for v := range n/2 + 1 {
			if left[float64(v)] != 1 {
				t.Errorf("%d folds: %d is left out %d times", c.folds, v, left[float64(v)])
			}
		}
		slices.Sort(sizes)
		if smallest, largest := n-sizes[len(sizes)-2], n-sizes[0]; largest-smallest > 3 { // one distinct sample, and the one without a copy
			t.Errorf("%d folds: parts of %d to %d samples", c.folds, smallest, largest)
		}
	}
}

// Five classes that overlap: the posteriors of a Gaussian machine on pairs say how often it is
// right, within three times what chance allows for 3000 samples.
func TestManyClassesAreCalibrated(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.NoRace(t)
	A, labels := samples.Clouds(3300, 3, 5, 8)
	X, y := A.Slice(0, 300, 0, 3).(*mat.Dense), labels[:300]
	Z, z := A.Slice(300, 3300, 0, 3), labels[300:]
	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.3}}}
	m := testkit.Try(multiclass.ProbableOneVsOne[*svmModel]{Binary: c}.Fit(X, y)).Or(t)
	P := m.Posteriors(nil, Z)
	said, right := 0.0, 0.0
	for i, label := range m.Predictions(nil, Z) {
		p := P.RawRowView(i)
		said += p[rows.Largest(p)] / 3000
		if label == z[i] {
			right += 1. / 3000
		}
	}
	votes := m.OneVsOneModel.Predictions(nil, Z)
	for i := range 100 {
		if label := m.OneVsOneModel.Predict(mat.Row(nil, i, Z)); label != votes[i] {
			t.Errorf("row %d: the machines vote for %d, and with others for %d", i, label, votes[i])
		}
	}
	t.Logf("said %.3f, right %.3f", said, right)
	if math.Abs(said-right) > 0.03 {
		t.Errorf("the largest posteriors have the mean %.3f, and %.3f of the labels are right", said, right)
	}
}

func TestClassifierFails(t *testing.T) {
	X, y := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []int{1, 1, 1, -1, -1, -1}
	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}
	with := func(change func(c *calibration.Classifier[*svm.Model])) error {
		c := c
		change(&c)
		_, err := c.Fit(X, y)
		return err
	}
	noModel := mlkit.FitFunc(func(*mat.Dense, []int) (*svm.Model, error) { return nil, nil })
	many := func(y ...int) error {
		_, err := multiclass.ProbableOneVsOne[*svmModel]{Binary: c}.Fit(X, y)
		return err
	}
	for _, f := range []struct {
		err error
		say string
	}{
		{second(calibration.Classifier[*svm.Model]{}.Fit(X, y)), "calibration: Classifier.Algorithm is nil, want an algorithm"},
		{with(func(c *calibration.Classifier[*svm.Model]) { c.Folds = 1 }), "calibration: Classifier.Folds = 1, want at least 2, or 0 for 5"},
		{with(func(c *calibration.Classifier[*svm.Model]) { c.Folds = -3 }), "calibration: Classifier.Folds = -3"},
		{with(func(c *calibration.Classifier[*svm.Model]) { c.Algorithm = svm.Classifier{C: -1} }), "svm: Classifier.C = -1"},
		{with(func(c *calibration.Classifier[*svm.Model]) {
			c.Algorithm = svm.Classifier{Kernel: kernel.Func(func(x, z []float64) float64 { return math.NaN() })}
		}), "svm: "},
		{second(calibration.Classifier[*svm.Model]{Algorithm: (*svm.Classifier)(nil)}.Fit(X, y)), "calibration: Classifier.Algorithm is nil, want an algorithm"},
		{second(calibration.Classifier[*svm.Model]{Algorithm: noModel}.Fit(X, y)), "multiclass: the fit of "},
		{second(c.Fit(nil, y)), "calibration: X is nil"},
		{second(c.Fit(X, y[1:])), "calibration: len(y) = 5, want 6"},
		{second(c.Fit(X, []int{1, 1, 1, 1, 1, 1})), "calibration: y has only the label +1"},
		{second(c.FitWith(mlkit.Options{Weights: []float64{1}}, X, y)), "calibration: len(weights) = 1, want 6"},
		{second(c.FitWith(mlkit.Options{Weights: []float64{1, 1, 1, 0, 0, 2}}, X, y)), "calibration: weights leave fewer than 2 distinct samples of label -1, want one to train on, and one to score"},
		{second(calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{}}.FitWith(mlkit.Options{Weights: make([]float64, 6)}, X, y)), "calibration: weights are all 0"},
		{second(calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{}}.FitWith(mlkit.Options{Weights: []float64{1, 1, 1, 1, 1, 2}}, X, y)), "perceptron: Perceptron takes no weights of samples, want Options.Weights = nil"},
		{second(calibration.Classifier[*mlkit.Hyperplane]{Algorithm: nearest{score: math.Inf(1)}}.Fit(X, y)), "calibration: X["},
		{many(1, 1, 1, 2, 2, 3), "calibration: y has fewer than 2 distinct samples of label -1, want one to train on, and one to score (ProbableOneVsOne, 1 against 3)"},
		{many(1, 1, 1, 1, 1, 1), "multiclass: y has only the label 1"},
		{second(multiclass.ProbableOneVsRest[*svmModel]{}.Fit(X, y)), "multiclass: ProbableOneVsRest.Binary is nil"},
		{second(multiclass.ProbableOneVsOne[*svmModel]{Binary: c, ClassWeights: map[int]float64{1: -1}}.Fit(X, y)), "multiclass: ClassWeights[1] = -1"},
	} {
		if f.err == nil || !strings.HasPrefix(f.err.Error(), f.say) {
			t.Errorf("got %v, want %q", f.err, f.say)
		}
	}
	if err := mlkittest.TestNotConverged(func() (any, error) {
		return calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{MaxIter: 1}}.Fit(X, []int{1, -1, 1, -1, 1, -1})
	}); err != nil {
		t.Error(err)
	}
	// The whole converges, and the fold without row 0 does not.
	m, err := calibration.Classifier[*perceptron.Model]{Algorithm: mlkit.FitFunc(func(X *mat.Dense, y []int) (*perceptron.Model, error) {
		p := perceptron.Perceptron{}
		if X.At(0, 0) != 1 {
			p.MaxIter = 1
		}
		return p.Fit(X, y)
	}), Folds: 6}.Fit(X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || e.Model != any(m) || !strings.Contains(err.Error(), " of 6: perceptron: ") || !(m.Sigmoid.A < 0) {
		t.Errorf("a fold that does not converge: %+v, %v", m, err)
	}
}

func second[T any](_ T, err error) error { return err }

// Thirty classes of few samples: 435 machines. Rows sum to 1, and labels are those of the largest
// posterior.
func TestThirtyClasses(t *testing.T) {
	X, y := samples.Clouds(180, 4, 30, 3)
	var done []int
	o := multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.LinearModel]]{
		Binary: calibration.Classifier[*svm.LinearModel]{Algorithm: svm.Newton{}, Folds: 3},
	}
	m := testkit.Try(o.FitWith(mlkit.Options{Report: func(p mlkit.Progress) { done = append(done, p.Done) }}, X, y)).Or(t)
	P := m.Posteriors(nil, X)
	for i, label := range m.Predictions(nil, X) {
		p := P.RawRowView(i)
		if sum := mat.Sum(P.RowView(i)); math.Abs(sum-1) > 1e-14 || m.Classes[rows.Largest(p)] != label || slices.Min(p) < 0 {
			t.Fatalf("row %d: sum %v, label %d, %v", i, sum, label, p)
		}
	}
	if len(done) != 435 || !slices.IsSorted(done) || done[434] != 435 {
		t.Errorf("reports %v", fmt.Sprint(done))
	}
}
