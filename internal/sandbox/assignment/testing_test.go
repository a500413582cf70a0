package assignment

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/sandbox/host"
)

// Benchmarks stand beside tests, and are no part of the judge; what else its package testing lacks is said with its place. A
// variable may have any name.
func TestWhatJudgesHaveOfTesting(t *testing.T) {
	given := [3]string{"given", "lib", "import \"testing\"\n\nvar used = map[int]bool{}\n\nfunc BenchmarkTwo(b *testing.B) {\n\tfor b.Loop() {\n\t\tTwo()\n\t}\n}"}
	two := [3]string{"answer", "two", "func Two() int { return 2 }"}
	const test = "%test\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 || used[1] {\n\t\tt.Error()\n\t}\n}\n\n"
	a := readSheet(t, sheet(given, two, [3]string{"tests", "two-test", test + "func FuzzTwo(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { Two() }) }"}))
	if _, err := a.BuildJudge(t.Context(), t.TempDir()); err != nil {
		t.Error(err)
	}
	for source, want := range map[string]string{
		"func TestMain(m *testing.M) { m.Run() }":                                        "line 8: testing.M is not there",
		"func TestThree(t *testing.T) {\n\ttesting.AllocsPerRun(3, func() { Two() })\n}": "line 9: testing.AllocsPerRun is not there",
		"func TestThree(t *testing.T) {\n\tt.Chdir(\"x\")\n}":                            "line 9: Chdir of testing.T is not there",
		"func loop(b *testing.B) {}":                                                     "line 8: testing.B is not there",
	} {
		_, err := Read(t.Context(), sheet(given, two, [3]string{"tests", "two-test", test + source}), a.root)
		if err == nil || !strings.HasPrefix(err.Error(), "cell two-test, "+want) {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
}

// What is listed as missing is what is missing.
func TestMethodsOfTesting(t *testing.T) {
	missing := func(of, from reflect.Type) (names []string) {
		for i := range of.NumMethod() {
			if m := of.Method(i); m.IsExported() {
				if _, ok := from.MethodByName(m.Name); !ok {
					names = append(names, m.Name)
				}
			}
		}
		return names
	}
	if got := missing(reflect.TypeFor[*testing.T](), reflect.TypeFor[*host.T]()); !slices.Equal(got, judgeLacks) {
		t.Errorf("testing.T: %q, want %q", got, judgeLacks)
	}
	if got := missing(reflect.TypeFor[testing.TB](), reflect.TypeFor[host.TB]()); !slices.Equal(got, judgeLacks) {
		t.Errorf("testing.TB: %q, want %q", got, judgeLacks)
	}
}
