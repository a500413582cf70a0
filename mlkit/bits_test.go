package mlkit_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// problem holds samples of overlapping classes, with labels -1 and +1, labels 0 to 2, and
// numbers as targets.
type problem struct {
	X       *mat.Dense
	two     []int
	many    []int
	numbers []float64
}

func newProblem(n, d int) problem {
	random := rand.New(rand.NewPCG(61, 62))
	p := problem{X: samples.Gaussian(random, n, d), two: make([]int, n), many: make([]int, n), numbers: make([]float64, n)}
	for i := range n {
		p.two[i], p.many[i] = 1-2*(i%2), i%3
		p.X.Set(i, 0, p.X.At(i, 0)+float64(p.two[i]))
		p.X.Set(i, 1, p.X.At(i, 1)+2*float64(p.many[i]))
		p.numbers[i] = p.X.At(i, 0) + random.NormFloat64()
	}
	return p
}

// bits returns the bits of X as samples of 0 and 1. A NaN stays.
func bits(X *mat.Dense) *mat.Dense {
	B := mat.DenseCopyOf(X)
	B.Apply(func(_, _ int, v float64) float64 {
		switch {
		case v > 0:
			return 1
		case v <= 0:
			return 0
		}
		return v
	}, X)
	return B
}

// unlabelled and labelled make fits functions of a problem.
func unlabelled[M any](fit func(*mat.Dense) (M, error)) func(problem) (any, error) {
	return func(p problem) (any, error) { return result(fit(p.X)) }
}

func labelled[M, Y any](fit func(*mat.Dense, []Y) (M, error), y func(problem) []Y) func(problem) (any, error) {
	return func(p problem) (any, error) { return result(fit(p.X, y(p))) }
}

func result[M any](m M, err error) (any, error) { return m, err }

func two(p problem) []int         { return p.two }
func many(p problem) []int        { return p.many }
func numbers(p problem) []float64 { return p.numbers }

