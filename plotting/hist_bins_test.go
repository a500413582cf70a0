package plotting

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/pen"
)

func TestHistBins(t *testing.T) {
	ramp := make([]float64, 1000)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	for _, c := range []struct {
		name    string
		samples []float64
		s       []HistStyle
		edges   int
		first   []float64 // heights of the first bins
	}{
		// A value on a border belongs to the bin above, except on the last border.
		{"borders", []float64{0, 1, 1, 2, 2.5, 4}, []HistStyle{Bins(4)}, 5, []float64{1, 2, 2, 1}},
		{"own", []float64{-1, 0, 0.5, 3, 9, math.NaN(), math.Inf(1)}, []HistStyle{Edges(0, 1, 9)}, 3, []float64{2, 2}},
		// 4 values within the borders: 2/(4·1) and 2/(4·8).
		{"density", []float64{-1, 0, 0.5, 3, 9}, []HistStyle{Edges(0, 1, 9), Density()}, 3, []float64{0.5, 0.0625}},
		// Sturges for 1000 values: 1 + ⌈log₂ 1000⌉ = 11 bins; Freedman and Diaconis: 999/(2·499.5/10) = 10.
		{"Sturges", ramp, nil, 12, nil},
		{"one value", []float64{7, 7, 7}, nil, 2, []float64{3}},
		{"no value", []float64{math.NaN()}, nil, 2, []float64{0}},
		{"far outlier", append([]float64{1e9}, ramp...), nil, 101, []float64{1000}},
	} {
		l := Hist([][]float64{c.samples}, c.s...).(*hist)
		if len(l.edges) != c.edges {
			t.Errorf("%s: %d borders, want %d", c.name, len(l.edges), c.edges)
		}
		if got := l.heights[0][:len(c.first)]; !slices.Equal(got, c.first) {
			t.Errorf("%s: heights %v, want %v", c.name, got, c.first)
		}
	}
	// The quartiles of 0, …, 999 by the rule q·(n−1): 249.75 and 749.25.
	if a, b := quantile(ramp, 0.25), quantile(ramp, 0.75); a != 249.75 || b != 749.25 {
		t.Errorf("quartiles %g and %g, want 249.75 and 749.25", a, b)
	}
}

// For any values, the default bins contain every finite one, and densities have area 1.
func TestHistProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		class := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 60)
		samples := [][]float64{class.Draw(t, "a"), class.Draw(t, "b")}
		l := Hist(samples).(*hist)
		for k, v := range samples {
			sum := 0.0
			for _, n := range l.heights[k] {
				sum += n
			}
			if sum != float64(len(v)) {
				t.Fatalf("class %d: %g of %d values in the bins %v", k, sum, len(v), l.edges)
			}
		}
		d := Hist(samples, Density()).(*hist)
		for k := range samples {
			area := 0.0
			for i, h := range d.heights[k] {
				area += h * (d.edges[i+1] - d.edges[i])
			}
			if math.Abs(area-1) > 1e-9 {
				t.Fatalf("class %d has the area %g", k, area)
			}
		}
	})
}

