package plotting

import (
	"math"
	"regexp"
	"slices"
	"testing"
)

// 391 right of 400 is 0.9775, which lies between two numbers of three decimals. The last bit of a mean, which
// hangs on the order of a sum, does not choose between them.
func TestTies(t *testing.T) {
	one := field{"C", []any{1}}
	words := regexp.MustCompile(`>0\.\d+<`)
	drawn := func(v float64) []string {
		return words.FindAllString(string(New("", SearchPair(one, one, []fold{{1, v, 0.02}}, -1)).SVG()), -1)
	}
	want := drawn(0.9775)
	if len(want) == 0 {
		t.Fatal("the table shows no mean")
	}
	for _, v := range []float64{math.Nextafter(0.9775, 0), math.Nextafter(0.9775, 1)} {
		if got := drawn(v); !slices.Equal(got, want) {
			t.Errorf("%v is %q, and 0.9775 %q", v, got, want)
		}
	}
}
