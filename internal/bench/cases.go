package main

// A benchCase is a line of the table.
type benchCase struct {
	Name  string
	Title string
	Model string // a key of models

	Train source
	Test  *source

	Params params

	Solvers []string // of scikit-learn, of which the fastest counts; nil is its default
	Library string   // libsvm, liblinear or ""
	Cores   int      // 0 is 1
	PerPass bool     // the time of a pass is compared as well
}

// Samples that several cases have.
var (
	sourceA      = twoGaussians("gaussians-5000x20", 1, 5000, 20)
	sourceB      = twoGaussians("gaussians-20000x50", 2, 20000, 50)
	sourceC      = twoGaussians("gaussians-100000x50", 3, 100000, 50)
	sourceWide   = twoGaussians("gaussians-500x10000", 10, 500, 10000)
	sourceSquare = twoGaussians("gaussians-2000x1000", 11, 2000, 1000)
	sourceTall   = twoGaussians("gaussians-100000x200", 12, 100000, 200)
	sourceLong   = twoGaussians("gaussians-1000x5000", 13, 1000, 5000)
	mnist1000    = mnistFirst("mnist-1000", 1000)
	paramsA      = params{C: 1, Gamma: 0.05, Tol: 1e-3, CacheMB: 200}
	growthSizes  = []int{1000, 2000, 5000, 10000, 20000}
)

