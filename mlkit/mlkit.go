// Package mlkit defines what marginalia's learning algorithms have in common. They live in the
// packages below it, one for each subject of the lectures:
//
//   - perceptron, unit: the perceptron and its variants; threshold units
//   - leastsquares: linear and ridge regression, the pseudoinverse
//   - discriminant, logistic: LDA, QDA, naive Bayes; logistic regression
//   - svm: margins, hard and soft
//   - kernel, kernelized: kernels; perceptron, ridge, PCA, k-means with them
//   - multiclass: many classes by an algorithm for two
//   - cluster, neighbors: k-means and spectral clustering; the nearest samples
//   - feature, pipeline: maps of the samples; maps and algorithm as one
//   - calibration, eval: probabilities from scores; measures, searches
//   - modelfile, derive: models in files, LIBSVM's too; derivations, step by step
//
// They import gonum and the standard library alone.
//
//	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
//	model, err := perceptron.Perceptron{}.Fit(X, []int{+1, +1, -1, -1})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.W, model.B, model.Predict([]float64{-2, 1}))
//
// # Data
//
// X is n×d, one sample a row. An algorithm for two classes takes the labels -1 and +1, which
// Signs makes of others, and one for many takes any ints; targets are float64. Rows and columns
// are counted from 0, in results and in messages.
//
// A sample of weight 2 counts as two, and one of weight 0 is absent: see Options. ClassWeights
// multiply the weights of samples by class; Balanced computes them at each fit, so that all
// classes have the same total weight.
//
// # Algorithms and models
//
// An algorithm is a struct of hyperparameters. Its zero value is the lecture's algorithm with
// the lecture's constants; every field documents what its zero means. Fit has a value receiver
// and returns a new model, which keeps no reference to X or y. FitWith is Fit with Options: a
// context, which ends long runs, weights of the samples, and a function that is told the Progress:
//
//	o := mlkit.Options{Context: ctx, Weights: v, Report: func(p mlkit.Progress) { fmt.Println(p.Done, "of", p.Of) }}
//	m, err := svm.Classifier{C: 10}.FitWith(o, X, y)
//
// An Algorithm is anything with a method FitWith. Cross-validation, searches, pipelines,
// calibration and package multiclass take any. A hyperparameter named Trace is a function that
// Fit calls after every step, with all that is needed to draw that step. If it returns false, the
// fit ends and returns the model as it is, without an error.
//
// A model is plain data with exported fields, safe for concurrent reads. It has a score for each
// sample (Scorer), a label (Predictor), a probability Prob of the second of two classes or a
// Posterior of all. The plural methods take many samples and a destination: nil allocates a new
// one, anything else must have one element a row. They return the destination.
//
// A model of a separating hyperplane embeds Hyperplane, one of any number of classes embeds
// LinearMachine, or LogLinearMachine if it has probabilities.
//
// # Encoding
//
// Models encode as JSON, and every number round-trips exactly; where one may not be finite, it is
// a string, "+Inf", "-Inf" or "NaN". Decoding validates the whole model, or returns an error and
// leaves the receiver unchanged. Store a model in a named field of a struct; do not embed it,
// since its methods would be promoted. Package modelfile keeps models in files.
//
// # Errors
//
// Invalid data is an error that names the argument, the row and the rule: "perceptron: y[17] = 3,
// want -1 or +1". No data make a fit panic. Methods without an error result (Score, Predict, …) panic, as in
// gonum, if a slice has the wrong length or if a score of two classes is asked of a model of
// more, since that is a mistake in the program. If a sample contains NaN, they return NaN.
// A panic of a function that you passed comes to the caller: see PanicError.
//
// A fit that ends before it reaches its goal returns the best model so far, and a
// *NotConvergedError, or a *NotSeparableError with a proof that the goal is unreachable.
//
// # Randomness
//
// All randomness is determined by Seed, a hyperparameter. On one type of processor, the same
// input gives the same bits for any GOMAXPROCS. On large data, types of processor differ in their
// vector instructions and hence in the rounding of sums, and results within what the stopping rule
// leaves open.
//
// # References
//
// The comments cite five lectures. CMU: "Perceptron: Geometric Margins, Kernel Methods, Support
// Vector Machines", slides of a course at Carnegie Mellon University. Cornell: Serge Belongie, "CS
// 5785 Applied Machine Learning, lecture 15", 2018. EE-559: François Fleuret, "EE-559 Deep
// learning, 3a. Linear classifiers, perceptron", EPFL, 2018. Theodoridis: Sergios Theodoridis and
// Konstantinos Koutroumbas, "Pattern Recognition", 4th edition, 2009, chapter 3. Yuille: Alan
// Yuille, "Linear classifiers, perceptrons, margins and duality", lecture notes.
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

// A ClassifierModel is a model of two classes, such as -1 and +1. It predicts the larger label
// where the score is at least 0 and the smaller one elsewhere. Models of more classes may have
// the same type, such as *logistic.Model; their scores and probabilities of two classes panic.
type ClassifierModel interface {
	Scorer
	Predictor
}

// A ProbableClassifierModel is a ClassifierModel that gives the probability of the larger label,
// such as *logistic.Model or *calibration.ClassifierModel.
type ProbableClassifierModel interface {
	ClassifierModel
	// Prob returns the probability of the larger label for the sample x.
	Prob(x []float64) float64
	// Probs sets dst[i] to that of row i of X (n×d) and returns dst. If dst is nil, it
	// allocates a slice of length n.
	Probs(dst []float64, X mat.Matrix) []float64
}
