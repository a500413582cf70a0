package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Units describes the changes of columns, xⱼ ← sⱼ(xⱼ + tⱼ), that do not affect an
// algorithm's predictions. The zero value promises nothing.
type Units struct {
	// Offset is the largest |tⱼ| in standard deviations of the column: how far from 0 the
	// samples may be. 0 promises nothing about origins.
	Offset float64

	// Scale is the largest factor sⱼ, and 1/Scale the smallest. 0 means 1: units matter,
	// as they do if weights are penalised.
	Scale float64

	// Each gives every column its own factor. False means one factor for all columns,
	// which keeps the ratios of distances.
	Each bool
}

// TestUnits tests that the columns' units and origins do not matter, as far as promised:
// a fit of the columns sⱼ(xⱼ + tⱼ) gives the same results for them as a fit of the
// columns xⱼ gives for those, up to the sign of each column of a Transform. Y is int for
// labels -1 and +1, in classes that overlap, and float64 for targets. Wrap an algorithm
// without y:
//
//	mlkittest.TestUnits(discriminant.LDA{}.Fit, mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}, 1e-9)
//	mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*cluster.KMeansModel, error) {
//		return cluster.KMeans{}.Fit(X)
//	}, mlkittest.Units{Offset: 1e9, Scale: 1e100}, 0)
//
// The tolerance tol is relative to the largest number of a method, or to 1 if that is
// larger. It covers the algorithm's own stopping rule and rounding error for samples
// around 0. TestUnits adds the rounding error of samples t standard deviations away from
// 0: their elements are rounded by 2⁻⁵³t deviations, and a score w·x + b by as much for
// each column. It allows a hundred times that, enough for the few columns and the
// conditioning of the samples here. Offsets above 1e12 are of no use, since samples keep
// at most four digits there. Labels are compared only if the model gives nothing else.
func TestUnits[M any, Y int | float64](fit func(X *mat.Dense, y []Y) (M, error), promise Units, tol float64) error {
	s := scattered()
	plain, err := fitAs(fit, s)
	if err != nil {
		return fmt.Errorf("the samples of the test are refused: %w", err)
	}
	want := realNumbers(outputs(plain, s.X))
	var broken []error
	for _, c := range promise.changes(s.X) {
		changed := s
		changed.X = c.apply(s.X)
		m, err := fitAs(fit, changed)
		if err == nil {
			got := realNumbers(outputs(m, changed.X))
			alignSigns(want, got)
			err = same(want, got, tol+100*0x1p-53*c.offset)
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(broken...)
}

// change is xⱼ ← sⱼ(xⱼ + tⱼ).
type change struct {
	name   string
	offset float64 // in standard deviations
	s, t   []float64
}

func (c change) apply(X *mat.Dense) *mat.Dense {
	var changed mat.Dense
	changed.Apply(func(_, j int, v float64) float64 { return c.s[j] * (v + c.t[j]) }, X)
	return &changed
}

// changes returns the extreme changes promised, some between them, and combinations of
// both.
func (u Units) changes(X *mat.Dense) []change {
	_, d := X.Dims()
	scales := [][]float64{{1}}
	if u.Scale > 1 {
		root := math.Sqrt(u.Scale)
		scales = append(scales, []float64{u.Scale}, []float64{1 / u.Scale}, []float64{root}, []float64{1 / root})
		if u.Each {
			scales = append(scales, []float64{u.Scale, 1, 1 / u.Scale}, []float64{1 / root, u.Scale, 3})
		}
	}
	offsets := []float64{0}
	for _, o := range []float64{u.Offset, math.Sqrt(u.Offset)} {
		if o > 0 {
			offsets = append(offsets, o)
		}
	}
	var all []change
	for _, scale := range scales {
		for _, offset := range offsets {
			c := change{offset: offset, s: make([]float64, d), t: make([]float64, d)}
			for j := range d {
				c.s[j] = scale[j%len(scale)]
				c.t[j] = offset * deviation(X, j) * []float64{1, -0.5, 0.9}[j%3]
			}
			if offset == 0 && len(scale) == 1 && scale[0] == 1 {
				continue
			}
			c.name = fmt.Sprintf("columns times %v, %v deviations away from 0", scale, offset)
			all = append(all, c)
		}
	}
	return all
}

func deviation(X *mat.Dense, j int) float64 {
	n, _ := X.Dims()
	mean, square := mat.Sum(X.ColView(j))/float64(n), 0.0
	for i := range n {
		e := X.At(i, j) - mean
		square += e * e / float64(n)
	}
	return math.Sqrt(square)
}

// alignSigns flips columns of transformed samples to the wanted signs, since the sign of
// an eigenvector may depend on the units.
func alignSigns(want, got []output) {
	for k := range min(len(want), len(got)) {
		w, g := want[k], got[k]
		if !strings.HasPrefix(g.name, "Transform") || len(w.rows) != len(g.rows) {
			continue
		}
		for j := range g.rows[0] {
			product := 0.0
			for i := range g.rows {
				if j < len(w.rows[i]) {
					product += w.rows[i][j] * g.rows[i][j]
				}
			}
			if product < 0 {
				for i := range g.rows {
					g.rows[i][j] = -g.rows[i][j]
				}
			}
		}
	}
}

// scattered returns samples with three columns in two distant clouds, for clusterers. The
// labels are unrelated to the clouds; the classes overlap along the two columns that do
// not separate the clouds.
func scattered() samples {
	const n = 48
	r := rand.New(rand.NewPCG(0x756e, 0x697473))
	s := samples{X: mat.NewDense(n, 3, nil), labels: make([]int, n)}
	for i := range n {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		s.labels[i] = -1
		if x[1]-x[2]+0.3*x[0]+r.NormFloat64() > 0 {
			s.labels[i] = 1
		}
		x[0] += 16 * float64(i%2)
		x[2] += 0.5 * x[1] // makes the columns correlated
		s.X.SetRow(i, x)
	}
	return s
}
