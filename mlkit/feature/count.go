package feature

import (
	"fmt"
	"math"
	"math/big"
)

// CountMonomials returns the number of monomials of degree d ≥ 0 in n ≥ 1 features:
// C(d+n-1, d) unordered (CMU, "Avoid explicitly expanding the features": for d = 6 and
// n = 100 there are 1.6 billion), nᵈ ordered. This is the number of components of
// kernel.Monomials; the function is here to keep math/big out of package kernel. It
// returns 0 for other n and d, and panics if the number would have more than a million
// bits.
func CountMonomials(n, d int, ordered bool) *big.Int {
	count := new(big.Int)
	if n < 1 || d < 0 {
		return count
	}
	// C(d+n-1, k) with k = min(d, n-1) is a product of at most k factors up to d+n-1;
	// nᵈ is a product of d factors n.
	factors, factor := float64(d), float64(n)
	if !ordered {
		factors, factor = float64(min(d, n-1)), float64(d)+float64(n)-1
	}
	if factor > math.MaxInt64/2 || factors*math.Log2(max(factor, 1)) > 1<<20 {
		panic(fmt.Sprintf("feature: CountMonomials of degree d = %d in n = %d features has more than a million bits", d, n))
	}
	if ordered {
		return count.Exp(big.NewInt(int64(n)), big.NewInt(int64(d)), nil)
	}
	return count.Binomial(int64(d+n-1), int64(d))
}
