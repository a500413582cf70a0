package feature

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Standardize learns to scale each column to mean 0 and standard deviation 1,
//
//	zⱼ = (xⱼ - μⱼ)/σⱼ,  σⱼ² = 1/n·Σᵢ (xᵢⱼ - μⱼ)².
//
// A constant column becomes 0. z does not depend on the origins and units of the
// columns.
type Standardize struct{}

// MinMax learns to scale each column to the interval from Low to High,
//
//	zⱼ = Low + (High - Low)·(xⱼ - minⱼ)/(maxⱼ - minⱼ),
//
// where the extremes are those of the training samples; other samples may fall outside.
// A constant column becomes Low. LIBSVM's svm-scale does the same with -1 and 1, except
// for constant columns.
type MinMax struct {
	Low, High float64 // both 0 means 0 and 1
}

// Scaling is the result of Standardize and MinMax, an affine map of each column:
//
//	zⱼ = Offset + Span·(xⱼ - Shift[j])/Units[j].
//
// Its methods panic if a sample or a destination has the wrong length or shape.
type Scaling struct {
	Shift  []float64 `json:"shift"`  // d numbers: the means or minima
	Units  []float64 `json:"unit"`   // d numbers > 0: the standard deviations or ranges; 1 for constant columns
	Offset float64   `json:"offset"` // 0 or Low
	Span   float64   `json:"span"`   // 1 or High - Low
}

var _ Map = (*Scaling)(nil)

// Fit learns the means and standard deviations of the columns of X (n×d). It returns an
// error if X is invalid or the range of a column overflows.
func (s Standardize) Fit(X *mat.Dense) (*Scaling, error) { return s.FitWith(mlkit.Options{}, X) }

// FitWith is Fit with weights of the samples. It is over before a context could end it.
func (Standardize) FitWith(o mlkit.Options, X *mat.Dense) (*Scaling, error) {
	return fitScaling(o, X, 0, 1, func(each func(add func(x []float64, w float64)), first, shift, units []float64) {
		// Sum the differences from the first row, divided by the largest of them, so that no
		// sum overflows.
		n := 0.0
		largest, means, squares := make([]float64, len(first)), make([]float64, len(first)), make([]float64, len(first))
		each(func(x []float64, w float64) {
			n += w
			for j, v := range x {
				if e := math.Abs(v - first[j]); e > largest[j] {
					largest[j] = e
				}
			}
		})
		each(func(x []float64, w float64) {
			for j, v := range x {
				means[j] += w * ((v - first[j]) / largest[j]) // NaN in a constant column
			}
		})
		for j := range means {
			means[j] /= n
		}
		each(func(x []float64, w float64) {
			for j, v := range x {
				e := (v-first[j])/largest[j] - means[j]
				squares[j] += w * (e * e)
			}
		})
		for j, most := range largest {
			shift[j] = first[j]
			if most > 0 {
				shift[j], units[j] = first[j]+most*means[j], most*math.Sqrt(squares[j]/n)
			}
		}
	})
}

// Fit learns the minima and ranges of the columns of X (n×d). It returns an error if X
// or m is invalid, or if the range of a column overflows.
func (m MinMax) Fit(X *mat.Dense) (*Scaling, error) { return m.FitWith(mlkit.Options{}, X) }

