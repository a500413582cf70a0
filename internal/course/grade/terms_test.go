package grade

import (
	"reflect"
	"testing"

	"marginalia/internal/course/release"
	"marginalia/internal/sandbox/host"
)

// What a release says of its tests names no hidden check, also none whose name a visible loop makes
// of a hidden row, and shares the points as the grader does.
func TestTermsTellNothingHidden(t *testing.T) {
	a := one(t, `%test
func TestOne(t *testing.T) {
	for x, name := range map[int]string{
		1: "one",
		// BEGIN HIDDEN TESTS
		7: "sev" + "en",
		8: "eight",
		// END HIDDEN TESTS
	} {
		t.Run(name, func(t *testing.T) {
			if One(x) != x+1 {
				t.Error(x)
			}
		})
	}
}

// BEGIN HIDDEN TESTS
func TestSecret(t *testing.T) {
	One(9)
}
// END HIDDEN TESTS`)
	run := func(name string) host.Check {
		return host.Check{Name: name, Passed: true, At: host.Place{Cell: "one-test", Line: 10}}
	}
	g := &Grader{Assignment: a, TimeFactor: 20, Memory: 1 << 20, Key: Key{
		map[string][]host.Check{"TestOne": {run("TestOne"), run("TestOne/one"), run("TestOne/seven"), run("TestOne/eight")}, "TestSecret": {run("TestSecret")}},
		map[string]float64{"TestOne": 0.17, "TestSecret": 1},
	}}
	// 20 times 0.17 s, rounded up. Four points are shared by three subtests and TestSecret.
	want := release.Terms{Imports: []string{"errors", "testing"}, Memory: 1 << 20,
		Tests: []release.Test{{Name: "TestOne", Seconds: 4, Checks: []release.Check{{Name: "TestOne", Cost: 1}, {Name: "TestOne/one", Worth: 1}}, Hides: true}}}
	if got := g.terms([]string{"testing", "errors"}); !reflect.DeepEqual(got, want) {
		t.Errorf("terms %+v, want %+v", got, want)
	}
}
