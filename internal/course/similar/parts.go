package similar

import (
	"cmp"
	"maps"
	"slices"
)

// parts returns the lines of two texts that are alike: runs of equal tokens around the
// hashes that both have, the longest first taken, none of a token twice, none of the
// release's.
func parts(a, b text) (all []Part) {
	type run struct{ a, b, n int }
	var runs []run
	for _, sum := range slices.Sorted(maps.Keys(a.picked)) {
		// Loops that are written out ten times need not be compared a hundred times.
		const places = 8
		for _, i := range a.picked[sum][:min(places, len(a.picked[sum]))] {
			for _, j := range b.picked[sum][:min(places, len(b.picked[sum]))] {
				same := func(d int) bool {
					i, j := i+d, j+d
					return i >= 0 && j >= 0 && i < len(a.tokens) && j < len(b.tokens) && a.tokens[i].code == b.tokens[j].code &&
						a.tokens[i].cell == a.tokens[i-d].cell && b.tokens[j].cell == b.tokens[j-d].cell && !a.given[i] && !b.given[j]
				}
				from, to := 0, 0
				for same(from - 1) {
					from--
				}
				for same(to) {
					to++
				}
				runs = append(runs, run{i + from, j + from, to - from})
			}
		}
	}
	slices.SortFunc(runs, func(x, y run) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	runs = slices.Compact(runs)
	takenA, takenB := make([]bool, len(a.tokens)), make([]bool, len(b.tokens))
	for _, r := range runs {
		if r.n < Gram || slices.Contains(takenA[r.a:r.a+r.n], true) || slices.Contains(takenB[r.b:r.b+r.n], true) {
			continue
		}
		for i := range r.n {
			takenA[r.a+i], takenB[r.b+i] = true, true
		}
		all = append(all, Part{A: a.lines(r.a, r.n), B: b.lines(r.b, r.n), Tokens: r.n})
	}
	place := func(cells []Solution, id string) int {
		return slices.IndexFunc(cells, func(c Solution) bool { return c.ID == id })
	}
	slices.SortFunc(all, func(x, y Part) int {
		return cmp.Or(cmp.Compare(place(a.cells, x.A.Cell), place(a.cells, y.A.Cell)), cmp.Compare(x.A.From, y.A.From), cmp.Compare(x.B.From, y.B.From))
	})
	return all
}

// lines returns those of n tokens.
func (t text) lines(at, n int) Lines {
	first, last := t.tokens[at], t.tokens[at+n-1]
	return Lines{Cell: t.cells[first.cell].ID, From: int(first.line), To: int(last.line)}
}
