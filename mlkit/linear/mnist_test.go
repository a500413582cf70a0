package linear_test

import (
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/linear"
)

// zerosAndOnes returns the 0s (-1) and the 1s (+1) among rows first to last of d.
func zerosAndOnes(d *datasets.Dataset, first, last int) (*mat.Dense, []int) {
	var rows []float64
	var y []int
	_, width := d.X.Dims()
	for i := first; i < last; i++ {
		if d.Y[i] <= 1 {
			rows, y = append(rows, d.X.RawRowView(i)...), append(y, 2*d.Y[i]-1)
		}
	}
	return mat.NewDense(len(y), width, rows), y
}

// EE-559, the perceptron on the 0s and 1s of MNIST, in two splits. For the test file
// alone, its first 8000 images against its last 2000, the numbers were computed apart,
// in NumPy. For the split that MNIST is published with, the lecture prints
// how it ends: consistent with all training samples after a few passes, and 0.14 % of
// the 2115 test samples wrong, which are 3. (How it goes there depends on the
// order of the samples; the lecture's has 9 passes.)
func TestMNISTZerosAndOnes(t *testing.T) {
	if !datasets.HaveMNIST() {
		if os.Getenv("CI") == "true" {
			t.Fatal("the files of MNIST are missing")
		}
		t.Skip("needs the files of MNIST; see package datasets")
	}
	train, test, err := datasets.MNIST()
	if err != nil {
		t.Fatal(err)
	}
	X, y := zerosAndOnes(test, 0, 8000)
	V, v := zerosAndOnes(test, 8000, 10000)
	var changes, trained, tested []int
	_, err = linear.Perceptron{TraceEpoch: func(e linear.PerceptronEpoch) bool {
		changes = append(changes, e.Mistakes)
		trained, tested = append(trained, wrong(e.Hyperplane, X, y)), append(tested, wrong(e.Hyperplane, V, v))
		return true
	}}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	// 0.48 % of 1678, and 0.46 %, 0.23 % and 0.23 % of 437 are 8, and 2, 1 and 1.
	if !slices.Equal(changes, []int{8, 4, 0}) || !slices.Equal(trained, []int{8, 0, 0}) || !slices.Equal(tested, []int{2, 1, 1}) {
		t.Errorf("changes %v, errors on %d samples %v, on %d others %v", changes, len(y), trained, len(v), tested)
	}

	X, y = zerosAndOnes(train, 0, len(train.Y))
	V, v = zerosAndOnes(test, 0, len(test.Y))
	m, err := linear.Perceptron{}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrong(m.Hyperplane, X, y); len(y) != 12665 || n != 0 {
		t.Errorf("%d errors on %d training samples", n, len(y))
	}
	if n := wrong(m.Hyperplane, V, v); len(v) != 2115 || n > 3 {
		t.Errorf("%d errors on %d test samples, want 3 at most", n, len(v))
	}
	t.Logf("%d passes, %v changes, %d test errors", m.Epochs, m.MistakesPerEpoch, wrong(m.Hyperplane, V, v))
}
