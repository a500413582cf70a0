// Package testkit says how the tests of mlkit run: which are asked for, how many cases a
// property is tried on, and from which sizes on an algorithm takes the path of large samples. It
// also reports the errors and panics of calls.
package testkit

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Long skips a test that takes long, much memory or large data, unless it is asked for.
func Long(t testing.TB) {
	t.Helper()
	if !IsLong(t) {
		t.Skipf("takes long, much memory or large data: MARGINALIA_TEST=long go test -run '^%s$' -timeout 40m", strings.ReplaceAll(t.Name(), "/", "$/^"))
	}
}

// IsLong reports whether long tests are asked for: a test that always runs tries more cases
// then. MARGINALIA_TEST is a list, separated by commas, that has long or all. Without it,
// CI=true asks for them.
func IsLong(t testing.TB) bool {
	t.Helper()
	list, set := os.LookupEnv("MARGINALIA_TEST")
	if !set {
		return os.Getenv("CI") == "true"
	}
	asked := strings.Split(strings.ReplaceAll(list, " ", ""), ",")
	return slices.Contains(asked, "long") || slices.Contains(asked, "all")
}

// Size is how many cases a test that always runs tries, or how large they are: few, and many
// among the long tests.
func Size(t testing.TB, few, many int) int {
	t.Helper()
	if IsLong(t) {
		return many
	}
	return few
}
