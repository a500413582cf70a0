package derive

import (
	"strings"
	"testing"
)

// Every derivation produces a table whose rows all have four cells and balanced dollars
// and braces, and the same text each time.
func TestMarkdownOfLectures(t *testing.T) {
	for _, d := range Lectures() {
		text := d.Markdown()
		if text != d.Markdown() {
			t.Error("another text the second time")
		}
		title, _, _ := strings.Cut(text, "\n")
		if !strings.HasPrefix(title, "### ") {
			t.Errorf("begins with %q", title)
		}
		if !strings.Contains(text, "\n\nComputed at 100 random points: every step holds.\n") {
			t.Errorf("%s: no verdict in %s", title, text)
		}
		rows := 0
		for line := range strings.Lines(text) {
			if strings.Count(line, "$")%2 != 0 || strings.Count(line, "{") != strings.Count(line, "}") {
				t.Errorf("%s: dollars or braces are not in pairs: %s", title, line)
			}
			if strings.Count(line, `\bigl`)+strings.Count(line, `\Bigl`) != strings.Count(line, `\bigr`)+strings.Count(line, `\Bigr`) {
				t.Errorf("%s: large brackets are not in pairs: %s", title, line)
			}
			if !strings.HasPrefix(line, "|") {
				continue
			}
			rows++
			if strings.Count(line, "|") != 5 {
				t.Errorf("%s: not four cells: %s", title, line)
			}
		}
		report, err := d.Check(1, 1)
		if err != nil || rows != len(report.Steps)+2 {
			t.Errorf("%s: %d rows for %d steps", title, rows, len(report.Steps))
		}
		for _, bad := range []string{"NaN", "infty", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: contains %s", title, bad)
			}
		}
	}
}

func TestMarkdownOfAFailure(t *testing.T) {
	d := binomial()
	d.Example = nil // use the first that Draw returns
	d.Source, d.Notes = "a school book", "a note"
	d.Given = func(pair) string { return "given" }
	d.Steps[2].Value = Scalar(func(p pair) float64 { return p.A })
	text := d.Markdown()
	for _, want := range []string{
		"\n\n**Computed at 100 random points: step 3 does not hold.**\n", "\n*a school book*\n", "\ngiven\n", "\na note\n",
		"| " + numTeXOf(drawPair(source(1, 0)).A) + " |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", text, want)
		}
	}
}

func numTeXOf(x float64) string { return "$" + numTeX(x) + "$" }

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v     []float64
		scale float64
		want  string
	}{
		{[]float64{0.5}, 0, "0.5"},
		{[]float64{-2. / 3}, 0, "-0.666667"},
		{[]float64{1.5e-9}, 0, `1.5\cdot 10^{-9}`},
		{[]float64{2e15}, 0, `2\cdot 10^{15}`},
		{[]float64{1e-17}, 1, "0"},
		{[]float64{1, 1e-17, -3}, 0, `(1,\ 0,\ -3)`},
		{[]float64{1, 2, 3, 4, 5, 6}, 0, `(1,\ 2,\ 3,\ 4,\ 5,\ 6)`},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 0, `(1,\ 2,\ 3,\ 4,\ 5,\ \dots,\ 7)`},
	} {
		if got := numberTeX(c.v, c.scale); got != c.want {
			t.Errorf("%v: got %s, want %s", c.v, got, c.want)
		}
	}
}
