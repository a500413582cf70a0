// Package perceptron provides the perceptron in the lectures' variants, and the quantities
// of Novikoff's theorem, which bounds its mistakes on separable classes. A perceptron
// visits one sample after the other and, if the hyperplane w·x + b = 0 has the sample on
// the wrong side, turns it towards that sample:
//
//	w ← w + ρyx,  b ← b + ρy
//
// A fit returns a model:
//
//	m, err := perceptron.Perceptron{}.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Mistakes, m.Score(x), m.Predict(x))
//
// # What to use when
//
//   - Perceptron, Dual: separable classes. If the weights recur, the fit proves that no
//     hyperplane separates them. Batch is gradient descent on the same cost.
//   - Pocket, Averaged, Voted: classes that overlap
//   - NewNovikoff: the bound on the mistakes, from the margin of any separating hyperplane
//   - WidestThroughOrigin: the largest margin in the plane, by looking at all directions
//
// For the margin as a goal see package svm; for a perceptron on φ(x) see
// kernelized.Perceptron; for units with a threshold, and layers of them, package unit.
//
// The steps, and so their number, depend on the origin and the units of the columns of X:
// standardise the samples first (feature.Standardize).
//
// There are no sample weights. The order of the samples is part of the algorithm: a sample
// that occurs twice is visited twice, and corrected a second time only if it is still wrong.
// No factor of ρ does that; scikit-learn's sample_weight, which is one, makes another
// algorithm. For weights see package svm and leastsquares.Classifier.
//
// In scikit-learn, Perceptron has the same name; the variants are not there.
//
// # The files
//
//   - perceptron.go: the pass over the samples and the stopping rule, in pass and learn
//   - observer.go, trace.go, cycle.go: what observes a run and changes nothing in it
//   - run.go, result.go: the state of a run; its model, and the error for each ending
//   - pocket.go, voted.go, dual.go, batch.go: the variants
//   - novikoff.go, widest.go, separable.go: the bound, the largest margin in the plane,
//     proofs that classes are not separable
//   - extension.go: how b is learnt
//   - check.go, decode.go: arguments and decoded models, checked
//
// Package mlkit documents what all algorithms have in common, shapes, labels, errors and
// traces, and lists the lectures that the comments cite. Beyond the lectures, the variants
// follow Yoav Freund and Robert Schapire, "Large margin classification using the
// perceptron algorithm", Machine Learning 37, 1999 (voted and averaged), and Stephen
// Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural Networks 1,
// 1990 (pocket).
package perceptron
