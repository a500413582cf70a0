package eigen

import (
	"fmt"
	"math"
	"slices"
)

// tiny is the threshold below which numbers count as 0, in a matrix whose largest
// element is about 1. Quotients of smaller numbers lose digits, and rotations computed
// from them are not orthogonal.
const tiny = 0x1p-960

// diagonalise reduces T to a diagonal matrix and turns the rows of Qᵀ into the
// eigenvectors.
//
// An off-diagonal element, or link, is negligible if it is rounding error relative to
// the norm of its block, as in the procedure tql2 (Hilary Bowdler, R. S. Martin, C.
// Reinsch and J. H. Wilkinson, "The QR and QL algorithms for symmetric matrices",
// Numerische Mathematik 11, 1968). Its neighbours on the diagonal are the wrong
// yardstick: in a matrix of low rank they are rounding errors themselves, and each
// sweep creates new links of their size.
func (t *tridiagonal) diagonalise() error {
	const (
		epsilon  = 0x1p-52
		usual    = 8 // sweeps: few eigenvalues need more
		patience = usual + 10
	)
	e, norm := t.e, 0.0 // norm: of the block that ends at end
	for low, end := 0, -1; low < t.n; low++ {
		if low > end {
			var err error
			if end, norm, err = t.block(low); err != nil {
				return err
			}
		}
		for turns := 0; ; turns++ {
			// In a cluster, rounding errors can keep links slightly above ε‖T‖, so the
			// threshold grows after a while.
			negligible := max(math.Ldexp(epsilon*norm, max(0, turns-usual)), tiny)
			high := low
			for high < end && math.Abs(e[high]) > negligible {
				high++
			}
			if high == low {
				break
			}
			if turns == patience {
				return fmt.Errorf("eigen: the eigenvalues of a dense matrix do not converge: link %d = %v of a block of norm %v", low, e[low], norm)
			}
			if err := t.sweep(low, high); err != nil {
				return err
			}
		}
	}
	return t.vectors.apply(t.ctx)
}

// block returns the end of the block of T that begins at low, and its norm: the largest
// magnitude of its elements. Links between blocks are too small to change a digit of
// them. block reverses the block if its larger elements come first, because QL needs
// fewer sweeps if they come last.
func (t *tridiagonal) block(low int) (end int, norm float64, err error) {
	const epsilon = 0x1p-52
	d, e := t.d, t.e
	end, norm = low, math.Abs(d[low])
	for end < t.n-1 && math.Abs(e[end]) > max(epsilon*min(math.Abs(d[end]), math.Abs(d[end+1])), tiny) {
		norm = max(norm, math.Abs(e[end]), math.Abs(d[end+1]))
		end++
	}
	if math.Abs(d[low]) > math.Abs(d[end]) {
		slices.Reverse(d[low : end+1])
		slices.Reverse(e[low:end])
		err = t.vectors.reverse(t.ctx, low, end)
	}
	return end, norm, err
}

// sweep does one QL step with Wilkinson's shift on the block from low to high.
func (t *tridiagonal) sweep(low, high int) error {
	d, e := t.d, t.e
	half := (d[low+1] - d[low]) / (2 * e[low])
	g := d[high] - d[low] + e[low]/(half+math.Copysign(math.Hypot(half, 1), half))
	sin, cos, shift := 1.0, 1.0, 0.0
	rotations := make([]float64, 0, 2*(high-low))
	for i := high - 1; i >= low; i-- {
		if (high-i)%64 == 0 {
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
		f, b := sin*e[i], cos*e[i]
		r := math.Hypot(f, g)
		if r <= tiny { // the block splits here
			d[i+1] -= shift
			e[i+1], e[high] = 0, 0
			return t.vectors.record(t.ctx, high, rotations)
		}
		e[i+1] = r
		sin, cos = f/r, g/r
		g = d[i+1] - shift
		r = (d[i]-g)*sin + 2*cos*b
		shift = sin * r
		d[i+1] = g + shift
		g = cos*r - b
		rotations = append(rotations, cos, sin) // of rows i+1 and i
	}
	d[low] -= shift
	e[low], e[high] = g, 0
	return t.vectors.record(t.ctx, high, rotations)
}
