package mlkit

// BalancedWeights returns the weight n/(k nₘ) for each label of y, where n is the number
// of labels, k the number of classes and nₘ the number of samples in the class. All
// classes then have the same total weight, and the weights of all samples add up to n
// (Gary King, Langche Zeng, "Logistic regression in rare events data", 2001). Labels are
// any ints.
func BalancedWeights(y []int) map[int]float64 {
	count := map[int]int{}
	for _, label := range y {
		count[label]++
	}
	weights := make(map[int]float64, len(count))
	for label, n := range count {
		weights[label] = float64(len(y)) / float64(len(count)*n)
	}
	return weights
}
