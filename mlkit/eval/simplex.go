package eval

import "math/big"

// gordan solves Gordan's alternative for the vectors zᵢ in rational arithmetic. It
// returns either α ≥ 0 with Σ αᵢ = 1 and Σ αᵢzᵢ = 0, or u with u·zᵢ > 0 for all i.
//
// It is phase I of the simplex method: it minimises the sum of the m artificial variables
// a ≥ 0 in
//
//	Σ αᵢzᵢ + a₁..ₘ₋₁ = 0,  Σ αᵢ + aₘ = 1,  α ≥ 0.
//
// If the minimum is 0, α is a solution. Otherwise the dual variables (π, ρ) of the
// optimum have π·zᵢ + ρ ≤ 0 for all i, and ρ, the minimum, is positive: u = -π. Bland's
// rule (Robert Bland, "New finite pivoting rules for the simplex method", 1977) prevents
// cycling.
func gordan(z [][]*big.Rat) (alpha, u []*big.Rat) {
	t := newTableau(z)
	for t.pivot() {
	}
	n, m := t.n, t.m
	if t.rows[m][n+m].Sign() == 0 {
		alpha = make([]*big.Rat, n)
		for i := range alpha {
			alpha[i] = new(big.Rat)
		}
		for r, column := range t.basis {
			if column < n {
				alpha[column] = t.rows[r][n+m]
			}
		}
		return alpha, nil
	}
	// The reduced cost of artificial variable r is 1 - πᵣ.
	for r := range m - 1 {
		u = append(u, new(big.Rat).Sub(t.rows[m][n+r], big.NewRat(1, 1)))
	}
	return nil, u
}

// tableau is a simplex tableau. It has a row for each of the m equations, and below them
// the reduced costs. Its columns are the n variables αᵢ, the m artificial variables and
// the right-hand side.
type tableau struct {
	n, m  int
	rows  [][]*big.Rat
	basis []int // basic variable of each row
}

func newTableau(z [][]*big.Rat) *tableau {
	n, m := len(z), len(z[0])+1
	t := &tableau{n: n, m: m, basis: make([]int, m)}
	for r := range m + 1 {
		row := make([]*big.Rat, n+m+1)
		for c := range row {
			row[c] = new(big.Rat)
			switch {
			case c < n && r < m-1:
				row[c].Set(z[c][r])
			case c < n && r == m-1, c == n+r && r < m, c == n+m && r == m-1:
				row[c].SetInt64(1)
			}
		}
		t.rows = append(t.rows, row)
		if r < m {
			t.basis[r] = n + r
		}
	}
	// With all artificial variables in the basis, the reduced cost of any other is minus
	// the sum of its column.
	cost := t.rows[m]
	for _, row := range t.rows[:m] {
		for c := range n {
			cost[c].Sub(cost[c], row[c])
		}
		cost[n+m].Sub(cost[n+m], row[n+m])
	}
	return t
}

// pivot brings the first variable of negative reduced cost into the basis, in place of
// the first of those that it drives to 0. It returns false if no reduced cost is
// negative.
func (t *tableau) pivot() bool {
	last := t.n + t.m
	in := 0
	for in < last && t.rows[t.m][in].Sign() >= 0 {
		in++
	}
	if in == last {
		return false
	}
	out := -1
	var least *big.Rat
	for r, row := range t.rows[:t.m] {
		if row[in].Sign() <= 0 {
			continue
		}
		q := new(big.Rat).Quo(row[last], row[in])
		if out < 0 || q.Cmp(least) < 0 || q.Cmp(least) == 0 && t.basis[r] < t.basis[out] {
			out, least = r, q
		}
	}
	// The sum of the artificial variables is at least 0, so some row always limits the
	// entering variable.
	t.eliminate(out, in)
	t.basis[out] = in
	return true
}

// eliminate makes column c a unit vector with its 1 in row r.
func (t *tableau) eliminate(r, c int) {
	p := new(big.Rat).Inv(t.rows[r][c])
	for _, v := range t.rows[r] {
		v.Mul(v, p)
	}
	product := new(big.Rat)
	for k, row := range t.rows {
		if k == r || row[c].Sign() == 0 {
			continue
		}
		f := new(big.Rat).Set(row[c])
		for j, v := range row {
			if t.rows[r][j].Sign() != 0 {
				v.Sub(v, product.Mul(f, t.rows[r][j]))
			}
		}
	}
}
