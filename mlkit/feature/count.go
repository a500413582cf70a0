package feature

import "math/big"

// CountMonomials returns the number of monomials of degree d ≥ 0 in n ≥ 1 features:
// C(d+n-1, d) unordered (CMU, "Avoid explicitly expanding the features": for d = 6
// and n = 100 there are 1.6 billion), nᵈ ordered. It is the number of components of
// kernel.Monomials, and stands here because it is the one thing about them that needs
// whole numbers of any size.
func CountMonomials(n, d int, ordered bool) *big.Int {
	count := new(big.Int)
	if ordered {
		return count.Exp(big.NewInt(int64(n)), big.NewInt(int64(d)), nil)
	}
	return count.Binomial(int64(d+n-1), int64(d))
}
