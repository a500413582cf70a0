package check

import (
	"strings"
	"testing"

	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/verdict"
)

// The points are those that visible checks decide on; a check that was not reached is failed.
func TestPoints(t *testing.T) {
	check := func(name string, passed bool) verdict.Check {
		return verdict.Check{Name: name, Words: name[strings.LastIndex(name, "/")+1:], Passed: passed}
	}
	cell := &assignment.Tests{Cell: &assignment.Cell{ID: "mean-test"}, Funcs: []string{"TestMean"}, Subtests: true}
	a := &assignment.Assignment{Tests: []*assignment.Tests{cell}}
	both := []verdict.Check{check("TestMean", true), check("TestMean/several numbers", true), check("TestMean/no numbers", true)}
	half := []verdict.Check{check("TestMean", false), check("TestMean/several numbers", true), {Name: "TestMean/no numbers", Words: "no numbers", Panic: "panic: not implemented", Place: &verdict.Place{Cell: "mean", Line: 4}}}
	cut := []verdict.Check{{Name: "TestMean", Words: "TestMean", Panic: "it takes too long"}, check("TestMean/several numbers", true)}
	for _, c := range []struct {
		subtests bool
		checks   []verdict.Check
		terms    bool
		want     string
	}{
		{true, both, true, `cell 5 (mean-test): 2 of 2 points; hidden checks give 1 more
    passed: several numbers
    passed: no numbers
2 of 2 checks passed, 2 of 2 points; the grader has hidden checks besides
`},
		{true, half, true, `cell 5 (mean-test): 1 of 2 points; hidden checks give 1 more
    failed: TestMean
    passed: several numbers
    failed: no numbers
        panic: not implemented
        in cell 4 (mean), line 4
1 of 2 checks passed, 1 of 2 points; the grader has hidden checks besides
`},
		{true, cut, true, `cell 5 (mean-test): 1 of 2 points; hidden checks give 1 more
    failed: TestMean
        it takes too long
    passed: several numbers
    failed: no numbers
        it takes too long
1 of 3 checks passed, 1 of 2 points; the grader has hidden checks besides
`},
		{false, both, true, `cell 5 (mean-test): 3 of 3 points; hidden checks must pass too
    passed: several numbers
    passed: no numbers
2 of 2 checks passed, 3 of 3 points; the grader has hidden checks besides
`},
		{false, half[:2], true, `cell 5 (mean-test): 0 of 3 points; hidden checks must pass too
    failed: TestMean
    passed: several numbers
    failed: no numbers
1 of 2 checks passed, 0 of 3 points; the grader has hidden checks besides
`},
	} {
		s := read(t, released(t))
		cell.Subtests = c.subtests
		r := &Report{places: places(s.student), Tests: []Test{s.test(a, verdict.Test{ID: "mean-test", Max: 3, Checks: c.checks})}}
		if got := printed(t, r); got != c.want {
			t.Errorf("the student reads\n%s\nwant\n%s", got, c.want)
		}
		if passed := strings.HasPrefix(c.want, "cell 5 (mean-test): 2 of 2") || strings.HasPrefix(c.want, "cell 5 (mean-test): 3 of 3"); r.Passed() != passed {
			t.Errorf("passed: %v, want %v", r.Passed(), passed)
		}
	}
}

// What a test could not be judged for, and what it says at length, is told.
func TestPrint(t *testing.T) {
	nb := released(t)
	r := &Report{places: places(nb), Tests: []Test{
		{Test: verdict.Test{ID: "mean-test", Max: 3}, Why: "line 4: undefined: Mean"},
		{Test: verdict.Test{ID: "other", Max: 1, Output: "one\ntwo\n", Checks: []verdict.Check{{Name: "TestX", Words: "x", Messages: []string{strings.Repeat("é", 5000)}}}}, Uses: []string{"mean"}},
	}, ByHand: []Answer{{"words", false}}}
	text := printed(t, r)
	for _, want := range []string{
		"cell 5 (mean-test): 0 of 3 points\n    failed: it can't be judged with your answers: line 4: undefined: Mean\n",
		"cell other: 0 of 1 points\n    failed: x\n        ééé", "é …\n",
		"    your code printed:\n        one\n        two\n",
		"    it uses answers that fail, too: mend cell 4 (mean) first",
		"cell 7 (words): a person marks it\n", "0 of 2 checks passed, 0 of 4 points\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the student reads %q, want %q in it", text, want)
		}
	}
	if len(text) > 3000 || r.Passed() {
		t.Errorf("%d bytes are printed, want a message of 5000 letters cut; passed: %v", len(text), r.Passed())
	}
}
