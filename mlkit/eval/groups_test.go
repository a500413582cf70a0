package eval_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/testkit"
)

// No group is on both sides of a fold, every row is tested once, and the sizes of the parts
// differ by at most the largest group.
func TestGrouped(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 5).Draw(t, "k")
		groups := rapid.SliceOfN(rapid.IntRange(-4, 9), k, 60).Draw(t, "groups")
		count := map[int]int{}
		for _, g := range groups {
			count[g]++
		}
		f := eval.KFold{K: k, Shuffle: rapid.Bool().Draw(t, "shuffle")}
		folds, err := f.Grouped(groups)
		if len(count) < k {
			if err == nil || !strings.Contains(err.Error(), "different numbers, want at least K") {
				t.Fatalf("%d groups in %d parts: %v", len(count), k, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		largest := 0
		for _, n := range count {
			largest = max(largest, n)
		}
		tested := make([]int, len(groups))
		smallest, most := len(groups), 0
		for _, f := range folds {
			for _, i := range f.Test {
				tested[i]++
				if slices.ContainsFunc(f.Train, func(j int) bool { return groups[j] == groups[i] }) {
					t.Fatalf("group %d is on both sides of %v", groups[i], f)
				}
			}
			if len(f.Train)+len(f.Test) != len(groups) {
				t.Fatalf("%d and %d rows of %d", len(f.Train), len(f.Test), len(groups))
			}
			smallest, most = min(smallest, len(f.Test)), max(most, len(f.Test))
		}
		if slices.ContainsFunc(tested, func(n int) bool { return n != 1 }) || len(folds) != k {
			t.Fatalf("rows are tested %v times in %d folds", tested, len(folds))
		}
		if most-smallest > largest {
			t.Fatalf("parts of %d and %d rows, with groups of at most %d", smallest, most, largest)
		}
	})
}

// The first of several repeats is the split without repeats, and the others are those of
// the next seeds.
func TestRepeats(t *testing.T) {
	y := []int{0, 1, 0, 1, 1, 0, 2, 2, 2, 0, 1, 2}
	splits := map[string]func(f eval.KFold) ([]eval.Fold, error){
		"folds":      func(f eval.KFold) ([]eval.Fold, error) { return f.Folds(len(y)) },
		"stratified": func(f eval.KFold) ([]eval.Fold, error) { return f.Stratified(y) },
		"grouped":    func(f eval.KFold) ([]eval.Fold, error) { return f.Grouped([]int{0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0}) },
	}
	for name, split := range splits {
		got := testkit.Try(split(eval.KFold{K: 3, Shuffle: true, Seed: 7, Repeats: 4})).Or(t, name)
		var want []eval.Fold
		for r := range uint64(4) {
			some := testkit.Try(split(eval.KFold{K: 3, Shuffle: true, Seed: 7 + r})).Or(t, name)
			want = append(want, some...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if reflect.DeepEqual(got[:3], got[3:6]) && reflect.DeepEqual(got[:3], got[6:9]) {
			t.Errorf("%s: the repeats are alike", name)
		}
		for _, f := range []eval.KFold{{K: 3, Repeats: 2}, {K: 3, Shuffle: true, Repeats: -1}, {K: 3, Shuffle: true, Repeats: 1 << 40}} {
			if _, err := split(f); err == nil || !strings.HasPrefix(err.Error(), "eval: KFold.Repeats = ") {
				t.Errorf("%s: %+v: %v", name, f, err)
			}
		}
	}
}
