package mlkit

import "marginalia/mlkit/internal/check"

// BalancedWeights returns the weight n/(k nₘ) for each label of y, where n is the number
// of labels, k the number of classes and nₘ the number of samples in the class. All
// classes then have the same total weight, and the weights of all samples add up to n
// (Gary King, Langche Zeng, "Logistic regression in rare events data", 2001). Labels are
// any ints.
//
// They are the weights of one training set. An algorithm with Balanced computes those of each
// set that it is fitted to, as cross-validation needs.
func BalancedWeights(y []int) map[int]float64 {
	return check.Balanced(y, nil)
}
