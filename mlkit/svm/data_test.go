package svm

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
)

// irises returns two classes of Iris, the first labelled -1, the second +1.
func irises(t testing.TB, negative, positive int) (*mat.Dense, []int) {
	t.Helper()
	d, err := datasets.Iris().Binary(negative, positive)
	if err != nil {
		t.Fatal(err)
	}
	return d.X, d.Y
}

// anchor reads a file in LIBSVM's format from the data beside the repository:
// heart_scale and svmguide1 of the LIBSVM distribution.
func anchor(t testing.TB, name string) (*mat.Dense, []int) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", "anchors", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("needs the file %s", name)
	}
	d, err := datasets.OpenLIBSVM(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]int, len(d.Y))
	for i, v := range d.Y {
		y[i] = v
		if v == 0 {
			y[i] = -1
		}
	}
	return d.X, y
}

// scaled returns copies of the columns of train and test, scaled so that those of
// train fill [-1, 1]: svm-scale of LIBSVM's guide.
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

func right(m interface {
	Predictions([]int, mat.Matrix) []int
}, X *mat.Dense, y []int) int {
	count := 0
	for i, label := range m.Predictions(nil, X) {
		if label == y[i] {
			count++
		}
	}
	return count
}
