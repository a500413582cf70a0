// Package tier tells tests that take minutes whether they are wanted.
package tier

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// variable holds the tiers that are wanted beside the tests that always run, separated by
// commas: MARGINALIA_TEST=long.
const variable = "MARGINALIA_TEST"

// Long skips a test that takes minutes, unless the tier "long" is wanted.
func Long(t testing.TB) {
	t.Helper()
	if !wanted("long") {
		t.Skip(howTo("long", t.Name()))
	}
}

func wanted(tier string) bool {
	return slices.ContainsFunc(strings.Split(os.Getenv(variable), ","), func(s string) bool { return strings.TrimSpace(s) == tier })
}

func howTo(tier, test string) string {
	return fmt.Sprintf("takes minutes: run it with %s=%s go test -count=1 -timeout 30m -run '^%s$'", variable, tier, test)
}