// Integers fall into the bins that integer arithmetic says: x into bin ⌊(x − a)·bins/(b − a)⌋,
// and b into the last one. In the tier long the ranges are all those within 0 to 200, each
// with a third of the numbers of bins.
func TestHistIntegers(t *testing.T) {
	lows, step := []int{0, 1}, 7
	if tier.IsLong(t) {
		lows, step = nil, 3
		for a := range 200 {
			lows = append(lows, a)
		}
	}
	wrong := 0
	for _, a := range lows {
		for b := a + 1; b <= 200; b++ {
			var v []float64
			for x := a; x <= b; x++ {
				v = append(v, float64(x))
			}
			for bins := 1 + (a+b)%step; bins <= 100; bins += step {
				want := make([]float64, bins)
				for x := a; x <= b; x++ {
					want[min((x-a)*bins/(b-a), bins-1)]++
				}
				if got := Hist([][]float64{v}, Bins(bins)).(*hist).heights[0]; !slices.Equal(got, want) {
					if wrong++; wrong <= 5 {
						t.Errorf("%d to %d in %d bins: %v, want %v", a, b, bins, got, want)
					}
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d ranges are wrong", wrong)
	}
}

// ranges returns pairs low < high of every magnitude, far from 0 and near, with few numbers
// between them and many.
func ranges() [][2]float64 {
	rng := rand.New(rand.NewPCG(5, 1))
	all := [][2]float64{
		{1e16, 1e16 + 4}, {1, math.Nextafter(1, 2)}, {0, math.SmallestNonzeroFloat64}, {-1e-323, 1e-322}, {0.1, 0.7}, {-1, 1},
		{-math.MaxFloat64, math.MaxFloat64}, {-math.MaxFloat64, 0}, {1e308, math.MaxFloat64}, {math.SmallestNonzeroFloat64, math.MaxFloat64},
		{math.Nextafter(math.MaxFloat64, 0), math.MaxFloat64},
	}
	for range 60 {
		low := math.Ldexp(rng.Float64()-0.5, rng.IntN(2000)-1000)
		all = append(all, [2]float64{low, low + math.Abs(low)*math.Ldexp(rng.Float64()+0.5, -rng.IntN(52))})
		high := math.Ldexp(rng.Float64(), rng.IntN(2000)-1000)
		all = append(all, [2]float64{-high * rng.Float64(), high})
	}
	return all
}

// borders returns the numbers nearest to low + k·(high − low)/bins, for k from 1 to bins − 1, by
// rational arithmetic. Of two that are as near it is the upper one.
func borders(low, high float64, bins int) (all []float64) {
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	for k := 1; k < bins; k++ {
		e := new(big.Rat).Sub(rat(high), rat(low))
		e.Add(rat(low), e.Mul(e, big.NewRat(int64(k), int64(bins))))
		v, _ := e.Float64()
		if above := math.Nextafter(v, math.Inf(1)); v < high && new(big.Rat).Add(rat(v), rat(above)).Cmp(e.Add(e, e)) == 0 {
			v = above
		}
		all = append(all, v)
	}
	return all
}

// At every magnitude the borders rise, no value is lost, and two values share a bin if and only if
// no border of rational arithmetic divides them. The values lie on the borders and right beside them.
func TestHistBordersAreExact(t *testing.T) {
	for _, r := range ranges() {
		low, high := r[0], r[1]
		for _, bins := range []int{1, 2, 3, 7, 10, 100} {
			exact := borders(low, high, bins)
			v := []float64{low, high}
			for _, e := range exact {
				for _, x := range []float64{e, math.Nextafter(e, high), math.Nextafter(e, low)} {
					v = append(v, math.Max(low, x))
				}
			}
			binOf := func(x float64) (k int) {
				for k < len(exact) && x >= exact[k] {
					k++
				}
				return k
			}
			want := map[int]float64{}
			for _, x := range v {
				want[binOf(x)]++
			}
			l := Hist([][]float64{v}, Bins(bins)).(*hist)
			for k := range l.heights[0] {
				if !(l.edges[k] < l.edges[k+1]) || !pen.Finite(l.edges[k+1]) {
					t.Fatalf("%g to %g in %d bins: borders %v", low, high, bins, l.edges)
				}
			}
			if l.counts[0] != len(v) {
				t.Errorf("%g to %g in %d bins: %d of %d values counted", low, high, bins, l.counts[0], len(v))
			}
			if high == math.MaxFloat64 && len(l.edges) <= bins {
				continue // no number above high could end a bin of its own for it
			}
			for k, n := range l.heights[0] {
				exact := binOf(l.edges[k])
				if n != want[exact] {
					t.Errorf("%g to %g in %d bins: %g values in bin %d, want %g", low, high, bins, n, exact, want[exact])
				}
				delete(want, exact)
			}
			if len(want) > 0 {
				t.Errorf("%g to %g in %d bins: no bins for %v", low, high, bins, want)
			}
		}
	}
}

// Decimal fractions start the bin that begins with them: 3/10 is nearest to the number 0.3,
// although it lies above it.
func TestHistDecimals(t *testing.T) {
	for _, bins := range []int{10, 100, 49, 7} {
		v, want := []float64{1}, make([]float64, bins)
		want[bins-1] = 1
		for k := range bins {
			v = append(v, float64(k)/float64(bins))
			want[k]++
		}
		if got := Hist([][]float64{v}, Bins(bins)).(*hist).heights[0]; !slices.Equal(got, want) {
			t.Errorf("%d bins: %v", bins, got)
		}
	}
}

// Any values have bins that hold all of them, with a finite number of finite borders: one value,
// two neighbours, the largest numbers, more bins than numbers.
func TestHistHoldsEveryValue(t *testing.T) {
	top := math.MaxFloat64
	for _, v := range [][]float64{
		{1e16, 1e16 + 2, 1e16 + 4, 1e16 + 4}, {1e300}, {-1e300, -1e300}, {top, top}, {-top}, {5e-324}, {0}, {-top, top}, {-top, 0, top, top}, {1, math.Nextafter(1, 2)},
	} {
		for _, s := range [][]HistStyle{nil, {Bins(1)}, {Bins(10000)}, {Density()}} {
			l := Hist([][]float64{v}, s...).(*hist)
			rising := slices.IsSortedFunc(l.edges, func(a, b float64) int {
				if a < b && pen.Finite(a) && pen.Finite(b) {
					return -1
				}
				return 1
			})
			if l.counts[0] != len(v) || len(l.edges) < 2 || !rising {
				t.Errorf("%v: %d of %d values in bins between %v", v, l.counts[0], len(v), l.edges)
			}
		}
	}
	// Of four bins between 1e16 and 1e16 + 4, where numbers are 2 apart, three hold a number.
	if l := Hist([][]float64{{1e16, 1e16 + 2, 1e16 + 4, 1e16 + 4}}, Bins(4)).(*hist); !slices.Equal(l.heights[0], []float64{1, 1, 2}) {
		t.Errorf("heights %v between %v", l.heights[0], l.edges)
	}
}
