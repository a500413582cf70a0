package feature

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
)

// Weighted with the multinomial coefficients D!/(e₁!…e_d!(D-|e|)!), the products of
// monomials sum to the polynomial kernel (1 + x·z)^D.
func TestPolynomialProperty(t *testing.T) {
	factorial := func(n int) float64 { return math.Round(math.Gamma(float64(n + 1))) }
	testkit.Check(t, func(t *rapid.T) {
		d, degree := rapid.IntRange(1, 4).Draw(t, "d"), rapid.IntRange(0, 4).Draw(t, "degree")
		p := testkit.Try(NewPolynomial(d, degree)).Or(t)
		x, z := testkit.Numbers(t, d), testkit.Numbers(t, d)
		a, b := p.TransformSample(nil, x), p.TransformSample(nil, z)
		sum, size := 0.0, 1.0
		for k, factors := range p.Factors {
			c := factorial(degree) / factorial(degree-len(factors))
			for j := range d {
				times := 0
				for _, f := range factors {
					if f == j {
						times++
					}
				}
				c /= factorial(times)
			}
			sum += c * a[k] * b[k]
			size += math.Abs(c * a[k] * b[k])
		}
		if want := math.Pow(1+floats.Dot(x, z), float64(degree)); math.Abs(sum-want) > 1e-12*size {
			t.Fatalf("Σ c φ(x)φ(z) = %v, want %v", sum, want)
		}
	})
}

// A standardised column has mean 0 and standard deviation 1, a MinMax column ranges
// from Low to High, and Inverse undoes both.
func TestScalingProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		X := mat.NewDense(n, d, testkit.Numbers(t, n*d))
		X.Scale(math.Pow(10, float64(rapid.IntRange(-100, 100).Draw(t, "exponent"))), X)
		low := rapid.Float64Range(-5, 5).Draw(t, "low")
		bounds := MinMax{Low: low, High: low + rapid.Float64Range(0.1, 5).Draw(t, "range")}
		for name, fit := range map[string]func(*mat.Dense) (*Scaling, error){"standardise": Standardise{}.Fit, "min max": bounds.Fit} {
			s := testkit.Try(fit(X)).Or(t)
			Z := testkit.Try(Apply(s, X)).Or(t)
			for j := range d {
				column, z := mat.Col(nil, j, X), mat.Col(nil, j, Z)
				constant := floats.Min(column) == floats.Max(column)
				mean, deviation := stat.PopMeanStdDev(z, nil)
				switch {
				case constant:
					if floats.Min(z) != s.Offset || floats.Max(z) != s.Offset {
						t.Fatalf("%s: the constant column %d becomes %v", name, j, z)
					}
				// If the numbers differ only in their last digits, z has few correct
				// digits.
				case floats.Max(column)-floats.Min(column) < 1e-6*floats.Norm(column, math.Inf(1)):
				case name == "standardise":
					if math.Abs(mean) > 1e-9 || math.Abs(deviation-1) > 1e-9 {
						t.Fatalf("column %d has mean %v and deviation %v", j, mean, deviation)
					}
				default:
					if math.Abs(floats.Min(z)-bounds.Low) > 1e-12 || math.Abs(floats.Max(z)-bounds.High) > 1e-12*max(1, math.Abs(bounds.High)) {
						t.Fatalf("column %d reaches from %v to %v, want %+v", j, floats.Min(z), floats.Max(z), bounds)
					}
				}
			}
			for i := range n {
				back := s.Inverse(nil, Z.RawRowView(i))
				for j, v := range back {
					if tol := 1e-12 * floats.Norm(mat.Col(nil, j, X), math.Inf(1)); math.Abs(v-X.At(i, j)) > tol*100 {
						t.Fatalf("%s: row %d comes back as %v, want %v", name, i, back, X.RawRowView(i))
					}
				}
			}
		}
	})
}

