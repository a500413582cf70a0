package grade

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
)

// checks are results in short: a name, and behind it + for passed, - for failed, ! for failed by itself.
func checks(text string) (all []host.Check) {
	for name := range strings.FieldsSeq(text) {
		end := name[len(name)-1:]
		all = append(all, host.Check{Name: strings.TrimRight(name, "+-!"), Passed: end == "+", Own: end == "!"})
	}
	return all
}

// tests are a cell with the function T, and partial credit.
func tests(max float64, points map[string]float64) *assignment.Tests {
	decls := &gonb.Decls{Funcs: map[string]*gonb.Func{"T": {Key: "T", At: []gonb.Origin{{Cell: "t"}}}}}
	return &assignment.Tests{Cell: &assignment.Cell{ID: "t", Meta: nbgrader.Meta{Points: max}, Decls: decls}, Funcs: []string{"T"}, Subtests: true, Points: points}
}

// What a check says beside its subtests costs as much as one of them. Nothing that fails gets all points, and the shares are
// those of the solution, whatever a submission does.
func TestPartialCredit(t *testing.T) {
	key := checks("T+ T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+") // shares of 2: a, b/1, b/2, c, c#01
	for name, c := range map[string]struct {
		results string
		points  map[string]float64
		want    float64
	}{
		"right":                            {"T+ T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 10},
		"one subtest":                      {"T- T/a! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 8},
		"deep":                             {"T- T/a+ T/b- T/b/1! T/b/2+ T/c+ T/c#01+", nil, 8},
		"beside them":                      {"T! T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 8},
		"beside them, and one":             {"T! T/a! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 6},
		"beside deep ones":                 {"T- T/a+ T/b! T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 8},
		"beside deep ones, and all there":  {"T- T/a+ T/b! T/b/1! T/b/2! T/c+ T/c#01+", nil, 6},
		"everywhere":                       {"T! T/a! T/b! T/b/1! T/b/2! T/c! T/c#01!", nil, 0},
		"ends early":                       {"T! T/a+", nil, 0},
		"ends before the last":             {"T! T/a+ T/b+ T/b/1+ T/b/2+ T/c+", nil, 6},
		"ends early without a word":        {"T+ T/a+", nil, 2},
		"does not run":                     {"T-", nil, 0},
		"nothing":                          {"", nil, 0},
		"another subtest passes":           {"T- T/a! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+ T/more+", nil, 8},
		"another subtest fails":            {"T- T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+ T/more!", nil, 8},
		"another fails, and one":           {"T- T/a! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+ T/more!", nil, 6},
		"a subtest gets subtests":          {"T- T/a- T/a/x! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 8},
		"another deep one fails":           {"T- T/a+ T/b- T/b/1+ T/b/2+ T/b/x! T/c+ T/c#01+", nil, 8},
		"other names alone":                {"T+ T/x+ T/y+", nil, 0},
		"fails without a reason":           {"T- T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", nil, 8},
		"points":                           {"T- T/a! T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", map[string]float64{"T/a": 6}, 4},
		"points, beside them":              {"T! T/a+ T/b+ T/b/1+ T/b/2+ T/c+ T/c#01+", map[string]float64{"T/a": 6}, 8},
		"a cheap one fails, and beside it": {"T! T/a+ T/b+ T/b/1! T/b/2+ T/c+ T/c#01+", map[string]float64{"T/a": 6}, 7},
	} {
		g := &Grader{Assignment: &assignment.Assignment{}, Key: Key{Checks: map[string][]host.Check{"T": key}}}
		tests := tests(10, c.points)
		v := g.test(tests, map[string]host.Result{"T": {Checks: checks(c.results)}})
		if diff := v.Score - c.want; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: %g points, want %g: %s", name, v.Score, c.want, Told(v))
		}
		sum := 0.0
		for _, k := range v.Checks {
			sum += k.Worth
		}
		if len(v.Checks) != len(key) || sum < 10-1e-9 || sum > 10+1e-9 {
			t.Errorf("%s: %d checks of %g points, want %d of 10", name, len(v.Checks), sum, len(key))
		}
	}
}

// No result of a check that fails instead of passing gives more points, whatever the others are.
func TestFailingNeverPays(t *testing.T) {
	names := []string{"T", "T/a", "T/b", "T/b/1", "T/b/2", "T/more"}
	g := &Grader{Assignment: &assignment.Assignment{}, Key: Key{Checks: map[string][]host.Check{"T": checks("T+ T/a+ T/b+ T/b/1+ T/b/2+")}}}
	tests := tests(12, map[string]float64{"T/a": 9, "T/b/1": 1})
	score := func(failing int) float64 { // a set of those that fail by themselves
		var results []host.Check
		for i, name := range names {
			c := host.Check{Name: name, Passed: true, Own: failing>>i&1 == 1}
			for j, other := range names {
				if failing>>j&1 == 1 && strings.HasPrefix(other+"/", name+"/") {
					c.Passed = false
				}
			}
			results = append(results, c)
		}
		return g.test(tests, map[string]host.Result{"T": {Checks: results}}).Score
	}
	for set := range 1 << len(names) {
		if s := score(set); set > 0 && s >= 12 || set == 0 && s != 12 {
			t.Errorf("%06b: %g points", set, s)
		}
		for i := range names {
			if more := score(set | 1<<i); more > score(set)+1e-9 {
				t.Errorf("%06b gets %g points, and %06b, where %s fails too, %g", set, score(set), set|1<<i, names[i], more)
			}
		}
	}
}

// Settings that have no effect are told at release, with the cell and the names that there are.
func TestMisnamed(t *testing.T) {
	made := func(id string, grade bool, settings map[string]any) *nbformat.Cell {
		c := &nbformat.Cell{ID: id, Type: "code", Metadata: map[string]any{"marginalia": settings}}
		nbgrader.Write(c, nbgrader.Meta{ID: id, Grade: grade, Locked: grade, Solution: !grade})
		return c
	}
	g := &Grader{Key: Key{Checks: map[string][]host.Check{"TestG": checks("TestG+ TestG/a+ TestG/b+"), "TestH": checks("TestH+")}}}
	for want, c := range map[string]struct {
		cell   *nbformat.Cell
		points map[string]float64
	}{
		"": {made("g", true, map[string]any{"credit": "subtests"}), map[string]float64{"TestG/a": 1, "TestH": 2}},
		"cell g: metadata.marginalia.points: \"TestG\": it has subtests, which have the points: want one of TestG/a, TestG/b, TestH\n" +
			"cell g: metadata.marginalia.points: \"TestTypo\": there is no such check: want one of TestG/a, TestG/b, TestH": {made("g", true, map[string]any{"credit": "subtests"}), map[string]float64{"TestTypo": 3, "TestG": 5}},
		`cell g: metadata.marginalia.credit: subtest, want "subtests", or nothing`:      {made("g", true, map[string]any{"credit": "subtest"}), nil},
		`cell g: metadata.marginalia.points has no effect without "credit": "subtests"`: {made("g", true, map[string]any{"points": map[string]any{}}), map[string]float64{"TestH": 2}},
		`cell f: metadata.marginalia has credit or points: want them in a tests cell`:   {made("f", false, map[string]any{"credit": "subtests"}), nil},
	} {
		settings := c.cell.Metadata["marginalia"].(map[string]any)
		g.Assignment = &assignment.Assignment{Tests: []*assignment.Tests{{Cell: &assignment.Cell{ID: "g"}, Funcs: []string{"TestG", "TestH"}, Points: c.points, Subtests: settings["credit"] == "subtests"}}}
		if got := g.misnamed(&nbformat.Notebook{Cells: []*nbformat.Cell{c.cell}}).Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
