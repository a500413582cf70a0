package notebooks

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

var whichMutations = flag.String("mutations", "", "the mutations of TestMutations: all, or those of some packages, such as svm,kernel; by default the first of each package")

// A lecture's cell has to fail if a formula that it relies on is wrong. TestMutations puts
// the faults of testdata/mutations.txt into mlkit, one at a time, and runs the cell that
// the table names. If it passes, the lecture neither prints nor asserts what the fault
// changes. The test then looks for another cell of the lecture that fails.
//
//	MARGINALIA_TEST=long go test -timeout 40m ./notebooks -run TestMutations -mutations all
func TestMutations(t *testing.T) {
	tier.Long(t)
	root := repotest.Root(t)
	byLecture, chosen := map[string]map[int]mutation{}, map[int]mutation{}
	seen := map[string]bool{}
	for i, m := range readMutations(t) {
		name := strings.TrimPrefix(m.pkg(), "mlkit/")
		first := !seen[name]
		seen[name] = true
		wanted := *whichMutations == "" && first || *whichMutations == "all" ||
			slices.Contains(strings.Split(*whichMutations, ","), name)
		if !wanted {
			continue
		}
		if byLecture[m.lecture] == nil {
			byLecture[m.lecture] = map[int]mutation{}
		}
		byLecture[m.lecture][i+1], chosen[i+1] = m, m
	}
	if len(chosen) == 0 {
		t.Fatalf("-mutations %s: no mutation is chosen, want all or some of %q", *whichMutations, slices.Sorted(maps.Keys(seen)))
	}
	list := must.Get(overlay(root, t.TempDir(), chosen)).Or(t)
	for _, lecture := range slices.Sorted(maps.Keys(byLecture)) {
		t.Run(lecture, func(t *testing.T) { tryMutations(t, root, lecture, list, byLecture[lecture]) })
	}
}

// tryMutations runs the cells of one lecture that its mutations, by number, should break.
// list is the overlay with all mutations.
func tryMutations(t *testing.T, root, lecture, list string, mutations map[int]mutation) {
	b := must.Get(built.Notebook(t.Context(), lecture+".ipynb", root)).Or(t)
	defer b.Close()
	packages, dir := slices.Clone(b.Packages), t.TempDir()
	for i := range packages {
		p := &packages[i]
		p.Overlay, p.Binary = list, filepath.Join(dir, fmt.Sprint(i))
		must.Do(t, p.Build(t.Context()))
	}
	with := func(k int) *celltest.Suite {
		s := must.Get(celltest.NewSuite(lecture+".ipynb", b.Notebook, packages)).Or(t)
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		s.Lacks = func(string) string { return "it takes minutes" }
		s.Env = func(string) []string { return []string{fmt.Sprintf("%s=%d", mutantEnv, k)} }
		return s
	}
	// Without a mutation, the same programs have to pass.
	sound, checked := with(0), map[string]bool{}
	for _, m := range mutations {
		if checked[m.cell] {
			continue
		}
		checked[m.cell] = true
		if res := sound.Run(t.Context(), m.cell); res.Skipped != "" || len(res.Failures) > 0 {
			t.Fatalf("%s fails without a mutation: %s%q", m.cell, res.Skipped, res.Failures)
		}
	}
	var group errgroup.Group
	group.SetLimit(2)
	for _, k := range slices.Sorted(maps.Keys(mutations)) {
		s := with(k)
		group.Go(func() error {
			tryMutation(t, s, mutations[k])
			return nil
		})
	}
	_ = group.Wait() // errors are the test's
}

// tryMutation reports an error if a mutation does not break its cell.
func tryMutation(t *testing.T, s *celltest.Suite, m mutation) {
	where := fmt.Sprintf("mutations.txt:%d: %s: %s", m.line, m.pkg(), m.title)
	if why := failure(t.Context(), s, m.cell); why != "" {
		t.Logf("%s: %s: %s", where, m.cell, why)
		if strings.HasPrefix(why, "it did not end") {
			t.Errorf("%s: %s runs for ever, want a wrong result", where, m.cell)
		}
		return
	}
	for _, id := range s.IDs() {
		if why := failure(t.Context(), s, id); why != "" {
			t.Errorf("%s: %s passes; of the lecture's cells, %s is the first to fail: %s", where, m.cell, id, why)
			return
		}
	}
	t.Errorf("%s: every cell of the lecture passes", where)
}

// failure returns the first thing that is wrong with a cell, or "".
func failure(ctx context.Context, s *celltest.Suite, id string) string {
	res := s.Run(ctx, id)
	if len(res.Failures) == 0 {
		return ""
	}
	return res.Failures[0]
}
