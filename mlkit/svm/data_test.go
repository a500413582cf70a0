package svm

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/internal/testkit"
)

// irises returns two classes of Iris, the first labelled -1, the second +1.
func irises(t testing.TB, negative, positive int) (*mat.Dense, []int) {
	t.Helper()
	d := testkit.Try(datasets.Iris().Binary(negative, positive)).Or(t)
	return d.X, d.Y
}

// anchor reads a file in LIBSVM's format from ../testdata, whose README.md names its
// source.
func anchor(t testing.TB, name string) (*mat.Dense, []int) {
	t.Helper()
	d := testkit.Try(datasets.OpenLIBSVM(filepath.Join("..", "testdata", name), 0)).Or(t)
	return d.X, signs(d.Y)
}

// signs returns -1 for the labels 0 and -1.
func signs(labels []int) []int {
	y := make([]int, len(labels))
	for i, v := range labels {
		if y[i] = v; v == 0 {
			y[i] = -1
		}
	}
	return y
}

// scaled returns copies of train and test with columns scaled so that those of train span
// [-1, 1], like svm-scale in LIBSVM's guide.
func scaled(train, test *mat.Dense) (*mat.Dense, *mat.Dense) {
	train, test = mat.DenseCopyOf(train), mat.DenseCopyOf(test)
	_, d := train.Dims()
	for j := range d {
		low, high := mat.Min(train.ColView(j)), mat.Max(train.ColView(j))
		for _, X := range []*mat.Dense{train, test} {
			n, _ := X.Dims()
			for i := range n {
				X.Set(i, j, -1+2*(X.At(i, j)-low)/(high-low))
			}
		}
	}
	return train, test
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.12g, want %.12g ± %g", what, got, want, tolerance)
	}
}

func nearAll(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
		return
	}
	for i := range want {
		near(t, what, got[i], want[i], tolerance)
	}
}

func second[T any](_ T, err error) error { return err }
