package collect

import "testing"

// Names of one person as two systems write them, and of two persons.
func TestAgree(t *testing.T) {
	for _, c := range []struct {
		said, listed string
		want         bool
	}{
		{"Ada Lovelace", "Lovelace, Ada", true},
		{"lovelaceada", "Ada Lovelace", true},
		{"Müller Maja", "Maja Mu\u0308ller", true},
		{"Mueller_Maja", "Maja Müller", true},
		{"maja muller", "MAJA MÜLLER", true},
		{"OBrien, Sean", "Seán O'Brien", true},
		{"Soren Aabye Kierkegaard", "Søren Kierkegaard", true},
		{"A. Lovelace", "Ada Lovelace", true},
		{"Weiss Lukasz", "Łukasz Weiß", true},
		{"李雷", "李雷", true},
		{"Иван Петров", "Петров Иван", true},
		{"Bob", "Bob", true},
		{"Bob Bee", "Bob", true}, // the roster has no more
		{"", "Ada Lovelace", true},
		{"Ada Lovelace", "", true},
		{"Team Red", "Ada Lovelace", false},
		{"Lovelace", "Ada Lovelace", true}, // claim says that this is little
		{"Ada Byron", "Ada Lovelace", false},
		{"A. L.", "Ada Lovelace", false},
		{"Team Ada", "Ada Lovelace", false},
		{"Ben Lovelace", "Ada Lovelace", false},
		{"李明", "李雷", false},
		{"lovelacead", "Ada Lovelace", false},
	} {
		if got := Agree(c.said, c.listed); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.said, c.listed, got, c.want)
		}
	}
}
