package mlkit_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/svm"
)

// BenchmarkProcessors says how many times as fast a fit is on all processors as on one. The
// two take turns, and the medians are compared:
//
//	go test ./mlkit -run '^$' -bench Processors -benchtime 7x
func BenchmarkProcessors(b *testing.B) {
	classes := func(n, d int, distance float64) (*mat.Dense, []int) {
		random := rand.New(rand.NewPCG(1, uint64(n)))
		X, y := samples.Gaussian(random, n, d), make([]int, n)
		for i := range y {
			y[i] = 1 - 2*(i%2)
			X.Set(i, 0, X.At(i, 0)+distance*float64(y[i]))
		}
		return X, y
	}
	numbers := func(X *mat.Dense) []float64 { return mat.Col(nil, 0, X) }
	for _, c := range []struct {
		name string
		n, d int
		fit  func(X *mat.Dense, y []int) error
	}{
		{"SVC", 20000, 50, func(X *mat.Dense, y []int) error {
			_, err := svm.Classifier{C: 1, Kernel: kernel.RBF{Gamma: 0.02}}.Fit(X, y)
			return err
		}},
		{"cross-validation", 5000, 20, func(X *mat.Dense, y []int) error {
			folds, err := eval.KFold{K: 4}.Stratified(y)
			if err != nil {
				return err
			}
			fit := svm.Classifier{Kernel: kernel.RBF{Gamma: 0.05}}.Fit
			_, err = eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, mlkit.FitFunc(fit), eval.Accuracy[*svm.Model], X, y)
			return err
		}},
		{"logistic", 100000, 50, func(X *mat.Dense, y []int) error {
			_, err := logistic.Regression{L2: 1}.Fit(X, y)
			return err
		}},
		{"LDA", 100000, 50, func(X *mat.Dense, y []int) error {
			_, err := discriminant.LDA{}.Fit(X, y)
			return err
		}},
		{"k-means", 100000, 10, func(X *mat.Dense, _ []int) error {
			_, err := cluster.KMeans{K: 10, Restarts: 1, MaxIter: 40, Tol: 1e-4}.Fit(X)
			return err
		}},
		{"k-means-wide", 50000, 50, func(X *mat.Dense, _ []int) error {
			_, err := cluster.KMeans{K: 20, Restarts: 1, MaxIter: 40, Tol: 1e-4}.Fit(X)
			return err
		}},
		{"least-squares", 100000, 100, func(X *mat.Dense, _ []int) error {
			_, err := leastsquares.Regression{}.Fit(X, numbers(X))
			return err
		}},
		{"kernel-ridge", 4000, 50, func(X *mat.Dense, _ []int) error {
			_, err := kernelized.Ridge{Kernel: kernel.RBF{Gamma: 0.02}}.Fit(X, numbers(X))
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			all := runtime.GOMAXPROCS(0)
			defer runtime.GOMAXPROCS(all)
			X, y := classes(c.n, c.d, 1)
			var times [2][]float64
			for b.Loop() {
				for which, processors := range []int{1, all} {
					runtime.GOMAXPROCS(processors)
					began := time.Now()
					if err := c.fit(X, y); err != nil {
						b.Fatal(err)
					}
					times[which] = append(times[which], float64(time.Since(began)))
				}
			}
			median := func(t []float64) float64 { slices.Sort(t); return t[len(t)/2] }
			b.ReportMetric(median(times[0])/median(times[1]), "times-as-fast")
			b.ReportMetric(median(times[0])/1e6, "ms-on-one")
			b.ReportMetric(0, "ns/op")
		})
	}
}
