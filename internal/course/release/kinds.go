package release

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A notebook with a POINTS line says in its text what its cells are, so that nobody has to set nbgrader's metadata:
//
//   - a cell that begins with %test and declares a TestX is tests, and has points
//   - a code cell with a solution region is an answer; with points, one that a person grades
//   - a Markdown cell with points is a task, or, with a solution region, an answer that a person grades
//   - other code is given, and locked, unless the student's id is written there
//
// What metadata.nbgrader of a cell says comes first. Only its points follow the text.
//
// Sources: nbgrader 0.9.6, whose regions these are, and otter-grader (its assignments in the form of otter assign), which
// reads points and kinds from the text too.

// pointsForm says how points are written.
const pointsForm = `write "// POINTS: 4" on a line of its own (in Markdown "<!-- POINTS: 4 -->")`

var (
	pointsLine = map[string]*regexp.Regexp{
		"code":     regexp.MustCompile(`^\s*//\s*POINTS\b(.*)$`),
		"markdown": regexp.MustCompile(`^\s*<!--\s*POINTS\b(.*?)\s*-->\s*$`),
	}
	// someLine is one that may be meant so.
	someLine   = regexp.MustCompile(`(?://|<!--)\s*POINTS\s*:`)
	creditLine = regexp.MustCompile(`^\s*//\s*CREDIT:\s*subtests\s*$`)
	someCredit = regexp.MustCompile(`^\s*//\s*CREDIT\b`)
	testFunc   = regexp.MustCompile(`(?m)^func (Test(?:[^a-z(\s][^(\s]*)?)\(`)
	declared   = regexp.MustCompile(`(?m)^(?:func\s+(?:\([^)]*\)\s*)?|type\s+\(?\s*|var\s+\(?\s*|const\s+\(?\s*)(\pL[\pL\d_]*)`)
)

// A cellText is what the lines of a cell say.
type cellText struct {
	points        float64
	line          int // of the POINTS line, from 1; 0: there is none
	credit        bool
	tests         []string // the test functions of a code cell
	solution      bool
	visible       string // without regions that students do not see
	firstSolution int    // the line at which the first solution begins, from 1
}

// speaks reports whether a cell has a POINTS line, or one that is meant so.
func speaks(c *nbformat.Cell) bool {
	form := pointsLine[c.Type]
	return form != nil && slices.ContainsFunc(strings.Split(c.Source, "\n"), func(line string) bool {
		return form.MatchString(line) || someLine.MatchString(line)
	})
}

// textOf reads a cell. The error is a [nbgrader.Fault].
func textOf(c *nbformat.Cell) (t cellText, err error) {
	form := pointsLine[c.Type]
	if form == nil {
		return t, nil
	}
	lines := strings.Split(c.Source, "\n")
	hidden := make([]bool, len(lines))
	for _, mark := range []nbgrader.Mark{nbgrader.Solution, nbgrader.HiddenTests, nbgrader.MarkScheme} {
		regions, err := mark.Regions(c.Source)
		if err != nil {
			return t, err
		}
		if mark == nbgrader.Solution && len(regions) > 0 {
			t.solution, t.firstSolution = true, regions[0].Begin+1
		}
		for _, r := range regions {
			for i := r.Begin; i <= r.End; i++ {
				hidden[i] = true
			}
		}
	}
	for i, line := range lines {
		if !hidden[i] {
			t.visible += line + "\n"
		}
		if c.Type == "code" && someCredit.MatchString(line) {
			if t.credit = creditLine.MatchString(line); !t.credit {
				return t, &nbgrader.Fault{Line: i + 1, Text: fmt.Sprintf("%s: want // CREDIT: subtests, or nothing", strings.TrimSpace(line))}
			}
		}
		m := form.FindStringSubmatch(line)
		if m == nil {
			if someLine.MatchString(line) {
				return t, &nbgrader.Fault{Line: i + 1, Text: "POINTS in another form: " + pointsForm}
			}
			continue
		}
		value, colon := strings.CutPrefix(strings.TrimSpace(m[1]), ":")
		points, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case !colon || err != nil || !(points >= 0 && points <= 1e9):
			return t, &nbgrader.Fault{Line: i + 1, Text: fmt.Sprintf("%s: want a number of 0 or more: %s", strings.TrimSpace(line), pointsForm)}
		case t.line > 0:
			return t, &nbgrader.Fault{Line: i + 1, Text: fmt.Sprintf("POINTS, as in line %d: a cell has points once", t.line)}
		case hidden[i]:
			return t, &nbgrader.Fault{Line: i + 1, Text: "POINTS within a region that students do not see: write it outside"}
		}
		t.points, t.line = points, i+1
	}
	if c.Type == "code" {
		for _, m := range testFunc.FindAllStringSubmatch(c.Source, -1) {
			if m[1] != "TestMain" {
				t.tests = append(t.tests, m[1])
			}
		}
	}
	return t, nil
}

// kind says what the cell is by its text. The error is a [nbgrader.Fault].
func (t cellText) kind(c *nbformat.Cell) (nbgrader.Kind, error) {
	begins := c.Type == "code" && gonb.Read("", c.Source).Test
	wrong := func(line int, format string, args ...any) (nbgrader.Kind, error) {
		return 0, &nbgrader.Fault{Line: line, Text: fmt.Sprintf(format, args...)}
	}
	switch {
	case c.Type != "code" && t.line > 0 && t.solution:
		return nbgrader.ManualAnswer, nil
	case c.Type != "code" && t.line > 0:
		return nbgrader.Task, nil
	case c.Type != "code" && (t.solution || strings.Contains(c.Source, nbgrader.MarkScheme.Begin)):
		return wrong(0, "a person is to grade it, and it has no points: %s", pointsForm)
	case c.Type != "code":
		return nbgrader.Given, nil
	case t.solution && (begins || len(t.tests) > 0):
		return wrong(t.firstSolution, "%s in a cell with tests: give the tests a cell of their own", nbgrader.Solution.Begin)
	case begins && len(t.tests) == 0 && t.line > 0:
		return wrong(t.line, "it has points and no test: want a func TestX(t *testing.T)")
	case len(t.tests) > 0 && !begins:
		return wrong(0, "it declares %s and does not begin with %%test: begin it so", t.tests[0])
	case len(t.tests) > 0 && t.line == 0:
		return wrong(0, "it has tests and no points: %s", pointsForm)
	case len(t.tests) > 0:
		return nbgrader.Tests, nil
	case strings.Contains(c.Source, nbgrader.HiddenTests.Begin):
		return wrong(0, "%s in a cell without a test: begin the cell with %%test, and declare a func TestX(t *testing.T)", nbgrader.HiddenTests.Begin)
	case t.solution && t.line > 0:
		return nbgrader.ManualAnswer, nil
	case t.solution:
		return nbgrader.Answer, nil
	case t.line > 0:
		return wrong(t.line, "POINTS in a cell that has neither tests nor a solution: begin tests with %%test, and put %s and %s around a solution", nbgrader.Solution.Begin, nbgrader.Solution.End)
	}
	return nbgrader.Given, nil
}
