package eval

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Fold is one split of the samples: the training and the test rows, both ascending.
type Fold struct {
	Train, Test []int
}

// KFold splits samples into K parts. Each part is the test set of one fold; the other
// parts are its training set.
type KFold struct {
	K int // at least 2; 0 means 5

	// Shuffle assigns samples to parts in a random order that depends on Seed. If false,
	// each part is a range of consecutive rows.
	Shuffle bool
	Seed    uint64

	// Repeats is the number of times that the samples are split, each time in another
	// random order: K times as many folds. More than 1 needs Shuffle; 0 means 1.
	Repeats int
}

// Folds returns K folds of n samples, or K times Repeats. The sizes of the parts differ by
// at most 1.
func (f KFold) Folds(n int) ([]Fold, error) {
	return f.repeated(n, func(part, order []int, k int) error {
		for i, row := range order {
			part[row] = i * k / n
		}
		return nil
	})
}

// repeated returns the folds of n samples. assign sets the part of each row, from 0 to k-1,
// given the rows in an order; it is called for each repeat.
func (f KFold) repeated(n int, assign func(part, order []int, k int) error) ([]Fold, error) {
	k, err := f.parts(n)
	if err != nil {
		return nil, err
	}
	if f.Repeats < 0 || f.Repeats > 1 && !f.Shuffle {
		return nil, fmt.Errorf("eval: KFold.Repeats = %d with Shuffle = %v, want a positive number, or 0 for 1, and Shuffle for more than 1", f.Repeats, f.Shuffle)
	}
	repeats := max(1, f.Repeats)
	if repeats > maxNumbers/k/n {
		return nil, fmt.Errorf("eval: KFold.Repeats = %d with %d folds of %d samples have more than %d row numbers, want fewer", repeats, k, n, maxNumbers)
	}
	var folds []Fold
	for r := range repeats {
		part := make([]int, n)
		if err := assign(part, order(n, f.Shuffle, f.Seed+uint64(r)), k); err != nil {
			return nil, err
		}
		folds = append(folds, foldsOf(part, k)...)
	}
	return folds, nil
}

// Stratified returns K folds of len(y) samples, or K times Repeats, stratified by class: the
// counts of a class in two parts differ by at most 1, and so do the sizes of the parts.
// Labels are any ints. It returns an error if a class has fewer than K samples, since some
// part would have none.
func (f KFold) Stratified(y []int) ([]Fold, error) {
	return f.repeated(len(y), func(part, order []int, k int) error {
		next := 0
		for _, class := range byClass(y, order) {
			if len(class) < k {
				return fmt.Errorf("eval: y has %d of label %d, want at least K = %d", len(class), y[class[0]], k)
			}
			// The next class continues at the part where this one ended.
			for _, row := range class {
				part[row] = next % k
				next++
			}
		}
		return nil
	})
}

// Grouped returns K folds of len(groups) samples, or K times Repeats, such that all samples
// of a group are in one part: of one patient, one writer, one day. Otherwise a model that
// knows the group would look better than it is on new ones. Groups are any ints. The
// largest group goes first to the part with the fewest samples, so the sizes of the parts
// differ by no more than the largest group. It returns an error if there are fewer than K
// groups.
func (f KFold) Grouped(groups []int) ([]Fold, error) {
	return f.repeated(len(groups), func(part, order []int, k int) error {
		all := byClass(groups, order)
		if len(all) < k {
			return fmt.Errorf("eval: groups has %d different numbers, want at least K = %d", len(all), k)
		}
		// In random order first, so that groups of one size go to other parts each time.
		at := make(map[int]int, len(all))
		for i, row := range order {
			if _, ok := at[groups[row]]; !ok {
				at[groups[row]] = i
			}
		}
		slices.SortFunc(all, func(a, b []int) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(at[groups[a[0]]], at[groups[b[0]]]))
		})
		size := make([]int, k)
		for _, group := range all {
			smallest := 0
			for p := range size {
				if size[p] < size[smallest] {
					smallest = p
				}
			}
			for _, row := range group {
				part[row] = smallest
			}
			size[smallest] += len(group)
		}
		return nil
	})
}

// LeaveOneOut returns n ≥ 2 folds, each with a single test sample. It returns an error
// for n > 16384, since the folds together hold n² row numbers.
func LeaveOneOut(n int) ([]Fold, error) {
	if n < 2 {
		return nil, fmt.Errorf("eval: LeaveOneOut of n = %d samples, want at least 2", n)
	}
	if n > maxNumbers/n {
		return nil, fmt.Errorf("eval: LeaveOneOut of n = %d samples, want at most 16384, as it fits n models to n-1 of them; KFold takes more", n)
	}
	return KFold{K: n}.Folds(n)
}

