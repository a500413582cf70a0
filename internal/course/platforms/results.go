package platforms

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A Grading is what the grader found in one submission, for platforms that grade one at a
// time. All of it is shown to the student.
type Grading struct {
	Refused string // why it could not be graded: "not a notebook"; "" if it was
	Message string // on the whole
	Checks  []Check
	Seconds float64
}

// A Check is one test or subtest. Points may be more than Max: extra credit.
type Check struct {
	Name, Words string // TestX/sub; in words
	Points, Max float64
	Passed      bool
	Messages    []string
}

// valid reports what no platform can take.
func (r Grading) valid() error {
	for _, c := range r.Checks {
		if c.Name == "" || !(c.Points >= 0) || !(c.Max >= 0) || math.IsInf(c.Points, 1) || math.IsInf(c.Max, 1) {
			return fmt.Errorf("platforms: check %q with %v of %v points: want a name and 0 or more points", c.Name, c.Points, c.Max)
		}
	}
	return nil
}

// sums are all points and the most there are.
func (r Grading) sums() (points, most float64) {
	for _, c := range r.Checks {
		points, most = points+c.Points, most+c.Max
	}
	return points, most
}

// Gradescope returns results.json as Gradescope reads it from /autograder/results
// (gradescope-autograders.readthedocs.io, "Autograder Specifications"). Texts are marked as
// plain, so no name or message becomes HTML, and what the grader prints stays hidden.
func Gradescope(r Grading) ([]byte, error) {
	type test struct {
		Name       string  `json:"name"`
		NameFormat string  `json:"name_format"`
		Score      float64 `json:"score"`
		MaxScore   float64 `json:"max_score"`
		Status     string  `json:"status"`
		Output     string  `json:"output"`
		Format     string  `json:"output_format"`
		Visibility string  `json:"visibility"`
	}
	if err := r.valid(); err != nil {
		return nil, err
	}
	return fitted(r, func(r Grading) any {
		points, _ := r.sums()
		tests := make([]test, len(r.Checks))
		for i, c := range r.Checks {
			status := "failed"
			if c.Passed {
				status = "passed"
			}
			tests[i] = test{c.title(), "text", c.Points, c.Max, status, strings.Join(c.Messages, "\n"), "text", "visible"}
		}
		return struct {
			Score            float64 `json:"score"`
			ExecutionTime    float64 `json:"execution_time"`
			Output           string  `json:"output"`
			Format           string  `json:"output_format"`
			Visibility       string  `json:"visibility"`
			StdoutVisibility string  `json:"stdout_visibility"`
			Tests            []test  `json:"tests"`
		}{points, r.Seconds, strings.TrimSpace(r.Refused + "\n" + r.Message), "text", "visible", "hidden", tests}
	})
}

// PrairieLearn returns results.json as PrairieLearn reads it from /grade/results
// (docs.prairielearn.com, "External grading"). Its score is a fraction, so extra credit ends
// at 1. A submission that could not be graded costs no attempt there.
func PrairieLearn(r Grading) ([]byte, error) {
	type test struct {
		Name        string  `json:"name"`
		Description string  `json:"description"`
		Points      float64 `json:"points"`
		MaxPoints   float64 `json:"max_points"`
		Message     string  `json:"message"`
	}
	if err := r.valid(); err != nil {
		return nil, err
	}
	return fitted(r, func(r Grading) any {
		if r.Refused != "" {
			return struct {
				Gradable     bool     `json:"gradable"`
				FormatErrors []string `json:"format_errors"`
				Message      string   `json:"message"`
			}{false, []string{r.Refused}, r.Message}
		}
		points, most := r.sums()
		score := min(1, points/max(most, math.SmallestNonzeroFloat64))
		tests := make([]test, len(r.Checks))
		for i, c := range r.Checks {
			tests[i] = test{c.Name, c.Words, c.Points, c.Max, strings.Join(c.Messages, "\n")}
		}
		return struct {
			Gradable bool    `json:"gradable"`
			Score    float64 `json:"score"`
			Message  string  `json:"message"`
			Tests    []test  `json:"tests"`
		}{true, score, r.Message, tests}
	})
}

func (c Check) title() string {
	if c.Words == "" {
		return c.Name
	}
	return c.Words
}

// maxResults is PrairieLearn's limit of results.json, 1 MB.
const maxResults = 1_000_000

// fitted is the JSON of what form makes of r, with messages cut as far as the limit demands.
func fitted(r Grading, form func(Grading) any) ([]byte, error) {
	for most := maxResults; ; most /= 8 {
		data, err := json.MarshalIndent(form(r.cut(most)), "", "  ")
		if err != nil || len(data) < maxResults {
			return data, err
		}
		if most == 0 {
			return nil, fmt.Errorf("platforms: results.json has %d bytes without any message, want less than %d: %d checks", len(data), maxResults, len(r.Checks))
		}
	}
}

// cut returns r with each text cut to at most that many bytes.
func (r Grading) cut(most int) Grading {
	shorten := func(text string) string {
		if len(text) <= most {
			return text
		}
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	checks := make([]Check, len(r.Checks))
	for i, c := range r.Checks {
		checks[i] = Check{c.Name, shorten(c.Words), c.Points, c.Max, c.Passed, []string{shorten(strings.Join(c.Messages, "\n"))}}
	}
	return Grading{shorten(r.Refused), shorten(r.Message), checks, r.Seconds}
}