// cases are those that are measured, in the order of the table. The stopping rule of
// the SVMs with a kernel is one for all: the violation m(α) - M(α) is at most Tol. In the
// cases "by default" mlkit chooses solver and rule itself, and Tol is one with which the
// fastest of the others comes to the same objective.
var cases = []benchCase{
	{Name: "a", Title: "Gaussian SVC, C = 1, γ = 0.05", Model: "svc", Train: sourceA, Params: paramsA, Library: libsvm},
	{Name: "a-hard", Title: "Gaussian SVC, C = 1000, γ = 0.005", Model: "svc", Train: sourceA,
		Params: params{C: 1000, Gamma: 0.005, Tol: 1e-3, CacheMB: 200}, Library: libsvm},
	{Name: "b", Title: "Gaussian SVC, C = 1, γ = 0.02", Model: "svc", Train: sourceB,
		Params: params{C: 1, Gamma: 0.02, Tol: 1e-3, CacheMB: 200}, Library: libsvm},
	{Name: "mnist-binary", Title: "Gaussian SVC, MNIST 0-4 against 5-9, C = 5, γ = 0.025", Model: "svc",
		Train: mnistHalves("mnist-halves-8000", 8000), Params: params{C: 5, Gamma: 0.025, Tol: 1e-3, CacheMB: 500}, Library: libsvm},
	{Name: "mnist-full", Title: "Gaussian SVC, MNIST, ten classes, C = 5, γ = 0.025", Model: "svc-classes",
		Train: mnistTrain, Test: &mnistTest, Params: params{C: 5, Gamma: 0.025, Tol: 1e-3, CacheMB: 500}, Library: libsvm, Cores: 2},
	{Name: "linear-primal", Title: "linear SVM, squared hinge, primal", Model: "linear-primal", Train: sourceC,
		Params: params{C: 1, Tol: 1e-4, Gap: 1e-5}, Library: liblinear},
	{Name: "linear-dual", Title: "linear SVM, hinge, dual, C = 0.001", Model: "linear-dual", Train: sourceC,
		Params: params{C: 1e-3, Tol: 1e-2, Gap: 1e-5, Passes: 1000}, Library: liblinear, PerPass: true},
	{Name: "linear-wide", Title: "linear SVM, hinge, dual, C = 1", Model: "linear-dual", Train: sourceWide,
		Params: params{C: 1, Tol: 1e-8, Gap: 1e-5, Passes: 10000}, Library: liblinear},
	{Name: "newton-wide", Title: "linear SVM, squared hinge, primal", Model: "linear-primal", Train: sourceLong,
		Params: params{C: 1, Tol: 1e-4, Gap: 1e-6}, Library: liblinear},
	{Name: "logistic", Title: "logistic regression, L-BFGS", Model: "logistic", Train: sourceC, Params: params{C: 1, Tol: 1e-4}, Library: liblinear},
	{Name: "softmax", Title: "softmax regression, L-BFGS", Model: "softmax", Train: gaussians("classes-20000x64", 4, 20000, 64, 10),
		Params: params{C: 1, Tol: 2e-5, K: 10}}, // with 1e-4 the objectives are apart by nearly 1e-5
	{Name: "logistic-wide", Title: "logistic regression by default", Model: "logistic-default", Train: sourceWide,
		Params: params{C: 1, Tol: 1e-6}, Solvers: []string{"lbfgs"}, Library: liblinear},
	{Name: "logistic-square", Title: "logistic regression by default", Model: "logistic-default", Train: sourceSquare,
		Params: params{C: 1, Tol: 5e-6}, Solvers: []string{"lbfgs", "newton-cg", "newton-cholesky"}, Library: liblinear},
	{Name: "l1-wide", Title: "logistic regression, L1 = 10, by default", Model: "logistic-l1", Train: sourceWide,
		Params: params{C: 0.1, Tol: 2e-4}, Solvers: []string{"liblinear"}, Library: liblinear},
	{Name: "l1-square", Title: "logistic regression, L1 = 10, by default", Model: "logistic-l1", Train: sourceSquare,
		Params: params{C: 0.1, Tol: 1e-3}, Solvers: []string{"liblinear"}, Library: liblinear},
	{Name: "l1-tall", Title: "logistic regression, L1 = 10, by default", Model: "logistic-l1", Train: sourceC,
		Params: params{C: 0.1, Tol: 1e-2}, Solvers: []string{"liblinear"}, Library: liblinear},
	{Name: "softmax-mnist", Title: "softmax regression, MNIST, by default", Model: "softmax-default", Train: mnistFirst("mnist-5000", 5000),
		Params: params{C: 1, Tol: 1e-5, K: 10}, Solvers: []string{"lbfgs", "newton-cg"}},
	{Name: "least-squares", Title: "least squares", Model: "least-squares", Train: sourceTall},
	{Name: "least-squares-wide", Title: "least squares", Model: "least-squares", Train: sourceWide},
	{Name: "ridge", Title: "ridge regression, λ = 1", Model: "least-squares", Train: sourceTall, Params: params{Lambda: 1}},
	{Name: "ridge-wide", Title: "ridge regression, λ = 1", Model: "least-squares", Train: sourceWide, Params: params{Lambda: 1}},
	{Name: "lda", Title: "linear discriminant analysis", Model: "lda", Train: sourceC},
	{Name: "perceptron", Title: "perceptron, 20 passes", Model: "perceptron", Train: sourceC, Params: params{Passes: 20}},
	{Name: "kmeans", Title: "k-means, 10 clusters", Model: "k-means", Train: blobs("blobs-100000x10", 9, 100000, 10, 10),
		Params: params{K: 10}, Solvers: []string{"lloyd", "elkan"}},
	{Name: "neighbours", Title: "1000 predictions of the nearest neighbour, MNIST", Model: "neighbours", Train: mnistTrain, Test: &mnist1000},
	{Name: "standardise", Title: "standardisation", Model: "standardise", Train: sourceTall},
	{Name: "nystroem", Title: "Nyström's map of 20,000 samples, 1000 landmarks", Model: "nystroem",
		Train: twoGaussians("gaussians-1000x50", 2, 1000, 50), Test: &sourceB, Params: params{K: 1000, Gamma: 0.02}},
	{Name: "kernel-pca", Title: "kernel PCA, 10 components", Model: "kernel-pca", Train: gaussians("classes-2000x20", 7, 2000, 20, 5),
		Params: params{K: 10, Gamma: 0.05}, Solvers: []string{"dense", "arpack", "randomized"}},
	{Name: "spectral", Title: "spectral clustering, Gaussian", Model: "spectral", Train: moons("moons-2000", 5, 2000),
		Params: params{K: 2, Gamma: 50}, Solvers: []string{"arpack", "lobpcg"}},
	{Name: "knn", Title: "spectral clustering, 10 neighbours", Model: "spectral", Train: moons("moons-10000", 6, 10000),
		Params: params{K: 2, Gamma: 50, Neighbors: 10}, Solvers: []string{"arpack"}},
	{Name: "kernel-ridge", Title: "kernel ridge regression", Model: "kernel-ridge", Train: twoGaussians("gaussians-4000x50", 2, 4000, 50),
		Params: params{Gamma: 0.02, Lambda: 1}},
	{Name: "predict", Title: "scores of a Gaussian SVC", Model: "svc-predict", Train: sourceA, Test: &sourceA, Params: paramsA, Library: libsvm},
}