// parts returns the number of parts for n samples.
func (f KFold) parts(n int) (int, error) {
	if n < 2 {
		return 0, fmt.Errorf("eval: %d samples, want at least 2 to divide", n)
	}
	k := cmp.Or(f.K, 5)
	if k < 2 {
		return 0, fmt.Errorf("eval: KFold.K = %d, want at least 2, or 0 for 5", k)
	}
	if n < k {
		return 0, fmt.Errorf("eval: KFold.K = %d, want at most the number of samples, %d", k, n)
	}
	if n > maxNumbers/k {
		return 0, fmt.Errorf("eval: KFold.K = %d folds of %d samples have more than %d row numbers, want fewer folds or samples", k, n, maxNumbers)
	}
	return k, nil
}

// order returns the numbers from 0 to n-1, in random order if shuffled.
func order(n int, shuffled bool, seed uint64) []int {
	if shuffled {
		return rand.New(rand.NewPCG(seed, 0)).Perm(n)
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// byClass groups rows by class, in ascending order of the label. Within a class it keeps
// the order of rows.
func byClass(y, rows []int) [][]int {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		switch {
		case y[a] < y[b]:
			return -1
		case y[a] > y[b]:
			return 1
		}
		return 0
	})
	var classes [][]int
	for first, i := 0, 1; i <= len(rows); i++ {
		if i == len(rows) || y[rows[i]] != y[rows[first]] {
			classes = append(classes, rows[first:i])
			first = i
		}
	}
	return classes
}

// foldsOf returns k folds, given the part of each sample.
func foldsOf(part []int, k int) []Fold {
	folds := make([]Fold, k)
	for row, p := range part {
		for j := range folds {
			if j == p {
				folds[j].Test = append(folds[j].Test, row)
			} else {
				folds[j].Train = append(folds[j].Train, row)
			}
		}
	}
	return folds
}

// Holdout is a single random split of the samples.
type Holdout struct {
	TestFraction float64 // fraction of test samples, between 0 and 1; 0 means 1/4
	Seed         uint64  // seed of the random choice of rows
}

// Fold splits n samples at random. The number of test samples is rounded to nearest, with
// at least one sample on each side.
func (h Holdout) Fold(n int) (Fold, error) {
	fraction, err := h.fraction()
	if err != nil {
		return Fold{}, err
	}
	if n < 2 {
		return Fold{}, fmt.Errorf("eval: n = %d, want at least 2 samples to divide", n)
	}
	if n > maxNumbers {
		return Fold{}, fmt.Errorf("eval: n = %d, want at most %d samples", n, maxNumbers)
	}
	part := make([]int, n)
	h.deal(part, order(n, true, h.Seed), fraction)
	return foldsOf(part, 2)[1], nil
}

// Stratified splits the samples of each class at random, as Fold does. It returns an
// error if a class has only one sample.
func (h Holdout) Stratified(y []int) (Fold, error) {
	fraction, err := h.fraction()
	if err != nil {
		return Fold{}, err
	}
	if len(y) == 0 {
		return Fold{}, fmt.Errorf("eval: y is empty, want at least two labels of each class")
	}
	part := make([]int, len(y))
	for _, rows := range byClass(y, order(len(y), true, h.Seed)) {
		if len(rows) < 2 {
			return Fold{}, fmt.Errorf("eval: y[%d] = %d is the only one of its label, want at least 2", rows[0], y[rows[0]])
		}
		h.deal(part, rows, fraction)
	}
	return foldsOf(part, 2)[1], nil
}

// deal puts the given fraction of rows, from the start, into part 1.
func (h Holdout) deal(part, rows []int, fraction float64) {
	n := len(rows)
	tested := min(max(int(fraction*float64(n)+0.5), 1), n-1)
	for _, row := range rows[:tested] {
		part[row] = 1
	}
}

func (h Holdout) fraction() (float64, error) {
	if h.TestFraction == 0 {
		return 0.25, nil
	}
	if !(h.TestFraction > 0 && h.TestFraction < 1) {
		return 0, fmt.Errorf("eval: Holdout.TestFraction = %v, want a fraction between 0 and 1, or 0 for 1/4", h.TestFraction)
	}
	return h.TestFraction, nil
}

// Pick returns copies of the given rows of X and of the corresponding elements of y. It
// panics if X or rows is empty, len(y) is not the number of rows of X, or an element of
// rows is out of range.
func Pick[Y int | float64](X *mat.Dense, y []Y, rows []int) (*mat.Dense, []Y) {
	if X == nil || X.IsEmpty() {
		panic("eval: Pick: X is empty, want at least one row and one column")
	}
	n, d := X.Dims()
	if len(y) != n || len(rows) == 0 {
		panic(fmt.Sprintf("eval: Pick of %d rows: X has %d rows and y %d elements, want as many, and at least one row to pick", len(rows), n, len(y)))
	}
	for i, row := range rows {
		if row < 0 || row >= n {
			panic(fmt.Sprintf("eval: Pick: rows[%d] = %d, want a row of X, from 0 to %d", i, row, n-1))
		}
	}
	A, b := mat.NewDense(len(rows), d, nil), make([]Y, len(rows))
	for i, row := range rows {
		A.SetRow(i, X.RawRowView(row))
		b[i] = y[row]
	}
	return A, b
}
