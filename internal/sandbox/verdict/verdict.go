// Package verdict is what the judge says of a submission: the data that pass from
// the grader to the gradebook, the student's page, the report and other machines.
package verdict

import (
	"strings"
	"unicode"
)

// A Notebook is the verdict on one notebook of a submission.
type Notebook struct {
	Assignment string
	Notebook   string // without .ipynb
	Student    string
	Version    string // of the lecturer's notebook: a hash of what decides on marks
	Tests      []Test
	Notes      []Note `json:",omitempty"`
}

// A Test is the verdict on one tests cell.
type Test struct {
	ID     string // grade_id
	Max    float64
	Score  float64
	Checks []Check
	// Alone says that the answers were judged together with the solutions of the other
	// questions, since that is better for the student.
	Alone   bool    `json:",omitempty"`
	Output  string  `json:",omitempty"` // what the student's code printed
	Seconds float64 `json:"-"`          // of the processor: other ones in each run, so they are stored apart
}

// A Check is a test function or a subtest.
type Check struct {
	Name     string   // "TestFit/two points"
	Words    string   // for the student
	Hidden   bool     `json:",omitempty"`
	Passed   bool     `json:",omitempty"`
	Worth    float64  `json:",omitempty"` // its share of the points, 0 of a check that has subtests
	Cost     float64  `json:",omitempty"` // of a check that has subtests: what it takes away if it fails Beside them
	Beside   bool     `json:",omitempty"` // it fails by what it says or does outside of its subtests
	Messages []string `json:",omitempty"` // what the test says; not for students if Hidden
	Panic    string   `json:",omitempty"` // how the student's code ended, if it did not return
	Place    *Place   `json:",omitempty"` // the student's line at fault
}

// A Place is a line, from 1, of a cell. Line 0 is the whole cell.
type Place struct {
	Cell string
	Line int `json:",omitempty"`
}

// A Note says what else is to be known of a submission.
type Note struct {
	Place
	Text string
}

// Plain returns a student's text, or its first max bytes and an ellipsis, as it can be shown anywhere.
// U+FFFD replaces what is not UTF-8, and characters that control a terminal or change the direction of the text
// after them.
func Plain(text string, max int) string {
	if len(text) > max {
		text = text[:max] + " …"
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			return '\uFFFD'
		}
		return r
	}, text)
}
