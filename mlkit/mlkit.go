// Package mlkit defines what marginalia's learning algorithms have in common. The
// algorithms live in the packages below it, one for each subject of the lectures:
//
//   - perceptron, unit: the perceptron and its variants; threshold units and networks
//   - leastsquares: linear and ridge regression, the pseudoinverse
//   - discriminant, logistic: probabilities of the classes, by LDA, QDA, naive Bayes; by
//     logistic regression
//   - svm: margins, hard and soft
//   - kernel, kernelized: kernels; the perceptron, ridge regression, PCA and k-means in
//     their space
//   - multiclass: many classes by an algorithm for two, one of your own too; their
//     probabilities
//   - cluster: k-means and spectral clustering
//   - neighbours: the classes of the nearest samples
//   - feature: maps of the samples, scaling, principal components
//   - pipeline: maps and the algorithm after them, fitted as one
//   - modelfile: models in files
//   - calibration: probabilities from scores
//   - eval: errors, curves, cross-validation, bias and variance
//   - derive: the derivations of the lectures, step by step
//
// They import gonum and the standard library only, so any program can use them.
//
//	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
//	y := []int{+1, +1, -1, -1}
//	model, err := perceptron.Perceptron{}.Fit(X, y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.W, model.B, model.Predict([]float64{-2, 1}))
//
// # Data
//
// X is n×d, one sample per row. Binary labels are -1 and +1, multiclass labels are any
// ints, and regression targets are float64. Signs converts labels of two classes, such as
// 0 and 1, to -1 and +1. Rows and columns are counted from 0, in results and in messages.
//
// A sample of weight 2 counts as two, and one of weight 0 is absent: the result is that of a
// fit without it, bit for bit, with 0 in its place where a model has a number for each sample.
// Its features and its label must be valid all the same. A class whose samples all have weight
// 0 is absent too: a fit of many classes returns a model without it, and any fit returns an
// error if fewer than two are left.
//
// ClassWeights multiply the weights of samples by class. Balanced computes them at each fit, so
// that all classes have the same total weight: a class gets W/(k Wₘ), where W is the sum of the
// weights of the samples, Wₘ that of the class, and k the number of classes. Without weights of
// samples these are BalancedWeights of the labels. A cross-validation with Balanced balances
// each fold by the samples that it trains on. In scikit-learn it is class_weight="balanced",
// which in SVC counts samples whatever their weights.
//
// # Algorithms and models
//
// An algorithm is a struct of hyperparameters. Its zero value is the lecture's algorithm with
// the lecture's constants; every field documents what its zero means. Fit has a value receiver
// and returns a new model, which keeps no reference to X or y. FitWith is Fit with Options: a
// context, which ends long runs, and weights of the samples:
//
//	m, err := svm.Classifier{C: 10}.FitWith(mlkit.Options{Context: ctx, Weights: v}, X, y)
//
// An Algorithm is anything with a method FitWith. Cross-validation, searches, pipelines,
// calibration and package multiclass take any.
//
// A model is plain data with exported fields. It may be copied, and is safe for
// concurrent reads. It computes a score for each sample (Scorer) and, for
// classification, a label (Predictor). The plural methods take many samples and a
// destination slice: nil allocates a new one, anything else must have one element per
// row. They return the destination. A model of probabilities has Prob, that of the label +1,
// or with many classes Posterior, those of all of them.
//
// A model of a separating hyperplane embeds Hyperplane, which provides distances, projections
// and margins. A model of any number of classes embeds LinearMachine, or LogLinearMachine if it
// has probabilities: a discriminant function for each class. For two classes its method
// Hyperplane returns the one between them, and it has a Score; with more classes Score panics.
//
// # Encoding
//
// Models encode as JSON, and every number round-trips exactly. Margins and eval.ROC may contain
// infinities and NaN, which JSON lacks; they are encoded as the strings "+Inf", "-Inf" and
// "NaN". Your own types inside a model, such as a kernel or a machine of multiclass.OneVsRest,
// must encode themselves as JSON too.
//
// Decoding validates the whole model: lengths must agree, indices must be in range, and
// numbers must be finite. Otherwise it returns an error that says what is wrong,
//
//	svm: decoding Model: len(coef) = 3, want 4, one for each of vectors
//
// and leaves the receiver unchanged. JSON must have every field of the model and no
// others, so a misspelt field is an error rather than a default. The methods of a
// decoded model never panic for samples of the right length.
//
// To keep a model in a file, use package modelfile. Its files say which type the model has,
// and are refused if they are damaged or hold another type:
//
//	err := modelfile.Save("digits.model", m, nil)
//	m, err := modelfile.Load[*svm.Model]("digits.model")
//
// JSON alone has neither, and a model of another type with the same fields decodes.
//
// Store a model in a named field of your own struct; do not embed it. An embedded model
// promotes its methods, so JSON would reject the other fields. Hyperplane and the other types that models embed may be embedded: they
// are encoded as plain structs, without validation.
//
// # Traces
//
// A hyperparameter named Trace is a function that Fit calls after every step, with one
// value that holds everything needed to draw that step. Its slices are not overwritten
// later, so the values may be collected, unless a field says otherwise. Returning false
// ends the fit, which then returns the model in its current state and no error.
//
// # Errors
//
// Invalid data is reported as an error that names the argument, the row and the rule,
// such as
//
//	perceptron: y[17] = 3, want -1 or +1
//
// No data make this library panic. Methods without an error result (Score, Predict, …)
// panic if a slice has the wrong length, as in gonum, because that is a bug in the
// calling program. If a sample contains NaN, they return NaN. If a function passed to
// the library panics, such as a kernel or a Trace, the caller of the library sees the
// same panic; it is wrapped in a *PanicError if the function ran in another goroutine.
// The library never panics in a goroutine where the caller cannot recover.
//
// A fit that ends before it reaches its goal returns *NotConvergedError. If it has a
// proof that the goal is unreachable, it returns *NotSeparableError, which wraps the
// former. Both hold the best model so far. Fit returns this model along with the error,
// and the caller decides whether to use it.
//
// # Randomness
//
// All randomness is determined by Seed, a hyperparameter. On one type of processor, the
// same input gives the same bits for any GOMAXPROCS. Types of processor differ in their
// vector instructions (AVX2, AVX-512 or neither), and hence in the order and rounding
// of sums. An algorithm that uses these instructions documents the data size at which
// it starts to. Below that size, and without these instructions, results depend only on
// the architecture: amd64 rounds a product before adding it to a sum, and others may
// not. Results on two types of processor agree within what the stopping rule leaves
// open.
//
// # References
//
// The lectures cited in the comments are
//
//   - CMU: "Perceptron: Geometric Margins, Kernel Methods, Support Vector Machines",
//     slides of a machine learning course, Carnegie Mellon University
//   - Cornell: Serge Belongie, "CS 5785 Applied Machine Learning, lecture 15",
//     Cornell Tech, 2018
//   - EE-559: François Fleuret, "EE-559 Deep learning, 3a. Linear classifiers,
//     perceptron", EPFL, 2018
//   - Theodoridis: Sergios Theodoridis and Konstantinos Koutroumbas, "Pattern
//     Recognition", 4th edition, 2009, chapter 3, Linear Classifiers
//   - Yuille: Alan Yuille, "Linear classifiers, perceptrons, margins and duality",
//     lecture notes
package mlkit

