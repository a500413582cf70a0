package assignment_test

import (
	"strings"
	"testing"
)

// A guest has all that the student declares and what that uses of the lecturer's, but no helper of the tests and no
// package that only they need: it is compiled and linked for each student.
func TestGuestHasWhatAnswersUse(t *testing.T) {
	given := part{"given", "types", lecturer[1].source + "\n\nvar source = big.NewInt(4)\n\nfunc half(x float64) float64 { return x / two }\n\nconst two = 2\n\nvar _ = far()\n\nfunc far() int { return 1 }"}
	a := read(t, append([]part{{"given", "more", "import \"math/big\""}}, append([]part{lecturer[0], given}, lecturer[2:]...)...))
	for _, c := range []struct {
		own       string
		has, lack []string
	}{
		{"", []string{"_ = far()", "func far"}, []string{"near", "math/big", "half", "two"}},
		// An answer's own declarations stay, used or not, and a block of constants with its head, whose name is the lecturer's.
		{"var unused = half(1)\n\nconst (\n\tErrEmpty = iota\n\tsecond\n)", []string{"unused", "func half", "two = 2", "_ = iota", "second"}, []string{"near", "math/big"}},
		{"func late() int64 { return source.Int64() }", []string{"math/big", "source = big.NewInt(4)"}, []string{"near", "half"}},
	} {
		g, err := a.Assemble(t.Context(), notebook(t, append(answers(part{"given", "types", given.source}), part{"extra", "", c.own})...), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := string(g.Files["cells.go"])
		for _, has := range append(c.has, "func square", "func Mean", "ErrEmpty = errors.New") {
			if !strings.Contains(text, has) {
				t.Errorf("with %q: no %s in\n%s", c.own, has, text)
			}
		}
		for _, lack := range c.lack {
			if strings.Contains(text, lack) {
				t.Errorf("with %q: %s in\n%s", c.own, lack, text)
			}
		}
	}
}
