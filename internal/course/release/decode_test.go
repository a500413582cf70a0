package release

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"marginalia/internal/testkit/tier"
)

// What is found by hand is what a pattern finds: it is what it was when patterns alone
// found it. Pieces of what matters to them stand in random order.
func TestRunsAreThosePatternsFind(t *testing.T) {
	pattern := regexp.MustCompile(b64 + `{2,}(?:` + glue + b64 + `{2,})*(?:` + glue + b64 + `)?={0,2}`)
	equal := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal[[]int]) }
	random := rand.New(rand.NewPCG(14, 64))
	words := []string{"a", "Bc", "3f", "_", "-", "+", "/", "//", "=", "\"", "`", "'", ",", "\\", "\n", "\r\n", " ", "\t", "#", ">", "*", ".", "é", "0x", "\\x"}
	digits := []string{"0", "1", "10110100", "00 ", "12,", "7;", "ff ", "0xa1,", "\\x0d", "00000000", "\n", "x", "é"}
	found := map[string]int{}
	for range tier.Size(t, 4000, 20_000) {
		text, numeric := "", ""
		for range random.IntN(12) {
			text += words[random.IntN(len(words))]
		}
		kinds := 1 + random.IntN(3) // few kinds make long runs
		first := random.IntN(len(digits))
		for range random.IntN(60) {
			numeric += digits[(first+random.IntN(kinds))%len(digits)]
		}
		if got, want := base64s(text), pattern.FindAllStringIndex(text, -1); !equal(got, want) {
			t.Fatalf("base64 in %q: %v, want %v", text, got, want)
		}
		for name, r := range map[string]*runs{"hexes": hexes, "numbers": numbers, "bits": bits} {
			got, want := r.find(numeric), r.pattern.FindAllStringIndex(numeric, -1)
			if !equal(got, want) {
				t.Fatalf("%s in %q: %v, want %v", name, numeric, got, want)
			}
			found[name] += len(want)
		}
	}
	for _, name := range []string{"hexes", "numbers", "bits"} {
		if found[name] < 50 {
			t.Errorf("%s were found %d times: that proves little", name, found[name])
		}
	}
}