// FitWith is Fit with weights of the samples: those of weight 0 do not count. It is over
// before a context could end it.
func (m MinMax) FitWith(o mlkit.Options, X *mat.Dense) (*Scaling, error) {
	if m == (MinMax{}) {
		m.High = 1
	}
	if !(m.Low < m.High) || math.IsInf(m.High-m.Low, 0) {
		return nil, fmt.Errorf("feature: MinMax{Low: %v, High: %v}, want finite numbers, Low below High", m.Low, m.High)
	}
	return fitScaling(o, X, m.Low, m.High-m.Low, func(each func(add func(x []float64, w float64)), first, low, ranges []float64) {
		high := slices.Clone(first)
		copy(low, high)
		each(func(x []float64, _ float64) {
			for j, v := range x {
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		})
		floats.SubTo(ranges, high, low)
	})
}

// FitMap is FitWith as a step of a pipeline: see pipeline.Step.
func (s Standardize) FitMap(o mlkit.Options, X *mat.Dense) (Map, error) {
	return asMap(s.FitWith(o, X))
}

// FitMap is FitWith as a step of a pipeline: see pipeline.Step.
func (m MinMax) FitMap(o mlkit.Options, X *mat.Dense) (Map, error) { return asMap(m.FitWith(o, X)) }

// asMap returns s as a Map, which is nil if there is an error.
func asMap(s *Scaling, err error) (Map, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// fitScaling has learn set the shifts and the units of the columns, 0 for a constant one; each
// calls a function with one row of X after another and its weight, in units of the largest.
// Rows of weight 0 are absent.
func fitScaling(o mlkit.Options, X *mat.Dense, offset, span float64, learn func(each func(add func(x []float64, w float64)), first, shift, units []float64)) (*Scaling, error) {
	if err := check.Samples("feature", X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if err := check.Weights("feature", n, o.Weights); err != nil {
		return nil, err
	}
	present := rows.Present(o.Weights)
	X, weights := rows.Select(X, present), rows.Pick(o.Weights, present)
	n, _ = X.Dims()
	largest := 1.0
	if weights != nil {
		largest = floats.Max(weights)
	}
	s := &Scaling{Shift: make([]float64, d), Units: make([]float64, d), Offset: offset, Span: span}
	learn(func(add func(x []float64, w float64)) {
		for i := range n {
			w := 1.0
			if weights != nil {
				w = weights[i] / largest
			}
			add(X.RawRowView(i), w)
		}
	}, X.RawRowView(0), s.Shift, s.Units)
	for j, unit := range s.Units {
		if !(unit <= math.MaxFloat64) {
			return nil, fmt.Errorf("feature: column %d of X has a range that overflows; divide it by a power of ten first", j)
		}
		if unit == 0 {
			s.Units[j] = 1
		}
	}
	return s, nil
}

// Inputs returns d.
func (s *Scaling) Inputs() int { return len(s.Shift) }

// Dim returns d.
func (s *Scaling) Dim() int { return len(s.Shift) }

func (s *Scaling) valid() error {
	if s == nil {
		return fmt.Errorf("feature: the Scaling is nil, want one from a Fit")
	}
	if len(s.Units) != len(s.Shift) {
		return fmt.Errorf("feature: Scaling has %d units for %d shifts, want one of each for each column", len(s.Units), len(s.Shift))
	}
	if len(s.Shift) == 0 {
		return fmt.Errorf("feature: Scaling has no columns, want at least one")
	}
	for j, unit := range s.Units {
		if !(unit > 0 && unit <= math.MaxFloat64) {
			return fmt.Errorf("feature: Scaling.Units[%d] = %v, want a positive number", j, unit)
		}
		if shift := s.Shift[j]; !(math.Abs(shift) <= math.MaxFloat64) {
			return fmt.Errorf("feature: Scaling.Shift[%d] = %v, want a finite number", j, shift)
		}
	}
	if !(math.Abs(s.Offset) <= math.MaxFloat64 && s.Span > 0 && s.Span <= math.MaxFloat64) {
		return fmt.Errorf("feature: Scaling has Offset %v and Span %v, want finite numbers, the second positive", s.Offset, s.Span)
	}
	return nil
}

// TransformSample sets dst to the scaled sample.
func (s *Scaling) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", s, dst, x)
	shift, units := s.Shift[:len(x)], s.Units[:len(x)]
	for j, v := range x {
		dst[j] = s.Offset + s.Span*((v-shift[j])/units[j])
	}
	return dst
}

// Transform sets the rows of dst to the scaled rows of X (n×d) and returns dst, a new
// n×d matrix if dst is nil. Apply does the same, but validates X.
func (s *Scaling) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, d, row := rows.Of(X)
	if n == 0 || d != len(s.Shift) {
		panic(fmt.Sprintf("feature: X is %d×%d, want at least one row and %d columns", n, d, len(s.Shift)))
	}
	if dst == nil {
		dst = rows.NewDense(n, d)
	}
	if r, c := dst.Dims(); r != n || c != d {
		panic(fmt.Sprintf("feature: dst is %d×%d, want %d×%d, a row for each row of X", r, c, n, d))
	}
	for i := range n {
		s.TransformSample(dst.RawRowView(i), row(i))
	}
	return dst
}

// Inverse sets dst to the sample that scales to z and returns dst, a new slice if dst
// is nil. A constant column gets its constant back where z is Offset.
func (s *Scaling) Inverse(dst, z []float64) []float64 {
	dst = rows.Mapped("feature", s, dst, z)
	for j, v := range z {
		dst[j] = s.Shift[j] + s.Units[j]*((v-s.Offset)/s.Span)
	}
	return dst
}
