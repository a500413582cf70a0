package modelfile_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// goldens returns a small model of each kind that mlkit has, for samples of two numbers, and
// two of the kinds that are for two classes or many. All names of kernels and of maps in a pipeline occur in them. To store a new kind, add it here
// and run go test -update.
func goldens(t testing.TB) (all []any) {
	add := func(m any, err error) {
		t.Helper()
		if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
			t.Fatalf("%T: %v", m, err)
		}
		all = append(all, m)
	}
	X := mat.NewDense(7, 2, []float64{0, 1, 1, 4, 5, 7, -2, 0.5, 3, 3, 0, 0.25, 6, -1})
	two, many := []int{-1, -1, +1, -1, +1, -1, +1}, []int{1, 1, 2, 1, 2, 3, 3}
	bits := mat.NewDense(7, 2, []float64{0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1})
	numbers := []float64{1, 2, 3, 5, 8, 13, 21}
	rbf := kernel.RBF{Gamma: 0.1}
	mixed := kernel.Sum{kernel.Product{rbf, kernel.Linear{}}, kernel.Scaled{Factor: 2, Kernel: kernel.Polynomial{Degree: 3, Coef0: 1}}, kernel.Laplace{Gamma: 0.2}}

	margins, err := mlkit.Hyperplane{W: []float64{1, 2}, B: -3}.Margins(X, two)
	add(margins, err)
	add(calibration.FitPlatt(numbers, two, nil))
	add(cluster.KMeans{K: 3}.Fit(X))
	add(cluster.Spectral{K: 3}.Fit(X))
	add(discriminant.LDA{}.Fit(X, two))
	add(discriminant.LDA{Shrinkage: 0.5}.Fit(X, many))
	add(discriminant.QDA{Shrinkage: 0.5}.Fit(X, two))
	add(discriminant.QDA{Shrinkage: 0.5}.Fit(X, many))
	add(discriminant.GaussianNB{}.Fit(X, two))
	add(discriminant.GaussianNB{}.Fit(X, many))
	add(discriminant.DiagonalLDA{}.Fit(X, two))
	add(discriminant.DiagonalLDA{}.Fit(X, many))
	add(discriminant.BernoulliNB{}.Fit(bits, two))
	add(discriminant.BernoulliNB{}.Fit(bits, many))
	add(eval.NewConfusion(two, []int{-1, 1, 1, 1, -1, -1, 1}))
	add(eval.NewROC(two, numbers))
	add(feature.Standardize{}.Fit(X))
	add(feature.PCA{}.Fit(X))
	add(feature.NewPolynomial(2, 3))
	add(feature.NewProducts(2, 1, 1))
	add(feature.Constant{D: 2}, nil)
	add(feature.Polar{Center: [2]float64{1, 2}}, nil)
	add(feature.NewHistogram(2, 4, 0, 1))
	add(feature.NewHOG(1, 2, 1, 1, 3))
	add(kernel.Monomials{Kernel: kernel.Polynomial{Coef0: 1}}.For(2))
	add(kernelized.Ridge{Kernel: mixed}.Fit(X, numbers))
	add(kernelized.Perceptron{Kernel: kernel.Sum{kernel.Chi2{}, kernel.Sigmoid{Gamma: 0.1}}, Bias: mlkit.NoBias}.Fit(bits, two))
	add(kernelized.KMeans{K: 2, Kernel: rbf}.Fit(X))
	add(kernelized.PCA{Kernel: rbf, Components: 3}.Fit(X))
	add(kernelized.Nystroem{Landmarks: 3, Kernel: rbf}.Fit(X))
	add(kernelized.Fourier{Components: 4, Kernel: rbf}.Fit(X))
	add(leastsquares.Regression{}.Fit(X, numbers))
	add(leastsquares.Regression{}.FitTargets(X, mat.NewDense(7, 2, append(numbers, numbers...))))
	add(leastsquares.Classifier{}.Fit(X, two))
	add(leastsquares.Classifier{}.Fit(X, many))
	add(logistic.Regression{L2: 1}.Fit(X, two))
	add(logistic.Regression{L2: 1}.Fit(X, many))
	add(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{Kernel: rbf}}.Fit(X, many))
	add(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: rbf}}.Fit(X, many))
	add(multiclass.OneVsOne[*perceptron.Model]{Binary: perceptron.Perceptron{MaxIter: 9}}.Fit(X, many))
	more := mat.NewDense(15, 2, []float64{0, 1, 1, 4, -2, 0.5, 0, 0.25, 1, 2, 5, 7, 3, 3, 4, 6, 6, 5, 3, 8, 6, -1, 5, 0, 7, 1, 4, -2, 8, 2})
	labels := []int{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3}
	pair := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: rbf}}
	add(pair.Fit(X, two))
	add(multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: pair}.Fit(more, labels))
	add(multiclass.ProbableOneVsRest[*calibration.ClassifierModel[*svm.Model]]{Binary: pair}.Fit(more, labels))
	add(multiclass.ProbableOneVsOne[*logistic.Model]{Binary: logistic.Regression{L2: 1}}.Fit(X, many))
	add(neighbors.KNN{K: 3}.Fit(X, many))
	add(perceptron.Perceptron{MaxIter: 9}.Fit(X, two))
	add(perceptron.Pocket{}.Fit(X, two))
	add(perceptron.Voted{Epochs: 2}.Fit(X, two))
	add(perceptron.Averaged{}.Fit(X, two))
	add(perceptron.Dual{MaxIter: 9}.Fit(X, two))
	add(svm.Classifier{Kernel: rbf}.Fit(X, two))
	add(svm.DualDescent{}.Fit(X, two))
	add(unit.And(2), nil)
	add(unit.NewLayer(unit.Sigmoid, mlkit.Hyperplane{W: []float64{1, 2}, B: 3}, mlkit.Hyperplane{W: []float64{4, 5}}))
	add(unit.Boolean([]bool{false, true, true, false}))

	fixed := func(m feature.Map, err error) pipeline.Step {
		if err != nil {
			t.Fatal(err)
		}
		return pipeline.Fixed{Map: m}
	}
	products, err1 := feature.NewProducts(2, 1, 1)
	histogram, err2 := feature.NewHistogram(3, 2, 0, 1)
	hog, err3 := feature.NewHOG(1, 2, 1, 1, 3)
	monomials, err4 := kernel.Monomials{}.For(6)
	add(pipeline.Classifier[*svm.Model]{
		Steps:     []pipeline.Step{feature.Standardize{}, feature.PCA{}},
		Algorithm: svm.Classifier{Kernel: rbf},
	}.Fit(X, two))
	add(pipeline.Probable[*logistic.Model]{
		Steps:     []pipeline.Step{pipeline.Polynomial{}, kernelized.Fourier{Components: 4, Kernel: rbf}},
		Algorithm: logistic.Regression{L2: 1},
	}.Fit(X, two))
	add(pipeline.ManyClasses[*multiclass.OneVsOneModel[*svm.Model]]{
		Steps:     []pipeline.Step{fixed(products, err1), kernelized.Nystroem{Landmarks: 3, Kernel: rbf}, fixed(histogram, err2)},
		Algorithm: multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: rbf}},
	}.Fit(X, many))
	add(pipeline.ManyProbable[*neighbors.Model]{
		Steps:     []pipeline.Step{kernelized.PCA{Kernel: rbf, Components: 2}, fixed(feature.Polar{}, nil), fixed(feature.Constant{D: 2}, nil)},
		Algorithm: neighbors.KNN{K: 3},
	}.Fit(X, many))
	add(pipeline.Regression[*leastsquares.Model]{
		Steps:     []pipeline.Step{fixed(hog, err3), fixed(monomials, err4)},
		Algorithm: leastsquares.Regression{Lambda: 1},
	}.Fit(X, numbers))
	return all
}