// A HOG does not change with the brightness of the image, hardly changes with its
// contrast, and without Signed does not change in the negative. Its blocks have norm at
// most 1.
func TestHOGProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		cell := rapid.IntRange(1, 4).Draw(t, "cell")
		block := rapid.IntRange(1, 2).Draw(t, "block")
		height, width := cell*block+rapid.IntRange(0, 4).Draw(t, "more rows"), cell*block+rapid.IntRange(0, 4).Draw(t, "more columns")
		h := testkit.Try(NewHOG(height, width, cell, block, rapid.IntRange(1, 9).Draw(t, "bins"))).Or(t)
		h.Signed = rapid.Bool().Draw(t, "signed")
		// Sixteenths, so that differences are exact at any brightness.
		image := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 16), func(i int) float64 { return float64(i) / 16 }), height*width, height*width).Draw(t, "image")
		want := h.TransformSample(nil, image)
		changed := func(f func(v float64) float64) []float64 {
			x := make([]float64, len(image))
			for i, v := range image {
				x[i] = f(v)
			}
			return h.TransformSample(nil, x)
		}
		if got := changed(func(v float64) float64 { return v + 5 }); !slices.Equal(got, want) {
			t.Fatalf("brighter: %v, want %v", got, want)
		}
		// ε = 1e-5 matters where a block has hardly any gradient: gradients are 0 or at
		// least 1/16, with weights of at least 1/(2·cell)² at the edge.
		if got := changed(func(v float64) float64 { return 4 * v }); !floats.EqualApprox(got, want, 1e-3) {
			t.Fatalf("four times the contrast: %v, want %v", got, want)
		}
		if got := changed(func(v float64) float64 { return 1 - v }); !h.Signed && !floats.EqualApprox(got, want, 1e-9) {
			t.Fatalf("negative: %v, want %v", got, want)
		}
		for at := 0; at < len(want); at += block * block * h.Bins {
			if b := want[at:][:block*block*h.Bins]; floats.Norm(b, 2) > 1+1e-12 || floats.Min(b) < 0 {
				t.Fatalf("the block at %d is %v", at, b)
			}
		}
	})
}

// A histogram equals direct counting, (r cos θ, r sin θ) is the point again, labels
// survive one-hot encoding, and the pairs of columns are distinct, each of two
// different columns.
func TestMapsProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(2, 12).Draw(t, "d")
		x := testkit.Numbers(t, d)
		h := testkit.Try(NewHistogram(d, rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "bins"), -2, 2)).Or(t)
		got := h.TransformSample(nil, x)
		for k := range got {
			low, high := -2+float64(k)*4/float64(h.Bins), -2+float64(k+1)*4/float64(h.Bins)
			count := 0.0
			for _, v := range x {
				if (v >= low || k == 0) && (v < high || k == h.Bins-1) {
					count++
				}
			}
			if got[k] != count/float64(d) {
				t.Fatalf("%v of %v are in bin %d, want %v", got[k], x, k, count/float64(d))
			}
		}
		if h.edge(0) != -2 || h.edge(h.Bins) != 2 {
			t.Fatalf("edges %v and %v", h.edge(0), h.edge(h.Bins))
		}
		p := Polar{Centre: [2]float64{0.5, -1}}
		z := p.TransformSample(nil, x[:2])
		if u, v := z[0]*math.Cos(z[1])+0.5, z[0]*math.Sin(z[1])-1; math.Abs(u-x[0]) > 1e-14 || math.Abs(v-x[1]) > 1e-14 || z[0] < 0 {
			t.Fatalf("(%v, %v) at %v, want %v", u, v, z, x[:2])
		}
		y := rapid.SliceOfN(rapid.IntRange(-2, 2), d, d).Draw(t, "y")
		Y := testkit.Try(OneHot(y, nil)).Or(t)
		if back, err := FromOneHot(Y, Classes(y)); err != nil || !slices.Equal(back, y) {
			t.Fatalf("%v, %v; want %v", back, err, y)
		}
		all := d * (d - 1) / 2
		seed := rapid.Uint64().Draw(t, "seed")
		products := testkit.Try(NewProducts(d, rapid.IntRange(0, all).Draw(t, "count"), seed)).Or(t)
		seen := map[[2]int]bool{}
		values := products.TransformSample(nil, x)
		for k, pair := range products.Pairs {
			if pair[0] < 0 || pair[0] >= pair[1] || pair[1] >= d || seen[pair] {
				t.Fatalf("pair %v of %v", pair, products.Pairs)
			}
			seen[pair] = true
			if values[d+k] != x[pair[0]]*x[pair[1]] {
				t.Fatalf("product %d is %v", k, values[d+k])
			}
		}
	})
}

