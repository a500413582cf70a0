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
