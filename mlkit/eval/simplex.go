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
// cycling. The elements of the zᵢ are float64 numbers: their denominators are powers of 2.
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
				value := new(big.Rat).SetFrac(t.rows[r][n+m], t.den)
				alpha[column] = value.Mul(value, new(big.Rat).SetInt(t.units[column]))
			}
		}
		return alpha, nil
	}
	// The reduced cost of artificial variable r is 1 - πᵣ.
	for r := range m - 1 {
		cost := new(big.Rat).SetFrac(t.rows[m][n+r], t.den)
		u = append(u, cost.Sub(cost, big.NewRat(1, 1)))
	}
	return nil, u
}

// tableau is a simplex tableau. It has a row for each of the m equations, and below them
// the reduced costs. Its columns are the n variables αᵢ, each in a unit that makes its
// column one of integers, the m artificial variables and the right-hand side.
//
// It has integers over a common denominator. Their quotient by the denominator before is
// exact at each step, and they need no greatest common divisors, which take most of the
// time with rationals (Erwin Bareiss, "Sylvester's identity and multistep integer-preserving
// Gaussian elimination", Mathematics of Computation 22, 1968).
type tableau struct {
	n, m  int
	rows  [][]*big.Int // times den
	den   *big.Int     // the last pivot, positive
	units []*big.Int   // of each αᵢ
	basis []int        // basic variable of each row
}

func newTableau(z [][]*big.Rat) *tableau {
	n, m := len(z), len(z[0])+1
	t := &tableau{n: n, m: m, den: big.NewInt(1), basis: make([]int, m)}
	for _, row := range z {
		unit := big.NewInt(1)
		for _, v := range row {
			if d := v.Denom(); d.Cmp(unit) > 0 { // a multiple of the smaller powers of 2
				unit = d
			}
		}
		t.units = append(t.units, unit)
	}
	for r := range m + 1 {
		row := make([]*big.Int, n+m+1)
		for c := range row {
			row[c] = new(big.Int)
			switch {
			case c < n && r < m-1:
				row[c].Quo(t.units[c], z[c][r].Denom())
				row[c].Mul(row[c], z[c][r].Num())
			case c < n && r == m-1:
				row[c].Set(t.units[c])
			case c == n+r && r < m, c == n+m && r == m-1:
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
	var here, least big.Int // the limits of two rows, times both of their divisors
	for r, row := range t.rows[:t.m] {
		if row[in].Sign() <= 0 {
			continue
		}
		if out >= 0 {
			here.Mul(row[last], t.rows[out][in])
			least.Mul(t.rows[out][last], row[in])
		}
		if order := here.Cmp(&least); out < 0 || order < 0 || order == 0 && t.basis[r] < t.basis[out] {
			out = r
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
	pivot := t.rows[r]
	p := pivot[c]
	var a, b big.Int
	for k, row := range t.rows {
		if k == r {
			continue
		}
		f := new(big.Int).Set(row[c])
		for j, v := range row {
			a.Mul(p, v)
			if f.Sign() != 0 && pivot[j].Sign() != 0 {
				a.Sub(&a, b.Mul(f, pivot[j]))
			}
			v.Quo(&a, t.den)
		}
	}
	t.den = new(big.Int).Set(p)
}
