package notebooks

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// A sentence of a lecture that compares ("fewer", "wider", "best") says of results what a cell
// asserts, or it says nothing of results. metadata.marginalia.comparisons of its Markdown cell
// has the sentence and one of these:
//
//	"pocket-and-average"       the code cell of the lecture that asserts it
//	"05-kernels#chi2-digits"   the same, in another lecture
//	"definition"               what a word means, how something is made or laid out
//	"theorem"                  what the text proves or derives
//	"task"                     what the reader is asked to do, or what comes next
//	"source: Efron (1975)"     what somebody else says
//
// A sentence that changes needs its mark again. Questions claim nothing. Cells that
// TestGenerated makes are left out.
func TestComparisons(t *testing.T) {
	t.Parallel()
	lectures := maps.Collect(notebooks(t))
	kinds := map[string]int{}
	for file, nb := range lectures {
		for _, c := range nb.Cells {
			if c.Type != "markdown" || isGenerated(c) {
				continue
			}
			v, _ := c.Setting("comparisons")
			marked, _ := v.(map[string]any)
			found := comparisons(c.Source)
			for _, sentence := range found {
				mark, _ := marked[sentence].(string)
				kind, _, _ := strings.Cut(mark, ": ")
				switch {
				case mark == "":
					t.Errorf("%s, cell %s: metadata.marginalia.comparisons has no mark for %q: assert it in a cell, or say why it needs no assertion", file, c.ID, sentence)
				case mark == "definition" || mark == "theorem" || mark == "task" || kind == "source" && mark != kind:
					kinds[kind]++
				default:
					kinds["cell"]++
					if code := cellOf(lectures, file, mark); code == nil || !asserts.MatchString(code.Source) {
						t.Errorf("%s, cell %s: %q leads to %s, which is no code cell with an assertion", file, c.ID, sentence, mark)
					}
				}
			}
			for sentence := range marked {
				if !slices.Contains(found, sentence) {
					t.Errorf("%s, cell %s: metadata.marginalia.comparisons has a mark for %q, which no longer stands there", file, c.ID, sentence)
				}
			}
		}
	}
	t.Log("sentences that compare:", kinds)
}

// cellOf returns the code cell of a mark: an id of the lecture in file, or LECTURE#ID.
func cellOf(lectures map[string]*nbformat.Notebook, file, mark string) *nbformat.Cell {
	if lecture, id, ok := strings.Cut(mark, "#"); ok {
		file, mark = lecture+".ipynb", id
	}
	if nb := lectures[file]; nb != nil {
		for _, c := range nb.Cells {
			if c.ID == mark && c.Type == "code" {
				return c
			}
		}
	}
	return nil
}

var (
	// What the lectures assert with. A log.Fatal(err) asserts nothing.
	asserts = regexp.MustCompile(`(?m)^\s*claim\(|log\.Fatalf?\("|^%test`)
	compare = regexp.MustCompile(`(?i)\b(better|worse|more|less|fewer|faster|slower|larger|smaller|higher|lower|wider|narrower|earlier|later|longer|shorter|closer|than|best|most|least)\b`)
	// Where these words compare nothing.
	nothing = regexp.MustCompile(`(?s)` + strings.Join([]string{
		`\$+[^$]*\$+`, "`[^`]*`", `\]\([^)]*\)`, `<[^>]*>`,
		`(?i:\b(at (least|most)|least[- ]squares|other than|no longer|(once|one|two|three|some) more|more than (one|two)|(earlier|later|more) (cells?|lectures?|sections?|slides?))\b)`,
	}, "|"))
	block = regexp.MustCompile(`\n\s*(?:[-|>]|\d+\.) |\n\s*\n|</?(?:details|summary)>`)
	ends  = regexp.MustCompile(`[.!?][*_")”]*\s+`)
)

// comparisons returns the sentences of a Markdown source that compare, each on one line.
func comparisons(source string) (found []string) {
	for _, b := range block.Split("\n"+source, -1) {
		b = strings.Join(strings.Fields(b), " ")
		if strings.HasPrefix(b, "#") {
			continue
		}
		for b != "" {
			end := len(b)
			for _, at := range ends.FindAllStringIndex(b, -1) {
				// A sentence does not end before a small letter or within a formula.
				if next := b[at[1]:]; (next[0] < 'a' || next[0] > 'z') && strings.Count(b[:at[1]], "$")%2 == 0 {
					end = at[1]
					break
				}
			}
			s := strings.TrimSpace(b[:end])
			b = b[end:]
			if !strings.HasSuffix(strings.TrimRight(s, `*_")`), "?") && compare.MatchString(nothing.ReplaceAllString(s, " … ")) {
				found = append(found, s)
			}
		}
	}
	return found
}

func TestComparisonsFound(t *testing.T) {
	for source, want := range map[string]string{
		"The pocket errs less. It is the\nsame.\n\nThe *best* of all!": "The pocket errs less.|The *best* of all!",
		"- a wide street;\n- a **narrower** one\n\n1. fewer":           "a **narrower** one|fewer",
		"It costs $a$ or more. B. More than $x > 1. y$ here":           "It costs $a$ or more.|More than $x > 1. y$ here",
		"## More\n\nWhich is wider? At least one, once more.":          "",
		"Least squares, see [there](a.ipynb#more) `less`":              "",
	} {
		if got := strings.Join(comparisons(source), "|"); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	if asserts.MatchString("log.Fatal(err)") || asserts.MatchString("func claim(") || !asserts.MatchString("\tclaim(a > b, \"\")") {
		t.Error("claim(…) asserts, and log.Fatal(err) and func claim do not")
	}
}