// Maps survive JSON, and invalid decoded maps are rejected, not applied.
func FuzzApplyDecoded(f *testing.F) {
	maps := func() []Map {
		return []Map{new(Polynomial), new(Products), new(Scaling), new(Histogram), new(HOG), new(Polar), new(Constant)}
	}
	polynomial, _ := NewPolynomial(2, 2)
	products, _ := NewProducts(2, 1, 1)
	scaling, _ := MinMax{}.Fit(mat.NewDense(2, 2, []float64{1, 2, 3, 5}))
	histogram, _ := NewHistogram(2, 3, 0, 1)
	hog, _ := NewHOG(2, 2, 1, 1, 3)
	for i, m := range []Map{polynomial, products, scaling, &histogram, &hog, &Polar{Centre: [2]float64{1, 2}}, &Constant{D: 2}} {
		b := testkit.Try(json.Marshal(m)).Or(f)
		f.Add(uint8(i), b)
		if back := maps()[i]; json.Unmarshal(b, back) != nil || !reflect.DeepEqual(back, m) {
			f.Errorf("%+v came back as %+v", m, back)
		}
	}
	f.Add(uint8(0), []byte(`{"d":2,"factors":[[2]]}`))
	f.Add(uint8(1), []byte(`{"d":2,"pairs":[[0,-1]]}`))
	f.Add(uint8(2), []byte(`{"shift":[1,2],"unit":[1]}`))
	f.Add(uint8(4), []byte(`{"height":2,"width":2}`))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		m := maps()[int(which)%7]
		if json.Unmarshal(data, m) != nil || validMap(m) != nil {
			return
		}
		if d := m.Inputs(); d > 0 && d < 1000 && m.Dim() > 0 && m.Dim() < 1e6 {
			if _, err := Apply(m, mat.NewDense(1, d, nil)); err != nil && !strings.Contains(err.Error(), "finite") {
				t.Fatalf("%s: %v", data, err)
			}
		}
	})
}

// A map with invalid fields is an error that says where.
func TestWrongMaps(t *testing.T) {
	X := mat.NewDense(1, 2, nil)
	for _, c := range []struct {
		m    Map
		want string
	}{
		{&Polynomial{D: 2, Factors: [][]int{nil, {0, 2}}}, "feature: Polynomial.Factors[1] = [0 2], want columns from 0 to 1"},
		{&Polynomial{D: 2, Factors: [][]int{{-1}}}, "feature: Polynomial.Factors[0] = [-1], want columns from 0 to 1"},
		{&Products{D: 2, Pairs: [][2]int{{0, 1}, {1, 2}}}, "feature: Products.Pairs[1] = [1 2], want columns from 0 to 1"},
		{&Products{D: 2, Pairs: [][2]int{{-1, 0}}}, "feature: Products.Pairs[0] = [-1 0], want columns from 0 to 1"},
		{&Scaling{Shift: []float64{1, 2}, Units: []float64{1}}, "feature: Scaling has 1 units for 2 shifts, want one of each for each column"},
		{Histogram{D: 2}, "feature: a histogram of 2 numbers in 0 bins, want at least one of each"},
		{HOG{Height: 1, Width: 2}, "feature: HOG of 1×2 pixels with cells of 0 pixels, blocks of 0 cells and 0 bins, want positive numbers, at most 32768"},
		{HOG{Height: 1 << 32, Width: 1 << 32, Cell: 1, Block: 1, Bins: 1}, "feature: HOG of 4294967296×4294967296 pixels"},
		{Chain{}, "feature: a chain of no maps, want at least one"},
		{Chain{Constant{D: 2}, Histogram{D: 3}}, "feature: a histogram of 3 numbers in 0 bins, want at least one of each, in map 1 of a chain"},
		{Chain{Constant{D: 2}, Constant{D: 2}}, "feature: map 1 of the chain takes 2 numbers, but map 0 gives 3; want as many"},
	} {
		if _, err := Apply(c.m, X); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: err = %v, want %s", c.m, err, c.want)
		}
	}
	if !testkit.IsLong(t) {
		return // too many numbers to try
	}
	// The powers of one number up to 9999 have 49,995,000 factors, just within the
	// limit.
	if _, err := NewPolynomial(1, 9999); err != nil {
		t.Error(err)
	}
	if _, err := NewPolynomial(1, 10000); err == nil || !strings.Contains(err.Error(), "or have more than 50000000 factors") {
		t.Errorf("err = %v; the powers up to 10000 have 50005000 factors", err)
	}
}