import "gonum.org/v1/gonum/mat"

// A Scorer computes a real number for each sample. For two classes its sign is the
// class, and its magnitude says, in a unit that depends on the model, how far the
// sample is from the decision boundary.
type Scorer interface {
	// Score returns the score of one sample x of length d.
	Score(x []float64) float64
	// Scores sets dst[i] to the score of row i of X (n×d) and returns dst. If dst is
	// nil, it allocates a slice of length n.
	Scores(dst []float64, X mat.Matrix) []float64
}

// A Predictor assigns class labels to samples.
type Predictor interface {
	// Predict returns the label of one sample x of length d.
	Predict(x []float64) int
	// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst. If dst
	// is nil, it allocates a slice of length n.
	Predictions(dst []int, X mat.Matrix) []int
}

// A ClassifierModel is a model of two classes, labelled -1 and +1. It predicts +1 where the
// score is at least 0 and -1 elsewhere.
type ClassifierModel interface {
	Scorer
	Predictor
}

// A ProbableClassifierModel is a ClassifierModel that gives the probability of +1, such as
// *logistic.Model or *calibration.ClassifierModel.
type ProbableClassifierModel interface {
	ClassifierModel
	// Prob returns the probability of +1 for the sample x.
	Prob(x []float64) float64
	// Probs sets dst[i] to that of row i of X (n×d) and returns dst. If dst is nil, it
	// allocates a slice of length n.
	Probs(dst []float64, X mat.Matrix) []float64
}
