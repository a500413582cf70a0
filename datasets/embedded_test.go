package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestIris(t *testing.T) {
	d := Iris()
	if r, c := d.X.Dims(); r != 150 || c != 4 {
		t.Fatalf("%d×%d", r, c)
	}
	if !slices.Equal(d.Classes, []string{"setosa", "versicolor", "virginica"}) || d.Features[2] != "petal length (cm)" {
		t.Errorf("classes %q, features %q", d.Classes, d.Features)
	}
	// colMeans(iris[1:4]) in R, whose data are Fisher's.
	for j, want := range []float64{5.843333, 3.057333, 3.758000, 1.199333} {
		if got := mat.Sum(d.X.ColView(j)) / 150; math.Abs(got-want) > 5e-7 {
			t.Errorf("mean of %s = %v, want %v", d.Features[j], got, want)
		}
	}
	// The rows in which UCI's iris.data differs.
	if !slices.Equal(d.X.RawRowView(34), []float64{4.9, 3.1, 1.5, 0.2}) || !slices.Equal(d.X.RawRowView(37), []float64{4.9, 3.6, 1.4, 0.1}) {
		t.Errorf("rows 34 and 37: %v, %v", d.X.RawRowView(34), d.X.RawRowView(37))
	}
	// The hard-margin SVM of setosa (-1) and versicolor (+1), by scikit-learn 1.2.1 and
	// LIBSVM: the support vectors, rows 23, 41 and 98, have y(w·x + b) = 1, all other rows
	// more.
	b := Must(d.Binary(0, 1))
	w := []float64{.04603432, -.521721927, 1.003163961, .464179118}
	for i, y := range b.Y {
		f := -1.45056012
		for j, x := range b.X.RawRowView(i) {
			f += w[j] * x
		}
		f *= float64(y)
		if sv := i == 23 || i == 41 || i == 98; sv && math.Abs(f-1) > 1e-3 || !sv && f < 1 {
			t.Errorf("row %d: y(w·x + b) = %v", i, f)
		}
	}
	d.X.Set(0, 0, 99)
	d.Classes[0] = "changed"
	if again := Iris(); again.X.At(0, 0) != 5.1 || again.Class(0) != "setosa" {
		t.Error("a change of what Iris returned is seen by the next call")
	}
}

func TestDigits(t *testing.T) {
	d := Digits()
	if r, c := d.X.Dims(); r != 1797 || c != d.Height*d.Width || d.Width != 8 {
		t.Fatalf("%d×%d, images %d×%d", r, c, d.Height, d.Width)
	}
	// The class counts that UCI gives for the test part.
	for y, want := range []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180} {
		if got := d.Count(y); got != want {
			t.Errorf("%d samples of %d, want %d", got, y, want)
		}
	}
	if mat.Min(d.X) != 0 || mat.Max(d.X) != 16 {
		t.Errorf("pixels from %v to %v, want 0 to 16", mat.Min(d.X), mat.Max(d.X))
	}
	// First row of optdigits.tes, the image of a 0 that scikit-learn's manual shows.
	want := []float64{0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0}
	if got := d.X.RawRowView(0)[:16]; !slices.Equal(got, want) || d.Y[0] != 0 {
		t.Errorf("first digit begins %v and is %d", got, d.Y[0])
	}
}