// bitsOf has the fits of every algorithm, by "package.Type.Method".
// TestEveryAlgorithmConforms finds those that are missing.
var bitsOf = map[string][]func(p problem) (any, error){
	"calibration.Classifier.Fit": {labelled(calibrated.Fit, two)},
	"cluster.KMeans.Fit":         {unlabelled(cluster.KMeans{K: 5}.Fit)},
	"cluster.Spectral.Fit": {
		unlabelled(cluster.Spectral{K: 3}.Fit),
		unlabelled(cluster.Spectral{K: 3, Affinity: cluster.Neighbors}.Fit),
	},
	"discriminant.BernoulliNB.Fit": {
		func(p problem) (any, error) { return discriminant.BernoulliNB{}.Fit(bits(p.X), p.two) },
		func(p problem) (any, error) { return discriminant.BernoulliNB{}.Fit(bits(p.X), p.many) },
	},
	"discriminant.DiagonalLDA.Fit": {labelled(discriminant.DiagonalLDA{}.Fit, two), labelled(discriminant.DiagonalLDA{}.Fit, many)},
	"discriminant.GaussianNB.Fit":  {labelled(discriminant.GaussianNB{}.Fit, two), labelled(discriminant.GaussianNB{}.Fit, many)},
	"discriminant.LDA.Fit": {
		labelled(discriminant.LDA{}.Fit, two), labelled(discriminant.LDA{LedoitWolf: true}.Fit, two), labelled(discriminant.LDA{}.Fit, many),
	},
	"discriminant.QDA.Fit":        {labelled(discriminant.QDA{}.Fit, two), labelled(discriminant.QDA{}.Fit, many)},
	"feature.MinMax.Fit":          {unlabelled(feature.MinMax{}.Fit)},
	"feature.PCA.Fit":             {unlabelled(feature.PCA{Components: 2}.Fit)},
	"feature.Standardize.Fit":     {unlabelled(feature.Standardize{}.Fit)},
	"kernelized.Fourier.Fit":      {unlabelled(kernelized.Fourier{}.Fit)},
	"kernelized.KMeans.Fit":       {unlabelled(kernelized.KMeans{K: 3, Kernel: kernel.RBF{}}.Fit)},
	"kernelized.Nystroem.Fit":     {unlabelled(kernelized.Nystroem{}.Fit)},
	"kernelized.PCA.Fit":          {unlabelled(kernelized.PCA{}.Fit), unlabelled(kernelized.PCA{Kernel: kernel.RBF{}, Components: 2}.Fit)},
	"kernelized.Perceptron.Fit":   {labelled(kernelized.Perceptron{Kernel: kernel.RBF{Gamma: 0.1}, MaxIter: 5}.Fit, two)},
	"kernelized.Ridge.Fit":        {labelled(kernelized.Ridge{Kernel: kernel.RBF{}}.Fit, numbers)},
	"leastsquares.Classifier.Fit": {labelled(leastsquares.Classifier{}.Fit, two), labelled(leastsquares.Classifier{}.Fit, many)},
	"leastsquares.Regression.Fit": {
		labelled(leastsquares.Regression{}.Fit, numbers),
		labelled(leastsquares.Regression{Solver: leastsquares.ByNormalEquations}.Fit, numbers),
	},
	"logistic.Regression.Fit": {
		labelled(logistic.Regression{L2: 1}.Fit, two), labelled(logistic.Regression{L1: 1}.Fit, two), labelled(logistic.Regression{L2: 1}.Fit, many),
	},
	"multiclass.OneVsOne.Fit": {
		labelled(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.RBF{}}}.Fit, many),
		labelled(multiclass.OneVsOne[*logistic.Model]{Binary: logistic.Regression{L2: 1}}.Fit, many),
	},
	"multiclass.ProbableOneVsOne.Fit":  {labelled(multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: calibrated}.Fit, many)},
	"multiclass.ProbableOneVsRest.Fit": {labelled(multiclass.ProbableOneVsRest[*calibration.ClassifierModel[*svm.Model]]{Binary: calibrated}.Fit, many)},
	"multiclass.OneVsRest.Fit":         {labelled(multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.DualDescent{}}.Fit, many)},
	"neighbors.KNN.Fit":                {labelled(neighbors.KNN{}.Fit, many)},
	"perceptron.Averaged.Fit":          {labelled(perceptron.Averaged{}.Fit, two)},
	"perceptron.Batch.Fit":             {labelled(perceptron.Batch{MaxIter: 20}.Fit, two)},
	"perceptron.Dual.Fit":              {labelled(perceptron.Dual{MaxIter: 5}.Fit, two)},
	"perceptron.Perceptron.Fit": {
		labelled(perceptron.Perceptron{MaxIter: 20, Shuffle: true}.Fit, two),
	},
	"perceptron.Pocket.Fit":      {labelled(perceptron.Pocket{Epochs: 10}.Fit, two)},
	"perceptron.Voted.Fit":       {labelled(perceptron.Voted{Epochs: 2}.Fit, two)},
	"pipeline.Classifier.Fit":    {labelled(pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{}}.Fit, two)},
	"pipeline.Probable.Fit":      {labelled(pipeline.Probable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1}}.Fit, two)},
	"pipeline.ManyClasses.Fit":   {labelled(pipeline.ManyClasses[*leastsquares.ClassifierModel]{Steps: scaled, Algorithm: leastsquares.Classifier{}}.Fit, many)},
	"pipeline.ManyProbable.Fit":  {labelled(pipeline.ManyProbable[*neighbors.Model]{Steps: scaled, Algorithm: neighbors.KNN{}}.Fit, many)},
	"pipeline.Regression.Fit":    {labelled(pipeline.Regression[*kernelized.RidgeModel]{Steps: scaled, Algorithm: kernelized.Ridge{}}.Fit, numbers)},
	"svm.Classifier.Fit":         {labelled(svm.Classifier{}.Fit, two), labelled(svm.Classifier{Kernel: kernel.RBF{}}.Fit, two)},
	"svm.DualDescent.Fit":        {labelled(svm.DualDescent{}.Fit, two)},
	"svm.Newton.Fit":             {labelled(svm.Newton{}.Fit, two)},
	"svm.Pegasos.Fit":            {labelled(svm.Pegasos{MaxIter: 1000}.Fit, two)},
	"svm.SubgradientDescent.Fit": {labelled(svm.SubgradientDescent{MaxIter: 200}.Fit, two)},
}

var calibrated = calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{}}}

var scaled = []pipeline.Step{feature.Standardize{}}

// The package comment's promise: the same input gives the same bits for any GOMAXPROCS. Some
// thresholds are lowered, so that the work is shared among goroutines. In tier long there are
// enough samples for those that are not, such as the 1,000 from which package svm has float32
// rows and package kernelized scores in blocks.
func TestBitsOfProcessors(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.Set(t, &gram.Share, 1<<8)
	testkit.Set(t, &gram.OuterFrom, 0)
	testkit.Set(t, &gram.SymmetricFrom, 0)
	testkit.Set(t, &eigen.DenseLimit, 0)
	testkit.Set(t, &work.PartLimit, 1) // parts of 128 samples
	p := newProblem(testkit.Size(t, 300, 1300), testkit.Size(t, 5, 24))
	for name, fits := range bitsOf {
		for i, fit := range fits {
			if err := mlkittest.TestBits(p.X, func() (any, error) { return fit(p) }); err != nil {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
	}
}
