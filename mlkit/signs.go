package mlkit

import "fmt"

// Signs returns labels of two classes as -1 and +1: the smaller label of y becomes -1,
// the larger +1. Labels 0 and 1 therefore keep their meaning of no and yes, and -1 and +1
// are copied. It returns an error if y has a third label, or one label only. Convert all
// labels before splitting them: a part may lack a class.
func Signs(y []int) ([]int, error) {
	if len(y) == 0 {
		return nil, fmt.Errorf("mlkit: y is empty, want labels of two classes")
	}
	low, high := y[0], y[0]
	for i, label := range y {
		switch {
		case label == low || label == high:
		case low != high:
			return nil, fmt.Errorf("mlkit: y[%d] = %d, want %d or %d, the labels before it; for more than two classes see package multiclass", i, label, low, high)
		default:
			low, high = min(low, label), max(high, label)
		}
	}
	if low == high {
		return nil, fmt.Errorf("mlkit: y has only the label %d in its %d rows, want two", low, len(y))
	}
	signs := make([]int, len(y))
	for i, label := range y {
		signs[i] = -1
		if label == high {
			signs[i] = +1
		}
	}
	return signs, nil
}
