package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSeparable(t *testing.T) {
	tests := []struct {
		w         []float64
		b, margin float64
	}{
		{[]float64{1, 0}, 0, 0.5},
		{[]float64{3, -4}, 0, 0},
		{[]float64{3, -4}, 10, 2}, // distance from the origin: 10/5
		{[]float64{1, 1, 1, -1, 0}, -1, 1e-3},
		{[]float64{-2}, 1, 1},
	}
	for _, tt := range tests {
		d := Must(Separable(7, 101, tt.w, tt.b, tt.margin))
		var norm float64
		for _, v := range tt.w {
			norm += v * v
		}
		norm = math.Sqrt(norm)
		nearest := map[int]float64{-1: math.Inf(1), +1: math.Inf(1)}
		for i, y := range d.Y {
			f := tt.b
			for j, x := range d.X.RawRowView(i) {
				f += tt.w[j] * x
			}
			nearest[y] = min(nearest[y], float64(y)*f/norm)
		}
		for y, got := range nearest {
			if math.Abs(got-tt.margin) > 1e-12 {
				t.Errorf("w = %v, b = %v: the nearest of class %+d is at %v, want %v", tt.w, tt.b, y, got, tt.margin)
			}
		}
		if d.Count(+1) != 51 || d.Count(-1) != 50 || d.Y[0] != +1 || d.Y[1] != -1 {
			t.Errorf("%d of +1, %d of -1, first %v", d.Count(+1), d.Count(-1), d.Y[:2])
		}
	}
}

// Another margin moves the same clouds along w: from margin 0 to 2 with w = (0, 1), each
// point moves by 2 towards its side.
func TestSeparableMoves(t *testing.T) {
	near := Must(Separable(3, 50, []float64{0, 1}, 0, 0))
	far := Must(Separable(3, 50, []float64{0, 1}, 0, 2))
	for i, y := range near.Y {
		a, b := near.X.RawRowView(i), far.X.RawRowView(i)
		if a[0] != b[0] || math.Abs(b[1]-a[1]-2*float64(y)) > 1e-12 {
			t.Fatalf("row %d, label %d: %v became %v", i, y, a, b)
		}
	}
}

func TestCurvesWithoutNoise(t *testing.T) {
	d := Must(Moons(1, 200, 0))
	for i, y := range d.Y {
		x1, x2 := d.X.At(i, 0), d.X.At(i, 1)
		r, side := math.Hypot(x1, x2), x2
		if y > 0 {
			r, side = math.Hypot(x1-1, x2-0.5), 0.5-x2
		}
		if math.Abs(r-1) > 1e-12 || side < -1e-12 {
			t.Fatalf("moons: (%v, %v) with label %d", x1, x2, y)
		}
	}
	d = Must(Rings(1, 200, 0))
	for i, y := range d.Y {
		want := 1.0
		if y > 0 {
			want = 0.5
		}
		if r := math.Hypot(d.X.At(i, 0), d.X.At(i, 1)); math.Abs(r-want) > 1e-12 {
			t.Fatalf("rings: radius %v with label %d", r, y)
		}
	}
}

// With noise σ the mean squared distance from the point on the curve is 2σ². The same seed
// draws the same point on the curve for any σ.
func TestNoise(t *testing.T) {
	const n, sigma = 4000, 0.1
	a, b := Must(Rings(5, n, 0)), Must(Rings(5, n, sigma))
	var diff mat.Dense
	diff.Sub(b.X, a.X)
	got := math.Pow(mat.Norm(&diff, 2), 2) / n
	if want := 2 * sigma * sigma; math.Abs(got-want) > 0.05*want { // 5 % is more than two standard errors
		t.Errorf("mean square %v, want %v", got, want)
	}
}

func TestSeeds(t *testing.T) {
	for name, make := range map[string]func(seed uint64) (*Dataset, error){
		"Separable": func(s uint64) (*Dataset, error) { return Separable(s, 20, []float64{1, 2}, 1, 1) },
		"Moons":     func(s uint64) (*Dataset, error) { return Moons(s, 20, 0.1) },
		"Rings":     func(s uint64) (*Dataset, error) { return Rings(s, 20, 0.1) },
	} {
		if !mat.Equal(Must(make(1)).X, Must(make(1)).X) {
			t.Errorf("%s: the same seed gives other points", name)
		}
		if mat.Equal(Must(make(1)).X, Must(make(2)).X) {
			t.Errorf("%s: another seed gives the same points", name)
		}
	}
}
