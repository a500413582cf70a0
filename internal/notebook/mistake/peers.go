package mistake

import "strings"

// A Peer is a name of scikit-learn, pandas, joblib or matplotlib, and what stands for it here.
type Peer struct {
	Theirs string // with its module, as in sklearn.svm.SVC
	Ours   string // with its package; begins with its name, as in feature.NewPolynomial(d, degree)
	Differ string // how the two differ, for a reader who knows theirs; "" for nothing to say
}

// Peers are the names that docs/scikit-learn.md lists, by chapter in its order. The hints about
// undefined names say the same.
var Peers = []struct {
	Chapter string
	Names   []Peer
}{
	{"Data", []Peer{
		{"pandas.read_csv", "datasets.CSV{Header: true}.Open(name)", "columns by name, text and gaps by its fields; `Describe` of the data set is pandas' describe"},
		{"sklearn.datasets.load_iris", "datasets.Iris()", ""},
		{"sklearn.datasets.load_digits", "datasets.Digits()", ""},
		{"sklearn.datasets.load_svmlight_file", "datasets.OpenLIBSVM(name, features)", ""},
		{"sklearn.datasets.make_moons", "datasets.Moons(seed, n, noise)", ""},
		{"sklearn.datasets.make_circles", "datasets.Rings(seed, n, noise)", ""},
		{"sklearn.model_selection.train_test_split", "eval.Holdout{TestFraction: 0.25}.Stratified(y)", "the rows of both parts; `eval.Pick` copies them. `Split` of a data set divides it by a count"},
	}},
	{"Features", []Peer{
		{"sklearn.preprocessing.StandardScaler", "feature.Standardize{}.Fit(X)", ""},
		{"sklearn.preprocessing.MinMaxScaler", "feature.MinMax{}.Fit(X)", "a constant column becomes Low"},
		{"sklearn.preprocessing.PolynomialFeatures", "feature.NewPolynomial(d, degree)", "in a pipeline `pipeline.Polynomial`"},
		{"sklearn.preprocessing.OneHotEncoder", "feature.OneHot(y, classes)", "columns of text: `Encode` of `datasets.CSV`"},
		{"sklearn.decomposition.PCA", "feature.PCA{Components: 2}.Fit(X)", ""},
		{"sklearn.kernel_approximation.Nystroem", "kernelized.Nystroem{}.Fit(X)", ""},
		{"sklearn.kernel_approximation.RBFSampler", "kernelized.Fourier{}.Fit(X)", ""},
		{"sklearn.pipeline.make_pipeline", "pipeline.Classifier[*svm.Model]{Steps: …, Algorithm: …}", "the type parameter is that of the model; `Probable`, `ManyClasses`, `ManyProbable` and `Regression` for other models"},
	}},
	{"Models", []Peer{
		{"sklearn.linear_model.Perceptron", "perceptron.Perceptron{}", "returns the best hyperplane, not the last"},
		{"sklearn.linear_model.LinearRegression", "leastsquares.Regression{}", ""},
		{"sklearn.linear_model.Ridge", "leastsquares.Regression{Lambda: 1}", "λ is their alpha"},
		{"sklearn.linear_model.RidgeClassifier", "leastsquares.Classifier{Lambda: 1}", "targets 0 and 1 for each class"},
		{"sklearn.linear_model.LogisticRegression", "logistic.Regression{L2: 1}", "L2 is their 1/C, and by default 0: without a penalty; the penalty of many classes is the same"},
		{"sklearn.linear_model.LogisticRegressionCV", "logistic.Regression{L2: 1}", "its `Path` fits for many penalties, each from the model before; `eval.Search` chooses one by cross-validation"},
		{"sklearn.discriminant_analysis.LinearDiscriminantAnalysis", "discriminant.LDA{}", "divides by n - M; with Divisor: MaximumLikelihood by n"},
		{"sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis", "discriminant.QDA{}", "as LDA"},
		{"sklearn.naive_bayes.GaussianNB", "discriminant.GaussianNB{}", "VarSmoothing is 0, and per column"},
		{"sklearn.naive_bayes.BernoulliNB", "discriminant.BernoulliNB{}", "takes 0 and 1 only"},
		{"sklearn.svm.SVC", "svm.Classifier{C: 1, Kernel: kernel.RBF{Gamma: 0.5}}", "two classes, -1 and +1, and the linear kernel by default; many by `multiclass.OneVsOne`"},
		{"sklearn.svm.LinearSVC", "svm.Newton{C: 1}", "b is not penalised; with the plain hinge loss `svm.DualDescent`"},
		{"sklearn.linear_model.SGDClassifier", "svm.SubgradientDescent{Lambda: 0.01}", "all samples in a step; one or a few with `svm.Pegasos`"},
		{"sklearn.neighbors.KNeighborsClassifier", "neighbors.KNN{K: 5}", "11 by default"},
		{"sklearn.kernel_ridge.KernelRidge", "kernelized.Ridge{Kernel: kernel.RBF{}, Lambda: 1}", "has a b"},
		{"sklearn.decomposition.KernelPCA", "kernelized.PCA{Kernel: kernel.RBF{}, Components: 2}", ""},
		{"sklearn.cluster.KMeans", "cluster.KMeans{K: 3}", ""},
		{"sklearn.cluster.SpectralClustering", "cluster.Spectral{K: 3}", ""},
		{"sklearn.multiclass.OneVsRestClassifier", "multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{}}", "with probabilities `multiclass.ProbableOneVsRest`"},
		{"sklearn.multiclass.OneVsOneClassifier", "multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}", ""},
		{"sklearn.calibration.CalibratedClassifierCV", "calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}", "the machine is fitted to all samples, as with ensemble=False; many classes by `multiclass.ProbableOneVsOne`"},
	}},
	{"Measures and searches", []Peer{
		{"sklearn.metrics.accuracy_score", "eval.Accuracy(m, X, y)", "takes the model, as all that follow with m"},
		{"sklearn.metrics.balanced_accuracy_score", "eval.BalancedAccuracy(m, X, y)", ""},
		{"sklearn.metrics.f1_score", "eval.F1(m, X, y)", "of many classes `eval.MacroF1`"},
		{"sklearn.metrics.roc_auc_score", "eval.AUC(m, X, y)", ""},
		{"sklearn.metrics.average_precision_score", "eval.AveragePrecision(m, X, y)", ""},
		{"sklearn.metrics.roc_curve", "eval.NewROC(y, scores)", ""},
		{"sklearn.metrics.precision_recall_curve", "eval.NewPrecisionRecall(y, scores)", ""},
		{"sklearn.metrics.confusion_matrix", "eval.NewConfusion(y, predicted)", ""},
		{"sklearn.metrics.log_loss", "eval.LogLoss(y, p)", "of many classes `eval.LogLossMany`; `neg_log_loss` is `eval.NegLogLoss`, `NegLogLossMany`"},
		{"sklearn.metrics.brier_score_loss", "eval.Brier(y, p)", "of many classes `eval.BrierMany`; `neg_brier_score` is `eval.NegBrier`, `NegBrierMany`"},
		{"sklearn.metrics.hinge_loss", "eval.HingeLoss(y, scores)", ""},
		{"sklearn.metrics.mean_squared_error", "eval.MeanSquaredError(m, X, y)", ""},
		{"sklearn.metrics.r2_score", "eval.R2(m, X, y)", ""},
		{"sklearn.metrics.adjusted_rand_score", "cluster.ARI(a, b)", ""},
		{"sklearn.model_selection.KFold", "eval.KFold{K: 5, Shuffle: true}.Folds(n)", "StratifiedKFold is its method Stratified, GroupKFold Grouped"},
		{"sklearn.model_selection.LeaveOneOut", "eval.LeaveOneOut(n)", ""},
		{"sklearn.model_selection.cross_validate", "eval.CrossValidate(mlkit.Options{}, plan, algorithm, measure, X, y)", "cross_val_score is its field Test"},
		{"sklearn.model_selection.cross_val_predict", "eval.CrossScores(mlkit.Options{}, plan, algorithm, X, y)", "scores, not labels"},
		{"sklearn.model_selection.GridSearchCV", "eval.Search(mlkit.Options{}, plan, algorithm, fields, measure, X, y)", "with `eval.Values(\"Kernel.Gamma\", 0.1, 1)` for each field"},
		{"sklearn.model_selection.learning_curve", "eval.LearningCurve(mlkit.Options{}, plan, sizes, algorithm, measure, X, y)", ""},
	}},
	{"Kernels", []Peer{
		{"sklearn.metrics.pairwise.rbf_kernel", "kernel.RBF{Gamma: 0.5}", "`kernel.Gram` makes the matrix; 0 means γ = ½ here, and is never taken from the data"},
		{"sklearn.metrics.pairwise.polynomial_kernel", "kernel.Polynomial{Degree: 3, Coef0: 1}", ""},
		{"sklearn.metrics.pairwise.laplacian_kernel", "kernel.Laplace{Gamma: 0.5}", ""},
		{"sklearn.metrics.pairwise.chi2_kernel", "kernel.Chi2{Gamma: 1}", ""},
	}},
	{"Files and figures", []Peer{
		{"joblib.dump", "modelfile.Save(name, m, nil)", "text with a checksum; loading runs no code"},
		{"joblib.load", "modelfile.Load[*svm.Model](name)", ""},
		{"matplotlib.pyplot.figure", "plotting.New(title, layers…)", "a figure is one expression; layers are drawn in their order"},
		{"matplotlib.pyplot.scatter", "plotting.Points(xs, ys)", "with labels `plotting.Classes(X, y)`"},
		{"matplotlib.pyplot.plot", "plotting.Line(xs, ys)", "of a function `plotting.Curve(f)`"},
		{"matplotlib.pyplot.contourf", "plotting.Score(plotting.Of(m.Score))", "classes `plotting.Regions`, lines `plotting.Contour`"},
		{"matplotlib.pyplot.hist", "plotting.Hist(samples)", ""},
		{"matplotlib.pyplot.bar", "plotting.Bars(categories, series)", ""},
		{"matplotlib.pyplot.imshow", "plotting.Matrix(m)", "pixels `plotting.Image`"},
		{"matplotlib.pyplot.subplots", "plotting.Tile(columns, figures…)", ""},
		{"matplotlib.pyplot.show", "plotting.Show(name, figure)", "the name is that of the figure's file"},
		{"matplotlib.pyplot.savefig", "plotting.New(title, layers…).Save(name)", "SVG, PDF or PNG, as the name ends"},
		{"sklearn.inspection.DecisionBoundaryDisplay", "plotting.Regions(plotting.OfLabels(m.Predict))", "the boundary alone `plotting.Boundary`"},
		{"sklearn.metrics.RocCurveDisplay", "plotting.ROC(roc.FPR, roc.TPR)", ""},
	}},
}

// inPeers has the names of peers as others has those of other languages.
var inPeers = func() map[string]string {
	names := map[string]string{}
	for _, chapter := range Peers {
		for _, p := range chapter.Names {
			pkg, _, _ := strings.Cut(p.Ours, ".")
			theirs := p.Theirs[strings.LastIndex(p.Theirs, ".")+1:]
			names[pkg+"."+strings.ToLower(strings.ReplaceAll(theirs, "_", ""))] = p.Name()
		}
	}
	return names
}()

// Name returns the name that Ours begins with, such as svm.Classifier.
func (p Peer) Name() string {
	end := strings.IndexAny(p.Ours, "{([")
	if end < 0 {
		return p.Ours
	}
	return p.Ours[:end]
}
