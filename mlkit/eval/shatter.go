package eval

import (
	"fmt"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

// maxShatterRows limits the points that are labelled in all 2ⁿ⁻¹ ways (up to sign).
const maxShatterRows = 16

// Shattering reports whether hyperplanes shatter a set of points: whether some hyperplane
// achieves each labelling of the points by -1 and +1.
type Shattering struct {
	Shattered bool // whether each labelling has a hyperplane

	// Labels is the first labelling that no hyperplane achieves, and Alpha its proof as
	// in Separation; both are nil if Shattered. Labellings are ordered as binary numbers,
	// with point 0 as the lowest digit and +1 as 0. By Radon's theorem (Johann Radon,
	// 1921) any d+2 points have such a labelling.
	Labels []int
	Alpha  []float64
}

// Shatter tries all labellings of the rows of X (n×d, n at most 16) by Separate.
// Hyperplanes shatter n points if and only if the points are affinely independent. So
// they shatter some d+1 points but no d+2: their VC dimension is d+1 (CMU, "Complexity of
// Large Margin Linear Sep."; Yuille, section 6; Vapnik and Chervonenkis, 1971).
func Shatter(X *mat.Dense) (Shattering, error) {
	s := Shattering{Shattered: true}
	err := labellings(X, func(y []int) (bool, error) {
		separation, err := Separate(X, y)
		if err == nil && !separation.Separable {
			s = Shattering{Labels: slices.Clone(y), Alpha: separation.Alpha}
		}
		return separation.Separable, err
	})
	if err != nil {
		return Shattering{}, err
	}
	return s, nil
}

// Dichotomies returns how many of the 2ⁿ labellings of the rows of X (n×d, n at most 16)
// by -1 and +1 a hyperplane separates. For points in general position it is CoverCount(n,
// d).
//
// It extends separable labellings point by point, with at most two calls of Separate for
// each of them: an inseparable labelling stays inseparable with more points. 16 points
// take some seconds in the plane, and minutes in more dimensions.
func Dichotomies(X *mat.Dense) (int, error) {
	if err := checkShatter(X); err != nil {
		return 0, err
	}
	n, d := X.Dims()
	y := make([]int, n)
	var extend func(k int) (int, error)
	extend = func(k int) (int, error) {
		if k == n {
			return 1, nil
		}
		count := 0
		for _, label := range []int{+1, -1} {
			y[k] = label
			separation, err := Separate(X.Slice(0, k+1, 0, d).(*mat.Dense), y[:k+1])
			if err != nil {
				return 0, err
			}
			if !separation.Separable {
				continue
			}
			more, err := extend(k + 1)
			if err != nil {
				return 0, err
			}
			count += more
		}
		return count, nil
	}
	y[0] = +1 // by symmetry, -1 gives as many
	half, err := extend(1)
	return 2 * half, err
}

// checkShatter checks the points to shatter.
func checkShatter(X *mat.Dense) error {
	if err := check.Samples("eval", X); err != nil {
		return err
	}
	if n, _ := X.Dims(); n > maxShatterRows {
		return fmt.Errorf("eval: X has %d rows, want at most %d, since 2ⁿ labellings are tried", n, maxShatterRows)
	}
	return nil
}

// labellings calls f with every labelling whose last label is +1, until f returns false
// or an error. By symmetry those with -1 add nothing.
func labellings(X *mat.Dense, f func(y []int) (more bool, err error)) error {
	if err := checkShatter(X); err != nil {
		return err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	for bits := range 1 << (n - 1) {
		for i := range y {
			y[i] = 1 - 2*(bits>>i&1)
		}
		if more, err := f(y); !more || err != nil {
			return err
		}
	}
	return nil
}

// CoverCount returns how many of the 2ⁿ labellings of n points in general position in d
// dimensions hyperplanes separate. General position means that no hyperplane contains
// more than d of the points. The number is
//
//	C(n, d) = 2 Σ_{k=0..d} (n-1 over k)
//
// (Thomas Cover, "Geometrical and statistical properties of systems of linear
// inequalities with applications in pattern recognition", 1965, equation 5, with d+1 for
// his dimension, since his hyperplanes pass through the origin). It is 2ⁿ for n ≤ d+1,
// half of that for n = 2(d+1), and 0 unless n ≥ 1 and d ≥ 0. CoverCount panics if both n
// and d exceed 65536: the number would have tens of thousands of digits.
func CoverCount(n, d int) *big.Int {
	sum := new(big.Int)
	if n < 1 || d < 0 {
		return sum
	}
	if min(n, d) > maxCover {
		panic(fmt.Sprintf("eval: CoverCount of n = %d points in d = %d dimensions, want one of them at most %d", n, d, maxCover))
	}
	// (n-1 over k+1) is (n-1 over k)·(n-1-k)/(k+1), exactly.
	term := big.NewInt(1)
	for k := 0; k <= min(d, n-1); k++ {
		sum.Add(sum, term)
		term.Mul(term, big.NewInt(int64(n-1-k)))
		term.Quo(term, big.NewInt(int64(k+1)))
	}
	return sum.Lsh(sum, 1)
}

const maxCover = 1 << 16
