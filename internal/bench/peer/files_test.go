//go:build unix

package peer_test

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/bench/adapter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/modelfile/libsvm"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// filesScript trains and predicts with LIBSVM and LIBLINEAR, by way of model files.
//
//go:embed files.py
var filesScript string

// prediction is what svm-predict or predict says of samples, with -b 0 and, if asked, -b 1.
type prediction struct {
	Labels        []int
	Scores        [][]float64
	Order         []int // the labels, in the order of the file
	Probabilities [][]float64
	Probable      []int
}

func startFiles(t *testing.T) *adapter.Adapter {
	t.Helper()
	python := must.Get(adapter.LIBSVM(t.Context(), repotest.Root(t))).Or(t)
	a := must.Get(adapter.Start(t.Context(), python, "-I", "-c", filesScript)).Or(t)
	t.Cleanup(func() { a.Close() }) // t.Context has ended it
	return a
}

// drawFile draws samples with zeros of up to five classes, whose labels come in any order, and
// others.
func drawFile(r *rand.Rand) (X, Z *mat.Dense, y []int) {
	n, d, M := 20+r.IntN(60), 1+r.IntN(6), 2+r.IntN(4)
	labels := r.Perm(9)[:M]
	draw := func(n int) *mat.Dense {
		X := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				if r.IntN(5) > 0 {
					X.Set(i, j, math.Round(1000*(r.NormFloat64()+float64((i%M)*(j%3)))/2)/1000)
				}
			}
		}
		return X
	}
	X, Z = draw(n), draw(60)
	X.Set(0, d-1, 1) // so that the file has the last feature
	for i := range n {
		y = append(y, labels[i%M]-3)
	}
	return X, Z, y
}

// A model that LIBSVM has trained predicts here as there, and one of ours in LIBSVM as here: all
// kernels, two to five classes, probabilities. Support vectors have three decimals, so that the
// eight digits of LIBSVM's files are all.
func TestFilesOfLIBSVM(t *testing.T) {
	tier.Peer(t)
	p, ties := startFiles(t), 0
	for i := range 40 {
		r := rand.New(rand.NewPCG(50, uint64(i)))
		X, Z, y := drawFile(r)
		gamma, coef0 := 0.05+r.Float64(), float64(r.IntN(2))
		k := []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 1 + i/4%3, Gamma: gamma, Coef0: coef0}, kernel.RBF{Gamma: gamma}, kernel.Sigmoid{Gamma: gamma / 10, Coef0: coef0}}[i%4]
		probable := i%3 == 0
		options := fmt.Sprintf("-t %d -g %g -r %g -d %d -c %g -b %d", i%4, map[bool]float64{true: gamma / 10, false: gamma}[i%4 == 3], coef0, 1+i/4%3, math.Exp(r.NormFloat64()), map[bool]int{true: 1}[probable])
		if i%2 == 1 && len(slices.Compact(slices.Sorted(slices.Values(y)))) == 2 { // of more, the Python module of nu-SVC predicts none
			options += " -s 1 -n 0.1"
		}
		t.Run(options, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "model")
			var theirs prediction
			must.Do(t, p.Ask(map[string]any{"library": "svm", "options": options, "file": file, "X": rows(X), "y": y, "Z": rows(Z), "probable": probable}, &theirs))
			_, d := X.Dims()
			m := must.Get(libsvm.Format{D: d}.ReadSVM(must.Get(os.Open(file)).Or(t), file)).Or(t)
			ties += compareSVM(t, m, Z, theirs)
			if probable {
				o, err := m.ProbableOneVsOne()
				if falls := slices.ContainsFunc(m.Sigmoids, func(s calibration.Platt) bool { return s.A > 0 }); falls != (err != nil) {
					t.Errorf("sigmoids %v: %v", m.Sigmoids, err)
				}
				if err == nil {
					compareProbabilities(t, o.Classes, o.Posteriors(nil, Z), theirs, 0.005)
				}
			}

			// The same file written here, and a model trained here.
			again := filepath.Join(t.TempDir(), "again")
			must.Do(t, os.WriteFile(again, written(t, m), 0o600))
			var same prediction
			must.Do(t, p.Ask(map[string]any{"library": "svm", "file": again, "Z": rows(Z), "probable": probable}, &same))
			if !slices.Equal(same.Labels, theirs.Labels) || !slices.Equal(same.Order, theirs.Order) {
				t.Errorf("LIBSVM predicts %v with the file written here, and %v with its own", same.Labels, theirs.Labels)
			}
			binary := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 1, Kernel: k, Tol: 1e-3, MaxIter: 1e6}, Folds: 2}
			if _, ok := k.(kernel.Sigmoid); ok {
				return // no Mercer kernel: Classifier refuses it
			}
			fitted := must.Get(multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: binary}.Fit(X, y)).Or(t)
			ours := libsvm.OfProbable(fitted)
			must.Do(t, os.WriteFile(again, written(t, ours), 0o600))
			must.Do(t, p.Ask(map[string]any{"library": "svm", "file": again, "Z": rows(Z), "probable": true}, &same))
			compareSVM(t, ours, Z, same)
			compareProbabilities(t, fitted.Classes, fitted.Posteriors(nil, Z), same, 0.005)
		})
	}
	t.Logf("%d ties of votes, which OneVsOne would give to the smallest label", ties)
	if ties == 0 {
		t.Error("no tie of votes")
	}
}

func written(t *testing.T, m interface{ Write(w io.Writer) error }) []byte {
	t.Helper()
	var b strings.Builder
	must.Do(t, m.Write(&b))
	return []byte(b.String())
}

