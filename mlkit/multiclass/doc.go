// Package multiclass makes classifiers for many classes of an algorithm for two, by
// one machine for each class or for each pair of classes.
//
//	o := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{C: 10}}
//	m, err := o.Fit(X, y) // X is n×d, one sample a row; y[i] is any int
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Predict(x))
//
// Binary is any mlkit.Algorithm for two classes, labelled -1 and +1, whose models have scores:
// those of packages svm, perceptron, leastsquares, discriminant and logistic,
// kernelized.Perceptron, or one of your own with the method
//
//	FitWith(o mlkit.Options, X *mat.Dense, y []int) (M, error)
//
// mlkit.FitFunc makes one of a function. ClassWeights, Balanced, and weights of samples
// in the Options of FitWith need a Binary that takes weights.
//
// # Which of the two
//
//   - OneVsRest: M machines for M classes, each on all samples. The class with the highest
//     score wins, so the scores of different machines have to be comparable.
//   - OneVsOne: M(M-1)/2 machines, each on the samples of two classes. The machines vote.
//     It is faster where a fit takes more than linear time, as with kernels.
//
// The algorithms of packages leastsquares, discriminant and logistic need neither: their Fit
// treats many classes as one problem.
//
// # Probabilities
//
// ProbableOneVsOne and ProbableOneVsRest are the same for machines with probabilities. Their
// models have a Posterior of all classes, by pairwise coupling and by normalising, and predict
// the class with the largest. calibration.Classifier makes such machines of any algorithm:
//
//	type machine = calibration.ClassifierModel[*svm.Model]
//	o := multiclass.ProbableOneVsOne[*machine]{
//		Binary: calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 10}},
//	}
//
// # Machines at the same time
//
// Machines are fitted at the same time, one on each processor, unless Binary, or the algorithm
// of a pipeline, has a Trace. Their number does not change the result, and Options.Report counts
// those that are done. An algorithm that knows better how to fit several machines implements
// [Joint], a model that knows better how to score with them [JointScorer] and, if it has
// probabilities, [JointProber], and one that encodes together what they share [JointCoder];
// svm.Classifier and svm.Model do, and calibration.Classifier passes on what its algorithm does.
// An algorithm that trains others calls [FitMachines] and [ScoresOfAll].
//
// In scikit-learn, OneVsRest is OneVsRestClassifier, and OneVsOne is OneVsOneClassifier.
package multiclass
