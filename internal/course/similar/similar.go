// Package similar finds submissions whose solutions are alike: copies with other
// names, other numbers, other comments, in another order.
//
//	pairs, err := similar.Pairs(ctx, release, submissions)
//	for _, p := range pairs {
//		fmt.Printf("%s and %s: %.0f%%\n", p.A, p.B, 100*p.Share)
//	}
//
// A cell becomes tokens: names become one token each, literals one for their kind,
// comments, semicolons and the lines for the kernel (%%, %test, !) none. Words that
// the language gives (len, nil, float64) stay. All runs of Gram tokens are hashed, and
// winnowing picks the same few of them from equal texts: any common run of Certain
// tokens is found, none shorter than Gram is. Picked hashes that stand in the release,
// or in half of at least 20 submissions, count for nothing: everybody has them.
//
// That two are alike is a reason to look, not a proof. Short answers are alike by
// nature; one that is too short to be told apart is in no pair.
//
// Source: Schleimer, Wilkerson, Aiken, Winnowing: Local Algorithms for Document
// Fingerprinting, SIGMOD 2003, sections 3 and 5.
package similar

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/notebook/nbformat"
)

const (
	// Gram is the noise threshold k of the paper, in tokens: two lines of Go. Loops
	// over a slice that two students write have about 12 tokens in common.
	Gram = 16

	// Certain is its guarantee threshold t.
	Certain = 24

	window = Certain - Gram + 1

	// least is how many picked hashes two must have in common. One stands for 5 tokens
	// in the mean (the density of winnowing is 2/(window+1)), so that is ten lines.
	least = 12

	// alike is the share of the smaller one's hashes from which on a pair is reported.
	alike = 0.4

	// most bounds the pairs that are reported.
	most = 200

	// maxTokens bounds what one submission costs. A large one has some 5,000.
	maxTokens = 50_000

	// budget bounds the counting of common hashes: 3,000 submissions that have 900
	// hashes in pairs with all others each need less. Rare hashes are counted first.
	budget = 4_000_000_000

	// An everyday hash is in more than half of the submissions, if there are enough
	// that half of them do not copy from one another.
	enough = 20
)

// A Submission is one student's code.
type Submission struct {
	Student string
	Cells   []Solution
}

// A Solution is one code cell of a submission, or of the release.
type Solution struct{ ID, Source string }

// Code returns the code cells of a notebook.
func Code(nb *nbformat.Notebook) (cells []Solution) {
	for _, c := range nb.Cells {
		if c.Type == "code" {
			cells = append(cells, Solution{c.ID, c.Source})
		}
	}
	return cells
}

// A Pair is two students with solutions that are alike.
type Pair struct {
	A, B  string
	Share float64 // of the smaller one's own code that the other has too, from 0 to 1
	Parts []Part  // where, in the order of A's cells
}

// A Part is lines that are alike.
type Part struct {
	A, B   Lines
	Tokens int
}

// Lines are some of a cell's, both ends included, counted from 1.
type Lines struct {
	Cell     string
	From, To int
}

// Pairs returns the pairs of submissions that are alike, the most alike first, at most
// 200. release is what all students were given. The result depends on nothing but the
// arguments.
func Pairs(ctx context.Context, release []Solution, all []Submission) ([]Pair, error) {
	given := map[uint64]bool{}
	for _, h := range hashes(tokens(release)) {
		given[h.sum] = true
	}
	own, err := ownHashes(ctx, all, given)
	if err != nil {
		return nil, err
	}
	common, everyday := holders(own)
	for i := range own {
		own[i] = slices.DeleteFunc(own[i], func(sum uint64) bool { return everyday[sum] })
	}
	shared, err := count(ctx, common, len(all))
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	var at [][2]int
	for b := range all {
		for a := range b {
			n := int(shared[b*(b-1)/2+a])
			smaller := min(len(own[a]), len(own[b]))
			if n >= least && float64(n) >= alike*float64(smaller) {
				pairs = append(pairs, Pair{A: all[a].Student, B: all[b].Student, Share: float64(n) / float64(smaller)})
				at = append(at, [2]int{a, b})
			}
		}
	}
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(pairs[j].Share, pairs[i].Share) })
	var result []Pair
	for _, i := range order[:min(most, len(order))] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p := pairs[i]
		p.Parts = parts(textOf(all[at[i][0]].Cells, given, everyday), textOf(all[at[i][1]].Cells, given, everyday))
		result = append(result, p)
	}
	return result, nil
}

// ownHashes returns the picked hashes of each submission that the release has not,
// sorted, each once.
func ownHashes(ctx context.Context, all []Submission, given map[uint64]bool) ([][]uint64, error) {
	own := make([][]uint64, len(all))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range all {
		work.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, h := range pick(hashes(tokens(s.Cells))) {
				if !given[h.sum] {
					own[i] = append(own[i], h.sum)
				}
			}
			slices.Sort(own[i])
			own[i] = slices.Clip(slices.Compact(own[i]))
			return nil
		})
	}
	return own, work.Wait()
}

// holders returns for each hash that several submissions have which ones those are,
// ascending, and the hashes that everybody has.
func holders(own [][]uint64) (common [][]int32, everyday map[uint64]bool) {
	type held struct {
		sum uint64
		by  int32
	}
	var all []held
	for i, sums := range own {
		for _, sum := range sums {
			all = append(all, held{sum, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b held) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.by, b.by)) })
	limit := len(own)
	if limit >= enough {
		limit /= 2
	}
	everyday = map[uint64]bool{}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].sum == all[from].sum {
			to++
		}
		switch {
		case to-from > limit:
			everyday[all[from].sum] = true
		case to-from > 1:
			who := make([]int32, to-from)
			for i := range who {
				who[i] = all[from+i].by
			}
			common = append(common, who)
		}
		from = to
	}
	return common, everyday
}

// count returns how many hashes each two of n have in common; that of a < b is at
// b(b-1)/2+a.
func count(ctx context.Context, common [][]int32, n int) ([]uint32, error) {
	shared := make([]uint32, n*(n-1)/2)
	slices.SortFunc(common, func(a, b []int32) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b)) })
	steps := 0
	for _, who := range common {
		if steps += len(who) * (len(who) - 1) / 2; steps > budget {
			break
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for j, b := range who {
			row := shared[int(b)*(int(b)-1)/2:]
			for _, a := range who[:j] {
				row[a]++
			}
		}
	}
	return shared, nil
}
