// Package feature computes features that let a linear classifier separate data that it
// can't separate otherwise: scaled columns, principal components, a constant column,
// products and powers, polar coordinates, histograms of oriented gradients. The weakness
// of linear predictors "is their lack of capacity", and the cure is to compute Φ(x) first
// (EE-559, "Limitations of linear predictors, feature design").
//
//	phi, err := feature.NewPolynomial(2, 2) // 1, x₀, x₁, x₀², x₀x₁, x₁²
//	if err != nil {
//		log.Fatal(err)
//	}
//	Z, err := feature.Apply(phi, X) // n×6
//
// # What to use when
//
//   - Standardize, MinMax: columns in different units, for algorithms that compare or
//     penalise them
//   - PCA: fewer columns, or uncorrelated ones
//   - Polynomial, Products: boundaries of degree 2 or more
//   - Polar: rings
//   - Histogram, HOG: images
//   - Constant: a bias for an algorithm without one
//
// Packages kernel and kernelized have maps into the space of a kernel.
//
// # Maps
//
// A Map is plain data. It can be stored as JSON beside the model fitted with it,
// is validated like a model when decoded, and applies to new samples in the same way.
// Store the maps of a Chain one by one, each as its own type. Maps with parameters
// learnt from data, Scaling and PCAModel, come from a Fit on the training samples. Package
// pipeline fits them together with the algorithm after them, and stores them with its
// model.
//
// In scikit-learn, Standardize is StandardScaler, MinMax is MinMaxScaler, Polynomial is
// PolynomialFeatures, and OneHot is OneHotEncoder. PCA has the same name.
//
// # The files
//
//   - feature.go: Map, Apply and chains of maps
//   - scaling.go, pca.go: the maps that are fitted
//   - maps.go, polynomial.go, hog.go: Constant, Polar and other small maps; products and
//     powers; histograms of gradients
//   - border.go: the edges of a Histogram's bins
//   - onehot.go, count.go: labels as columns; how many products there are
//   - decode.go, decode_maps.go: the decoding of the maps
//
// Package mlkit lists the lectures that the comments cite. HOG is that of Navneet Dalal and
// Bill Triggs, "Histograms of oriented gradients for human detection", CVPR 2005.
package feature

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Map is a function Φ from samples of length Inputs to features of length Dim. Apply
// and NewChain return an error for a map of this package with invalid fields; its
// methods may panic if called directly.
type Map interface {
	// Inputs returns the length of a sample.
	Inputs() int
	// Dim returns the number of features.
	Dim() int
	// TransformSample sets dst to Φ(x) and returns dst, a new slice if dst is nil. It
	// panics on wrong lengths. dst and x must not overlap.
	TransformSample(dst, x []float64) []float64
}

// Apply returns the matrix with row i = Φ of row i of X (n×d). It returns an error if X
// does not have m.Inputs() columns or has no rows, if a feature is not finite, or if m
// is an invalid map of this package.
func Apply(m Map, X mat.Matrix) (*mat.Dense, error) {
	return ApplyContext(context.Background(), m, X)
}

// ApplyContext is Apply with a context. Every 512 rows it looks whether ctx is done, and
// returns ctx's error.
func ApplyContext(ctx context.Context, m Map, X mat.Matrix) (*mat.Dense, error) {
	if ctx == nil {
		return nil, errors.New("feature: ctx is nil, want a context, such as context.Background()")
	}
	if err := validMap(m); err != nil {
		return nil, err
	}
	if missing(X) {
		return nil, fmt.Errorf("feature: X is nil, want an n×%d matrix, one sample a row", m.Inputs())
	}
	n, d, row := rows.Of(X)
	if n == 0 || d != m.Inputs() {
		return nil, fmt.Errorf("feature: X is %d×%d, want at least one row and %d columns", n, d, m.Inputs())
	}
	dim := m.Dim()
	if dim < 1 || n > maxNumbers/dim {
		return nil, fmt.Errorf("feature: %d rows of %d features, want at least one feature, and at most %d numbers in all", n, dim, maxNumbers)
	}
	Z := rows.NewDense(n, dim)
	for i := range n {
		if i > 0 && i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("feature: stopped at row %d of %d: %w", i, n, ctx.Err())
		}
		x, z := row(i), Z.RawRowView(i)
		m.TransformSample(z, x)
		for j, v := range z {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("feature: feature %d of X[%d] = %v, want a finite number%s", j, i, v, whereNotFinite(i, x))
			}
		}
	}
	return Z, nil
}

// maxNumbers is the largest number of elements of a matrix made here (16 GiB). A slip
// such as 1<<60 bins is then an error instead of a panic in make.
const maxNumbers = 1 << 31

// missing reports whether X is nil, or a nil *mat.Dense in the interface.
func missing(X mat.Matrix) bool {
	D, dense := X.(*mat.Dense)
	return X == nil || dense && D == nil
}

// validMap returns an error if m is nil, or a map of this package that would panic.
func validMap(m Map) error {
	switch m := m.(type) {
	case nil:
		return fmt.Errorf("feature: the map is nil, want one such as Constant or Polynomial")
	case interface{ valid() error }:
		return m.valid()
	}
	return nil
}

// whereNotFinite says whether the sample itself was not finite.
func whereNotFinite(i int, x []float64) string {
	for j, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("; X[%d][%d] = %v", i, j, v)
		}
	}
	return "; the numbers in X are too large for this map"
}

// Chain applies one map after the other. Each must have as many inputs as the one
// before has outputs; NewChain checks this.
type Chain []Map

// NewChain returns the chain of one or more maps. It returns an error if a map is
// invalid or does not fit the one before.
func NewChain(maps ...Map) (Chain, error) {
	c := Chain(maps)
	if err := c.valid(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c Chain) valid() error {
	if len(c) == 0 {
		return fmt.Errorf("feature: a chain of no maps, want at least one")
	}
	for i, m := range c {
		if err := validMap(m); err != nil {
			return fmt.Errorf("%w, in map %d of a chain", err, i)
		}
		if i > 0 && m.Inputs() != c[i-1].Dim() {
			return fmt.Errorf("feature: map %d of the chain takes %d numbers, but map %d gives %d; want as many", i, m.Inputs(), i-1, c[i-1].Dim())
		}
	}
	return nil
}

// Inputs returns the inputs of the first map. It panics if the chain is empty.
func (c Chain) Inputs() int {
	c.mustHaveMaps()
	return c[0].Inputs()
}

// Dim returns the dimension of the last map. It panics if the chain is empty.
func (c Chain) Dim() int {
	c.mustHaveMaps()
	return c[len(c)-1].Dim()
}

func (c Chain) mustHaveMaps() {
	if len(c) == 0 {
		panic("feature: a chain of no maps, want at least one")
	}
}

// TransformSample applies all maps in order.
func (c Chain) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", c, dst, x)
	for _, m := range c[:len(c)-1] {
		x = m.TransformSample(nil, x)
	}
	return c[len(c)-1].TransformSample(dst, x)
}
