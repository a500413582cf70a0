package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Separable returns n ≥ 2 points in two Gaussian clouds of unit variance, one on each
// side of the hyperplane w·x + b = 0 in len(w) dimensions, w ≠ 0. Multiplying w and b by
// the same positive number changes nothing. With b = 0 the hyperplane goes through the
// origin. Labels are +1 where w·x + b > 0 and -1 elsewhere, and alternate, beginning
// with +1.
//
// Each cloud is shifted along w until its nearest point has exactly the distance
// margin ≥ 0 from the hyperplane. Hence w has this geometric margin on the data, up to
// rounding errors; the best hyperplane may have a little more. With the same seed and
// another margin, the same clouds are nearer to each other or further apart.
func Separable(seed uint64, n int, w []float64, b, margin float64) (*Dataset, error) {
	if err := checkSize("Separable", n, len(w)); err != nil {
		return nil, err
	}
	var norm float64
	for _, v := range w {
		norm = math.Hypot(norm, v)
	}
	if !(norm > 0) || math.IsInf(norm, 0) {
		return nil, fmt.Errorf("datasets: Separable: w = %v, want a finite vector that is not 0", w)
	}
	if math.IsNaN(b) || math.IsInf(b, 0) {
		return nil, fmt.Errorf("datasets: Separable: b = %v, want a finite number", b)
	}
	if !(margin >= 0) || math.IsInf(margin, 0) {
		return nil, fmt.Errorf("datasets: Separable: margin = %v, want a finite number, at least 0", margin)
	}
	rnd := newRand(seed)
	d := generated(fmt.Sprintf("separable with margin %g", margin), n, len(w))
	var nearest = map[int]float64{-1: math.Inf(1), +1: math.Inf(1)}
	for i := range n {
		d.Y[i] = 1 - 2*(i%2)
		x := d.X.RawRowView(i)
		var along float64 // w·x/|w|
		for j := range x {
			x[j] = rnd.NormFloat64()
			along += w[j] / norm * x[j]
		}
		nearest[d.Y[i]] = min(nearest[d.Y[i]], float64(d.Y[i])*along)
	}
	for i, y := range d.Y {
		shift := float64(y)*(margin-nearest[y]) - b/norm
		if math.Abs(shift) > largest {
			return nil, fmt.Errorf("datasets: Separable: margin = %v, b = %v and |w| = %v put the points at a distance of %v, want at most %v", margin, b, norm, math.Abs(shift), largest)
		}
		for j, x := range d.X.RawRowView(i) {
			d.X.Set(i, j, x+shift*w[j]/norm)
		}
	}
	return d, nil
}

// Moons returns n ≥ 2 points near two interlocking half circles of radius 1: the upper
// one (-1) about (0, 0), the lower one (+1) about (1, 0.5). The coordinates get Gaussian
// noise with standard deviation noise ≥ 0. Labels alternate, beginning with -1.
func Moons(seed uint64, n int, noise float64) (*Dataset, error) {
	return curves("Moons", "moons", seed, n, noise, func(t float64, y int) (x1, x2 float64) {
		sin, cos := math.Sincos(math.Pi * t)
		if y < 0 {
			return cos, sin
		}
		return 1 - cos, 0.5 - sin
	})
}

// Rings returns n ≥ 2 points near two circles about the origin, one of radius 1 (-1) and
// one of radius 1/2 (+1). The coordinates get Gaussian noise with standard deviation
// noise ≥ 0. Labels alternate, beginning with -1.
func Rings(seed uint64, n int, noise float64) (*Dataset, error) {
	return curves("Rings", "rings", seed, n, noise, func(t float64, y int) (x1, x2 float64) {
		sin, cos := math.Sincos(2 * math.Pi * t)
		if y < 0 {
			return cos, sin
		}
		return cos / 2, sin / 2
	})
}

// curves draws points from one curve per class: at returns the point of class y at
// parameter t, which is uniform in [0, 1).
func curves(fn, name string, seed uint64, n int, noise float64, at func(t float64, y int) (x1, x2 float64)) (*Dataset, error) {
	if err := checkSize(fn, n, 2); err != nil {
		return nil, err
	}
	if !(noise >= 0 && noise <= largest) {
		return nil, fmt.Errorf("datasets: %s: noise = %v, want a number from 0 to %v", fn, noise, largest)
	}
	rnd := newRand(seed)
	d := generated(name, n, 2)
	for i := range n {
		d.Y[i] = 2*(i%2) - 1
		x1, x2 := at(rnd.Float64(), d.Y[i])
		d.X.Set(i, 0, x1+noise*rnd.NormFloat64())
		d.X.Set(i, 1, x2+noise*rnd.NormFloat64())
	}
	return d, nil
}

// largest bounds the generated coordinates, which keeps them finite.
const largest = 1e150

// checkSize returns an error unless n points in dim dimensions are possible.
func checkSize(fn string, n, dim int) error {
	if n < 2 {
		return fmt.Errorf("datasets: %s: n = %d, want at least 2, one a class", fn, n)
	}
	if n > maxValues/max(dim, 1) {
		return fmt.Errorf("datasets: %s: n = %d points in %d dimensions, want at most %d numbers", fn, n, dim, maxValues)
	}
	return nil
}

// generated returns a Dataset of n points in dim dimensions, all zero, with classes -1
// and +1.
func generated(name string, n, dim int) *Dataset {
	d := &Dataset{
		Name:    name,
		X:       mat.NewDense(n, dim, nil),
		Y:       make([]int, n),
		Source:  "artificial",
		Labels:  []int{-1, +1},
		Classes: []string{"-1", "+1"},
	}
	for j := range dim {
		d.Features = append(d.Features, "x"+subscript(j+1))
	}
	return d
}

// subscript formats a positive number in subscript digits.
func subscript(k int) string {
	var s []rune
	for _, c := range fmt.Sprint(k) {
		s = append(s, '₀'+c-'0')
	}
	return string(s)
}
