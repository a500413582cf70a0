package notebooks

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// A number in a lecture's prose stands in a cell's source or output, perhaps with more digits
// or as a fraction where the prose has per cent. Where it comes from elsewhere,
// metadata.marginalia.numbers of its Markdown cell says from where:
//
//	"numbers": {"1.4": "LeCun, Cortes and Burges, the page of MNIST"}
//
// Whole numbers up to 10, years, and the numbers of sections, figures and courses are free. Cells
// that TestGenerated makes are left out.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for file, nb := range notebooks(t) {
		run := numbersRun(nb)
		for _, c := range nb.Cells {
			if c.Type != "markdown" || isGenerated(c) {
				continue
			}
			v, _ := c.Setting("numbers")
			marked, _ := v.(map[string]any)
			for _, n := range numbers(c.Source) {
				if _, ok := marked[n]; ok {
					marked[n] = nil
				} else if !supported(n, run) {
					t.Errorf("%s, cell %s: no cell prints %s or has it in its source: print it, or say in metadata.marginalia.numbers where it comes from", file, c.ID, n)
				}
			}
			for n, from := range marked {
				if from != nil {
					t.Errorf("%s, cell %s: metadata.marginalia.numbers has %s, and the prose has not", file, c.ID, n)
				}
			}
		}
	}
}

// supported reports whether number n of the prose is one of run, rounded to its digits.
func supported(n string, run []float64) bool {
	v, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return false
	}
	_, decimals, _ := strings.Cut(n, ".")
	if len(decimals) == 0 && v <= 10 {
		return true
	}
	unit := math.Pow10(-len(decimals))
	for _, r := range run {
		if math.Abs(r-v) <= unit/2*(1+1e-9) || math.Abs(100*r-v) <= unit/2*(1+1e-9) {
			return true
		}
	}
	return false
}

// numbersRun returns the numbers in the sources and the outputs of a notebook's cells.
func numbersRun(nb *nbformat.Notebook) (run []float64) {
	add := func(s string) {
		for _, n := range digits.FindAllString(thousands(s), -1) {
			if v, err := strconv.ParseFloat(n, 64); err == nil {
				run = append(run, v)
			}
		}
	}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		add(c.Source)
		for _, o := range c.Outputs {
			add(o.Text)
			for _, form := range []string{"text/plain", "text/markdown", "text/html"} {
				s, _ := o.Data[form].(string)
				add(s)
			}
		}
	}
	return run
}

var (
	digits = regexp.MustCompile(`\d+(?:\.\d+)?`)
	// Where prose has numbers that say nothing of an experiment.
	free = regexp.MustCompile(strings.Join([]string{
		`\]\([^)]*\)`, "`[^`]*`", `<[^>]*>`, `(?m)^#+ .*$`, `(?m)^\s*\d+\. `, `\b(1[89]|20)\d\d\b`, `EE-559|CS 5785`,
		`(?i)\b(sections?|figures?|fig\.|examples?|chapters?|lectures?|steps?|lines?|equations?|exercises?) \d[\d.,–\- and]*`,
	}, "|"))
	grouped = regexp.MustCompile(`(\d)(?:\{,\}|\\,|,|\x{202f})(\d{3})\b`)
)

// numbers returns the numbers of a Markdown source.
func numbers(source string) []string {
	var found []string
	text := thousands(free.ReplaceAllString(source, " "))
	for _, at := range digits.FindAllStringIndex(text, -1) {
		if before := text[:at[0]]; before == "" || !strings.ContainsAny(before[len(before)-1:], "._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			found = append(found, text[at[0]:at[1]])
		}
	}
	return found
}

// thousands removes what separates the thousands of a number.
func thousands(s string) string {
	for {
		joined := grouped.ReplaceAllString(s, "$1$2")
		if joined == s {
			return s
		}
		s = joined
	}
}

func TestNumbersFound(t *testing.T) {
	for source, want := range map[string]string{
		"errors fall from $4$ to 1.25 %":                        "4 1.25",
		"1{,}234 and 60,000 and $10\\,000$":                     "1234 60000 10000",
		"section 12.3 and figure 4.16 of 2009, EE-559, `x[17]`": "",
		"x_12, $w_{3}$, [here](01.ipynb#17)":                    "3",
	} {
		if got := strings.Join(numbers(source), " "); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	if run := []float64{0.12345, 1797}; !supported("0.123", run) || !supported("12.3", run) || !supported("1797", run) || supported("0.13", run) || supported("1798", run) {
		t.Error("0.123, 12.3 and 1797 stand in the cells, 0.13 and 1798 do not")
	}
}
