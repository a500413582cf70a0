package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Example 3.2: w(7) = (-1, 1, 0) after 7 steps with 2 corrections, none of them in the last
// four steps.
func TestTheodoridisFour(t *testing.T) {
	d := TheodoridisFour()
	w := []float64{0, 0, 0}
	corrections, clean, steps := 0, 0, 0
	for ; clean < d.Len(); steps++ {
		if steps > 100 {
			t.Fatal("no convergence")
		}
		i := steps % d.Len()
		x := d.X.RawRowView(i)
		y := float64(d.Y[i])
		if y*(w[0]*x[0]+w[1]*x[1]+w[2]) > 0 {
			clean++
			continue
		}
		clean = 0
		corrections++
		w[0] += y * x[0]
		w[1] += y * x[1]
		w[2] += y
	}
	if !slices.Equal(w, []float64{-1, 1, 0}) || corrections != 2 || steps != 7 {
		t.Errorf("w = %v after %d steps and %d corrections", w, steps, corrections)
	}
}

// The normal equations printed in the lecture, XᵀX = [2.8 2.24 4.8; 2.24 2.41 4.7;
// 4.8 4.7 10] and Xᵀy = (-1.6, 0.1, 0), and their solution to three decimals.
func TestTheodoridisTen(t *testing.T) {
	d := TheodoridisTen()
	n := d.Len()
	x := mat.NewDense(n, 3, nil)
	y := mat.NewVecDense(n, nil)
	for i := range n {
		x.SetRow(i, append(slices.Clone(d.X.RawRowView(i)), 1))
		y.SetVec(i, float64(d.Y[i]))
	}
	var xx mat.Dense
	var xy, w mat.VecDense
	xx.Mul(x.T(), x)
	xy.MulVec(x.T(), y)
	if !mat.EqualApprox(&xx, mat.NewDense(3, 3, []float64{2.8, 2.24, 4.8, 2.24, 2.41, 4.7, 4.8, 4.7, 10}), 1e-12) {
		t.Errorf("XᵀX =\n%v", mat.Formatted(&xx))
	}
	if !mat.EqualApprox(&xy, mat.NewVecDense(3, []float64{-1.6, 0.1, 0}), 1e-12) {
		t.Errorf("Xᵀy = %v", mat.Formatted(xy.T()))
	}
	if err := w.SolveVec(&xx, &xy); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(&w, mat.NewVecDense(3, []float64{-3.218, 0.241, 1.431}), 5e-4) {
		t.Errorf("w = %v", mat.Formatted(w.T()))
	}
}

// EE-559's threshold units: or is a+b-0.5 ≥ 0, and is a+b-1.5 ≥ 0, not is -a+0.5 ≥ 0.
// With the product as a third input, xor is a+b-2ab-0.5 ≥ 0.
func TestBoolean(t *testing.T) {
	units := []struct {
		d *Dataset
		f func(a, b float64) float64
	}{
		{Or(), func(a, b float64) float64 { return a + b - 0.5 }},
		{And(), func(a, b float64) float64 { return a + b - 1.5 }},
		{Xor(), func(a, b float64) float64 { return a + b - 2*a*b - 0.5 }},
		{Not(), func(a, _ float64) float64 { return -a + 0.5 }},
	}
	for _, u := range units {
		inputs := len(u.d.Features)
		if u.d.Len() != 1<<inputs {
			t.Errorf("%s: %d rows for %d inputs", u.d.Name, u.d.Len(), inputs)
		}
		for i, y := range u.d.Y {
			x := append(slices.Clone(u.d.X.RawRowView(i)), 0)
			if f := u.f(x[0], x[1]); math.Signbit(f) != (y < 0) {
				t.Errorf("%s: row %v has label %d, the unit gives %v", u.d.Name, x[:inputs], y, f)
			}
		}
	}
}

func TestPointsAreComplete(t *testing.T) {
	for _, d := range []*Dataset{CMUSix(), TheodoridisFour(), TheodoridisTen(), And(), Or(), Xor(), Not(), Iris(), Digits()} {
		if err := d.check("test"); err != nil {
			t.Error(err)
		}
		if d.Name == "" || d.Source == "" || !slices.Equal(labelsOf(d.Y), d.Labels) || len(d.Classes) != len(d.Labels) {
			t.Errorf("%q: source %q, labels %v, classes %q", d.Name, d.Source, d.Labels, d.Classes)
		}
	}
}

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
