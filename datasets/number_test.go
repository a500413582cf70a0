package datasets

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Numbers of few digits, which are not left to strconv, are rounded as it rounds them, with
// the point anywhere and with either sign of zero.
func TestShortNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		digits := make([]byte, 1+r.IntN(17))
		for i := range digits {
			digits[i] = '0' + byte(r.IntN(10))
		}
		if r.IntN(10) == 0 {
			digits = []byte(strings.Repeat("0", len(digits)))
		}
		s := string(digits)
		if k := r.IntN(len(s) + 2); k <= len(s) {
			s = s[:k] + "." + s[k:]
		}
		if r.IntN(2) == 0 {
			s = "-" + s
		}
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := finite(s); !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q is read as %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"", "-", ".", "-.", "--1", "1-", "1.2.3", "1-2"} {
		if v, ok := finite(s); ok {
			t.Errorf("%q is read as %v", s, v)
		}
	}
}