// compareSVM compares labels, all of them, and scores, which differ by rounding. It returns how many
// samples OneVsOne gives to another class.
func compareSVM(t *testing.T, m *libsvm.SVM, Z *mat.Dense, theirs prediction) (ties int) {
	t.Helper()
	if got := m.Predictions(nil, Z); !slices.Equal(got, theirs.Labels) {
		t.Errorf("labels %v, and %v by LIBSVM", got, theirs.Labels)
	}
	scores := make([]float64, len(m.Machines))
	for i, want := range theirs.Scores {
		size := 0.0 // of the terms of a score
		for k, machine := range m.Machines {
			scores[k] = machine.Score(Z.RawRowView(i))
			size = math.Abs(machine.B)
			for s, c := range machine.Coef {
				size += math.Abs(c * machine.Kernel.Eval(machine.Vectors[s], Z.RawRowView(i)))
			}
			if math.Abs(scores[k]-want[k]) > 1e-13*size {
				t.Errorf("score %d of sample %d is %v, and %v by LIBSVM", k, i, scores[k], want[k])
			}
		}
	}
	for i, label := range m.OneVsOne().Predictions(nil, Z) {
		if label != theirs.Labels[i] {
			ties++
		}
	}
	return ties
}

// compareProbabilities compares the probabilities of the classes, with the tolerance for three
// classes or more: LIBSVM's iterations end where their conditions hold to 0.005 divided by the number of
// classes.
func compareProbabilities(t *testing.T, classes []int, P *mat.Dense, theirs prediction, tol float64) {
	t.Helper()
	if len(classes) == 2 {
		tol = 1e-12
	}
	for i, want := range theirs.Probabilities {
		for k, class := range classes {
			// LIBSVM keeps the probabilities of two classes 1e-7 from 0 and 1.
			if got, w := P.At(i, k), want[slices.Index(theirs.Order, class)]; math.Abs(got-w) > tol && !(min(w, 1-w) < 1.1e-7 && math.Abs(got-w) < 1e-7) {
				t.Errorf("probability of %d for sample %d is %v, want %v", class, i, got, w)
			}
		}
	}
}

// The same for LIBLINEAR's solvers, with and without a bias.
func TestFilesOfLIBLINEAR(t *testing.T) {
	tier.Peer(t)
	p := startFiles(t)
	for i := range 32 {
		r := rand.New(rand.NewPCG(51, uint64(i)))
		X, Z, y := drawFile(r)
		options := fmt.Sprintf("-s %d -c %g -B %g", i%8, math.Exp(r.NormFloat64()), []float64{-1, 1, 2}[r.IntN(3)])
		probable := slices.Contains([]int{0, 6, 7}, i%8)
		t.Run(options, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "model")
			var theirs prediction
			must.Do(t, p.Ask(map[string]any{"library": "linear", "options": options, "file": file, "X": rows(X), "y": y, "Z": rows(Z), "probable": probable}, &theirs))
			m := must.Get(libsvm.Format{}.ReadLinear(must.Get(os.Open(file)).Or(t), file)).Or(t)
			compareLinear(t, m, Z, theirs)
			again := filepath.Join(t.TempDir(), "again")
			must.Do(t, os.WriteFile(again, written(t, m), 0o600))
			var same prediction
			must.Do(t, p.Ask(map[string]any{"library": "linear", "file": again, "Z": rows(Z), "probable": probable}, &same))
			compareLinear(t, m, Z, same)

			fitted := must.Get(logistic.Regression{L2: 1}.Fit(X, y)).Or(t)
			ours := &libsvm.Linear{Solver: "L2R_LR", LinearMachine: fitted.LinearMachine}
			must.Do(t, os.WriteFile(again, written(t, ours), 0o600))
			must.Do(t, p.Ask(map[string]any{"library": "linear", "file": again, "Z": rows(Z), "probable": true}, &same))
			compareLinear(t, ours, Z, same)
			if len(fitted.Classes) == 2 { // LIBLINEAR's probabilities of more are no softmax
				compareProbabilities(t, fitted.Classes, fitted.Posteriors(nil, Z), same, 0)
			}
		})
	}
}

func compareLinear(t *testing.T, m *libsvm.Linear, Z *mat.Dense, theirs prediction) {
	t.Helper()
	if got := m.Predictions(nil, Z); !slices.Equal(got, theirs.Labels) {
		t.Errorf("labels %v, and %v by LIBLINEAR", got, theirs.Labels)
	}
	for i, want := range theirs.Scores {
		x := Z.RawRowView(i)
		got := m.Discriminants(nil, x)
		if len(m.Classes) == 2 {
			got, want = []float64{-m.Score(x)}, want[:1]
		}
		if !floats.EqualApprox(got, want, 1e-12*(1+floats.Norm(want, math.Inf(1)))) {
			t.Errorf("scores of sample %d are %v, and %v by LIBLINEAR", i, got, want)
		}
	}
	if theirs.Probabilities != nil && m.Solver != "" {
		if o, err := m.ProbableOneVsRest(); err == nil {
			compareProbabilities(t, o.Classes, o.Posteriors(nil, Z), theirs, 1e-12)
			for i, got := range o.Predictions(nil, Z) { // the smallest label of equal probabilities, and there the first of the file
				best := slices.Max(theirs.Probabilities[i])
				if got != theirs.Probable[i] && theirs.Probabilities[i][slices.Index(theirs.Order, got)] < best-1e-12 {
					t.Errorf("label of sample %d by probabilities is %d, and %d by LIBLINEAR", i, got, theirs.Probable[i])
				}
			}
		}
	}
}
