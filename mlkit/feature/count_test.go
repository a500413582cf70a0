package feature

import "testing"

func TestCountMonomials(t *testing.T) {
	for _, c := range []struct {
		n, d    int
		ordered bool
		want    string
	}{
		{2, 2, false, "3"},
		{2, 2, true, "4"},
		{100, 6, false, "1609344100"}, // CMU: "1.6 billion"
		{256, 5, false, "9525431552"}, // Schölkopf, Smola and Müller 1998, section 1: "about 10¹⁰" for 16×16 pixels
		{100, 6, true, "1000000000000"},
		{7, 0, false, "1"},
		{1, 9, false, "1"},
	} {
		if got := CountMonomials(c.n, c.d, c.ordered).String(); got != c.want {
			t.Errorf("CountMonomials(%d, %d, %v) = %s, want %s", c.n, c.d, c.ordered, got, c.want)
		}
	}
}
